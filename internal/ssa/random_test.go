package ssa_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/analysis"
	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/engine"
	"github.com/warpgrind/warpgrind/internal/lower"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/ssa"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// ops are instructions on integers: r, d, h and p stand for registers of 32, 64
// and 16 bits and predicates, R for a register or constant of 32 bits, I for a
// small constant.
var ops = []string{
	"add.s32 r, r, R", "sub.u32 r, r, R", "mul.lo.s32 r, r, R", "mul.hi.u32 r, r, R", "mul.hi.s32 r, r, R", "mul.wide.s32 d, r, R",
	"mul.wide.u32 d, r, R", "mad.lo.s32 r, r, R, r", "mad.hi.u32 r, r, r, r", "mad.wide.u32 d, r, r, d", "mul24.lo.s32 r, r, R", "mad24.lo.u32 r, r, R, r",
	"and.b32 r, r, R", "or.b32 r, r, R", "xor.b32 r, r, R", "not.b32 r, r", "cnot.b32 r, r", "shl.b32 r, r, R", "shr.u32 r, r, R", "shr.s32 r, r, R",
	"min.s32 r, r, R", "max.s32 r, r, R", "min.u32 r, r, R", "max.u32 r, r, R", "abs.s32 r, r", "neg.s32 r, r", "sad.s32 r, r, r, r", "sad.u32 r, r, r, r",
	"div.u32 r, r, 7", "rem.u32 r, r, 12", "div.s32 r, r, -5", "rem.s32 r, r, 9", "bfe.u32 r, r, 3, I", "bfe.s32 r, r, 5, I", "bfi.b32 r, r, r, 4, I",
	"brev.b32 r, r", "brev.b64 d, d", "popc.b32 r, r", "popc.b64 r, d", "clz.b32 r, r", "clz.b64 r, d", "bfind.u32 r, r", "bfind.s32 r, r",
	"bfind.u64 r, d", "bfind.s64 r, d", "bfind.shiftamt.u32 r, r", "bfind.shiftamt.s64 r, d", "prmt.b32 r, r, r, R",
	"shf.l.wrap.b32 r, r, r, R", "shf.r.wrap.b32 r, r, r, R", "shf.l.clamp.b32 r, r, r, R", "shf.r.clamp.b32 r, r, r, R", "shf.r.wrap.b32 r, r, r, I",
	"lop3.b32 r, r, r, r, 150", "lop3.b32 r, r, r, r, 202", "lop3.b32 r, r, r, r, 29", "lop3.b32 r, r, r, r, 232", "lop3.b32 r, r, r, r, 60",
	"selp.b32 r, r, R, p", "slct.s32.s32 r, r, r, r", "set.lt.u32.s32 r, r, R", "mov.b32 r, r", "mov.u32 r, I",
	"add.s64 d, d, d", "sub.s64 d, d, d", "mul.lo.s64 d, d, d", "xor.b64 d, d, d", "shl.b64 d, d, I", "shr.s64 d, d, I", "shr.u64 d, d, r", "min.s64 d, d, d",
	"cvt.u64.u32 d, r", "cvt.s64.s32 d, r", "cvt.u32.u64 r, d", "cvt.s32.s8 r, r", "cvt.u16.u32 h, r", "cvt.s32.s16 r, h", "cvt.u32.u16 r, h",
	"cvt.sat.u8.s32 r, r", "cvt.sat.s16.s32 h, r", "cvt.sat.s32.s64 r, d", "cvt.sat.u32.s32 r, r", "cvt.s8.s32 r, r", "cvt.u8.u32 r, r",
	"add.s16 h, h, h", "mul.lo.s16 h, h, h", "mul.wide.s16 r, h, h", "shr.s16 h, h, I", "div.u16 h, h, 3",
	"mov.b64 d, {r, r}", "mov.b64 {r, r}, d", "mov.b32 r, {h, h}", "mov.b32 {h, h}, r",
	"setp.lt.s32 p, r, R", "setp.ge.u32 p, r, R", "setp.eq.s32 p, r, R", "setp.ne.s64 p, d, d", "setp.hi.u32 p, r, R", "setp.le.s16 p, h, h",
	"setp.lt.and.s32 p, r, R, p", "setp.gt.or.u32 p|p, r, R, !p", "and.pred p, p, p", "or.pred p, p, !p", "xor.pred p, p, p", "not.pred p, p",
	"add.cc.u32 r, r, r", "addc.cc.u32 r, r, r", "addc.u32 r, r, R", "sub.cc.u32 r, r, r", "subc.cc.u32 r, r, r", "subc.u32 r, r, R",
}

var registers = map[byte]int{'r': 6, 'd': 3, 'h': 2, 'p': 3}

// writer writes random programs.
type writer struct {
	*rand.Rand
	strings.Builder
	labels int
	loops  int
}

func (w *writer) register(c byte) string { return fmt.Sprintf("%%%c%d", c, w.Intn(registers[c])) }

func (w *writer) constant() string {
	return []string{"0", "1", "-1", "31", "32", "33", "255", "2147483647", "-2147483648", "12345", "-7"}[w.Intn(11)]
}

