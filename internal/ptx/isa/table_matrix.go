package isa

var matrixRows = []row{
	{"wmma.load", Matrix, "Warp Level Matrix Load Instruction: wmma.load", "6.0 70", parse, []string{"* ; w m s?"}},
	{"wmma.store", Matrix, "Warp Level Matrix Store Instruction: wmma.store", "6.0 70", parse, []string{"* ; m v s?"}},
	{"wmma.mma", Matrix, "Warp Level Matrix Multiply-and-Accumulate Instruction: wmma.mma", "6.0 70", parse, []string{"* ; w v v v"}},
	{"mma", Matrix, "Multiply-and-Accumulate Instruction: mma", "6.4 70", parse, []string{"* ; w v v s x*"}},
	{"mma.sp", Matrix, "Multiply-and-Accumulate Instruction: mma.sp", "7.1 80", parse, []string{"* ; w v v v s i x*"}},
	{"mma.sp::ordered_metadata", Matrix, "Multiply-and-Accumulate Instruction: mma.sp", "8.5 80", parse, []string{"* ; w v v v s i x*"}},
	{"ldmatrix", Matrix, "Warp-level matrix load instruction: ldmatrix", "6.5 75", parse, []string{
		"sync aligned m8n8|m8n16|m16n16 x1|x2|x4 trans? shared|shared::cta? b16|b8|b8x16.b6x16_p32|b8x16 b6x16_p32|b4x16_p64? ; w m"}},
	{"stmatrix", Matrix, "Warp-level matrix store instruction: stmatrix", "7.8 90", parse, []string{
		"sync aligned m8n8|m16n8 x1|x2|x4 trans? shared|shared::cta? b16|b8 ; m v"}},
	{"movmatrix", Matrix, "Warp-level matrix transpose instruction: movmatrix", "7.8 75", parse, []string{"sync aligned m8n8 trans b16 ; d s"}},
	{"wgmma.mma_async", Matrix, "Asynchronous Multiply-and-Accumulate Instruction: wgmma.mma_async", "8.0 90", parse, []string{"* ; w x x x*"}},
	{"wgmma.mma_async.sp", Matrix, "Asynchronous Multiply-and-Accumulate Instruction: wgmma.mma_async.sp", "8.2 90", parse, []string{"* ; w x x x*"}},
	{"wgmma.fence", Matrix, "Asynchronous wgmma Proxy Operations: wgmma.fence", "8.0 90", parse, []string{"sync aligned ; "}},
	{"wgmma.commit_group", Matrix, "Asynchronous wgmma Proxy Operations: wgmma.commit_group", "8.0 90", parse, []string{"sync aligned ; "}},
	{"wgmma.wait_group", Matrix, "Asynchronous wgmma Proxy Operations: wgmma.wait_group", "8.0 90", parse, []string{"sync aligned ; i"}},
	{"tcgen05.alloc", Tensor5, "Tensor Memory Allocation and Management Instructions: tcgen05.alloc", "8.6 100", parse, []string{
		"cta_group::1|cta_group::2 sync aligned shared::cta? b32 ; m s"}},
	{"tcgen05.dealloc", Tensor5, "Tensor Memory Allocation and Management Instructions: tcgen05.dealloc", "8.6 100", parse, []string{
		"cta_group::1|cta_group::2 sync aligned b32 ; s s"}},
	{"tcgen05.relinquish_alloc_permit", Tensor5, "Tensor Memory Allocation and Management Instructions: tcgen05.relinquish_alloc_permit", "8.6 100", parse, []string{
		"cta_group::1|cta_group::2 sync aligned ; "}},
	{"tcgen05.ld", Tensor5, "Tensor Memory and Register Load/Store Instructions: tcgen05.ld", "8.6 100", parse, []string{"* ; w m i?"}},
	{"tcgen05.ld.red", Tensor5, "Tensor Memory and Register Load/Store Instructions: tcgen05.ld", "8.8 101", parse, []string{"* ; w w m i?"}},
	{"tcgen05.st", Tensor5, "Tensor Memory and Register Load/Store Instructions: tcgen05.st", "8.6 100", parse, []string{"* ; m x x?"}},
	{"tcgen05.wait::ld", Tensor5, "Tensor Memory and Register Load/Store Instructions: tcgen05.wait", "8.6 100", parse, []string{"sync aligned ; "}},
	{"tcgen05.wait::st", Tensor5, "Tensor Memory and Register Load/Store Instructions: tcgen05.wait", "8.6 100", parse, []string{"sync aligned ; "}},
	{"tcgen05.cp", Tensor5, "Tensor Memory Data Movement Instructions: tcgen05.cp", "8.6 100", parse, []string{"* ; m s"}},
	{"tcgen05.shift", Tensor5, "Tensor Memory Data Movement Instructions: tcgen05.shift", "8.6 100", parse, []string{
		"cta_group::1|cta_group::2 down ; m"}},
	{"tcgen05.mma", Tensor5, "Tensor Core Instructions: tcgen05.mma", "8.6 100", parse, []string{"* ; m x s s x*"}},
	{"tcgen05.mma.sp", Tensor5, "Tensor Core Instructions: tcgen05.mma.sp", "8.6 100", parse, []string{"* ; m x s m s x*"}},
	{"tcgen05.mma.ws", Tensor5, "Tensor Core Instructions: tcgen05.mma.ws", "8.6 100", parse, []string{"* ; m x s s x*"}},
	{"tcgen05.mma.ws.sp", Tensor5, "Tensor Core Instructions: tcgen05.mma.ws.sp", "8.6 100", parse, []string{"* ; m x s m s x*"}},
	{"tcgen05.fence::before_thread_sync", Tensor5, "Tensorcore 5th Generation Specialized Synchronization Operations: tcgen05.fence", "8.6 100", parse, []string{" ; "}},
	{"tcgen05.fence::after_thread_sync", Tensor5, "Tensorcore 5th Generation Specialized Synchronization Operations: tcgen05.fence", "8.6 100", parse, []string{" ; "}},
	{"tcgen05.commit", Tensor5, "Tensor Memory Synchronization Instructions: tcgen05.commit", "8.6 100", parse, []string{"* ; m s?"}},
}

