package finding

import "testing"

func TestDemangleTags(t *testing.T) {
	for _, c := range []struct{ name, whole, short string }{
		{"_Z4scanPi", "scan(int*)", "scan"},
		{"_ZN8__main__3oobB2v2B3cw5Ei", "__main__::oob(int)", "__main__::oob"},
		{"matmul_kernel", "matmul_kernel", "matmul_kernel"},
		{"_Z4scanPi$unit2", "scan(int*)", "scan"},
	} {
		if whole, short := Demangle(c.name), DemangleName(c.name); whole != c.whole || short != c.short {
			t.Errorf("%s: %q and %q, want %q and %q", c.name, whole, short, c.whole, c.short)
		}
	}
}

// TestAddInPython: the repair of Python source names calls that Python has.
func TestAddInPython(t *testing.T) {
	at := func(file string, line int) *Point {
		p := &Point{}
		p.File, p.Line = file, line
		return p
	}
	for _, c := range []struct{ file, want string }{
		{"a.cu", "add __syncthreads() between line 3 and line 4"},
		{"a.py", "add a barrier (Numba: cuda.syncthreads(), Triton: tl.debug_barrier()) between line 3 and line 4"},
	} {
		r := &Repair{Kind: AddBarrier, Call: Syncthreads, From: at(c.file, 3), To: at(c.file, 4)}
		if got := r.Add(); got != c.want {
			t.Errorf("%s: %q, want %q", c.file, got, c.want)
		}
	}
}
