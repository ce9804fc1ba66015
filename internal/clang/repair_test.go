package clang

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestRepairs compiles what clang has to be told in other words, and rejects
// what cannot be repaired.
func TestRepairs(t *testing.T) {
	tc := toolchain(t)
	for text, good := range map[string]bool{
		"int main(int n, char **v) { int a[2][n] = {{1}}, b[n] = {0}; return a[0][0] + b[0]; }": true,
		"int main(int n, char **v) { int a[2][n] = {1, 2}; return a[0][0]; }":                   false,
		"struct S { template <int N> __device__ int f(int i) { return N + i; } template <int N> static __device__ int g(int i) { return N * i; } };\n" +
			"template <class T> struct U : S {};\n" +
			"template <class T, int N> __global__ void k(int *p) {\n  U<T> x, *q = &x;\n  *p = x.f<N>(1) + q->f<N>(q->f<3>(4)) + x.template f<2>(3) + T::g<N>(5);\n}\n" +
			"int main() { k<S, 3><<<1, 1>>>(nullptr); k<U<S>, 3><<<1, 1>>>(nullptr); }": true,
		"template <class T, class U> struct C { template <unsigned long N> static __device__ T f(U u) { return T(N); } };\n" +
			"template <class T, class U, unsigned long N> __device__ T g(U u) { return C<T, U>::f<N>(u) + C <T, C<U, U> > ::\n\tf<(N > 3)>({}); }\n" +
			"__global__ void k(int *p) { *p = g<int, float, 4>(3.f); }\nint main() { k<<<1, 1>>>(nullptr); }": true,
		"struct S { using type = int; };\ntemplate <class T> __device__ int size() { return sizeof(T); }\n" +
			"template <class T> __global__ void k(int *p) { *p = size<T::type>() + size<::S::type>() + (int)T::type(3); }\nint main() { k<S><<<1, 1>>>(nullptr); }": true,
		"struct S { __device__ int f(int i) { return i; } };\n" +
			"template <class T> __global__ void k(int *p) { T x; *p = x.f + 3; }\nint main() { k<S><<<1, 1>>>(nullptr); }": false,
	} {
		dir := t.TempDir()
		src := filepath.Join(dir, "a.cu")
		if err := os.WriteFile(src, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := tc.Build(context.Background(), Options{Sources: []string{src}, WorkDir: dir, DeviceOnly: true})
		var rejected *CompileError
		if good && err != nil || !good && !errors.As(err, &rejected) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
