package engine_test

import (
	"encoding/binary"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/trace"
)

const header90 = ".version 8.4\n.target sm_90a\n.address_size 64\n"

// wgmmaCase is a product by a warpgroup: D = A*B + D with A of 64 by k, B of k by n.
type wgmmaCase struct {
	td, ta, tb string
	n, k       int
	sparse     bool
	op         string // and.popc, .satfinite
	// How it is done, by chance.
	regsA, transA, transB, fresh, predicate bool
	negA, negB                              int
	swizzleA, swizzleB                      int // of 16, 32, 64, 128 bytes
	sel                                     int
}

func (c *wgmmaCase) name() string {
	sp, op, sat := "", "", ""
	if c.sparse {
		sp = ".sp"
	}
	switch c.op {
	case "satfinite":
		sat = ".satfinite"
	case "and.popc":
		op = ".and.popc"
	}
	return fmt.Sprintf("wgmma.mma_async%s.sync.aligned.m64n%dk%d%s.%s.%s.%s%s", sp, c.n, c.k, sat, c.td, c.ta, c.tb, op)
}

// wgmmaCases are all shapes of all types.
func wgmmaCases(r *rand.Rand) []wgmmaCase {
	var list []wgmmaCase
	for n := 8; n <= 256; n += 8 {
		add := func(td, ta, tb string, k int, op string) {
			for _, sparse := range []bool{false, true} {
				c := wgmmaCase{td: td, ta: ta, tb: tb, n: n, k: k, op: op, sparse: sparse}
				if sparse {
					c.k *= 2
				}
				if whole := td != "s32" || n <= 32 || n%16 == 0; whole && (!sparse || ta != "b1") {
					c.choose(r)
					list = append(list, c)
				}
			}
		}
		add("f16", "f16", "f16", 16, "")
		add("f32", "f16", "f16", 16, "")
		add("f32", "bf16", "bf16", 16, "")
		add("f32", "tf32", "tf32", 8, "")
		for _, t := range [][2]string{{"e4m3", "e4m3"}, {"e4m3", "e5m2"}, {"e5m2", "e4m3"}, {"e5m2", "e5m2"}} {
			add("f16", t[0], t[1], 32, "")
			add("f32", t[0], t[1], 32, "")
		}
		for _, t := range [][2]string{{"s8", "s8"}, {"s8", "u8"}, {"u8", "s8"}, {"u8", "u8"}} {
			add("s32", t[0], t[1], 32, "")
			add("s32", t[0], t[1], 32, "satfinite")
		}
		add("s32", "b1", "b1", 256, "and.popc")
	}
	return list
}

func (c *wgmmaCase) choose(r *rand.Rand) {
	coin := func() bool { return r.Intn(2) == 0 }
	c.regsA, c.fresh, c.predicate = coin(), coin(), coin()
	if elemBits[c.ta] == 16 {
		c.transB, c.transA = coin(), !c.regsA && coin()
	}
	sign := func() int { return 1 - 2*r.Intn(2) }
	c.negA, c.negB = 1, 1
	if c.td != "s32" {
		c.negA, c.negB = sign(), sign()
	}
	c.swizzleA, c.swizzleB = 16<<r.Intn(4), 16<<r.Intn(4)
	if c.sparse && !c.transB && c.swizzleB == 32 { // 64 bytes along K
		c.swizzleB = 128
	}
	if c.sparse && elemBits[c.ta] != 8 {
		c.sel = r.Intn(2)
	}
}

// canonical is where an element lies in shared memory, in bits from the start: the
// canonical layouts of the ISA, in terms of CuTe. i counts along M or N.
func canonical(bits, swizzle, lead, stride int, mnMajor bool, i, k int) int {
	unit := 128 / bits // T
	s := swizzle / 16
	lbo, sbo := lead*8/bits, stride*8/bits
	var at int
	switch {
	case mnMajor && s == 1: // ((T,1,m),(8,k)):((1,T,SBO),(1T,LBO))
		at = i%unit + i/unit*sbo + k%8*unit + k/8*lbo
	case mnMajor: // ((T,s,m),(8,k)):((1,T,LBO),(sT,SBO))
		at = i%unit + i/unit%s*unit + i/unit/s*lbo + k%8*s*unit + k/8*sbo
	case s == 1: // ((8,m),(T,2k)):((1T,SBO),(1,LBO))
		at = i%8*unit + i/8*sbo + k%unit + k/unit*lbo
	default: // ((8,m),(T,2k)):((sT,SBO),(1,T))
		at = i%8*s*unit + i/8*sbo + k%unit + k/unit*unit
	}
	at *= bits
	bytes := at / 8
	return (bytes^(bytes>>7&(s-1))<<4)*8 + at%8
}

