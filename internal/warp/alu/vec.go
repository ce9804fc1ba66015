package alu

import (
	"maps"
	"math"
	"strings"
	"sync"
	"unsafe"
)

// Lanes is the number of lanes of a warp.
const Lanes = 32

type (
	vecFn = func(d, a, b, c unsafe.Pointer)
	cmpFn = func(a, b, c unsafe.Pointer) uint32
)

// hotVecs are the vector functions written as loops of Go, by opcode: those made from bodies, and a few for formats that
// have none. Those of the instruction set in use come first (see SetISA); what is in neither is derived from Fn.
var hotVecs = sync.OnceValue(func() map[string]vecFn {
	m := maps.Clone(plainVecs)
	vecsBits(m)
	vecsHalf(m)
	return m
})

// addVectors fills in the vector functions that the operation's shape allows.
func addVectors(o *Op) {
	preds := 0
	for _, w := range o.Args {
		preds += int(b2u(w == Pred))
	}
	switch {
	case o.Dst2 != None:
	case o.Dst == Pred && preds == 0 && len(o.Args) <= 3:
		o.Cmp = chooseCmp(o)
	case o.Dst == Pred && o.Alt == Pred && preds == 1:
		addCmpBool(o)
	case o.Dst == Pred:
	case preds == 0 && len(o.Args) == 4:
		if o.Vec4 = kernelsInUse().vec4[o.Name]; o.Vec4 == nil {
			o.Vec4 = deriveVec4(o)
		}
	case preds == 0:
		o.Vec = chooseVec(o)
	case len(o.Args) == 3 && o.Args[2] == Pred && !o.CarryIn && strings.HasPrefix(o.Name, "selp"):
		addSel(o)
	}
}

func chooseVec(o *Op) vecFn {
	k := kernelsInUse()
	if f := k.vec[o.Name]; f != nil {
		if o.Formula != nil {
			return within(o.Formula, f, o.Fn)
		}
		return f
	}
	if k.lop3 != nil && strings.HasPrefix(o.Name, "lop3.") {
		return k.lop3Vec(o)
	}
	if f := hotVecs()[o.Name]; f != nil {
		return f
	}
	return deriveVec(o)
}

func chooseCmp(o *Op) cmpFn {
	if f := kernelsInUse().cmp[o.Name]; f != nil {
		return f
	}
	if f := plainCmps[o.Name]; f != nil {
		return f
	}
	return deriveCmp(o)
}

// arg reads lane i of an operand of width w; an absent one is 0.
func arg(p unsafe.Pointer, w Width, i int) uint64 {
	switch w {
	case W32:
		return uint64((*[Lanes]uint32)(p)[i])
	case W64:
		return (*[Lanes]uint64)(p)[i]
	}
	return 0
}

func put(p unsafe.Pointer, w Width, i int, r uint64) {
	if w == W64 {
		(*[Lanes]uint64)(p)[i] = r
	} else {
		(*[Lanes]uint32)(p)[i] = uint32(r)
	}
}

// argWidths are the widths of the first three operands.
func argWidths(o *Op) (w [4]Width) {
	copy(w[:], o.Args)
	return w
}

func deriveVec(o *Op) vecFn {
	f, w, dw := o.Fn, argWidths(o), o.Dst
	return func(d, a, b, c unsafe.Pointer) {
		for i := 0; i < Lanes; i++ {
			r, _ := f(arg(a, w[0], i), arg(b, w[1], i), arg(c, w[2], i), 0)
			put(d, dw, i, r)
		}
	}
}

func deriveVec4(o *Op) func(d, a, b, c, e unsafe.Pointer) {
	f, w, dw := o.Fn, argWidths(o), o.Dst
	return func(d, a, b, c, e unsafe.Pointer) {
		for i := 0; i < Lanes; i++ {
			r, _ := f(arg(a, w[0], i), arg(b, w[1], i), arg(c, w[2], i), arg(e, w[3], i))
			put(d, dw, i, r)
		}
	}
}

func deriveCmp(o *Op) cmpFn {
	f, w := o.Fn, argWidths(o)
	return func(a, b, c unsafe.Pointer) (m uint32) {
		for i := 0; i < Lanes; i++ {
			r, _ := f(arg(a, w[0], i), arg(b, w[1], i), arg(c, w[2], i), 0)
			m |= uint32(r&1) << i
		}
		return m
	}
}

