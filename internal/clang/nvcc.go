package clang

import (
	"slices"
	"strings"
)

// nvccFlags is what nvcc's options come to for clang.
type nvccFlags struct {
	// compile holds flags for compiling, link for linking.
	compile, link []string
	// llc holds flags for llc.
	llc []string
	// arch is the newest architecture that was asked for, "" if none.
	arch string
	// opt is the host's optimisation level, "" if not given.
	opt string
	// std is kept in compile as well.
	std string
}

// valued are nvcc's options that take the next word as their value, with
// their long forms ("CUDA Compiler Driver NVCC", "NVCC Command Options").
var valued = map[string]string{
	"-arch": "arch", "--gpu-architecture": "arch", "-code": "code", "--gpu-code": "code",
	"-gencode": "gencode", "--generate-code": "gencode",
	"-Xcompiler": "host", "--compiler-options": "host", "-Xlinker": "linker", "--linker-options": "linker",
	"-Xptxas": "", "--ptxas-options": "", "-Xnvlink": "", "--nvlink-options": "", "-Xcudafe": "", "-Xfatbin": "",
	"-maxrregcount": "", "--maxrregcount": "", "-ccbin": "", "--compiler-bindir": "",
	"-default-stream": "stream", "--default-stream": "stream",
	"-std": "std", "--std": "std", "-x": "", "--x": "", "-m": "", "--machine": "", "-rdc": "", "--relocatable-device-code": "",
	"-cudart": "", "--cudart": "", "-diag-suppress": "", "--diag-suppress": "", "-diag-error": "", "--diag-error": "",
	"-diag-warn": "", "--diag-warn": "", "-t": "", "--threads": "", "-split-compile": "", "--split-compile": "",
	"-ftz": "", "--ftz": "", "-prec-div": "", "--prec-div": "", "-prec-sqrt": "", "--prec-sqrt": "", "-fmad": "fmad", "--fmad": "fmad",
	"-I": "include", "--include-path": "include", "-isystem": "isystem", "--system-include": "isystem",
	"-D": "define", "--define-macro": "define", "-U": "undef", "--undefine-macro": "undef",
	"-L": "libdir", "--library-path": "libdir", "-l": "lib", "--library": "lib",
	"-include": "preinclude", "--pre-include": "preinclude", "-O": "opt", "--optimize": "opt",
	"-o": "", "--output-file": "",
}

// ignored are options without a value that change nothing here.
var ignored = map[string]bool{
	"-lineinfo": true, "--generate-line-info": true, "-G": true, "--device-debug": true, "-g": true, "--debug": true,
	"--expt-relaxed-constexpr": true, "-expt-relaxed-constexpr": true,
	"--extended-lambda": true, "-extended-lambda": true, "--expt-extended-lambda": true, "-expt-extended-lambda": true,
	"-dc": true, "-dlink": true, "--device-c": true, "--device-link": true, "-c": true, "-ptx": true, "-cubin": true, "-fatbin": true,
	"--compile": true, "-v": true, "--verbose": true, "-keep": true, "--keep": true, "-dryrun": true, "--dryrun": true,
	"-Wno-deprecated-gpu-targets": true, "-restrict": true, "--restrict": true, "-extra-device-vectorization": true,
	"-dopt": true, "-res-usage": true, "--resource-usage": true, "-src-in-ptx": true, "--source-in-ptx": true,
	"-forward-unknown-to-host-compiler": true, "--forward-unknown-to-host-compiler": true,
	"-forward-unknown-opts": true, "--forward-unknown-opts": true, "-m64": true, "-shared": true, "--shared": true,
	"-link": true, "--link": true, "-link-only": true, "-Werror": true, "-use_fast_math_off": true, "--allow-unsupported-compiler": true, "-allow-unsupported-compiler": true,
}

// nvccOnlyValues are prefixes of -W and -diag style options of nvcc alone.
var nvccOnly = []string{"-Werror=cross-execution", "-Wreorder", "-Wdefault-stream-launch", "-Wmissing-launch-bounds", "-Wext-lambda", "-optf", "--options-file", "-time", "--time", "-opt-info", "--opt-info", "-Wno-deprecated-declarations"}

// parseNVCC maps nvcc's options to clang's. Options that concern only
// NVIDIA's own back end are dropped; unknown ones are handed to clang.
func parseNVCC(flags []string) (nvccFlags, error) {
	n := nvccFlags{llc: []string{"-fp-contract=fast"}}
	for i := 0; i < len(flags); i++ {
		f := flags[i]
		name, value, has := strings.Cut(f, "=")
		if kind, ok := valued[name]; ok && (has || i+1 < len(flags) || name == "-L") {
			if !has {
				i++
				if i < len(flags) {
					value = flags[i]
				}
			}
			n.apply(kind, value)
			continue
		}
		n.single(f)
	}
	return n, nil
}