// strides are a leading and a stride dimension byte offset that keep a matrix's pieces apart.
func strides(bits, swizzle, outer, k int, mnMajor bool) (lead, stride, size int) {
	unit := 128 / bits
	switch {
	case mnMajor && swizzle == 16:
		stride = 128 * (k / 8)
		lead = 128
		return lead, stride, stride * (outer / unit)
	case mnMajor:
		stride = 8 * swizzle
		lead = stride * (k / 8)
		return lead, stride, lead * ((outer*bits/8 + swizzle - 1) / swizzle)
	case swizzle == 16:
		lead = 128
		stride = lead * (k / unit)
		return lead, stride, stride * (outer / 8)
	}
	return 16, 8 * swizzle, 8 * swizzle * (outer / 8)
}

// shared puts a matrix at an offset, and returns its descriptor and the next offset.
func shared(t testing.TB, mem []byte, at int, typ string, swizzle, outer, k int, mnMajor bool, value func(i, k int) float64) (desc uint64, next int) {
	bits := elemBits[typ]
	lead, stride, size := strides(bits, swizzle, outer, k, mnMajor)
	for i := range outer {
		for j := range k {
			v := encode(t, typ, value(i, j))
			for b := range bits {
				if v>>b&1 != 0 {
					x := 8*at + canonical(bits, swizzle, lead, stride, mnMajor, i, j) + b
					mem[x/8] |= 1 << (x % 8)
				}
			}
		}
	}
	mode := map[int]uint64{16: 0, 128: 1, 64: 2, 32: 3}[swizzle]
	desc = uint64(at)>>4 | uint64(lead)>>4<<16 | uint64(stride)>>4<<32 | mode<<62
	return desc, (at + size + 1023) / 1024 * 1024
}

// fragments of a warp, by lane and element (PTX ISA, "Register Fragments").
func wgmmaD(l, i int) (row, col int) { return l/4 + 8*(i/2%2), 8*(i/4) + l%4*2 + i%2 }

func wgmmaA(bits int) layout {
	per := max(1, 32/bits)
	if bits == 1 {
		per = 32
	}
	return layout{4 * per, func(l, i int) (int, int) {
		reg := i / per
		return l/4 + 8*(reg%2), l%4*per + i%per + reg/2*4*per
	}}
}

// sparseA chooses which elements of A are stored. index is their place in the chunk.
func (c *wgmmaCase) sparseA(r *rand.Rand, a matrix) (stored matrix, meta [4][32]uint32) {
	stored = newMatrix(64, c.k/2)
	size := either(elemBits[c.ta] == 32, 2, 4)
	for row := range 64 {
		for chunk := range c.k / size {
			var bits uint32
			if size == 2 {
				i := r.Intn(2)
				bits = uint32(either(i == 0, 0b0100, 0b1110))
				stored[row][chunk], a[row][2*chunk+1-i] = a[row][2*chunk+i], 0
			} else {
				p := r.Perm(4)[:2]
				lo, hi := min(p[0], p[1]), max(p[0], p[1])
				bits = uint32(lo | hi<<2)
				for i := range 4 {
					if i != lo && i != hi {
						a[row][4*chunk+i] = 0
					}
				}
				stored[row][2*chunk], stored[row][2*chunk+1] = a[row][4*chunk+lo], a[row][4*chunk+hi]
			}
			w, g := row/16, row%8
			if elemBits[c.ta] == 8 { // T0: row g, T1: row g+8, columns 0 to 31; T2, T3: 32 to 63
				meta[w][4*g+either(row%16 < 8, 0, 1)+either(chunk < 8, 0, 2)] |= bits << (4 * (chunk % 8))
			} else { // T0: the first half, T1: the second; low bits row g, high bits row g+8
				meta[w][4*g+2*c.sel+either(chunk < 4, 0, 1)] |= bits << (4*(chunk%4) + either(row%16 < 8, 0, 16))
			}
		}
	}
	return stored, meta
}

