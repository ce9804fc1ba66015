package engine_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/tensormap"
)

const tileBytes = 36 << 10

// mapCase is one bulk tensor access by a random map.
type mapCase struct {
	tensormap.Access
	reduction string // "" for a copy
	store     bool
	offset    int // of the tile in shared memory
}

// randomMapCase makes a tensor of at most 256 KiB and an access of at most 32 KiB.
func randomMapCase(r *rand.Rand, in *buffer) *mapCase {
	types := []tensormap.Type{tensormap.U8, tensormap.U16, tensormap.U32, tensormap.S32, tensormap.U64, tensormap.S64, tensormap.F16, tensormap.F32, tensormap.F32Ftz, tensormap.F64, tensormap.BF16, tensormap.TF32, tensormap.TF32Ftz}
	m := &tensormap.Map{Type: types[r.Intn(len(types))], Rank: 1 + r.Intn(5), Address: in.Base, Swizzle: uint8(r.Intn(4)), NaN: r.Intn(3) == 0}
	c := &mapCase{Access: tensormap.Access{Map: m}, store: r.Intn(3) == 0, offset: 128 * r.Intn(8)}
	size := map[tensormap.Type]int{tensormap.U8: 1, tensormap.U16: 2, tensormap.F16: 2, tensormap.BF16: 2, tensormap.U64: 8, tensormap.S64: 8, tensormap.F64: 8}[m.Type]
	if size == 0 {
		size = 4
	}
	if m.Type < tensormap.F16 {
		m.NaN = false
	}
	if im2col := r.Intn(4) == 0 && m.Rank >= 3; im2col {
		m.Mode = tensormap.Im2col
	}
	stride, span := uint64(size), []int{256, 32, 64, 128}[m.Swizzle]
	for i := range 5 {
		m.Dim[i], m.Box[i], m.Step[i] = 1, 1, 1
		if i >= m.Rank {
			continue
		}
		m.Dim[i] = uint64(1 + r.Intn([]int{60, 30, 9, 5, 3}[i]))
		m.Box[i] = 1 + r.Intn([]int{1, 12, 6, 3, 2}[i])
		if m.Stride[i] = stride; i > 0 {
			m.Step[i] = 1 + r.Intn(4)/3*r.Intn(3)
		}
		if i == 0 {
			m.Box[0] = 16 / size * (1 + r.Intn(span/16))
		}
		stride = (stride*m.Dim[i] + 15) &^ 15
		c.At[i] = int64(r.Intn(int(m.Dim[i])+6)) - 3
		if r.Intn(4) == 0 {
			c.At[i] = int64(r.Intn(3))
		}
	}
	if stride > uint64(in.Size) {
		return randomMapCase(r, in)
	}
	if m.Mode == tensormap.Im2col {
		m.Channels, m.Pixels = m.Box[0], 1+r.Intn(40)
		for i := range m.Rank - 2 {
			m.Lower[i], m.Upper[i] = r.Intn(5)-2, r.Intn(5)-3
			m.Upper[i] = max(m.Upper[i], m.Lower[i]+1-int(m.Dim[i+1])) // an empty box is refused
			c.Offsets[i] = int64(r.Intn(3))
			c.At[i+1] = int64(m.Lower[i] + r.Intn(max(int(m.Dim[i+1])+m.Upper[i]-m.Lower[i], 1)))
		}
		c.At[m.Rank-1] = int64(r.Intn(int(m.Dim[m.Rank-1])))
	}
	c.At[0] &^= int64(16/size) - 1
	for i := range c.At {
		if c.store && m.Mode == tensormap.Tile {
			c.At[i] = max(c.At[i], 0)
		}
	}
	if c.store && m.Mode == tensormap.Im2col {
		for i := range m.Rank - 2 {
			m.Lower[i], m.Upper[i] = max(m.Lower[i], 0), min(m.Upper[i], 0)
			if m.Lower[i] >= int(m.Dim[i+1])+m.Upper[i] {
				return randomMapCase(r, in)
			}
			c.At[i+1] = max(c.At[i+1], int64(m.Lower[i]))
		}
	}
	if c.store && r.Intn(2) == 0 {
		ops := map[tensormap.Type][]string{tensormap.U32: {"add", "min", "max", "inc", "dec", "and", "or", "xor"}, tensormap.S32: {"add", "min", "max", "and", "or", "xor"},
			tensormap.U64: {"add", "min", "max", "and", "or", "xor"}, tensormap.S64: {"min", "max"}, tensormap.F16: {"add", "min", "max"}, tensormap.BF16: {"add", "min", "max"}, tensormap.F32: {"add"}}[m.Type]
		if len(ops) > 0 {
			c.reduction = ops[r.Intn(len(ops))]
		}
	}
	return c
}

