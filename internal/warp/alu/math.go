package alu

import (
	"math"
	"sync"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/warp/alu/formula"
)

// Role is what a parameter of a device math function is.
type Role uint8

// Roles of parameters.
const (
	Value Role = iota // an argument
	Out               // a pointer to which a result of the given width is stored
	Array             // a pointer to elements to read, as many as the first argument says
	Text              // a pointer to a string that does not matter
)

// Param is one parameter of a device math function.
type Param struct {
	Role Role
	// Width is the width of the value, of the result stored, or of an element.
	Width Width
}

// Math is a device math function, one of libdevice's __nv_* (NVVM libdevice
// user's guide). An int is W32, a long long or double W64.
type Math struct {
	Name string
	// Params are all the parameters in the order of the call.
	Params []Param
	// Args and Outs are the widths of the Value and the Out parameters.
	Args, Outs []Width
	// Ret is the result's width, None for void.
	Ret Width
	// Fn computes one lane from the Value arguments, followed by an Array's
	// elements; outs go to the Out parameters in order. Missing arguments count
	// as zero. It does not panic.
	Fn func(args []uint64) (ret uint64, outs [2]uint64)

	// formula and same are set where the function is a formula, or the PTX instruction
	// of that opcode; long where its time depends on the arguments.
	formula *formula.Formula
	same    string
	long    bool
}

// mathOps holds *Op by *Math.
var mathOps sync.Map

// Op is the function as an operation, which has a vector form. There is none of a
// function with pointers, nor of one whose time depends on its arguments, which lanes
// that are off would have too. It is safe for concurrent use.
func (f *Math) Op() (*Op, bool) {
	if f.same != "" {
		o, err := Lookup(f.same)
		return o, err == nil
	}
	if n := len(f.Args); f.long || f.Ret == None || n == 0 || n > 3 || n < len(f.Params) {
		return nil, false
	}
	if o, ok := mathOps.Load(f); ok {
		return o.(*Op), true
	}
	o := &Op{Name: f.Name, Dst: f.Ret, DstBits: uint8(8 * f.Ret.Bytes()), Args: f.Args, Formula: f.formula, Fn: f.lane}
	if o.Vec = f.lanes; o.Formula != nil {
		o.Vec = chooseVec(o)
	}
	got, _ := mathOps.LoadOrStore(f, o)
	return got.(*Op), true
}

// lane and lanes are Fn and Vec of the operation.
func (f *Math) lane(a, b, c, _ uint64) (uint64, uint64) {
	x := [3]uint64{a, b, c}
	r, _ := f.Fn(x[:len(f.Args)])
	return r, 0
}

func (f *Math) lanes(d, a, b, c unsafe.Pointer) {
	x, p := make([]uint64, len(f.Args)), [3]unsafe.Pointer{a, b, c}
	for i := range Lanes {
		for k, w := range f.Args {
			x[k] = arg(p[k], w, i)
		}
		r, _ := f.Fn(x)
		put(d, f.Ret, i, r)
	}
}

// mathTable is built when the first function is asked for.
var mathTable = sync.OnceValue(func() map[string]*Math {
	m := mathReg{}
	m.float64s()
	m.specials()
	m.mixed()
	m.pointers()
	m.aliases()
	m.simd()
	for name, f := range m {
		f.complete(name)
	}
	return m
})

// LookupMath finds a device math function by its symbol, for example
// "__nv_powf". It is safe for concurrent use.
func LookupMath(name string) (*Math, bool) {
	f, ok := mathTable()[name]
	return f, ok
}

// AllMath lists the symbols of the device math functions, in no order.
func AllMath() []string {
	var names []string
	for n := range mathTable() {
		names = append(names, n)
	}
	return names
}

type mathReg map[string]*Math

// complete derives the widths and guards Fn against missing arguments.
func (f *Math) complete(name string) {
	f.Name = name
	for _, p := range f.Params {
		switch p.Role {
		case Value:
			f.Args = append(f.Args, p.Width)
		case Out:
			f.Outs = append(f.Outs, p.Width)
		}
	}
	fn, n := f.Fn, len(f.Args)
	f.Fn = func(args []uint64) (uint64, [2]uint64) {
		if len(args) < n {
			args = append(append(make([]uint64, 0, n), args...), make([]uint64, n-len(args))...)
		}
		return fn(args)
	}
}