// run executes the case and compares D with a plain product.
func (c *wgmmaCase) run(t *testing.T, r *rand.Rand) {
	a, b, d := randomMatrix(r, 64, c.k, c.ta), randomMatrix(r, c.k, c.n, c.tb), randomMatrix(r, 64, c.n, c.td)
	stored, meta := a, [4][32]uint32{}
	if c.sparse {
		stored, meta = c.sparseA(r, a)
	}
	smem := make([]byte, 160<<10)
	next := 0
	var descA, descB uint64
	if !c.regsA {
		descA, next = shared(t, smem, next, c.ta, c.swizzleA, 64, len(stored[0]), c.transA, func(i, k int) float64 { return stored[i][k] })
	}
	descB, next = shared(t, smem, next, c.tb, c.swizzleB, c.n, c.k, c.transB, func(i, k int) float64 { return b[k][i] })
	fa, fd := wgmmaA(elemBits[c.ta]), layout{c.n / 2, wgmmaD}
	nd := regWords(fd, c.td)
	in, out, sh := newBuffer(t, 128*4*(nd+5)), newBuffer(t, 128*4*nd), newBuffer(t, next)
	copy(sh.bytes(), smem)
	for th := range 128 {
		w, l := th/32, th%32
		at := in.bytes()[th*4*(nd+5):]
		copy(at, packFragment(t, fd, c.td, d[16*w:16*w+16], l))
		copy(at[4*nd:], packFragment(t, fa, c.ta, stored[16*w:16*w+16], l))
		binary.LittleEndian.PutUint32(at[4*nd+16:], meta[w][l])
	}
	mustRun(t, launch{src: c.source(nd, next), block: 128, params: []any{in, out, sh, descA, descB, uint32(either(c.fresh, 0, 1))}, arch: "sm_90", unchecked: c.n > 64})
	c.compare(t, a, b, d, out, nd)
}

func (c *wgmmaCase) compare(t *testing.T, a, b, d matrix, out *buffer, nd int) {
	bits := elemBits[c.td]
	for th := range 128 {
		for i := range c.n / 2 {
			row, col := wgmmaD(th%32, i)
			row += th / 32 * 16
			want := 0.0
			for k := range c.k {
				want += a[row][k] * b[k][col]
			}
			want *= float64(c.negA * c.negB)
			if !c.fresh {
				want += d[row][col]
			}
			var w [8]byte
			copy(w[:bits/8], out.bytes()[th*4*nd+i*bits/8:])
			if got := decode(c.td, binary.LittleEndian.Uint64(w[:])); got != want {
				t.Fatalf("%+v: row %d, column %d: got %v, want %v", *c, row, col, got, want)
			}
		}
	}
}

