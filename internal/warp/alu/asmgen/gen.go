package main

import (
	"fmt"
	"go/types"
	"reflect"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/gotypes"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// lanes of a warp.
const lanes = 32

// vec is a vector register; mask is what a comparison yields: a mask register
// with AVX-512, a vector of all-ones and zero elements with AVX2.
type (
	vec  = reg.VecVirtual
	mask = reg.Register
)

// gen emits functions for one instruction set.
type gen struct {
	*build.Context
	z      bool // AVX-512
	data   map[string]operand.Mem
	consts map[string]vec // broadcast constants of the current function
}

func (g *gen) suffix() string {
	if g.z {
		return "AVX512"
	}
	return "AVX2"
}

// bytes is the size of a full register.
func (g *gen) bytes() int {
	if g.z {
		return 64
	}
	return 32
}

func (g *gen) sized(bytes int) vec {
	switch bytes {
	case 64:
		return g.ZMM()
	case 32:
		return g.YMM()
	}
	return g.XMM()
}

// emit appends an instruction by its name in the Go assembler.
func (g *gen) emit(name string, ops ...operand.Op) {
	m := reflect.ValueOf(g.Context).MethodByName(name)
	if !m.IsValid() {
		panic("no instruction " + name)
	}
	in := make([]reflect.Value, len(ops))
	for i, o := range ops {
		in[i] = reflect.ValueOf(o)
	}
	m.Call(in)
}

// to emits an instruction whose result is a new register of the given size.
func (g *gen) to(bytes int, name string, ops ...operand.Op) vec {
	d := g.sized(bytes)
	g.emit(name, append(ops, d)...)
	return d
}

// op is to with the size of the last vector operand.
func (g *gen) op(name string, ops ...operand.Op) vec {
	for i := len(ops) - 1; i >= 0; i-- {
		if v, ok := ops[i].(vec); ok {
			return g.to(int(v.Size()), name, ops...)
		}
	}
	return g.to(g.bytes(), name, ops...)
}

// pick chooses an instruction's name by the instruction set.
func (g *gen) pick(avx512, avx2 string) string {
	if g.z {
		return avx512
	}
	return avx2
}

// constant is a register of the given size filled with a 4- or 8-byte value.
func (g *gen) constant(bytes, width int, v uint64) vec {
	name := fmt.Sprintf("c%d_%0*x", width*8, width*2, v)
	key := fmt.Sprint(name, "/", bytes)
	if r, ok := g.consts[key]; ok {
		return r
	}
	m, ok := g.data[name]
	if !ok {
		m = g.StaticGlobal(name)
		g.DataAttributes(attr.RODATA | attr.NOPTR)
		if width == 4 {
			g.AddDatum(0, operand.U32(v))
		} else {
			g.AddDatum(0, operand.U64(v))
		}
		g.data[name] = m
	}
	r := g.to(bytes, map[int]string{4: "VPBROADCASTD", 8: "VPBROADCASTQ"}[width], m)
	g.consts[key] = r
	return r
}

// c32 and c64 are constants as wide as the register x.
func (g *gen) c32(x vec, v uint32) vec { return g.constant(int(x.Size()), 4, uint64(v)) }
func (g *gen) c64(x vec, v uint64) vec { return g.constant(int(x.Size()), 8, v) }

// cst is a constant for elements of the width (4 or 8 bytes).
func (g *gen) cst(x vec, width int, v32 uint32, v64 uint64) vec {
	if width == 4 {
		return g.c32(x, v32)
	}
	return g.c64(x, v64)
}

// zero is a register of zeros of the size of x, zeros one of some bytes.
func (g *gen) zero(x vec) vec { return g.zeros(int(x.Size())) }

func (g *gen) zeros(bytes int) vec {
	if g.z {
		return g.constant(bytes, 4, 0)
	}
	key := fmt.Sprint("zero/", bytes)
	if r, ok := g.consts[key]; ok {
		return r
	}
	r := g.sized(bytes)
	g.emit("VPXOR", r, r, r)
	g.consts[key] = r
	return r
}

func (g *gen) and(a, b vec) vec { return g.op(g.pick("VPANDD", "VPAND"), a, b) }
func (g *gen) or(a, b vec) vec  { return g.op(g.pick("VPORD", "VPOR"), a, b) }
func (g *gen) xor(a, b vec) vec { return g.op(g.pick("VPXORD", "VPXOR"), a, b) }

// andNot is a and not b.
func (g *gen) andNot(a, b vec) vec { return g.op(g.pick("VPANDND", "VPANDN"), a, b) }

// el appends the element size's letter of integer instructions.
func el(name string, width int) string { return name + map[int]string{4: "D", 8: "Q"}[width] }

// fl appends the letter of floating-point instructions.
func fl(name string, width int) string { return name + map[int]string{4: "PS", 8: "PD"}[width] }

func imm(v int) operand.Op { return operand.U8(v) }

// sel takes t where the mask is set, f elsewhere.
func (g *gen) sel(m mask, t, f vec, width int) vec {
	if g.z {
		return g.op(el("VPBLENDM", width), t, f, m)
	}
	return g.op("VPBLENDVB", m, t, f)
}

// newMask emits a comparison that yields a mask.
func (g *gen) newMask(name string, ops ...operand.Op) mask {
	if g.z {
		k := g.K()
		g.emit(name, append(ops, k)...)
		return k
	}
	return g.op(name, ops...)
}

// cmpF compares floating-point elements by the predicate of VCMPPS.
func (g *gen) cmpF(pred int, a, b vec, width int) mask {
	return g.newMask(fl("VCMP", width), imm(pred), b, a)
}

// gt is a > b for signed integers, eq is a = b.
func (g *gen) gt(a, b vec, width int) mask {
	if g.z {
		return g.newMask(el("VPCMP", width), imm(6), b, a)
	}
	return g.newMask(el("VPCMPGT", width), b, a)
}

func (g *gen) eq(a, b vec, width int) mask {
	if g.z {
		return g.newMask(el("VPCMP", width), imm(0), b, a)
	}
	return g.newMask(el("VPCMPEQ", width), b, a)
}

// nan32 makes the NaN results of f32 operations canonical.
func (g *gen) nan32(r vec) vec {
	return g.sel(g.cmpF(unord, r, r, 4), g.c32(r, 0x7fffffff), r, 4)
}

// begin starts a function; params are pointers except p, a uint32.
func (g *gen) begin(name string, params []string, result bool) {
	var in, out []*types.Var
	for _, p := range params {
		t := types.Typ[types.UnsafePointer]
		if p == "p" {
			t = types.Typ[types.Uint32]
		}
		in = append(in, types.NewVar(0, nil, p, t))
	}
	if result {
		out = append(out, types.NewVar(0, nil, "m", types.Typ[types.Uint32]))
	}
	sig := types.NewSignatureType(nil, nil, nil, types.NewTuple(in...), types.NewTuple(out...), false)
	g.Function(name)
	g.Attributes(attr.NOSPLIT)
	g.Signature(gotypes.NewSignature(nil, sig))
	g.consts = map[string]vec{}
}

// pointer loads a pointer parameter.
func (g *gen) pointer(name string) reg.Register {
	b, err := g.Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	r := g.GP64()
	g.MOVQ(b.Addr, r)
	return r
}

func at(base reg.Register, off int) operand.Mem { return operand.Mem{Base: base, Disp: off} }

func (g *gen) end() {
	g.VZEROUPPER()
	g.RET()
}