func (c *mapCase) source() string {
	var at []string
	for i := range c.Rank {
		at = append(at, fmt.Sprintf("%%c%d", i))
	}
	mode, offsets := "tile", ""
	if c.Mode == tensormap.Im2col {
		mode = "im2col"
		offsets = ", {" + strings.Join([]string{"%w0", "%w1", "%w2"}[:c.Rank-2], ", ") + "}"
	}
	coords := "[%d1, {" + strings.Join(at, ", ") + "}]"
	op := fmt.Sprintf(`@%%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%%r8], %%r11;
	@%%p1 cp.async.bulk.tensor.%dd.shared::cluster.global.%s.mbarrier::complete_tx::bytes [%%r10], %s, [%%r8]%s;
	mov.u32 %%r5, 0;
WAIT: mbarrier.try_wait.parity.shared.b64 %%p2, [%%r8], 0; add.u32 %%r5, %%r5, 1; setp.lt.and.u32 %%p3, %%r5, 2000, !%%p2; @%%p3 bra WAIT;
`, c.Rank, mode, coords, offsets)
	if c.store {
		if c.Mode == tensormap.Im2col {
			mode = "im2col_no_offs"
		}
		verb := "cp.async.bulk.tensor"
		reduction := ""
		if c.reduction != "" {
			verb, reduction = "cp.reduce.async.bulk.tensor", "."+c.reduction
		}
		op = fmt.Sprintf(`@%%p1 %s.%dd.global.shared::cta%s.%s.bulk_group %s, [%%r10];
	@%%p1 cp.async.bulk.commit_group; @%%p1 cp.async.bulk.wait_group 0;
`, verb, c.Rank, reduction, mode, coords)
	}
	body := fmt.Sprintf(`.reg .b32 %%c<5>; .reg .b16 %%w<3>;
	ld.param.u32 %%c0, [k_at]; ld.param.u32 %%c1, [k_at+4]; ld.param.u32 %%c2, [k_at+8]; ld.param.u32 %%c3, [k_at+12]; ld.param.u32 %%c4, [k_at+16];
	ld.param.u16 %%w0, [k_at+20]; ld.param.u16 %%w1, [k_at+24]; ld.param.u16 %%w2, [k_at+28]; ld.param.u32 %%r10, [k_at+32]; ld.param.u32 %%r11, [k_at+36];
	mov.u32 %%r0, tile; mov.u32 %%r8, bar; add.u32 %%r10, %%r10, %%r0; mov.b64 %%d1, k_map; cvta.param.u64 %%d1, %%d1;
	setp.eq.u32 %%p1, %%t, 0; mov.u32 %%r1, %%t;
FILL: mad.lo.u32 %%r2, %%r1, 4, %%r0; mul.lo.u32 %%r3, %%r1, 0x9e3779b1; shr.u32 %%r4, %%r3, 7; xor.b32 %%r3, %%r3, %%r4; st.shared.u32 [%%r2], %%r3; add.u32 %%r1, %%r1, 128; setp.lt.u32 %%p2, %%r1, %d; @%%p2 bra FILL;
	@%%p1 mbarrier.init.shared.b64 [%%r8], 1; @%%p1 fence.mbarrier_init.release.cluster; fence.proxy.async; bar.sync 0;
	%s
	bar.sync 0; mov.u32 %%r1, %%t;
BACK: mad.lo.u32 %%r2, %%r1, 4, %%r0; ld.shared.u32 %%r3, [%%r2]; mad.wide.u32 %%d2, %%r1, 4, %%base; st.global.u32 [%%d2], %%r3; add.u32 %%r1, %%r1, 128; setp.lt.u32 %%p2, %%r1, %d; @%%p2 bra BACK;
`, tileBytes/4, op, tileBytes/4)
	src := withParams(simple(fmt.Sprintf(".shared .align 1024 .b8 tile[%d];\n.shared .align 8 .b64 bar[1];\n", tileBytes), body), ".param .align 64 .b8 k_map[128], .param .align 4 .b8 k_at[40]")
	return strings.Replace(src, header, ".version 8.6\n.target sm_90a\n.address_size 64\n", 1)
}

// TestRandomTensorMaps copies tiles by random maps in both directions.
func TestRandomTensorMaps(t *testing.T) {
	n := 60
	if *recordFile != "" {
		n = 1500
	}
	r := rand.New(rand.NewSource(11))
	in, out := newBuffer(t, 1<<18), newBuffer(t, tileBytes)
	before := make([]byte, 1<<18)
	r.Read(before)
	for i := 0; i < len(before); i += 4 {
		v := binary.LittleEndian.Uint32(before[i:])
		switch r.Intn(16) {
		case 0:
			v = v&^0x1fff | 0x1000 // halfway between two numbers of tf32
		case 1:
			v &^= 0x7f800000 // subnormal
		case 2:
			v |= 0x7f800000 // not a number
		case 3:
			v = v&(1<<31) | 0x7f7fffff
		}
		binary.LittleEndian.PutUint32(before[i:], v)
	}
	for k := range n {
		c := randomMapCase(r, in)
		copy(in.bytes(), before)
		clear(out.bytes())
		if err := c.Check(); err != nil || c.Bytes() > 32<<10 {
			continue
		}
		m := c.Encode()
		at := make([]byte, 0, 40)
		word := func(v int64) { at = append(at, byte(v), byte(v>>8), byte(v>>16), byte(v>>24)) }
		for _, v := range c.At {
			word(v)
		}
		for _, v := range c.Offsets {
			word(v)
		}
		word(int64(c.offset))
		word(int64(c.Data()))
		t.Run(fmt.Sprintf("%d %s rank %d mode %d swizzle %d store %v %s step %v", k, c.Type, c.Rank, c.Mode, c.Swizzle, c.store, c.reduction, c.Step), func(t *testing.T) {
			mustRun(t, launch{src: c.source(), block: 128, params: []any{out, m[:], at}, arch: "sm_90"})
			if !c.store && !bytes.Equal(before, in.bytes()) {
				t.Error("a load has changed the tensor")
			}
		})
	}
}