func (c *wgmmaCase) source(nd, bytes int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s.shared .align 1024 .b8 s[%d];\n.visible .entry k(.param .u64 in, .param .u64 out, .param .u64 sh, .param .u64 da, .param .u64 db, .param .u32 scale)\n{\n", header90, bytes)
	fmt.Fprintf(&b, ".reg .b32 %%d<%d>, %%a<4>, %%m, %%t, %%i, %%s, %%v; .reg .b64 %%in, %%out, %%sh, %%x, %%da, %%db; .reg .pred %%p, %%q;\n", nd)
	b.WriteString("ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; ld.param.u64 %sh, [sh]; ld.param.u64 %da, [da]; ld.param.u64 %db, [db]; ld.param.u32 %s, [scale]; mov.u32 %t, %tid.x;\n")
	b.WriteString("mov.u32 %m, s; shr.u32 %m, %m, 4; cvt.u64.u32 %x, %m; add.u64 %da, %da, %x; add.u64 %db, %db, %x; // shared memory does not begin at 0 on a GPU\n")
	fmt.Fprintf(&b, "shl.b32 %%i, %%t, 2;\nLOOP: setp.ge.u32 %%p, %%i, %d; @%%p bra COPIED; cvt.u64.u32 %%x, %%i; add.u64 %%x, %%sh, %%x; ld.global.b32 %%v, [%%x]; mov.u32 %%m, s; add.u32 %%m, %%m, %%i; st.shared.b32 [%%m], %%v; add.u32 %%i, %%i, 512; bra LOOP;\nCOPIED: fence.proxy.async; bar.sync 0;\n", bytes)
	fmt.Fprintf(&b, "mul.wide.u32 %%x, %%t, %d; add.u64 %%in, %%in, %%x; mul.wide.u32 %%x, %%t, %d; add.u64 %%out, %%out, %%x;\n", 4*(nd+5), 4*nd)
	for i := range nd {
		fmt.Fprintf(&b, "ld.global.b32 %%d%d, [%%in+%d];\n", i, 4*i)
	}
	for i := range 4 {
		fmt.Fprintf(&b, "ld.global.b32 %%a%d, [%%in+%d];\n", i, 4*(nd+i))
	}
	fmt.Fprintf(&b, "ld.global.b32 %%m, [%%in+%d]; setp.ne.u32 %%q, %%s, 0;\nwgmma.fence.sync.aligned;\n", 4*(nd+4))
	b.WriteString(c.instr(nd) + "\nwgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;\n")
	for i := range nd {
		fmt.Fprintf(&b, "st.global.b32 [%%out+%d], %%d%d;\n", 4*i, i)
	}
	return b.String() + "ret;\n}\n"
}

func (c *wgmmaCase) instr(nd int) string {
	regs := make([]string, nd)
	for i := range regs {
		regs[i] = fmt.Sprintf("%%d%d", i)
	}
	args := []string{"{" + strings.Join(regs, ", ") + "}", "%da", "%db"}
	if c.regsA {
		args[1] = "{%a0, %a1, %a2, %a3}"
	}
	if c.sparse {
		args = append(args, "%m", fmt.Sprint(c.sel))
	}
	switch {
	case c.predicate:
		args = append(args, "%q")
	default:
		args = append(args, fmt.Sprint(either(c.fresh, 0, 1)))
	}
	if c.td != "s32" {
		args = append(args, fmt.Sprint(c.negA), fmt.Sprint(c.negB))
		if elemBits[c.ta] == 16 {
			if !c.regsA {
				args = append(args, fmt.Sprint(either(c.transA, 1, 0)))
			}
			args = append(args, fmt.Sprint(either(c.transB, 1, 0)))
		}
	}
	return c.name() + " " + strings.Join(args, ", ") + ";"
}

// TestWgmma checks wgmma.mma_async against a plain product: fragments by the formulas of the
// ISA, matrices in shared memory by its canonical layouts.
func TestWgmma(t *testing.T) {
	r := newRand(7)
	for i, c := range wgmmaCases(r) {
		variant(t, i, c.name(), func(t *testing.T) { c.run(t, r) })
	}
}

// wgmmaKernel is a kernel with instructions on one small product.
func wgmmaKernel(body string) string {
	return header90 + `.visible .entry k(.param .u64 out) {
.shared .align 1024 .b8 s[4096];
.reg .b32 %d<4>, %e<4>, %t, %w, %i; .reg .b64 %a, %b, %x; .reg .pred %p;
mov.u32 %t, %tid.x; shr.u32 %w, %t, 5; mov.u64 %a, 0x0000001000080000; mov.u64 %b, 0x0000001000080080;
ld.param.u64 %x, [out]; mov.u32 %d0, 0; mov.u32 %d1, 0; mov.u32 %d2, 0; mov.u32 %d3, 0;
` + strings.ReplaceAll(strings.ReplaceAll(body, "RMA", "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3}, {%e0, %e0, %e0, %e0}, %b, 1, 1, 1, 0;"), "MMA", "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3}, %a, %b, 1, 1, 1, 0, 0;") + `
ret; }`
}

// TestWgmmaMisuse wants the fault of what a warpgroup may not do.
func TestWgmmaMisuse(t *testing.T) {
	const after = " wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;"
	for _, c := range []struct {
		name, body string
		block      int
		cause      trace.Cause
	}{
		{"right", "wgmma.fence.sync.aligned; MMA" + after, 128, ""},
		{"two warpgroups", "wgmma.fence.sync.aligned; MMA" + after, 256, ""},
		{"one of two warpgroups", "setp.lt.u32 %p, %t, 128; @%p bra NO; wgmma.fence.sync.aligned; MMA" + after + " NO:", 256, ""},
		{"no fence", "MMA" + after, 128, trace.CauseNoProductFence},
		{"a warp less", "setp.eq.u32 %p, %w, 2; @%p bra NO; wgmma.fence.sync.aligned; MMA" + after + " NO:", 128, trace.CausePartialWarpgroup},
		{"small block", "wgmma.fence.sync.aligned; MMA" + after, 96, trace.CausePartialWarpgroup},
		{"part of a warp", "setp.eq.u32 %p, %t, 2; @%p bra NO; wgmma.fence.sync.aligned; MMA" + after + " NO:", 128, trace.CausePartialWarp},
		{"another instruction", "wgmma.fence.sync.aligned; setp.eq.u32 %p, %w, 1; @%p bra X; MMA bra Y; X: MMA Y:" + after, 128, trace.CausePartialWarpgroup},
		{"another descriptor", "wgmma.fence.sync.aligned; shl.b32 %i, %w, 3; cvt.u64.u32 %x, %i; add.u64 %a, %a, %x; MMA" + after, 128, trace.CauseDescriptorDiffers},
		{"two products", "wgmma.fence.sync.aligned; MMA MMA" + after, 128, ""},
		{"moved while in flight", "wgmma.fence.sync.aligned; MMA mov.b32 %e0, %d0; mov.b32 %d0, %e0; MMA" + after + " st.global.b32 [%x], %d0;", 128, ""},
		{"read after the wait", "wgmma.fence.sync.aligned; MMA mov.b32 %e0, %d0;" + after + " st.global.b32 [%x], %e0;", 128, ""},
		{"read before the wait", "wgmma.fence.sync.aligned; MMA wgmma.commit_group.sync.aligned; st.global.b32 [%x], %d1; wgmma.wait_group.sync.aligned 0;", 128, trace.CauseInFlight},
		{"read before the commit", "wgmma.fence.sync.aligned; MMA wgmma.wait_group.sync.aligned 0; st.global.b32 [%x], %d1;", 128, trace.CauseInFlight},
		{"moved and read", "wgmma.fence.sync.aligned; MMA mov.b32 %e0, %d0; add.u32 %e0, %e0, 1;" + after, 128, trace.CauseInFlight},
		{"written", "wgmma.fence.sync.aligned; MMA wgmma.commit_group.sync.aligned; add.u32 %d1, %t, 1; wgmma.wait_group.sync.aligned 0;", 128, trace.CauseInFlight},
		{"wait for the group before", "wgmma.fence.sync.aligned; MMA wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 1; st.global.b32 [%x], %d1;", 128, trace.CauseInFlight},
		{"an older group", "wgmma.fence.sync.aligned; MMA wgmma.commit_group.sync.aligned; wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 1; st.global.b32 [%x], %d1;", 128, ""},
		{"on a path that is not taken", "wgmma.fence.sync.aligned; MMA wgmma.commit_group.sync.aligned; setp.gt.u32 %p, %t, 1000; @%p bra NO; wgmma.wait_group.sync.aligned 0; NO: st.global.b32 [%x], %d1;", 128, ""},
		{"fragment of A written", "mov.b32 %e0, 0; wgmma.fence.sync.aligned; RMA add.u32 %e0, %t, 1;" + after, 128, trace.CauseInFlight},
		{"fragment of A read", "mov.b32 %e0, 0; wgmma.fence.sync.aligned; RMA add.u32 %e1, %e0, 1;" + after, 128, ""},
		{"descriptor written", "wgmma.fence.sync.aligned; MMA add.u64 %a, %a, 2;" + after, 128, ""},
		{"another shape on the accumulator", "wgmma.fence.sync.aligned; MMA wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%d0, %d1, %d2, %d3}, %a, %b, 1, 1, 1;" + after, 128, trace.CauseInFlight},
		{"out of bounds", "wgmma.fence.sync.aligned; add.u64 %b, %b, 0x80; MMA" + after, 128, trace.CauseOutside},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := tryRun(t, launch{src: wgmmaKernel(c.body), block: c.block, params: []any{newBuffer(t, 4)}, arch: "sm_90"})
			if err != nil {
				t.Fatal(err)
			}
			f := res.Fault
			switch {
			case c.cause == "" && f != nil:
				t.Errorf("fault: %s", f.Message)
			case c.cause != "" && (f == nil || f.Cause != c.cause):
				t.Errorf("got %+v, want %s", f, c.cause)
			}
		})
	}
}
