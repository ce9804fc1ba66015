package engine_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/tensormap"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// bulkStart makes an mbarrier for one arrival; %r0 is the tile, %r8 the mbarrier, %p1 thread 0,
// %d0 the buffer in.
const bulkStart = `
	mov.u32 %r0, tile; mov.u32 %r8, bar; setp.eq.u32 %p1, %t, 0; ld.param.u64 %d0, [k_in];
	mad.lo.u32 %r7, %t, 4, %r0; mov.u32 %r9, 77; st.shared.u32 [%r7], %r9; st.shared.u32 [%r7+256], %r9;
	@%p1 mbarrier.init.shared.b64 [%r8], 1; fence.proxy.async; bar.sync 0;
`

const bulkWait = `W: mbarrier.try_wait.parity.shared.b64 %p2, [%r8], 0; @!%p2 bra W;`

func bulkSource(body string) string {
	const decls = ".shared .align 1024 .b8 tile[2048];\n.shared .align 8 .b64 bar[2];\n"
	src := strings.Replace(simple(decls, bulkStart+body+"\nst.global.u32 [%o], %r1;"), "k(.param .u64 k_out)", "k(.param .u64 k_out, .param .u64 k_in, .param .align 64 .b8 k_map[128])", 1)
	return strings.Replace(src, ".version 8.3\n.target sm_80", ".version 8.6\n.target sm_90a", 1)
}

// count makes word i of a buffer 1000+i.
func count(b *buffer) {
	for i := range len(b.bytes()) / 4 {
		binary.LittleEndian.PutUint32(b.bytes()[4*i:], 1000+uint32(i))
	}
}

