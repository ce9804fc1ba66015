package lower

import (
	"fmt"
	"slices"
	"testing"

	"github.com/warpgrind/warpgrind/internal/ptx"
)

// TestLimits wants what a module has that is not executed, reached or not, and what is executed
// approximately.
func TestLimits(t *testing.T) {
	m, err := ptx.Parse("m", []byte(`.version 8.8
.target sm_100a
.address_size 64
.func f() { .reg .b32 %r<9>; .reg .f32 %f<9>;
sin.approx.f32 %f0, %f1;
sin.approx.f32 %f0, %f1;
ret; }
.visible .entry k() { .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %d<2>; .reg .pred %p;
bra DONE;
multimem.cp.async.bulk.dst [%d0], [%d1], %r0;
DONE: add.f32 %f0, %f1, %f2;
tcgen05.shift.cta_group::1.down [%r0];
tcgen05.mma.cta_group::1.kind::f16 [%r0], %d0, %d1, %r4, %p;
tcgen05.mma.cta_group::1.kind::i8 [%r0], %d0, %d1, %r4, %p;
cp.async.ca.shared.global [%d0], [%d1], 3;
ret; }
`))
	if err != nil {
		t.Fatal(err)
	}
	p, err := Kernel(m, "k", nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range append(Limits(m), Stops(p)...) {
		got = append(got, fmt.Sprintf("%s:%d %s %s", l.Func, l.PTXLine, l.Opcode, l.Reason))
		if l.Reason.Text() == "" || l.Reason.String() == "" {
			t.Errorf("%v has no text", l)
		}
	}
	want := []string{
		"f:5 sin.approx.f32 error-bound", "f:6 sin.approx.f32 error-bound", "k:10 multimem.cp.async.bulk.dst not-supported",
		"k:13 tcgen05.mma.cta_group::1.kind::f16 sum", "k:12 tcgen05.shift.cta_group::1.down figure",
		"k:10 multimem.cp.async.bulk.dst operands", "k:15 cp.async.ca.shared.global operands",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}