// scalar is a C type of a parameter or result.
type scalar byte

// Types in signatures such as "d(di)".
const (
	cFloat  scalar = 'f'
	cDouble scalar = 'd'
	cInt    scalar = 'i'
	cLong   scalar = 'l'
)

func (s scalar) width() Width {
	if s == cFloat || s == cInt {
		return W32
	}
	return W64
}

// get decodes an argument as float64; an int is exact.
func (s scalar) get(a uint64) float64 {
	switch s {
	case cFloat:
		return float64(math.Float32frombits(uint32(a)))
	case cInt:
		return float64(int32(a))
	}
	return math.Float64frombits(a)
}

// positiveNaN is what asin and atanh give outside their domains: the others give defaultNaN64.
var positiveNaN = math.Float64frombits(0x7ff8 << 48)

// put encodes a floating-point result, NaN being canonical.
func (s scalar) put(x float64) uint64 {
	switch {
	case s == cFloat:
		return uint64(nan32(float32(x)))
	case x != x && math.Float64bits(x) != math.Float64bits(positiveNaN):
		return defaultNaN64
	}
	return math.Float64bits(x)
}

func values(ts ...scalar) (ps []Param) {
	for _, t := range ts {
		ps = append(ps, Param{Value, t.width()})
	}
	return ps
}

// add enters a function under "__nv_" and name.
func (m mathReg) add(name string, ret Width, params []Param, fn func(a []uint64) uint64) *Math {
	f := &Math{Ret: ret, Params: params, Fn: func(a []uint64) (uint64, [2]uint64) {
		return fn(a), [2]uint64{}
	}}
	m["__nv_"+name] = f
	return f
}

// real enters a function of floating-point operands of type t.
func (m mathReg) real(name string, t scalar, n int, f func(x []float64) float64) *Math {
	ts := make([]scalar, n)
	for i := range ts {
		ts[i] = t
	}
	return m.add(name, t.width(), values(ts...), func(a []uint64) uint64 {
		var x [4]float64
		for i := 0; i < n; i++ {
			x[i] = t.get(a[i])
		}
		r := f(x[:n])
		if r != r && t == cDouble {
			// An argument that is NaN is passed on, made quiet.
			for i, v := range x[:n] {
				if v != v {
					return a[i] | 1<<51
				}
			}
		}
		return t.put(r)
	})
}

// both enters the double function name and the float function namef, which is
// computed in float64 and rounded.
func (m mathReg) both(name string, n int, f func(x []float64) float64) {
	m.real(name, cDouble, n, f)
	m.real(name+"f", cFloat, n, f)
}

func (m mathReg) both1(name string, f func(x float64) float64) {
	m.both(name, 1, func(x []float64) float64 { return f(x[0]) })
}

func (m mathReg) both2(name string, f func(x, y float64) float64) {
	m.both(name, 2, func(x []float64) float64 { return f(x[0], x[1]) })
}

// bothInt enters functions of an int and a floating-point operand; intFirst
// gives their order.
func (m mathReg) bothInt(name string, intFirst bool, f func(n int, x float64) float64) {
	for _, t := range []scalar{cDouble, cFloat} {
		full, ts, i := name, []scalar{t, cInt}, 1
		if t == cFloat {
			full += "f"
		}
		if intFirst {
			ts, i = []scalar{cInt, t}, 0
		}
		m.add(full, t.width(), values(ts...), func(a []uint64) uint64 {
			return t.put(f(int(int32(a[i])), t.get(a[1-i])))
		})
	}
}

// toLong enters functions from floating point to an integer of the given width.
func (m mathReg) toInt(name string, t scalar, ret scalar, f func(x float64) int64) {
	m.add(name, ret.width(), values(t), func(a []uint64) uint64 {
		r := uint64(f(t.get(a[0])))
		if ret == cInt {
			r = uint64(uint32(r))
		}
		return r
	})
}
