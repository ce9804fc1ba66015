package isa

import "github.com/warpgrind/warpgrind/internal/inst"

var matrixRows = []row{
	{"wmma.load", Matrix, inst.MatrixLoad, "Warp Level Matrix Load Instruction: wmma.load", "6.0 70", run, []string{
		"a|b sync aligned row|col m16n16k16|m32n8k16|m8n32k16 $ss? f16|bf16|s8|u8 ; w m s?",
		"a|b sync aligned row|col m16n16k8 $ss? tf32 ; w m s?",
		"a|b sync aligned row|col m8n8k4 $ss? f64 ; w m s?",
		"a sync aligned row m8n8k32 $ss? s4|u4 ; w m s?", "b sync aligned col m8n8k32 $ss? s4|u4 ; w m s?",
		"a sync aligned row m8n8k128 $ss? b1 ; w m s?", "b sync aligned col m8n8k128 $ss? b1 ; w m s?",
		"c sync aligned row|col m16n16k16|m32n8k16|m8n32k16 $ss? f16|f32|s32 ; w m s?",
		"c sync aligned row|col m16n16k8 $ss? f32 ; w m s?",
		"c sync aligned row|col m8n8k4 $ss? f64 ; w m s?",
		"c sync aligned row|col m8n8k32|m8n8k128 $ss? s32 ; w m s?"}},
	{"wmma.store", Matrix, inst.MatrixStore, "Warp Level Matrix Store Instruction: wmma.store", "6.0 70", run, []string{
		"d sync aligned row|col m16n16k16|m32n8k16|m8n32k16 $ss? f16|f32|s32 ; m v s?",
		"d sync aligned row|col m16n16k8 $ss? f32 ; m v s?",
		"d sync aligned row|col m8n8k4 $ss? f64 ; m v s?",
		"d sync aligned row|col m8n8k32|m8n8k128 $ss? s32 ; m v s?"}},
	{"wmma.mma", Matrix, inst.MatrixMath, "Warp Level Matrix Multiply-and-Accumulate Instruction: wmma.mma", "6.0 70", run, []string{
		"sync aligned row|col row|col m16n16k16|m32n8k16|m8n32k16 f16|f32 f16|f32 satfinite? ; w v v v",
		"sync aligned row|col row|col m16n16k16|m32n8k16|m8n32k16 f32 bf16 bf16 f32 ; w v v v",
		"sync aligned row|col row|col m16n16k8 f32 tf32 tf32 f32 ; w v v v",
		"sync aligned row|col row|col m8n8k4 $rnd? f64 f64 f64 f64 ; w v v v",
		"sync aligned row|col row|col m16n16k16|m32n8k16|m8n32k16 s32 s8 s8 s32 satfinite? ; w v v v",
		"sync aligned row|col row|col m16n16k16|m32n8k16|m8n32k16 s32 u8 u8 s32 satfinite? ; w v v v",
		"sync aligned row col m8n8k32 s32 s4 s4 s32 satfinite? ; w v v v",
		"sync aligned row col m8n8k32 s32 u4 u4 s32 satfinite? ; w v v v",
		"xor|and popc sync aligned row col m8n8k128 s32 b1 b1 s32 ; w v v v"}},
	{"mma", Matrix, inst.MatrixMath, "Multiply-and-Accumulate Instruction: mma", "6.4 70", run, []string{
		"sync aligned m8n8k4 row|col row|col f16|f32 f16 f16 f16 ; w v v s", "sync aligned m8n8k4 row|col row|col f32 f16 f16 f32 ; w v v s",
		"sync aligned m16n8k8|m16n8k16 row col f16 f16 f16 f16 ; w v v s", "sync aligned m16n8k8|m16n8k16 row col f32 f16 f16 f32 ; w v v s",
		"sync aligned m16n8k8|m16n8k16 row col f32 bf16 bf16 f32 ; w v v s",
		"sync aligned m16n8k4|m16n8k8 row col f32 tf32 tf32 f32 ; w v v s",
		"sync aligned m16n8k16|m16n8k32 row col f16 e4m3|e5m2 e4m3|e5m2 f16 ; w v v s", "sync aligned m16n8k16|m16n8k32 row col f32 e4m3|e5m2 e4m3|e5m2 f32 ; w v v s",
		"sync aligned m8n8k4|m16n8k4|m16n8k8|m16n8k16 row col $rnd? f64 f64 f64 f64 ; w v v s",
		"sync aligned m8n8k16|m16n8k16|m16n8k32 row col satfinite? s32 s8|u8 s8|u8 s32 ; w v v s",
		"sync aligned m8n8k32|m16n8k32|m16n8k64 row col satfinite? s32 s4|u4 s4|u4 s32 ; w v v s",
		"sync aligned m8n8k128|m16n8k128|m16n8k256 row col s32 b1 b1 s32 xor|and popc ; w v v s",
		"sync aligned m16n8k32 row col kind::f8f6f4 f16 $f8f6f4 $f8f6f4 f16 ; w v v s", "sync aligned m16n8k32 row col kind::f8f6f4 f32 $f8f6f4 $f8f6f4 f32 ; w v v s",
		"sync aligned m16n8k32 row col kind::mxf8f6f4 block_scale scale_vec::1X? f32 $f8f6f4 $f8f6f4 f32 ue8m0 ; w v v s s v s v",
		"sync aligned m16n8k64 row col kind::mxf4 block_scale scale_vec::2X? f32 e2m1 e2m1 f32 ue8m0 ; w v v s s v s v",
		"sync aligned m16n8k64 row col kind::mxf4nvf4 block_scale scale_vec::2X f32 e2m1 e2m1 f32 ue8m0 ; w v v s s v s v",
		"sync aligned m16n8k64 row col kind::mxf4nvf4 block_scale scale_vec::4X f32 e2m1 e2m1 f32 ue8m0|ue4m3 ; w v v s s v s v"}},
	{"mma.sp", Matrix, inst.MatrixMath, "Multiply-and-Accumulate Instruction: mma.sp", "7.1 80", run, []string{
		"sync aligned m16n8k16|m16n8k32 row col f16 f16 f16 f16 ; w v v v s i",
		"sync aligned m16n8k16|m16n8k32 row col f32 f16 f16 f32 ; w v v v s i",
		"sync aligned m16n8k16|m16n8k32 row col f32 bf16 bf16 f32 ; w v v v s i",
		"sync aligned m16n8k8|m16n8k16 row col f32 tf32 tf32 f32 ; w v v v s i",
		"sync aligned m16n8k64 row col f32 e4m3|e5m2 e4m3|e5m2 f32 ; w v v v s i",
		"sync aligned m16n8k32|m16n8k64 row col satfinite? s32 s8|u8 s8|u8 s32 ; w v v v s i",
		"sync aligned m16n8k64|m16n8k128 row col satfinite? s32 s4|u4 s4|u4 s32 ; w v v v s i"}},
	{"mma.sp::ordered_metadata", Matrix, inst.MatrixMath, "Multiply-and-Accumulate Instruction: mma.sp", "8.5 80", run, []string{
		"sync aligned m16n8k16|m16n8k32 row col f16 f16 f16 f16 ; w v v v s i",
		"sync aligned m16n8k16|m16n8k32 row col f32 f16 f16 f32 ; w v v v s i",
		"sync aligned m16n8k16|m16n8k32 row col f32 bf16 bf16 f32 ; w v v v s i",
		"sync aligned m16n8k8|m16n8k16 row col f32 tf32 tf32 f32 ; w v v v s i",
		"sync aligned m16n8k64 row col f32 e4m3|e5m2 e4m3|e5m2 f32 ; w v v v s i",
		"sync aligned m16n8k32|m16n8k64 row col satfinite? s32 s8|u8 s8|u8 s32 ; w v v v s i",
		"sync aligned m16n8k64|m16n8k128 row col satfinite? s32 s4|u4 s4|u4 s32 ; w v v v s i",
		"sync aligned m16n8k64 row col kind::f8f6f4 f16 $f8f6f4 $f8f6f4 f16 ; w v v v s i", "sync aligned m16n8k64 row col kind::f8f6f4 f32 $f8f6f4 $f8f6f4 f32 ; w v v v s i",
		"sync aligned m16n8k64 row col kind::mxf8f6f4 block_scale scale_vec::1X? f32 $f8f6f4 $f8f6f4 f32 ue8m0 ; w v v v s i s v s v",
		"sync aligned m16n8k128 row col kind::mxf4 block_scale scale_vec::2X? f32 e2m1 e2m1 f32 ue8m0 ; w v v v s i s v s v",
		"sync aligned m16n8k128 row col kind::mxf4nvf4 block_scale scale_vec::2X f32 e2m1 e2m1 f32 ue8m0 ; w v v v s i s v s v",
		"sync aligned m16n8k128 row col kind::mxf4nvf4 block_scale scale_vec::4X f32 e2m1 e2m1 f32 ue8m0|ue4m3 ; w v v v s i s v s v"}},
	{"ldmatrix", Matrix, inst.MatrixLoad, "Warp-level matrix load instruction: ldmatrix", "6.5 75", run, []string{
		"sync aligned m8n8 x1|x2|x4 trans? shared|shared::cta? b16 ; w m",
		"sync aligned m16n16 x1|x2 trans shared|shared::cta? b8 ; w m",
		"sync aligned m16n16 x1|x2 trans shared|shared::cta? b8x16 b6x16_p32|b4x16_p64 ; w m",
		"sync aligned m8n16 x1|x2|x4 shared|shared::cta? b8x16 b6x16_p32|b4x16_p64 ; w m"}},
	{"stmatrix", Matrix, inst.MatrixStore, "Warp-level matrix store instruction: stmatrix", "7.8 90", run, []string{
		"sync aligned m8n8 x1|x2|x4 trans? shared|shared::cta? b16 ; m v",
		"sync aligned m16n8 x1|x2|x4 trans shared|shared::cta? b8 ; m v"}},
	{"movmatrix", Matrix, inst.MatrixMath, "Warp-level matrix transpose instruction: movmatrix", "7.8 75", run, []string{"sync aligned m8n8 trans b16 ; d s"}},
	{"wgmma.mma_async", Matrix, inst.ProductAsync, "Asynchronous Multiply-and-Accumulate Instruction: wgmma.mma_async", "8.0 90", run, []string{
		"sync aligned $m64k16 f16|f32 f16 f16 ; w x s s i i i i?",
		"sync aligned $m64k16 f32 bf16 bf16 ; w x s s i i i i?",
		"sync aligned $m64k8 f32 tf32 tf32 ; w x s s i i",
		"sync aligned $m64k32 f16|f32 e4m3|e5m2 e4m3|e5m2 ; w x s s i i",
		"sync aligned $m64k32i satfinite? s32 s8|u8 s8|u8 ; w x s s",
		"sync aligned $m64k256i s32 b1 b1 and popc ; w x s s"}},
	{"wgmma.mma_async.sp", Matrix, inst.ProductAsync, "Asynchronous Multiply-and-Accumulate Instruction: wgmma.mma_async.sp", "8.2 90", run, []string{
		"sync aligned $m64k32 f16|f32 f16 f16 ; w x s s i s i i i i?",
		"sync aligned $m64k32 f32 bf16 bf16 ; w x s s i s i i i i?",
		"sync aligned $m64k16 f32 tf32 tf32 ; w x s s i s i i",
		"sync aligned $m64k64 f16|f32 e4m3|e5m2 e4m3|e5m2 ; w x s s i s i i",
		"sync aligned $m64k64i satfinite? s32 s8|u8 s8|u8 ; w x s s i s"}},
	{"wgmma.fence", Matrix, inst.ProductFence, "Asynchronous wgmma Proxy Operations: wgmma.fence", "8.0 90", run, []string{"sync aligned ; "}},
	{"wgmma.commit_group", Matrix, inst.ProductCommit, "Asynchronous wgmma Proxy Operations: wgmma.commit_group", "8.0 90", run, []string{"sync aligned ; "}},
	{"wgmma.wait_group", Matrix, inst.ProductWait, "Asynchronous wgmma Proxy Operations: wgmma.wait_group", "8.0 90", run, []string{"sync aligned ; i"}},
	{"tcgen05.alloc", Tensor5, inst.TensorAlloc, "Tensor Memory Allocation and Management Instructions: tcgen05.alloc", "8.6 100", run, []string{
		"$pair sync aligned shared::cta? b32 ; m s"}},
	{"tcgen05.dealloc", Tensor5, inst.TensorFree, "Tensor Memory Allocation and Management Instructions: tcgen05.dealloc", "8.6 100", run, []string{
		"$pair sync aligned b32 ; s s"}},
	{"tcgen05.relinquish_alloc_permit", Tensor5, inst.TensorPermit, "Tensor Memory Allocation and Management Instructions: tcgen05.relinquish_alloc_permit", "8.6 100", run, []string{
		"$pair sync aligned ; "}},
	{"tcgen05.ld", Tensor5, inst.TensorLoad, "Tensor Memory and Register Load/Store Instructions: tcgen05.ld", "8.6 100", run, []string{
		"sync aligned 16x64b|32x32b $x128 pack::16b? b32 ; w m", "sync aligned 16x128b $x64 pack::16b? b32 ; w m",
		"sync aligned 16x256b $x32 pack::16b? b32 ; w m", "sync aligned 16x32bx2 $x128 pack::16b? b32 ; w m i"}},
	{"tcgen05.ld.red", Tensor5, inst.TensorLoad, "Tensor Memory and Register Load/Store Instructions: tcgen05.ld", "8.8 101", run, []string{
		"sync aligned 32x32b $x2to128 min|max abs? NaN? f32 ; w w m", "sync aligned 16x32bx2 $x2to128 min|max abs? NaN? f32 ; w w m i",
		"sync aligned 32x32b $x2to128 min|max u32|s32 ; w w m", "sync aligned 16x32bx2 $x2to128 min|max u32|s32 ; w w m i"}},
	{"tcgen05.st", Tensor5, inst.TensorStore, "Tensor Memory and Register Load/Store Instructions: tcgen05.st", "8.6 100", run, []string{
		"sync aligned 16x64b|32x32b $x128 unpack::16b? b32 ; m v", "sync aligned 16x128b $x64 unpack::16b? b32 ; m v",
		"sync aligned 16x256b $x32 unpack::16b? b32 ; m v", "sync aligned 16x32bx2 $x128 unpack::16b? b32 ; m i v"}},
	{"tcgen05.wait::ld", Tensor5, inst.TensorWait, "Tensor Memory and Register Load/Store Instructions: tcgen05.wait", "8.6 100", run, []string{"sync aligned ; "}},
	{"tcgen05.wait::st", Tensor5, inst.TensorWait, "Tensor Memory and Register Load/Store Instructions: tcgen05.wait", "8.6 100", run, []string{"sync aligned ; "}},
	{"tcgen05.cp", Tensor5, inst.TensorCopy, "Tensor Memory Data Movement Instructions: tcgen05.cp", "8.6 100", run, []string{
		"$pair 128x256b|4x256b|128x128b ; m s", "$pair 128x256b|4x256b|128x128b b8x16 b6x16_p32|b4x16_p64 ; m s",
		"$pair 64x128b warpx2::02_13|warpx2::01_23 ; m s", "$pair 64x128b warpx2::02_13|warpx2::01_23 b8x16 b6x16_p32|b4x16_p64 ; m s",
		"$pair 32x128b warpx4 ; m s", "$pair 32x128b warpx4 b8x16 b6x16_p32|b4x16_p64 ; m s"}},
	{"tcgen05.shift", Tensor5, inst.TensorShift, "Tensor Memory Data Movement Instructions: tcgen05.shift", "8.6 100", run, []string{"$pair down ; m"}},
	{"tcgen05.mma", Tensor5, inst.TensorProduct, "Tensor Core Instructions: tcgen05.mma", "8.6 100", run, []string{
		"$pair $dense ~$collectA? ; m x s s x*", "$pair $dense ashift ~collector::a::lastuse|collector::a::discard? ; m m s s x*",
		"$pair kind::mxf8f6f4 block_scale scale_vec::1X|block32? ~$collectA? ; m x s s m m s", "$pair kind::mxf4 block_scale scale_vec::2X|block32? ~$collectA? ; m x s s m m s",
		"$pair kind::mxf4nvf4 block_scale scale_vec::2X|scale_vec::4X|block16|block32 ~$collectA? ; m x s s m m s"}},
	{"tcgen05.mma.sp", Tensor5, inst.TensorProduct, "Tensor Core Instructions: tcgen05.mma.sp", "8.6 100", run, []string{
		"$pair $dense ~$collectA? ; m x s m s x*", "$pair $dense ashift ~collector::a::lastuse|collector::a::discard? ; m m s m s x*",
		"$pair kind::mxf8f6f4 block_scale scale_vec::1X|block32? ~$collectA? ; m x s m s m m s", "$pair kind::mxf4 block_scale scale_vec::2X|block32? ~$collectA? ; m x s m s m m s",
		"$pair kind::mxf4nvf4 block_scale scale_vec::2X|scale_vec::4X|block16|block32 ~$collectA? ; m x s m s m m s"}},
	{"tcgen05.mma.ws", Tensor5, inst.TensorProduct, "Tensor Core Instructions: tcgen05.mma.ws", "8.6 100", run, []string{
		"cta_group::1 $dense ~$collectB? ; m x s s s s?"}},
	{"tcgen05.mma.ws.sp", Tensor5, inst.TensorProduct, "Tensor Core Instructions: tcgen05.mma.ws.sp", "8.6 100", run, []string{
		"cta_group::1 $dense ~$collectB? ; m x s m s s s?"}},
	{"tcgen05.fence::before_thread_sync", Tensor5, inst.TensorFence, "Tensorcore 5th Generation Specialized Synchronization Operations: tcgen05.fence", "8.6 100", run, []string{" ; "}},
	{"tcgen05.fence::after_thread_sync", Tensor5, inst.TensorFence, "Tensorcore 5th Generation Specialized Synchronization Operations: tcgen05.fence", "8.6 100", run, []string{" ; "}},
	{"tcgen05.commit", Tensor5, inst.TensorCommit, "Tensor Memory Synchronization Instructions: tcgen05.commit", "8.6 100", run, []string{
		"$pair mbarrier::arrive::one shared::cluster? b64 ; m", "$pair mbarrier::arrive::one shared::cluster? multicast::cluster b64 ; m s"}},
}

