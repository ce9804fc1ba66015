package host

import "testing"

func TestFileName(t *testing.T) {
	for _, tc := range []struct{ joined, dir, main, want string }{
		{"/src/a.cu", "/src", "a.cu", "a.cu"},
		{"/src/lib/b.h", "/src", "a.cu", "lib/b.h"},
		{"/usr/include/c.h", "/src", "a.cu", "/usr/include/c.h"},
		{"/src//work/a.cu", "/src", "/work/a.cu", "/work/a.cu"},
		{"/src/work/a.cu", "/src", "/work/a.cu", "/work/a.cu"},
		{"/src/b.h", "/src", "/work/a.cu", "b.h"},
		{"/work/a.cu", "/", "/work/a.cu", "/work/a.cu"},
		{"/work/a.cu", "", "/work/a.cu", "/work/a.cu"},
	} {
		if got := fileName(tc.joined, tc.dir, tc.main); got != tc.want {
			t.Errorf("%q in %q of %q: %q, want %q", tc.joined, tc.dir, tc.main, got, tc.want)
		}
	}
}