// TestBulk checks when bulk copies take effect and what they move: in[i] is 1000+i.
func TestBulk(t *testing.T) {
	const load = "@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%r8], 128;\n@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r0], [%d0], 128, [%r8];\n"
	const out = "mov.u32 %r1, 1;"
	tests := []struct {
		name, body string
		want       func(i uint32) uint32 // of out
		in         func(i uint32) uint32 // of in afterwards, nil for unchanged
	}{
		{"not yet there", load + "ld.shared.u32 %r1, [%r7];", func(uint32) uint32 { return 77 }, nil},
		{"waited for", load + bulkWait + "ld.shared.u32 %r1, [%r7];", func(i uint32) uint32 { return 1000 + i }, nil},
		{"through a generic window", `cvta.shared.u64 %d3, %d3; mov.u64 %d3, tile; cvta.shared.u64 %d3, %d3;
			@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%r8], 128;
			@%p1 cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.L2::cache_hint [%d3], [%d0+128], 128, [%r8], %d0;` + bulkWait + "ld.shared.u32 %r1, [%r7];",
			func(i uint32) uint32 { return 1032 + i }, nil},
		{"multicast to itself", `mov.u16 %h1, 1; @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%r8], 128;
			@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r0], [%d0], 128, [%r8], %h1;` + bulkWait + "ld.shared.u32 %r1, [%r7];",
			func(i uint32) uint32 { return 1000 + i }, nil},
		{"in shared memory", `@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%r8], 128; st.shared.u32 [%r7], %t; bar.sync 0;
			@%p1 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r0+128], [%r0], 128, [%r8];` + bulkWait + "ld.shared.u32 %r1, [%r7+128];",
			func(i uint32) uint32 { return i }, nil},
		{"reduction in shared memory", `@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%r8], 128; st.shared.u32 [%r7], %t; st.shared.u32 [%r7+128], %r9; bar.sync 0;
			@%p1 cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%r0+128], [%r0], 128, [%r8];` + bulkWait + "ld.shared.u32 %r1, [%r7+128];",
			func(i uint32) uint32 { return 77 + i }, nil},
		{"store that no thread waits for", "@%p1 cp.async.bulk.global.shared::cta.bulk_group [%d0], [%r0], 128; bar.sync 0; ld.global.u32 %r1, [%d0];",
			func(uint32) uint32 { return 1000 }, func(i uint32) uint32 { return 77 }},
		{"store, waited for", `@%p1 cp.async.bulk.global.shared::cta.bulk_group [%d0], [%r0], 128; @%p1 cp.async.bulk.commit_group;
			@%p1 cp.async.bulk.wait_group 0; bar.sync 0; ld.global.u32 %r1, [%d0];`,
			func(uint32) uint32 { return 77 }, func(i uint32) uint32 { return 77 }},
		{"store whose source was read", `@%p1 cp.async.bulk.global.shared::cta.bulk_group [%d0], [%r0], 128; @%p1 cp.async.bulk.commit_group;
			@%p1 cp.async.bulk.wait_group.read 0; bar.sync 0; st.shared.u32 [%r7], %t; ld.global.u32 %r1, [%d0];`,
			func(uint32) uint32 { return 1000 }, func(i uint32) uint32 { return 77 }},
		{"store whose source was changed", `@%p1 cp.async.bulk.global.shared::cta.bulk_group [%d0], [%r0], 128; @%p1 cp.async.bulk.commit_group;
			bar.sync 0; st.shared.u32 [%r7], %t; bar.sync 0; @%p1 cp.async.bulk.wait_group 0; mov.u32 %r1, 1;`,
			func(uint32) uint32 { return 1 }, func(i uint32) uint32 { return i }},
		{"two groups, one waited for", `@%p1 cp.async.bulk.global.shared::cta.bulk_group [%d0], [%r0], 16; @%p1 cp.async.bulk.commit_group;
			@%p1 cp.async.bulk.global.shared::cta.bulk_group [%d0+16], [%r0], 16; @%p1 cp.async.bulk.commit_group;
			@%p1 cp.async.bulk.wait_group 1; bar.sync 0; ld.global.u32 %r1, [%d0]; ld.global.u32 %r2, [%d0+16]; mad.lo.u32 %r1, %r1, 10000, %r2; bar.sync 0;`,
			func(uint32) uint32 { return 771004 }, func(i uint32) uint32 {
				if i < 8 {
					return 77
				}
				return 1000 + i
			}},
		{"some bytes", `mov.u16 %h1, 0x000f; @%p1 cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%d0], [%r0], 128, %h1;` + out,
			func(uint32) uint32 { return 1 }, func(i uint32) uint32 {
				if i%4 == 0 {
					return 77
				}
				return 1000 + i
			}},
		{"reduction", `@%p1 cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%d0], [%r0], 128; ` + out,
			func(uint32) uint32 { return 1 }, func(i uint32) uint32 { return 1077 + i }},
		{"maximum", `st.shared.u32 [%r7], 1016; bar.sync 0; @%p1 cp.reduce.async.bulk.global.shared::cta.bulk_group.max.s32 [%d0], [%r0], 128; ` + out,
			func(uint32) uint32 { return 1 }, func(i uint32) uint32 { return max(1016, 1000+i) }},
		{"prefetch", "cp.async.bulk.prefetch.L2.global [%d0], 128; createpolicy.fractional.L2::evict_first.b64 %d9, 1.0; cp.async.bulk.prefetch.L2.global.L2::cache_hint [%d0], 128, %d9;" + out, func(uint32) uint32 { return 1 }, nil},
		{"store by value", `@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%r8], 128;
			st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%r7], %t, [%r8];` + bulkWait + "ld.shared.u32 %r1, [%r7];",
			func(i uint32) uint32 { return i }, nil},
		{"store of a vector", `@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%r8], 16; mov.u32 %r2, 5; mov.u32 %r3, 6; mov.u32 %r4, 8;
			@%p1 st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%r0], {%r2, %r3, %t, %r4}, [%r8];` + bulkWait + "ld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [%r0]; mad.lo.u32 %r1, %r1, 10, %r2; mad.lo.u32 %r1, %r1, 10, %r3;mad.lo.u32 %r1, %r1, 10, %r4;",
			func(i uint32) uint32 { return 5608 }, nil},
		{"reduction by value", `@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%r8], 128;
			red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r0], %t, [%r8];` + bulkWait + "ld.shared.u32 %r1, [%r0];",
			func(i uint32) uint32 { return 77 + 31*16 }, nil},
		{"fill", `mov.u64 %d1, 64; @%p1 st.bulk.weak.shared::cta [%r0], %d1, 0; bar.sync 0; ld.shared.u32 %r1, [%r7];`,
			func(i uint32) uint32 {
				if i < 16 {
					return 0
				}
				return 77
			}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in, out := newBuffer(t, 4096), newBuffer(t, 128)
			count(in)
			mustRun(t, launch{src: bulkSource(tt.body), params: []any{out, in, make([]byte, 128)}, unchecked: true, cluster: 1, arch: "sm_90"})
			for i, v := range out.u32() {
				if v != tt.want(uint32(i)) {
					t.Errorf("thread %d: %d, want %d", i, v, tt.want(uint32(i)))
				}
			}
			for i, v := range in.u32()[:32] {
				want := uint32(1000 + i)
				if tt.in != nil {
					want = tt.in(uint32(i))
				}
				if v != want {
					t.Errorf("in[%d] is %d, want %d", i, v, want)
				}
			}
		})
	}
}

