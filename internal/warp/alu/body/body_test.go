package body

import (
	"math/rand"
	"testing"

	"github.com/warpgrind/warpgrind/internal/warp/alu/aluref"
)

// TestBodies compares each operation with the reference.
func TestBodies(t *testing.T) {
	for _, name := range All() {
		b, in, r := Of(name), aluref.Parse(name), rand.New(rand.NewSource(1))
		for range 1000 {
			var a aluref.Args
			for i := range b.Args {
				a[i] = in.Operand(i, a[max(i-1, 0)], r)
			}
			want, ok := aluref.Eval(in, a)
			if !ok {
				t.Logf("%s: the reference has no answer", name)
				break
			}
			got := b.Eval(a[:len(b.Args)])
			if b.Test {
				want.Two = false // the second result is the opposite
			}
			if ok, what := want.Match(got, 0); !ok {
				t.Errorf("%s %#x: %#x, want %s", name, a[:len(b.Args)], got, what)
				break
			}
		}
	}
}