// op writes one instruction, at times predicated.
func (w *writer) op() {
	if w.Intn(5) == 0 {
		fmt.Fprintf(w, "@%s%s ", []string{"", "!"}[w.Intn(2)], w.register('p'))
	}
	name, args, _ := strings.Cut(ops[w.Intn(len(ops))], " ")
	w.WriteString(name + " ")
	for i := range len(args) {
		switch c := args[i]; {
		case registers[c] > 0:
			w.WriteString(w.register(c))
		case c == 'R' && w.Intn(2) == 0:
			w.WriteString(w.register('r'))
		case c == 'R':
			w.WriteString(w.constant())
		case c == 'I':
			fmt.Fprint(w, 1+w.Intn(20))
		default:
			w.WriteByte(c)
		}
	}
	w.WriteString(";\n")
}

func (w *writer) body(depth int) {
	for range 2 + w.Intn(6) {
		w.labels++
		n := w.labels
		switch k := w.Intn(12); {
		case k == 0 && depth > 0:
			fmt.Fprintf(w, "@%s bra A%d;\n", w.register('p'), n)
			w.body(depth - 1)
			fmt.Fprintf(w, "bra B%d;\nA%d:\n", n, n)
			w.body(depth - 1)
			fmt.Fprintf(w, "B%d:\n", n)
		case k == 1 && depth > 0:
			w.loop(depth, n)
		case k == 2:
			fmt.Fprintf(w, "st.local.u32 [buf+%d], %s;\n", 4*w.Intn(4), w.register('r'))
		case k == 3:
			fmt.Fprintf(w, "ld.local.u32 %s, [buf+%d];\n", w.register('r'), 4*w.Intn(4))
		case k == 4:
			fmt.Fprintf(w, "call (%s), f, (%s, %s);\n", w.register('r'), w.register('r'), w.register('r'))
		default:
			w.op()
		}
	}
}

// loop writes a loop of a few rounds, at times with a second way in.
func (w *writer) loop(depth, n int) {
	c := fmt.Sprintf("%%c%d", w.loops)
	w.loops++
	fmt.Fprintf(w, "mov.u32 %s, 0;\n", c)
	tangled := w.Intn(4) == 0
	if tangled {
		fmt.Fprintf(w, "@%s bra M%d;\n", w.register('p'), n)
	}
	fmt.Fprintf(w, "L%d:\n", n)
	w.body(depth - 1)
	if tangled {
		fmt.Fprintf(w, "M%d:\n", n)
		w.op()
	}
	if w.Intn(3) == 0 {
		fmt.Fprintf(w, "@%s bra E%d;\n", w.register('p'), n)
	}
	fmt.Fprintf(w, "add.u32 %s, %s, 1;\nsetp.lt.u32 %%q, %s, %d;\n@%%q bra L%d;\nE%d:\n", c, c, c, 1+w.Intn(4), n, n)
}

// program is a random kernel of one thread that ends by storing its registers.
func program(seed int64) string {
	w := &writer{Rand: rand.New(rand.NewSource(seed))}
	w.WriteString(header + `.func (.reg .b32 y) f (.reg .b32 a, .reg .b32 b)
{ .reg .pred %p; .reg .b32 %r; setp.lt.s32 %p, a, b; @%p bra X; sub.s32 y, a, b; ret; X: add.s32 %r, a, b; mov.b32 y, %r; ret; }
.visible .entry k(.param .u64 out, .param .align 8 .b8 in[64])
{ .reg .pred %p<3>, %q; .reg .b16 %h<2>; .reg .b32 %r<6>, %c<99>; .reg .b64 %d<3>, %o; .local .align 8 .b8 buf[16];
`)
	for i := range 6 {
		fmt.Fprintf(w, "ld.param.u32 %%r%d, [in+%d];\n", i, 4*i)
	}
	w.WriteString("ld.param.u64 %d0, [in+24]; ld.param.u64 %d1, [in+32]; ld.param.u64 %d2, [in+40];\n")
	w.WriteString("cvt.u16.u32 %h0, %r0; cvt.u16.u32 %h1, %r1; setp.lt.s32 %p0, %r0, %r1; setp.lt.u32 %p1, %r2, %r3; setp.lt.s32 %p2, %r4, 0;\n")
	for i := range 4 {
		fmt.Fprintf(w, "st.local.u32 [buf+%d], %%r%d;\n", 4*i, i)
	}
	w.WriteString("add.cc.u32 %c98, %r0, %r1;\n")
	w.body(3)
	w.WriteString("ld.param.u64 %o, [out];\n")
	for i := range 6 {
		fmt.Fprintf(w, "st.global.u32 [%%o+%d], %%r%d;\n", 8*i, i)
	}
	for i := range 3 {
		fmt.Fprintf(w, "st.global.u64 [%%o+%d], %%d%d;\n", 48+8*i, i)
	}
	w.WriteString("st.global.u16 [%o+72], %h0; st.global.u16 [%o+74], %h1;\nret; }\n")
	return w.String()
}

const outSize = 80