// scalar video operations: three types, and a merge with c or a selector.
const vForm = "$video $video $video sat? $vop2? ; d s s s?"

// SIMD video operations.
const vSIMD = "$video $video $video sat? add? ; d s s s"

var videoRows = []row{
	{"vadd", Video, "Scalar Video Instructions: vadd, vsub, vabsdiff, vmin, vmax", "2.0 20", run, []string{vForm}},
	{"vsub", Video, "Scalar Video Instructions: vadd, vsub, vabsdiff, vmin, vmax", "2.0 20", run, []string{vForm}},
	{"vabsdiff", Video, "Scalar Video Instructions: vadd, vsub, vabsdiff, vmin, vmax", "2.0 20", run, []string{vForm}},
	{"vmin", Video, "Scalar Video Instructions: vadd, vsub, vabsdiff, vmin, vmax", "2.0 20", run, []string{vForm}},
	{"vmax", Video, "Scalar Video Instructions: vadd, vsub, vabsdiff, vmin, vmax", "2.0 20", run, []string{vForm}},
	{"vshl", Video, "Scalar Video Instructions: vshl, vshr", "2.0 20", run, []string{"$video $video u32 sat? clamp|wrap $vop2? ; d s s s?"}},
	{"vshr", Video, "Scalar Video Instructions: vshl, vshr", "2.0 20", run, []string{"$video $video u32 sat? clamp|wrap $vop2? ; d s s s?"}},
	{"vmad", Video, "Scalar Video Instructions: vmad", "2.0 20", run, []string{"$video $video $video sat? po? shr7|shr15? ; d s s s"}},
	{"vset", Video, "Scalar Video Instructions: vset", "2.0 20", run, []string{"$video $video $cmp $vop2? ; d s s s?"}},
	{"vadd2", Video, "SIMD Video Instructions: vadd2, vsub2, vavrg2, vabsdiff2, vmin2, vmax2", "3.0 30", run, []string{vSIMD}},
	{"vsub2", Video, "SIMD Video Instructions: vadd2, vsub2, vavrg2, vabsdiff2, vmin2, vmax2", "3.0 30", run, []string{vSIMD}},
	{"vavrg2", Video, "SIMD Video Instructions: vadd2, vsub2, vavrg2, vabsdiff2, vmin2, vmax2", "3.0 30", run, []string{vSIMD}},
	{"vabsdiff2", Video, "SIMD Video Instructions: vadd2, vsub2, vavrg2, vabsdiff2, vmin2, vmax2", "3.0 30", run, []string{vSIMD}},
	{"vmin2", Video, "SIMD Video Instructions: vadd2, vsub2, vavrg2, vabsdiff2, vmin2, vmax2", "3.0 30", run, []string{vSIMD}},
	{"vmax2", Video, "SIMD Video Instructions: vadd2, vsub2, vavrg2, vabsdiff2, vmin2, vmax2", "3.0 30", run, []string{vSIMD}},
	{"vset2", Video, "SIMD Video Instructions: vset2", "3.0 30", run, []string{"$video $video $cmp add? ; d s s s"}},
	{"vadd4", Video, "SIMD Video Instructions: vadd4, vsub4, vavrg4, vabsdiff4, vmin4, vmax4", "3.0 30", run, []string{vSIMD}},
	{"vsub4", Video, "SIMD Video Instructions: vadd4, vsub4, vavrg4, vabsdiff4, vmin4, vmax4", "3.0 30", run, []string{vSIMD}},
	{"vavrg4", Video, "SIMD Video Instructions: vadd4, vsub4, vavrg4, vabsdiff4, vmin4, vmax4", "3.0 30", run, []string{vSIMD}},
	{"vabsdiff4", Video, "SIMD Video Instructions: vadd4, vsub4, vavrg4, vabsdiff4, vmin4, vmax4", "3.0 30", run, []string{vSIMD}},
	{"vmin4", Video, "SIMD Video Instructions: vadd4, vsub4, vavrg4, vabsdiff4, vmin4, vmax4", "3.0 30", run, []string{vSIMD}},
	{"vmax4", Video, "SIMD Video Instructions: vadd4, vsub4, vavrg4, vabsdiff4, vmin4, vmax4", "3.0 30", run, []string{vSIMD}},
	{"vset4", Video, "SIMD Video Instructions: vset4", "3.0 30", run, []string{"$video $video $cmp add? ; d s s s"}},
}
