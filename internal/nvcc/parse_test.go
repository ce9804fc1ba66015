package nvcc

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func parse(t *testing.T, line string) *Command {
	t.Helper()
	c, err := Parse(Fields(line))
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return c
}

func TestSpellings(t *testing.T) {
	same := [][]string{
		{"-arch=sm_70 a.cu", "-arch sm_70 a.cu", "--gpu-architecture=sm_70 a.cu", "--gpu-architecture sm_70 a.cu", "--arch=sm_70 a.cu"},
		{"-std=c++14", "-std c++14", "--std=c++14", "--std c++14"},
		{"-Iinc", "-I inc", "-I=inc", "--include-path inc", "--include-path=inc"},
		{"-DA=1", "-D A=1", "--define-macro A=1", "--define-macro=A=1"},
		{"-O3", "-O 3", "--optimize=3", "--optimize 3"},
		{"-Xcompiler -Wall,-O2", "-Xcompiler=-Wall,-O2", "--compiler-options -Wall,-O2", "-Xcompiler -Wall -Xcompiler -O2", "-Xcompiler '-Wall -O2'", "--compiler-options=-Wall,,-O2"},
		{"-dc a.cu", "--device-c a.cu", "-rdc=true -c a.cu", "-rdc true --compile a.cu", "--relocatable-device-code=true -c a.cu"},
		{"-gencode arch=compute_70,code=sm_70", "-gencode=arch=compute_70,code=sm_70", "--generate-code arch=compute_70,code=sm_70", `-gencode arch=compute_70,code=\"sm_70\"`},
		{"-t4", "-t 4", "-t=4", "--threads 4"},
		{"-use_fast_math", "--use_fast_math", "-use-fast-math"},
		{"-ftz=true", "-ftz true", "--ftz=true", "--ftz 1"},
		{"a.cu -L", "a.cu"},
		{"-m64 a.cu", "-m 64 a.cu", "--machine=64 a.cu", "a.cu", "--forward-unknown-to-host-compiler a.cu", "-Xptxas= a.cu"},
		{"-lm -lfoo", "-l m -l foo", "-lm,foo", "--library=m,foo"},
	}
	for _, lines := range same {
		want := parse(t, lines[0])
		for _, line := range lines[1:] {
			if got := parse(t, line); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %+v\n%s: %+v", line, got, lines[0], want)
			}
		}
	}
}

func TestCommand(t *testing.T) {
	on, off := true, false
	tests := []struct {
		line string
		want Command
	}{
		{"a.cu b.cpp c.o -o app -lm", Command{Output: "app", Inputs: []Input{{"a.cu", CUDA}, {"b.cpp", CXX}, {"c.o", NoLang}},
			LinkLine: []LinkWord{{0, ""}, {1, ""}, {2, ""}, {-1, "-lm"}}}},
		{"-x cu -c a.cpp", Command{Phase: Compile, Inputs: []Input{{"a.cpp", CUDA}}, LinkLine: []LinkWord{{0, ""}}}},
		{"-ptx -arch=sm_13 a.cu", Command{Phase: PTX, Arch: "sm_13", Inputs: []Input{{"a.cu", CUDA}}, LinkLine: []LinkWord{{0, ""}}}},
		{"-gencode arch=compute_50,code=[sm_50,compute_50] --gpu-code sm_60,sm_61",
			Command{Codes: []string{"sm_60", "sm_61"}, Gencodes: []Gencode{{"compute_50", []string{"sm_50", "compute_50"}}}}},
		{"-dlink -Xlinker -rpath,/x -L/y", Command{Phase: DeviceLink, LinksDevice: true, LinkLine: []LinkWord{{-1, "-Wl,-rpath"}, {-1, "-Wl,/x"}, {-1, "-L/y"}}}},
		{"-Xcompiler -Wl,-rpath,/x -Xcompiler -fopenmp", Command{HostCompiler: []string{"-Wl,-rpath,/x", "-fopenmp"}}},
		{"-fmad=false -prec-div=true --prec-sqrt false", Command{FMad: &off, PrecDiv: &on, PrecSqrt: &off}},
		{"-MD -MF a.d -MT a.o -MP", Command{Depend: DependOptions{Write: true, File: "a.d", Targets: []string{"a.o"}, Phony: true}}},
		{"-MM a.cu", Command{Phase: Depend, Depend: DependOptions{NoSystem: true}, Inputs: []Input{{"a.cu", CUDA}}, LinkLine: []LinkWord{{0, ""}}}},
		{"--forward-unknown-to-host-compiler -march=native -pthread -rdynamic", Command{HostCompiler: []string{"-march=native", "-pthread"}, LinkLine: []LinkWord{{-1, "-rdynamic"}}}},
		{"-include a.h,b.h -isystem=sys -UX", Command{Preprocessor: []string{"-include", "a.h", "-include", "b.h", "-isystem", "sys", "-UX"}}},
		{`-DLIST="a,b" '-DTEXT="x y"'`, Command{Preprocessor: []string{"-DLIST=a,b", `-DTEXT="x y"`}}},
		{"--default-stream per-thread -G -g -lineinfo -Wno-deprecated-gpu-targets --expt-relaxed-constexpr --extended-lambda -maxrregcount=32 -Xptxas -v -Xcudafe --diag_suppress=1",
			Command{PerThread: true, DeviceDebug: true}},
		{"-run -run-args 1,2 a.cu -keep --keep-dir tmp -dryrun -v", Command{Run: true, RunArgs: []string{"1", "2"}, Keep: true, KeepDir: "tmp",
			DryRun: true, Verbose: true, Inputs: []Input{{"a.cu", CUDA}}, LinkLine: []LinkWord{{0, ""}}}},
		{"--version", Command{Info: "version"}},
		{"-shared -cudart shared -Werror all-warnings -w", Command{Shared: true, Cudart: "shared", WarningsErrors: true, NoWarnings: true}},
		{"-dc --ptx", Command{Phase: PTX, RDC: true}},
		{"-dlink --cubin", Command{Phase: Cubin, LinksDevice: true}},
		{"-cubin -c -fatbin", Command{Phase: Cubin}},
		{"-lib -c -M -E", Command{Phase: Depend}},
		{"-ccbin g++ -odir out --build=optimized", Command{CCBin: "g++", OutputDir: "out", Optimized: true}},
	}
	for _, tt := range tests {
		if got := parse(t, tt.line); !reflect.DeepEqual(*got, tt.want) {
			t.Errorf("%s:\n got %+v\nwant %+v", tt.line, *got, tt.want)
		}
	}
}

