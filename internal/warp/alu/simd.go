package alu

//go:generate go -C asmgen run . ..

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"unsafe"
)

type (
	vec4Fn = func(d, a, b, c, e unsafe.Pointer)
	selFn  = func(d, a, b unsafe.Pointer, p uint32)
)

// simd is the vector functions written in assembly for an instruction set.
type simd struct {
	name      string
	available func() bool
	vec       func() map[string]vecFn
	vec4      func() map[string]vec4Fn
	cmp       func() map[string]cmpFn
	sel32     selFn
	sel64     selFn
	// lop3 is Vec of lop3 with its table's eight bits, widened to 32, at e.
	lop3 vec4Fn
}

// plain is the name of the instruction set of the plain Go loops.
const plain = "go"

// kernels is what operations are built from: the functions of the chosen set
// over those of the sets that it includes. Guarded by kernelsMu.
type kernels struct {
	isa  string
	vec  map[string]vecFn
	vec4 map[string]vec4Fn
	cmp  map[string]cmpFn
	sel32,
	sel64 selFn
	lop3 vec4Fn
}

var (
	kernelsMu sync.RWMutex
	current   *kernels
)

// ISAs lists the instruction sets that this processor has, best first: "avx512"
// (F, BW, CD, DQ and VL), "avx2" (with FMA and F16C), "go" for plain Go.
func ISAs() []string {
	var names []string
	for _, s := range simds {
		if s.available() {
			names = append(names, s.name)
		}
	}
	return append(names, plain)
}

// ISA is the instruction set in use.
func ISA() string { return kernelsInUse().isa }

// SetISA chooses the instruction set of the operations looked up from now on, by
// a name of ISAs; "off" means "go". Operations looked up earlier keep theirs.
// Without a call it is the one in the environment variable WARPGRIND_SIMD if the
// processor has it, else the best. The error says which sets there are.
func SetISA(name string) error {
	k, err := newKernels(name)
	if err != nil {
		return err
	}
	kernelsMu.Lock()
	defer kernelsMu.Unlock()
	current = k
	cache.Clear()
	mathOps.Clear()
	return nil
}

// kernelsInUse chooses the set on the first call.
func kernelsInUse() *kernels {
	kernelsMu.RLock()
	k := current
	kernelsMu.RUnlock()
	if k != nil {
		return k
	}
	kernelsMu.Lock()
	defer kernelsMu.Unlock()
	if current == nil {
		current = initialKernels()
	}
	return current
}

func initialKernels() *kernels {
	if k, err := newKernels(os.Getenv("WARPGRIND_SIMD")); err == nil {
		return k
	}
	k, _ := newKernels(ISAs()[0])
	return k
}

// newKernels gathers a set's functions. A better set's replace a lesser one's.
func newKernels(name string) (*kernels, error) {
	if name == "off" {
		name = plain
	}
	k := &kernels{isa: name, sel32: sel[uint32], sel64: sel[uint64]}
	k.vec, k.vec4, k.cmp = map[string]vecFn{}, map[string]vec4Fn{}, map[string]cmpFn{}
	if name == plain {
		return k, nil
	}
	for i := len(simds) - 1; i >= 0; i-- {
		if s := simds[i]; s.available() {
			k.add(s)
			if s.name == name {
				return k, nil
			}
		}
	}
	return nil, fmt.Errorf("no instruction set %q on this processor (there are %s)", name, strings.Join(ISAs(), ", "))
}

func (k *kernels) add(s simd) {
	for op, f := range s.vec() {
		k.vec[op] = f
	}
	for op, f := range s.vec4() {
		k.vec4[op] = f
	}
	for op, f := range s.cmp() {
		k.cmp[op] = f
	}
	k.sel32, k.sel64, k.lop3 = s.sel32, s.sel64, s.lop3
}

// Select returns the function of Op.Sel for registers of 32 or 64 bits: lane i
// of d becomes that of a where bit i of p is set, else that of b.
func Select(w Width) func(d, a, b unsafe.Pointer, p uint32) {
	if w == W64 {
		return kernelsInUse().sel64
	}
	return kernelsInUse().sel32
}

// lop3Vec is Vec for lop3 with a fixed table, which Fn tells.
func (k *kernels) lop3Vec(o *Op) vecFn {
	f, table := k.lop3, new([8]uint32)
	for i := range table {
		r, _ := o.Fn(uint64(i>>2&1), uint64(i>>1&1), uint64(i&1), 0)
		table[i] = -uint32(r & 1)
	}
	return func(d, a, b, c unsafe.Pointer) { f(d, a, b, c, unsafe.Pointer(table)) }
}