// matrixMap is a map of 16 rows of 32 words in in, boxes of 8 words and 4 rows.
func matrixMap(in *buffer, change func(*tensormap.Map)) []byte {
	m := &tensormap.Map{Type: tensormap.U32, Rank: 2, Address: in.Base, Dim: [5]uint64{32, 16, 1, 1, 1}, Stride: [5]uint64{0, 128}, Box: [5]int{8, 4, 1, 1, 1}, Step: [5]int{1, 1, 1, 1, 1}}
	if change != nil {
		change(m)
	}
	b := m.Encode()
	return b[:]
}

// TestBulkTensor runs the tensor forms: word (x, y) of the tensor is 1000 + 32*y + x, out is
// the tile of 4 rows of 8 words.
func TestBulkTensor(t *testing.T) {
	const prefix = "mov.b64 %d1, k_map; cvta.param.u64 %d1, %d1; mov.u32 %r2, 4; mov.u32 %r3, 2; mov.u32 %r4, 28; mov.u32 %r5, 14; mov.u32 %r6, -4;\n" +
		"@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%r8], 128;\n"
	const op = "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
	const read = "\n" + bulkWait + "ld.shared.u32 %r1, [%r7];"
	oneRow := func(m *tensormap.Map) { m.Box[1] = 1 }
	word := func(x, y uint32) uint32 {
		if x >= 32 || y >= 16 {
			return 0
		}
		return 1000 + 32*y + x
	}
	tests := []struct {
		name, body string
		change     func(*tensormap.Map)
		want       func(i uint32) uint32
		in         func(x, y uint32) uint32
	}{
		{"tile", prefix + "@%p1 " + op + "[%r0], [%d1, {%r2, %r3}], [%r8];" + read, nil, func(i uint32) uint32 { return word(4+i%8, 2+i/8) }, nil},
		{"corner", prefix + "@%p1 " + op + "[%r0], [%d1, {%r4, %r5}], [%r8];" + read, nil, func(i uint32) uint32 { return word(28+i%8, 14+i/8) }, nil},
		{"before the start", prefix + "@%p1 " + op + "[%r0], [%d1, {%r6, %r6}], [%r8];" + read, nil, func(i uint32) uint32 { return word(i%8-4, i/8-4) }, nil},
		{"swizzled", prefix + "@%p1 " + op + "[%r0], [%d1, {%r2, %r3}], [%r8];" + read, func(m *tensormap.Map) { m.Swizzle = 1 },
			func(i uint32) uint32 { return word(4+i%8, 2+i/8) }, nil},
		{"map in global memory", prefix + "add.u64 %d1, %d0, 2048; @%p1 " + op + "[%r0], [%d1, {%r2, %r3}], [%r8];" + read, nil, func(i uint32) uint32 { return word(4+i%8, 2+i/8) }, nil},
		{"replaced address", prefix + `add.u64 %d1, %d0, 2048; add.u64 %d2, %d0, 128;
			@%p1 tensormap.replace.tile.global_address.global.b1024.b64 [%d1], %d2; fence.proxy.tensormap::generic.acquire.gpu [%d1], 128; bar.sync 0;
			@%p1 ` + op + "[%r0], [%d1, {%r2, %r3}], [%r8];" + read, nil, func(i uint32) uint32 { return word(4+i%8, 3+i/8) }, nil},
		{"replaced by way of shared memory", prefix + `add.u64 %d1, %d0, 2048; mad.lo.u32 %r10, %t, 4, 0; cvt.u64.u32 %d3, %r10; add.u64 %d3, %d3, %d1; ld.global.u32 %r11, [%d3]; st.shared.u32 [%r7+1024], %r11; bar.sync 0;
			@%p1 tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%r0+1024], 0, 6; bar.sync 0;
			tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%d1], [%r0+1024], 128; bar.sync 0;
			@%p1 ` + op + "[%r0], [%d1, {%r2, %r3}], [%r8];" + read, nil, func(i uint32) uint32 {
			if i%8 < 2 {
				return word(4+i%8, 2+i/8)
			}
			return 0
		}, nil},
		{"gather4", prefix + "@%p1 cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes [%r0], [%d1, {%r2, %r5, %r3, %r4, %r3}], [%r8];" + read,
			oneRow, func(i uint32) uint32 { return word(4+i%8, []uint32{14, 2, 28, 2}[i/8]) }, nil},
		{"gather4 at an edge", prefix + "@%p1 cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes [%r0], [%d1, {%r4, %r6, %r5, %r3, %r3}], [%r8];" + read,
			oneRow, func(i uint32) uint32 { return word(28+i%8, []uint32{99, 14, 2, 2}[i/8]) }, nil},
		{"scatter4", prefix + `add.u32 %r9, %t, 500; st.shared.u32 [%r7], %r9; bar.sync 0; fence.proxy.async.shared::cta;
			@%p1 cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group [%d1, {%r2, %r5, %r3, %r4, %r2}], [%r0]; @%p1 cp.async.bulk.commit_group; @%p1 cp.async.bulk.wait_group 0; mov.u32 %r1, 1;`,
			oneRow, func(uint32) uint32 { return 1 }, func(x, y uint32) uint32 {
				if row, ok := map[uint32]uint32{14: 0, 2: 1, 4: 3}[y]; ok && x >= 4 && x < 12 { // row 28 is outside
					return 500 + 8*row + x - 4
				}
				return word(x, y)
			}},
		{"store", prefix + `add.u32 %r9, %t, 500; st.shared.u32 [%r7], %r9; bar.sync 0; fence.proxy.async.shared::cta;
			@%p1 cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%d1, {%r4, %r3}], [%r0]; @%p1 cp.async.bulk.commit_group; @%p1 cp.async.bulk.wait_group 0; mov.u32 %r1, 1;`,
			nil, func(uint32) uint32 { return 1 }, func(x, y uint32) uint32 {
				if x >= 28 && y >= 2 && y < 6 {
					return 500 + (y-2)*8 + x - 28
				}
				return word(x, y)
			}},
		{"reduction", prefix + `@%p1 cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%d1, {%r4, %r3}], [%r0]; mov.u32 %r1, 1;`,
			nil, func(uint32) uint32 { return 1 }, func(x, y uint32) uint32 {
				if x >= 28 && y >= 2 && y < 6 {
					return 77 + word(x, y)
				}
				return word(x, y)
			}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in, out := newBuffer(t, 4096), newBuffer(t, 128)
			count(in)
			m := matrixMap(in, tt.change)
			copy(in.bytes()[2048:], m)
			mustRun(t, launch{src: bulkSource(tt.body), params: []any{out, in, m}, unchecked: true, arch: "sm_90"})
			for i, v := range out.u32() {
				if v != tt.want(uint32(i)) {
					t.Errorf("thread %d: %d, want %d", i, v, tt.want(uint32(i)))
				}
			}
			for i, v := range in.u32()[:512] {
				x, y := uint32(i)%32, uint32(i)/32
				want := word(x, y)
				if tt.in != nil {
					want = tt.in(x, y)
				}
				if v != want {
					t.Errorf("tensor at %d, %d is %d, want %d", x, y, v, want)
				}
			}
		})
	}
}

