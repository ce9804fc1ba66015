package taint

import (
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/warp/alu"
)

// exact are operations whose rule finds just the bits that can vary.
var exact = map[string]bool{
	"and.b32": true, "or.b32": true, "xor.b32": true, "not.b32": true, "mov.b64": true, "brev.b32": true,
	"min.u32": true, "max.u32": true, "min.s32": true, "max.s32": true,
	"setp.lt.s32": true, "setp.ge.u32": true, "setp.eq.s32": true, "setp.ne.u64": true, "setp.lt.and.s32": true, "setp.eq.or.u32": true,
	"selp.b32": true, "lop3.b32:lut=0x96": true, "lop3.b32:lut=0xe8": true, "cvt.u16.u32": true, "cvt.s64.s32": true, "cvt.u32.u8": true,
}

// TestFlowsAgainstAllCompletions gives the undefined bits of an operation's operands all
// values that they can have. A bit of the result that varies must be undefined. The exact
// rules say no more than that; a range of min and max may have bits that never vary.
func TestFlowsAgainstAllCompletions(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, name := range alu.All() {
		op, err := alu.Lookup(name)
		if err != nil || op.CarryIn {
			continue
		}
		f := flowOf(op)
		for range 40 {
			x := operands{n: len(op.Args)}
			for k, w := range op.Args {
				x.v[k] = value(r) & whole(w)
				if strings.HasPrefix(name, "bfe") || strings.HasPrefix(name, "bfi") || strings.HasPrefix(name, "sh") {
					if k > 0 {
						x.v[k] &= 0x3f
					}
				}
			}
			for range r.IntN(7) {
				k := r.IntN(max(x.n, 1))
				if x.n > 0 {
					x.u[k] |= 1 << r.IntN(64) & whole(op.Args[k])
				}
			}
			u, _, _ := result(f, op, &x)
			varies := varying(op, &x)
			if varies&^u != 0 {
				t.Fatalf("%s of %x with undefined bits %x: %x varies, %x is undefined", name, x.v[:x.n], x.u[:x.n], varies, u)
			}
			if exact[name] && u != varies && !strings.HasPrefix(name, "m") {
				t.Fatalf("%s of %x with undefined bits %x: %x is undefined, but only %x varies", name, x.v[:x.n], x.u[:x.n], u, varies)
			}
			if strings.HasPrefix(name, "m") && exact[name] && (u == 0) != (varies == 0) {
				t.Fatalf("%s of %x with undefined bits %x: %x is undefined, %x varies", name, x.v[:x.n], x.u[:x.n], u, varies)
			}
		}
	}
}

// value has few or many bits set, so that operands are equal, zero or near a limit at times.
func value(r *rand.Rand) uint64 {
	switch r.IntN(4) {
	case 0:
		return uint64(r.IntN(4))
	case 1:
		return ^uint64(r.IntN(4))
	case 2:
		return 1 << r.IntN(64)
	}
	return r.Uint64()
}

// varying are the bits of the result that differ between values of the undefined bits.
func varying(op *alu.Op, x *operands) (u uint64) {
	first := valueOf(op, x.v)
	places := [][2]int{}
	for k := range x.n {
		for b := x.u[k]; b != 0; b &= b - 1 {
			places = append(places, [2]int{k, bits.TrailingZeros64(b)})
		}
	}
	for n := range 1 << len(places) {
		v := x.v
		for i, p := range places {
			v[p[0]] = v[p[0]]&^(1<<p[1]) | uint64(n>>i&1)<<p[1]
		}
		u |= first ^ valueOf(op, v)
	}
	return u
}