// scalar video operations: three types, and a merge with c or a selector.
const vForm = "$video $video $video sat? $vop2? ; d s s s?"

// SIMD video operations.
const vSIMD = "$video $video $video sat? add? ; d s s s"

var videoRows = []row{
	{"vadd", Video, inst.Compute, "Scalar Video Instructions: vadd, vsub, vabsdiff, vmin, vmax", "2.0 20", run, []string{vForm}},
	{"vsub", Video, inst.Compute, "Scalar Video Instructions: vadd, vsub, vabsdiff, vmin, vmax", "2.0 20", run, []string{vForm}},
	{"vabsdiff", Video, inst.Compute, "Scalar Video Instructions: vadd, vsub, vabsdiff, vmin, vmax", "2.0 20", run, []string{vForm}},
	{"vmin", Video, inst.Compute, "Scalar Video Instructions: vadd, vsub, vabsdiff, vmin, vmax", "2.0 20", run, []string{vForm}},
	{"vmax", Video, inst.Compute, "Scalar Video Instructions: vadd, vsub, vabsdiff, vmin, vmax", "2.0 20", run, []string{vForm}},
	{"vshl", Video, inst.Compute, "Scalar Video Instructions: vshl, vshr", "2.0 20", run, []string{"$video $video u32 sat? clamp|wrap $vop2? ; d s s s?"}},
	{"vshr", Video, inst.Compute, "Scalar Video Instructions: vshl, vshr", "2.0 20", run, []string{"$video $video u32 sat? clamp|wrap $vop2? ; d s s s?"}},
	{"vmad", Video, inst.Compute, "Scalar Video Instructions: vmad", "2.0 20", run, []string{"$video $video $video po? sat? shr7|shr15? ; d s s s"}},
	{"vset", Video, inst.Compute, "Scalar Video Instructions: vset", "2.0 20", run, []string{"$video $video $cmp $vop2? ; d s s s?"}},
	{"vadd2", Video, inst.Compute, "SIMD Video Instructions: vadd2, vsub2, vavrg2, vabsdiff2, vmin2, vmax2", "3.0 30", run, []string{vSIMD}},
	{"vsub2", Video, inst.Compute, "SIMD Video Instructions: vadd2, vsub2, vavrg2, vabsdiff2, vmin2, vmax2", "3.0 30", run, []string{vSIMD}},
	{"vavrg2", Video, inst.Compute, "SIMD Video Instructions: vadd2, vsub2, vavrg2, vabsdiff2, vmin2, vmax2", "3.0 30", run, []string{vSIMD}},
	{"vabsdiff2", Video, inst.Compute, "SIMD Video Instructions: vadd2, vsub2, vavrg2, vabsdiff2, vmin2, vmax2", "3.0 30", run, []string{vSIMD}},
	{"vmin2", Video, inst.Compute, "SIMD Video Instructions: vadd2, vsub2, vavrg2, vabsdiff2, vmin2, vmax2", "3.0 30", run, []string{vSIMD}},
	{"vmax2", Video, inst.Compute, "SIMD Video Instructions: vadd2, vsub2, vavrg2, vabsdiff2, vmin2, vmax2", "3.0 30", run, []string{vSIMD}},
	{"vset2", Video, inst.Compute, "SIMD Video Instructions: vset2", "3.0 30", run, []string{"$video $video $cmp add? ; d s s s"}},
	{"vadd4", Video, inst.Compute, "SIMD Video Instructions: vadd4, vsub4, vavrg4, vabsdiff4, vmin4, vmax4", "3.0 30", run, []string{vSIMD}},
	{"vsub4", Video, inst.Compute, "SIMD Video Instructions: vadd4, vsub4, vavrg4, vabsdiff4, vmin4, vmax4", "3.0 30", run, []string{vSIMD}},
	{"vavrg4", Video, inst.Compute, "SIMD Video Instructions: vadd4, vsub4, vavrg4, vabsdiff4, vmin4, vmax4", "3.0 30", run, []string{vSIMD}},
	{"vabsdiff4", Video, inst.Compute, "SIMD Video Instructions: vadd4, vsub4, vavrg4, vabsdiff4, vmin4, vmax4", "3.0 30", run, []string{vSIMD}},
	{"vmin4", Video, inst.Compute, "SIMD Video Instructions: vadd4, vsub4, vavrg4, vabsdiff4, vmin4, vmax4", "3.0 30", run, []string{vSIMD}},
	{"vmax4", Video, inst.Compute, "SIMD Video Instructions: vadd4, vsub4, vavrg4, vabsdiff4, vmin4, vmax4", "3.0 30", run, []string{vSIMD}},
	{"vset4", Video, inst.Compute, "SIMD Video Instructions: vset4", "3.0 30", run, []string{"$video $video $cmp add? ; d s s s"}},
}