// TestBulkFaults has what the instructions refuse.
func TestBulkFaults(t *testing.T) {
	const load = "@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
	const tensor = "mov.b64 %d1, k_map; cvta.param.u64 %d1, %d1; mov.u32 %r2, 4; @%p1 cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
	for name, tt := range map[string]struct {
		body   string
		change func(*tensormap.Map)
		kind   trace.FaultKind
		cause  trace.Cause
	}{
		"size":                    {load + "[%r0], [%d0], 24, [%r8];", nil, trace.FaultMisaligned, trace.CauseBulkSize},
		"source not aligned":      {load + "[%r0], [%d0+8], 16, [%r8];", nil, trace.FaultMisaligned, trace.CauseMisaligned},
		"destination":             {load + "[%r0+4], [%d0], 16, [%r8];", nil, trace.FaultMisaligned, trace.CauseMisaligned},
		"mbarrier not aligned":    {load + "[%r0], [%d0], 16, [%r8+4];", nil, trace.FaultMisaligned, trace.CauseMisaligned},
		"beyond shared memory":    {load + "[%r0+2032], [%d0], 1024, [%r8];", nil, trace.FaultOutOfBounds, trace.CauseOutside},
		"beyond the allocation":   {load + "[%r0], [%d0+4080], 32, [%r8];", nil, trace.FaultOutOfBounds, trace.CauseOutside},
		"store beyond":            {"@%p1 cp.async.bulk.global.shared::cta.bulk_group [%d0+4080], [%r0], 32;", nil, trace.FaultOutOfBounds, trace.CauseOutside},
		"no tensor map":           {tensor + "[%r0], [%d1, {%r2, %r2}], [%r8];", func(m *tensormap.Map) { m.Rank = 6 }, trace.FaultOutOfBounds, trace.CauseTensorMap},
		"other rank":              {tensor + "[%r0], [%d1, {%r2, %r2}], [%r8];", func(m *tensormap.Map) { m.Rank = 3 }, trace.FaultOutOfBounds, trace.CauseTensorMap},
		"tile not aligned":        {tensor + "[%r0+64], [%d1, {%r2, %r2}], [%r8];", nil, trace.FaultMisaligned, trace.CauseMisaligned},
		"map not aligned":         {tensor + "[%r0], [%d1+32, {%r2, %r2}], [%r8];", nil, trace.FaultMisaligned, trace.CauseMisaligned},
		"map in shared memory":    {"mov.u64 %d1, tile; cvta.shared.u64 %d1, %d1; cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r0], [%d1, {%r2}], [%r8];", nil, trace.FaultOutOfBounds, trace.CauseWrongSpace},
		"between two words of 16": {strings.Replace(tensor, "%r2, 4", "%r2, 3", 1) + "[%r0], [%d1, {%r2, %r2}], [%r8];", nil, trace.FaultMisaligned, trace.CauseTensorCoordinate},
		"store before":            {"mov.b64 %d1, k_map; cvta.param.u64 %d1, %d1; mov.u32 %r2, 0; mov.u32 %r3, -1; @%p1 cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%d1, {%r2, %r3}], [%r0];", nil, trace.FaultMisaligned, trace.CauseTensorCoordinate},
		"store with a margin": {"mov.b64 %d1, k_map; cvta.param.u64 %d1, %d1; mov.u32 %r2, 0; @%p1 cp.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs.bulk_group [%d1, {%r2, %r2, %r2}], [%r0];",
			func(m *tensormap.Map) {
				m.Mode, m.Rank, m.Stride[2], m.Channels, m.Pixels, m.Upper[0] = tensormap.Im2col, 3, 2048, 8, 4, 1
			}, trace.FaultOutOfBounds, trace.CauseTensorMap},
		"bits of s64": {"mov.b64 %d1, k_map; cvta.param.u64 %d1, %d1; mov.u32 %r2, 0; @%p1 cp.reduce.async.bulk.tensor.2d.global.shared::cta.or.tile.bulk_group [%d1, {%r2, %r2}], [%r0];",
			func(m *tensormap.Map) { m.Type, m.Dim[0] = tensormap.S64, 16 }, trace.FaultUnsupported, trace.CauseTensorMap},
		"by value without clusters": {"@%p1 st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%r0], %t, [%r8];", nil, trace.FaultOutOfBounds, trace.CauseNoCluster},
		"copied without clusters":   {"@%p1 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r0+128], [%r0], 128, [%r8];", nil, trace.FaultOutOfBounds, trace.CauseNoCluster},
		"tensor beyond":             {tensor + "[%r0], [%d1, {%r2, %r2}], [%r8];", func(m *tensormap.Map) { m.Dim[1], m.Stride[1] = 64, 1024 }, trace.FaultOutOfBounds, trace.CauseOutside},
		"box beyond shared":         {tensor + "[%r0], [%d1, {%r2, %r2}], [%r8];", func(m *tensormap.Map) { m.Box[1] = 256 }, trace.FaultOutOfBounds, trace.CauseOutside},
		"fill":                      {"mov.u64 %d1, 60; st.bulk.weak.shared::cta [%r0], %d1, 0;", nil, trace.FaultMisaligned, trace.CauseBulkSize},
		"no such block":             {"mov.u16 %h1, 2; @%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r0], [%d0], 128, [%r8], %h1;", nil, trace.FaultOutOfBounds, trace.CauseWrongSpace},
	} {
		t.Run(name, func(t *testing.T) {
			in, out := newBuffer(t, 4096), newBuffer(t, 128)
			m := matrixMap(in, tt.change)
			f := mustFault(t, launch{src: bulkSource(tt.body), params: []any{out, in, m}, unchecked: true, arch: "sm_90"}, tt.kind)
			if f.Cause != tt.cause {
				t.Errorf("cause %s: %s", f.Cause, f.Message)
			}
		})
	}
}

