package alu

import (
	"math/rand"
	"testing"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/warp/alu/aluref"
)

// TestReference runs every instruction that the reference implementation has,
// on edge cases and random operands, by every instruction set.
func TestReference(t *testing.T) {
	rounds := 3
	if testing.Short() {
		rounds = 1
	}
	forEachISA(t, func(t *testing.T) {
		r := rand.New(rand.NewSource(7))
		for _, name := range All() {
			if !aluref.Covers(name) {
				continue
			}
			for k := 0; k < rounds && matches(t, name, r); k++ {
			}
		}
	})
}

// matches compares one vector of lanes, and the second results of Fn.
func matches(t *testing.T, name string, r *rand.Rand) bool {
	t.Helper()
	o, err := Lookup(name)
	if err != nil {
		t.Error(err)
		return false
	}
	in := aluref.Parse(name)
	v := laneOperands(o, in, r)
	got := firstVector(o, v)
	for l := range Lanes {
		a := aluref.Args{v[0][l], v[1][l], v[2][l], v[3][l]}
		want, _ := aluref.Eval(in, a)
		_, r2 := o.Fn(a[0], a[1], a[2], a[3])
		if ok, what := want.Match(got[l], r2); !ok {
			t.Errorf("%s(%#x, %#x, %#x, %#x) = %#x and %#x, want %s", name, a[0], a[1], a[2], a[3], got[l], r2, what)
			return false
		}
	}
	return true
}

// laneOperands draws operands of the instruction's types for all lanes.
func laneOperands(o *Op, in *aluref.Inst, r *rand.Rand) (v [4][Lanes]uint64) {
	for l := range Lanes {
		prev := uint64(0)
		for i, w := range o.Args {
			v[i][l] = in.Operand(i, prev, r)
			if w == Pred {
				v[i][l] = uint64(r.Intn(2))
			}
			prev = v[i][l]
		}
	}
	return v
}

// firstVector is the result of the vector form, or of Fn if there is none.
func firstVector(o *Op, v [4][Lanes]uint64) (got [Lanes]uint64) {
	var p [4]unsafe.Pointer
	var preds uint32
	for i, w := range o.Args {
		p[i] = store(w, v[i])
		for l := range Lanes {
			if w == Pred {
				preds |= uint32(v[i][l]&1) << l
			}
		}
	}
	if list := vectorResults(o, p, preds); len(list) > 0 {
		return list[0]
	}
	for l := range Lanes {
		got[l], _ = o.Fn(v[0][l], v[1][l], v[2][l], v[3][l])
	}
	return got
}
