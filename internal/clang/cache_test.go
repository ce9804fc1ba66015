package clang

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/cache"
	"github.com/warpgrind/warpgrind/internal/nvcc"
)

// A unit is compiled again when anything that it depends on changes, and only
// then.
func TestCompileIsCached(t *testing.T) {
	tc := toolchain(t)
	t.Setenv(cache.DirEnv, t.TempDir())
	dir := t.TempDir()
	source, header := filepath.Join(dir, "a.cu"), filepath.Join(dir, "a.h")
	put := func(path, text string) {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	put(header, "#define VALUE 1\n")
	put(source, "#include \"a.h\"\n__global__ void k(int *p) { *p = VALUE + MORE; }\nint main() { k<<<1, 1>>>(0); }\n")
	unit := Unit{Source: source, Lang: nvcc.CUDA, SM: 80, Flags: Flags{Both: []string{"-DMORE=1"}, LLC: []string{"-fp-contract=fast"}}}
	compile := func() *Product {
		p, err := tc.Compile(context.Background(), unit)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	first := compile()
	if first.Cached || !slices.Contains(first.Files, header) {
		t.Errorf("cached %v, files %v", first.Cached, first.Files)
	}
	again := compile()
	if !again.Cached || !bytes.Equal(again.Object, first.Object) || !bytes.Equal(again.PTX, first.PTX) || !slices.Equal(again.Files, first.Files) {
		t.Errorf("the second time: cached %v, %d bytes", again.Cached, len(again.Object))
	}
	steps := []struct {
		name   string
		change func()
	}{
		{"header", func() { put(header, "#define VALUE 2\n") }},
		{"source", func() { put(source, "__global__ void k(int *p) { *p = 7; }\nint main() {}\n") }},
		{"flag", func() { unit.Flags.Both = []string{"-DMORE=2"} }},
		{"architecture", func() { unit.SM = 70 }},
		{"relocatable", func() { unit.RDC = true }},
		{"mode", func() { unit.Mode = Optimized }},
		{"environment", func() { t.Setenv("CPATH", dir) }},
	}
	for _, s := range steps {
		s.change()
		if compile().Cached {
			t.Errorf("%s: change not noticed", s.name)
		}
		if !compile().Cached {
			t.Errorf("%s: not kept", s.name)
		}
	}
	t.Setenv(cache.DirEnv, "off")
	if compile().Cached {
		t.Error("the cache is not off")
	}
}

func TestRelocatableModules(t *testing.T) {
	dir := t.TempDir()
	text := "__device__ int shared_name;\n__device__ int call(int x) { return x + shared_name; }\nstatic __device__ int own(int x) { return x; }\n__global__ void k(int *p) { *p = own(1); }\n"
	var symbols []string
	for _, name := range []string{"a", "b"} {
		source := filepath.Join(dir, name, "same.cu")
		if err := os.MkdirAll(filepath.Dir(source), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(source, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		p, err := toolchain(t).Compile(context.Background(), Unit{Source: source, Lang: nvcc.CUDA, SM: 80, RDC: true,
			Flags: Flags{LLC: []string{"-fp-contract=fast"}}})
		if err != nil {
			t.Fatal(err)
		}
		mods, err := RelocatableModules(p.Object)
		if err != nil || len(mods) != 1 || !mods[0].Meta.RDC {
			t.Fatalf("modules %+v, %v", mods, err)
		}
		ptx := string(mods[0].PTX)
		if !strings.Contains(ptx, ".visible .func  (.param .b32 func_retval0) _Z4calli") || strings.Contains(ptx, "own") {
			t.Errorf("functions of others and own ones in\n%s", ptx)
		}
		if bytes.Contains(p.Object, []byte(registerPrefix)) || !bytes.Contains(p.Object, []byte(registerSymbol+"\x00")) {
			t.Error("the object does not register with the runtime")
		}
		symbols = append(symbols, mods[0].Symbol)
	}
	if symbols[0] == symbols[1] || !strings.HasPrefix(symbols[0], ModuleSymbolPrefix) {
		t.Errorf("symbols %q", symbols)
	}
	for _, data := range []string{"", "no object", "\x7fELF"} {
		if mods, err := RelocatableModules([]byte(data)); err != nil || len(mods) > 0 {
			t.Errorf("%q: %v, %v", data, mods, err)
		}
	}
}

func TestParseDepFile(t *testing.T) {
	tests := []struct {
		text string
		want []string
	}{
		{"unit: a.cu \\\n  /usr/include/x.h b.h\n", []string{"a.cu", "/usr/include/x.h", "b.h"}},
		{"x.o: with\\ blank.h a$$b.h c\\#d.h\n\nwith\\ blank.h:\n", []string{"with blank.h", "a$b.h", "c#d.h"}},
		{"x:\n", nil},
	}
	for _, tt := range tests {
		if got, err := parseDepFile(tt.text); err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%q: %q, %v", tt.text, got, err)
		}
	}
	if _, err := parseDepFile("nothing"); err == nil {
		t.Error("a text without a rule is accepted")
	}
}

func TestKnownOptions(t *testing.T) {
	diag := "clang: error: unknown argument: '-fbad'\nclang: error: unsupported option '-worse' for target"
	if got := knownOptions([]string{"-Wall", "-fbad", "-worse", "-fba"}, diag); !slices.Equal(got, []string{"-Wall", "-fba"}) {
		t.Errorf("known %q", got)
	}
}

// A large unit, relative to what clang takes for both sides.
func BenchmarkCompile(b *testing.B) {
	tc := toolchain(b)
	b.Setenv(cache.DirEnv, "off")
	for b.Loop() {
		unit := Unit{Source: "testdata/intrinsics.cu", Lang: nvcc.CUDA, SM: 80, Flags: Flags{LLC: []string{"-fp-contract=fast"}, Opt: "2"}}
		if _, err := tc.Compile(context.Background(), unit); err != nil {
			b.Fatal(err)
		}
	}
}