// addCmpBool builds setp with a Boolean operator on the setp without it.
func addCmpBool(o *Op) {
	name, plain := cutBool(o.Name)
	base, err := Lookup(plain)
	if err != nil || base.Cmp == nil {
		return
	}
	cmp := base.Cmp
	switch name {
	case "and":
		o.CmpBool = func(a, b unsafe.Pointer, c uint32) (p, q uint32) {
			t := cmp(a, b, nil)
			return t & c, ^t & c
		}
	case "or":
		o.CmpBool = func(a, b unsafe.Pointer, c uint32) (p, q uint32) {
			t := cmp(a, b, nil)
			return t | c, ^t | c
		}
	case "xor":
		o.CmpBool = func(a, b unsafe.Pointer, c uint32) (p, q uint32) {
			t := cmp(a, b, nil)
			return t ^ c, ^t ^ c
		}
	}
}

// cutBool takes the Boolean operator out of an opcode.
func cutBool(opcode string) (name, rest string) {
	in, base := parse(opcode)
	name = in.oneOf("and", "or", "xor")
	rest = base
	for _, m := range in.mods {
		rest += "." + m
	}
	return name, rest + opcode[lastDot(opcode):]
}

func lastDot(s string) int {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == '.' {
			return i
		}
	}
	return len(s)
}

func addSel(o *Op) { o.Sel = Select(o.Dst) }

// sel chooses lane by lane without a branch.
func sel[T uint32 | uint64](d, a, b unsafe.Pointer, p uint32) {
	x, y, z := (*[Lanes]T)(a), (*[Lanes]T)(b), (*[Lanes]T)(d)
	for i := range z {
		m := -T(p & 1)
		z[i] = x[i]&m | y[i]&^m
		p >>= 1
	}
}

func lanesOf[T any](p unsafe.Pointer) *[Lanes]T { return (*[Lanes]T)(p) }

// each1 to each3 compute a row lane by lane, test2 the mask of the lanes for which a comparison holds.
func each1[X, Z any](d, a unsafe.Pointer, f func(X) Z) {
	x, z := lanesOf[X](a), lanesOf[Z](d)
	for i := range z {
		z[i] = f(x[i])
	}
}

func each2[X, Y, Z any](d, a, b unsafe.Pointer, f func(X, Y) Z) {
	x, y, z := lanesOf[X](a), lanesOf[Y](b), lanesOf[Z](d)
	for i := range z {
		z[i] = f(x[i], y[i])
	}
}

// each3 gets rows: it would be too long to be inlined otherwise.
func each3[X, Y, W, Z any](z *[Lanes]Z, x *[Lanes]X, y *[Lanes]Y, w *[Lanes]W, f func(X, Y, W) Z) {
	for i := range z {
		z[i] = f(x[i], y[i], w[i])
	}
}

func test2[X, Y any](a, b unsafe.Pointer, f func(X, Y) bool) (m uint32) {
	x, y := lanesOf[X](a), lanesOf[Y](b)
	for i := range x {
		m = m>>1 | bit31(f(x[i], y[i]))
	}
	return m
}

// bit31 is the top bit if b: results are shifted in from above, lane 0 first.
func bit31(b bool) uint32 {
	var r uint32
	if b {
		r = 1
	}
	return r << 31
}

// cutS32 and cutU32 are the primitives of package body on numbers that were exact before.
func cutS32(x float64) uint32 {
	if x > -1<<31-1 && x < 1<<31 {
		return uint32(int32(x))
	}
	return 1 << 31
}

func cutU32(x float64) uint32 {
	if x > -1 && x < 1<<32 {
		return uint32(int64(x))
	}
	return 1<<32 - 1
}

// roundsOnce reports whether the sum of an exact product may be rounded to a float32 as it is, in float64: it is a normal
// float32 and not the middle of two (see fmaF32).
func roundsOnce(s float64) bool {
	u := math.Float64bits(s)
	return uint32(u>>52&0x7ff)-897 < 0x7ff-897 && u&0x1fffffff != 0x10000000
}

// nan32 gives the pattern of a result, NaN being canonical.
func nan32(x float32) uint32 {
	if x != x {
		return 0x7fffffff
	}
	return math.Float32bits(x)
}