// TestPeerBit runs a copy by each block of a pair whose mbarrier is addressed without the lowest
// bit of the rank, so that both copies count at the first block's: its 32 threads wait for the
// bytes of both. getctarank tells whose the masked address is. The same mask on a number is an ordinary and.
func TestPeerBit(t *testing.T) {
	const body = `mov.u32 %r11, %cluster_ctarank; setp.eq.and.u32 %p3, %r11, 0, %p1;
		barrier.cluster.arrive; barrier.cluster.wait; and.b32 %r10, %r8, -16777217;
		@%p3 mbarrier.arrive.expect_tx.shared.b64 _, [%r8], 256;
		@%p1 cp.async.bulk.tensor.2d.cta_group::2.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r0], [%d1, {%r2, %r3}], [%r10];
		setp.eq.u32 %p3, %r11, 0; @!%p3 bra OVER; ` + bulkWait + `OVER: barrier.cluster.arrive; barrier.cluster.wait;
		ld.shared.u32 %r1, [%r7]; getctarank.shared::cluster.u32 %r12, %r10; add.u32 %r1, %r1, %r12;
		or.b32 %r14, %t, 16777216; and.b32 %r14, %r14, -16777217; sub.u32 %r14, %r14, %t; add.u32 %r1, %r1, %r14;
		shr.u32 %r15, %r8, 1; and.b32 %r15, %r15, 1610612736; add.u32 %r1, %r1, %r15;` // not an address: the offset is gone
	src := strings.Replace(bulkSource("mov.b64 %d1, k_map; cvta.param.u64 %d1, %d1; mov.u32 %r2, 4; mov.u32 %r3, 2;"+body), ".target sm_90a", ".target sm_100a", 1)
	in, out := newBuffer(t, 2048), newBuffer(t, 256)
	count(in)
	mustRun(t, launch{src: src, grid: 2, block: 32, cluster: 2, params: []any{out, in, matrixMap(in, nil)}, arch: "sm_100"})
	for i, v := range out.u32() {
		if want := 1000 + 32*uint32(2+i%32/8) + uint32(4+i%8); v != want {
			t.Fatalf("word %d of block %d is %d, want %d", i%32, i/32, v, want)
		}
	}
}