func TestRefused(t *testing.T) {
	tests := map[string]string{
		"-fopenmp a.cu":            "Unknown option '-fopenmp'",
		"-march=native a.cu":       "Unknown option '-march=native'",
		"--no-such a.cu":           "Unknown option '--no-such'",
		"-o":                       "Missing argument for option 'output-file'",
		"-rdc=maybe a.cu":          "'maybe': expected true or false for option 'relocatable-device-code'",
		"-c a.cu b.cu -o x.o":      "A single input file is required for a non-link phase when an outputfile is specified",
		"-gencode code=sm_50":      "'code=sm_50': option 'generate-code' must specify 'arch'",
		"-gencode sm_50":           "'sm_50': expected arch=...,code=... for option 'generate-code'",
		"-x fortran a.f":           "Value 'fortran' is not defined for option 'x'",
		"-m32 a.cu":                "'32': only 64-bit code can be compiled",
		"--options-file /no/such":  "Could not open input file '/no/such'",
		"-default-stream sometime": "Value 'sometime' is not defined for option 'default-stream'",
		"-cudart dynamic":          "Value 'dynamic' is not defined for option 'cudart'",
		"-t many":                  "'many': expected a number for option 'threads'",
		"-c=no":                    "'no': option 'c' takes no value",
	}
	for line, want := range tests {
		_, err := Parse(strings.Fields(line))
		var refused *Error
		if !errors.As(err, &refused) || refused.Text != want {
			t.Errorf("%s: error %v, want %s", line, err, want)
		}
	}
}

func TestEnvironment(t *testing.T) {
	set := map[string]string{"NVCC_PREPEND_FLAGS": "-DX=1 -I 'a b'", "NVCC_APPEND_FLAGS": "-UX"}
	got := Environment([]string{"-c", "a.cu"}, func(name string) string { return set[name] })
	if want := []string{"-DX=1", "-I", "a b", "-c", "a.cu", "-UX"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	none := func(string) string { return "" }
	if got := Environment([]string{"a.cu"}, none); !slices.Equal(got, []string{"a.cu"}) {
		t.Errorf("without the variables: %q", got)
	}
}

func TestOptionFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	inner := write("inner", "-DX\n")
	outer := write("outer", "-c \"a b.cu\"\n@"+inner)
	want := parse(t, `-c "a b.cu" -DX`)
	for _, line := range []string{"@" + outer, "--options-file " + outer, "-optf=" + outer, "-optf " + outer + "," + write("empty", "")} {
		if got := parse(t, line); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v", line, got)
		}
	}
	loop := filepath.Join(dir, "loop")
	write("loop", "@"+loop)
	if _, err := Parse([]string{"@" + loop}); err == nil {
		t.Error("a file that names itself is accepted")
	}
}

func TestTableNames(t *testing.T) {
	seen := map[string]string{}
	for _, o := range table {
		for _, name := range []string{o.long, o.short} {
			if other, dup := seen[name]; dup && other != o.long {
				t.Errorf("%s is short for %s and for %s", name, other, o.long)
			}
			seen[name] = o.long
		}
	}
}

func TestOutputFor(t *testing.T) {
	c := parse(t, "-odir out -c dir/a.x.cu")
	if got := c.OutputFor(c.Inputs[0], ".o"); got != filepath.Join("out", "a.x.o") {
		t.Errorf("output %s", got)
	}
	if got := c.Targets(); len(got) != 0 {
		t.Errorf("targets %v", got)
	}
	c = parse(t, "-arch=sm_50 -code=sm_52 -gencode arch=compute_60,code=sm_61")
	if got := strings.Join(c.Targets(), " "); got != "sm_50 sm_52 compute_60 sm_61" {
		t.Errorf("targets %s", got)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`-gencode arch=compute_50,code=[sm_50,compute_50] -Xcompiler "-Wall,-O2" a.cu -L`)
	f.Add(`-I -D= --x=cu -l, '`)
	f.Fuzz(func(t *testing.T, line string) {
		if strings.Contains(line, "@") || strings.Contains(line, "opt") {
			t.Skip("names an option file, which would be opened")
		}
		var refused *Error
		if _, err := Parse(Fields(line)); err != nil && !errors.As(err, &refused) {
			t.Errorf("%q: %v", line, err)
		}
	})
}

func TestParseVersion(t *testing.T) {
	for text, want := range map[string]int{"11": 11080, "12": 12090, "13": 13000, "12.4": 12040, "10": 0, "14": 0, "12.x": 0, "": 0, "12.40": 0} {
		v, err := ParseVersion(text)
		if v.Number() != want || (err == nil) != (want > 0) {
			t.Errorf("%q: %v, %v, want %d", text, v, err, want)
		}
	}
}