// single handles an option that is one word.
func (n *nvccFlags) single(f string) {
	switch {
	case f == "-use_fast_math" || f == "--use_fast_math" || f == "-use-fast-math":
		n.compile = append(n.compile, "-fgpu-approx-transcendentals", "-fgpu-flush-denormals-to-zero", "-D__USE_FAST_MATH__=1")
		n.llc = append(n.llc, "-nvptx-prec-divf32=0", "-nvptx-prec-sqrtf32=0")
	case f == "-w" || f == "--disable-warnings":
		n.compile = append(n.compile, "-w")
	case f == "-pg" || f == "--profile", ignored[f], f == "", hasAnyPrefix(f, nvccOnly):
	case strings.HasPrefix(f, "-O") && len(f) <= 6:
		n.opt = f[2:]
	case strings.HasPrefix(f, "-L") || strings.HasPrefix(f, "-l") || strings.HasPrefix(f, "-Wl,"):
		n.library(f)
	case f == "-pthread" || f == "-fopenmp" || f == "-openmp":
		f = strings.Replace(f, "-openmp", "-fopenmp", 1)
		n.compile = append(n.compile, f)
		n.link = append(n.link, f)
	default:
		n.compile = append(n.compile, f)
	}
}

// library keeps a linker option, but not CUDA's own libraries: the runtime
// library takes their place.
func (n *nvccFlags) library(f string) {
	switch f {
	case "-lcudart", "-lcuda", "-lcudart_static", "-lcudadevrt", "-L":
		return
	}
	n.link = append(n.link, f)
}

func hasAnyPrefix(s string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// apply handles an option with a value.
func (n *nvccFlags) apply(kind, value string) {
	switch kind {
	case "arch", "code":
		n.addArch(value)
	case "gencode":
		for _, part := range strings.Split(strings.Trim(value, `"'`), ",") {
			_, v, _ := strings.Cut(part, "=")
			n.addArch(strings.Trim(v, "[]"))
		}
	case "host":
		for _, f := range strings.Split(strings.Trim(value, `"'`), ",") {
			for _, w := range strings.Fields(f) {
				n.hostOption(w)
			}
		}
	case "linker":
		for _, f := range strings.Split(value, ",") {
			n.link = append(n.link, "-Wl,"+f)
		}
	case "stream":
		if value == "per-thread" {
			n.compile = append(n.compile, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1")
		}
	case "std":
		n.std = value
		n.compile = append(n.compile, "-std="+value)
	case "fmad":
		if value == "false" {
			n.compile = append(n.compile, "-ffp-contract=off")
			n.llc[0] = "-fp-contract=off"
		}
	case "include":
		n.compile = append(n.compile, "-I"+value)
	case "isystem", "preinclude":
		n.compile = append(n.compile, map[string]string{"isystem": "-isystem", "preinclude": "-include"}[kind], value)
	case "define":
		n.compile = append(n.compile, "-D"+value)
	case "undef":
		n.compile = append(n.compile, "-U"+value)
	case "libdir":
		if value != "" {
			n.link = append(n.link, "-L"+value)
		}
	case "lib":
		n.library("-l" + value)
	case "opt":
		n.opt = value
	}
}

// hostOption handles a word for the host compiler. Code generation options
// of gcc have no meaning for the device side, so only those that both sides
// must see, or that are harmless, are passed.
func (n *nvccFlags) hostOption(w string) {
	switch {
	case strings.HasPrefix(w, "-D"), strings.HasPrefix(w, "-U"), strings.HasPrefix(w, "-I"), strings.HasPrefix(w, "-std="):
		n.compile = append(n.compile, w)
	case w == "-fopenmp" || w == "-openmp" || w == "-pthread":
		n.single(w)
	case strings.HasPrefix(w, "-O") && n.opt == "":
		n.opt = w[2:]
	case strings.HasPrefix(w, "-L"), strings.HasPrefix(w, "-l"), strings.HasPrefix(w, "-Wl,"):
		n.library(w)
	}
}

// addArch keeps the newest architecture.
func (n *nvccFlags) addArch(name string) {
	for _, a := range strings.Split(name, ",") {
		if a == "native" || a == "all" || a == "all-major" || a == "" {
			continue
		}
		if archNumber(a) > archNumber(n.arch) {
			n.arch = a
		}
	}
}

// archNumber returns the number in "sm_75" or "compute_75", 0 for others.
func archNumber(name string) int {
	_, num, _ := strings.Cut(name, "_")
	return leadingInt(num)
}

func trimO(s string) string { return strings.TrimPrefix(s, "-O") }

// dropOpenMP makes a program's OpenMP serial: without the flag the compiler
// ignores the pragmas, and the header omp.h has functions for one thread.
func (n *nvccFlags) dropOpenMP() {
	is := func(f string) bool { return f == "-fopenmp" }
	n.compile = slices.DeleteFunc(n.compile, is)
	n.link = slices.DeleteFunc(n.link, is)
	n.link = slices.DeleteFunc(n.link, func(f string) bool { return f == "-lgomp" || f == "-lomp" })
}