// TestPairMulticast sends a tile from the first block of a cluster of two pairs to blocks 1 and 2. With
// .cta_group::2 its bytes count in the pair of each, at the block whose rank has the parity of the mbarrier's: the
// first ones for its own mbarrier, the second ones for that of block 1. Without it they count at
// blocks 1 and 2.
func TestPairMulticast(t *testing.T) {
	for _, c := range []struct {
		group, bar string
		signaled   [4]uint32
	}{
		{".cta_group::2", "%r8", [4]uint32{1, 0, 1, 0}},
		{".cta_group::2", "%r10", [4]uint32{0, 1, 0, 1}},
		{".cta_group::1", "%r8", [4]uint32{0, 1, 1, 0}},
	} {
		body := `mov.u64 %d1, k_map; cvta.param.u64 %d1, %d1; mov.u32 %r2, 4; mov.u32 %r3, 2; mov.u16 %h1, 6; mapa.shared::cluster.u32 %r10, %r8, 1;
			@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%r8], 128;
			mov.u32 %r11, %cluster_ctarank; setp.eq.and.u32 %p3, %r11, 0, %p1; fence.mbarrier_init.release.cluster; barrier.cluster.arrive; barrier.cluster.wait;
			@%p3 cp.async.bulk.tensor.2d` + c.group + `.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%r0], [%d1, {%r2, %r3}], [` + c.bar + `], %h1;
			barrier.cluster.arrive; barrier.cluster.wait; mov.u32 %r12, 0;
			TEST: mbarrier.test_wait.parity.shared.b64 %p2, [%r8], 0; add.u32 %r12, %r12, 1; setp.lt.and.u32 %p4, %r12, 50, !%p2; @%p4 bra TEST;
			barrier.cluster.arrive; barrier.cluster.wait; selp.u32 %r13, 1, 0, %p2; ld.shared.u32 %r1, [%r7]; mad.lo.u32 %r1, %r13, 10000, %r1;`
		src := strings.Replace(bulkSource(body), ".target sm_90a", ".target sm_100a", 1)
		in, out := newBuffer(t, 2048), newBuffer(t, 512)
		count(in)
		mustRun(t, launch{src: src, grid: 4, block: 32, cluster: 4, params: []any{out, in, matrixMap(in, nil)}, arch: "sm_100"})
		for i, v := range out.u32() {
			want := uint32(77)
			if b := i / 32; b == 1 || b == 2 {
				want = 1000 + 32*uint32(2+i%32/8) + uint32(4+i%8)
			}
			if want += 10000 * c.signaled[i/32]; v != want {
				t.Fatalf("%s, mbarrier %s: word %d of block %d is %d, want %d", c.group, c.bar, i%32, i/32, v, want)
			}
		}
	}
}
