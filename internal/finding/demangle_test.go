package finding

import (
	"testing"

	"github.com/warpgrind/warpgrind/internal/source"
)

func TestDemangleTags(t *testing.T) {
	for _, c := range []struct{ name, whole, short string }{
		{"_Z4scanPi", "scan(int*)", "scan"},
		{"matmul_kernel", "matmul_kernel", "matmul_kernel"},
		{"_Z4scanPi$unit2", "scan(int*)", "scan"},
	} {
		if whole, short := Demangle(c.name), DemangleName(c.name); whole != c.whole || short != c.short {
			t.Errorf("%s: %q and %q, want %q and %q", c.name, whole, short, c.whole, c.short)
		}
	}
}

// TestDemangleNumba: names that Numba has made, by default, with line information and with fastmath;
// names of C++ and others that resemble them.
func TestDemangleNumba(t *testing.T) {
	const flags = "B92cw51cXTLSUwv1sDUaKthoaNgoKmjgOR3W3CwAkMXLaJtQYkOIgxJU0gCqOkEJoHkbttqdVhoqlspQGNFHSgJ5BnXagIAE"
	for _, c := range []struct{ name, short, params string }{
		{"_ZN8__main__4racyB2v2B106cw51cXTLSUwv1sDUaKthoaNgoKmjgMVuW1AiA8rAEg2UjxRKtuAIAMYDWpKAqkSkPiQB1BQFk0DyoW21Oizc1a0UoPGnDpQE8oxrNQE_3dE5ArrayIfLi1E1C7mutable7alignedE5ArrayIfLi1E1C7mutable7alignedE",
			"racy", "(float32[::1], float32[::1])"},
		{"_ZN8__main__6callerB2v7B122cw51cXTLSUwv1sDUaKthoaNgoKmjgOR3W3CwAkMQ6ntbdO9Xq4Ok1GuB2lAstTU2AsYJWvKwBSVViDAkJSIJoKYumASSb20hVoFcoW6lAJFXB8oBOca1mgA_3dE5ArrayIfLi1E1C7mutable7alignedE",
			"caller", "(float32[::1])"},
		{"_ZN8__main__5eagerB2v1" + flags + "5ArrayIfLi1E1A7mutable7alignedEx", "eager", "(float32[:], int64)"},
		{"_ZN8__main__4make12_3clocals_3e5innerB2v3" + flags + "5ArrayIfLi1E1C7mutable7alignedE", "make.<locals>.inner", "(float32[::1])"},
		{"_ZN8__main__1K4methB2v4" + flags + "5ArrayIfLi1E1C7mutable7alignedE5TupleIxdE", "K.meth", "(float32[::1], Tuple(int64, float64))"},
		{"_ZN8__main__12_3clambda_3eB2v6" + flags + "5ArrayIdLi2E1C7mutable7alignedE", "<lambda>", "(float64[:,::1])"},
		{"_ZN8__main__4moreB2v9" + flags + "5ArrayI10complex128Li3E1C7mutable7alignedE5ArrayI10complex128Li3E1F7mutable7alignedE5ArrayI10complex128Li3E1A7mutable7alignedEbdx8UniTupleIxLi2EEh",
			"more", "(complex128[:,:,::1], complex128[::1,:,:], complex128[:,:,:], boolean, float64, int64, UniTuple(int64, 2), uint8)"},
		{"_ZN8__main__4recsB3v10" + flags + "5ArrayI6RecordILi3171EELi1E1C7mutable9unalignedE6RecordILi3171EE", "recs", "(Record(3171)[::1], Record(3171))"},
		{"_ZN8__main__13_c3_a9t_c3_a9B3v11" + flags + "5ArrayIDhLi1E1C7mutable7alignedE", "été", "(float16[::1])"},
		{"_ZN6cudapy3pkg4mod_6kernelB2v1" + flags + "i", "pkg.mod_.kernel", "(int32)"},
		// Underscores that begin no escape, and no parameters.
		{"_ZN8__main__6my_absB2v1" + flags, "my_abs", "()"},
		{"_ZN8__main__9kernel_20B2v1" + flags, "kernel_20", "()"},
		// Not Numba's: one tag, tags that are not flags, a name cut off.
		{"_ZN4mine4scanB2v2Ei", "mine::scan", "(int)"},
		{"_ZN4mine4scanB2v2B5cw5_xEi", "mine::scan", "(int)"},
		{"_ZN4mine4scanB3newB2v2Ei", "mine::scan", "(int)"},
		{"_ZN8__main__4racyB2v2B106cw51c", "_ZN8__main__4racyB2v2B106cw51c", ""},
	} {
		if whole, short := Demangle(c.name), DemangleName(c.name); whole != c.short+c.params || short != c.short {
			t.Errorf("%s: %q and %q, want %q and %q", c.name, whole, short, c.short+c.params, c.short)
		}
	}
	for name, want := range map[string]string{
		"_Z4scanIfEvPT_":                         "scan",
		"_ZN8__main__12_3clambda_3eB2v6" + flags: "<lambda>",
	} {
		if got := Plain(name); got != want {
			t.Errorf("Plain(%q) = %q, want %q", name, got, want)
		}
	}
}

// TestAddInPython: the repair of a kernel in Python names the calls of its language.
func TestAddInPython(t *testing.T) {
	at := func(file string, line int) *Point {
		p := &Point{}
		p.File, p.Line = file, line
		return p
	}
	for _, c := range []struct{ file, function, call string }{
		{"a.cu", "_Z1kPf", "__syncthreads()"},
		{"a.py", "_ZN8__main__5eagerB2v1B92cw51cXTLSUwv1sDUaKthoaNgoKmjgOR3W3CwAkMXLaJtQYkOIgxJU0gCqOkEJoHkbttqdVhoqlspQGNFHSgJ5BnXagIAE5ArrayIfLi1E1A7mutable7alignedEx", "cuda.syncthreads()"},
		{"a.py", "racy", "tl.debug_barrier()"},
		{"a.py", "racy_43dad998_cuda_kernel_forward", "__syncthreads()"},
	} {
		r := &Repair{Kind: AddBarrier, Call: Syncthreads, From: at(c.file, 3), To: at(c.file, 4)}
		r.Frontend = FrontendOf(source.Location{Pos: r.To.Pos, Func: c.function})
		if got, want := r.Add(c.file), "add "+c.call+" between line 3 and line 4"; got != want {
			t.Errorf("%s: %q, want %q", c.function, got, want)
		}
	}
}