// interpret executes the form for its one thread, and returns what it stores.
func interpret(f *ssa.Func, in []byte) ([]byte, error) {
	out, vals := make([]byte, outSize), make([]uint64, f.NumValues)
	b, from := f.Blocks[0], (*ssa.Block)(nil)
	for range 10_000 {
		phis := map[*ssa.Value]uint64{}
		for _, v := range b.Values {
			if v.Op == ssa.Phi {
				for i, p := range b.Preds {
					if p == from {
						phis[v] = vals[v.Args[i].ID]
					}
				}
			}
		}
		for _, v := range b.Values {
			if x, ok := phis[v]; ok {
				vals[v.ID] = x
				continue
			}
			args := make([]uint64, len(v.Args))
			for i, a := range v.Args {
				args[i] = vals[a.ID]
			}
			switch v.Op {
			case ssa.Undef:
			case ssa.Const:
				vals[v.ID] = v.Const
			case ssa.Param:
				var word [8]byte
				if v.Name == "in" {
					copy(word[:v.Width()/8], in[v.Const:])
				}
				vals[v.ID] = binary.LittleEndian.Uint64(word[:])
			case ssa.Store:
				var word [8]byte
				binary.LittleEndian.PutUint64(word[:], args[1])
				copy(out[v.Mem.Offset:], word[:v.Mem.Size()])
			default:
				x, ok := ssa.Eval(v.Op, v.Width(), v.Args[0].Width(), args...)
				if !ok {
					return nil, fmt.Errorf("%s has no value", v)
				}
				vals[v.ID] = x
			}
		}
		next := 0
		switch b.Kind {
		case ssa.Return:
			return out, nil
		case ssa.If:
			next = 1 - int(vals[b.Control.ID])
		}
		from, b = b, b.Succs[next]
	}
	return nil, fmt.Errorf("too long")
}

// TestMeaning compares the form of random programs with what the engine makes
// of their PTX.
func TestMeaning(t *testing.T) {
	arena, err := mem.New(1 << 30)
	if err != nil {
		t.Fatal(err)
	}
	defer arena.Close()
	a, err := arch.Parse(arch.Default)
	if err != nil {
		t.Fatal(err)
	}
	buf, err := arena.Alloc(outSize, 256, mem.Device, "")
	if err != nil {
		t.Fatal(err)
	}
	known := 0
	for seed := range int64(400) {
		text := program(seed)
		m := parse(t, "random.ptx", []byte(text))
		f := kernels(t, m)[0]
		in := make([]byte, 64)
		rand.New(rand.NewSource(seed)).Read(in[:48])
		got, err := interpret(f, in)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s\n%s", seed, err, text, f)
		}
		p, err := lower.Kernel(m, "k", nil)
		if err != nil {
			t.Fatal(err)
		}
		e := engine.New(engine.Config{Arena: arena, Arch: a, Workers: 1})
		one := trace.Dim3{X: 1, Y: 1, Z: 1}
		clear(arena.Bytes(buf.Base, outSize))
		params := append(binary.LittleEndian.AppendUint64(nil, buf.Base), in...)
		if res, err := e.Run(context.Background(), p, engine.Launch{Grid: one, Block: one, Params: params}); err != nil || res.Fault != nil {
			t.Fatal(err, res.Fault)
		}
		want := arena.Bytes(buf.Base, outSize)
		if string(got) != string(want) {
			t.Fatalf("seed %d: stores\n%x, want\n%x\n%s\n%s", seed, got, want, text, f)
		}
		known += expressions(t, f, in, want, text)
	}
	if known < 1000 {
		t.Errorf("only %d values have expressions of the parameters alone", known)
	}
}

// expressions compares the expressions of the values that are stored with what
// was stored, where they depend on parameters alone.
func expressions(t *testing.T, f *ssa.Func, in, want []byte, text string) (known int) {
	t.Helper()
	a := analysis.New(f, analysis.Env{})
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if v.Op != ssa.Store || v.Args[1].Width() != 8*v.Mem.Size() {
				continue
			}
			e := a.Expr(v.Args[1], b)
			got, ok := analysis.Eval(e, func(s *analysis.Sym) (uint64, bool) {
				var word [8]byte
				if s.Kind == analysis.Param && s.Name == "in" {
					copy(word[:s.W/8], in[s.Off:])
				}
				return binary.LittleEndian.Uint64(word[:]), s.Kind == analysis.Param
			})
			if !ok {
				continue
			}
			known++
			var word [8]byte
			copy(word[:v.Mem.Size()], want[v.Mem.Offset:])
			if x := binary.LittleEndian.Uint64(word[:]); x != got {
				t.Fatalf("%s is %s = %#x, want %#x\n%s\n%s", v, e, got, x, text, f)
			}
			lo, hi := e.Range()
			if m, r := e.Multiple(); got < lo || got > hi || got&(m-1) != r {
				t.Fatalf("%s is %s = %#x, outside of [%#x,%#x] or not %d mod %d\n%s", v, e, got, lo, hi, r, m, text)
			}
		}
	}
	return known
}
