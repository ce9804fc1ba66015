package isa

import "testing"

// TestWhyNot wants a reason for each row with a form that is not executed, and for no other one.
func TestWhyNot(t *testing.T) {
	for _, d := range All() {
		all, run := d.CountVariants()
		missing := run < all || !d.Executed
		if missing != (WhyNot(d.Op) != nil) {
			t.Errorf("%s: %d of %d variants run, and the reasons are %q", d.Op, run, all, WhyNot(d.Op))
		}
	}
	for op := range whyNot {
		if d := Lookup(op); d == nil || d.Op != op {
			t.Errorf("no row %s", op)
		}
	}
}
