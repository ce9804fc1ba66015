package clang

import (
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/nvcc"
)

// Flags is what options of nvcc come to for the tools.
type Flags struct {
	// Both holds clang's options for both sides of a source, Host those for
	// the host side alone.
	Both, Host []string
	// LLC holds options of llc, Link what options of the host compiler mean
	// for the linker.
	LLC, Link []string
	// Opt is the host's optimization level, "" if not given.
	Opt string
	// Arch is the newest virtual architecture that was asked for, "" if none.
	Arch string
	// CUDA is the version of CUDA that the headers stand for, zero if none was
	// asked for.
	CUDA nvcc.Version
	// libraries is the folder whose Thrust, CUB and libcu++ are used, "" if none is.
	libraries string
}

// FlagsOf translates a command line.
func FlagsOf(c *nvcc.Command) Flags {
	f := Flags{Opt: c.Opt, Arch: newestArch(c.Virtual()), CUDA: c.CUDA}
	f.Both = slices.Clone(c.Preprocessor)
	if c.Std != "" {
		f.Both = append(f.Both, "-std="+c.Std)
	}
	f.hostOptions(c.HostCompiler)
	f.math(c)
	for _, o := range []struct {
		on   bool
		flag string
		to   *[]string
	}{
		{c.NoWarnings, "-w", &f.Both}, {c.PerThread, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1", &f.Both},
		{c.WarningsErrors, "-Werror", &f.Host}, {c.Profile, "-pg", &f.Host}, {c.NoExceptions, "-fno-exceptions", &f.Host},
		{c.DeviceDebug, "-D__CUDACC_DEBUG__", &f.Both}, {c.RDC, "-D__CUDACC_RDC__", &f.Both},
	} {
		if o.on {
			*o.to = append(*o.to, o.flag)
		}
	}
	return f
}

// LinkerWords returns the words for the linker of a command line, without
// inputs and CUDA's own libraries.
func LinkerWords(c *nvcc.Command) []string {
	var words []string
	for _, w := range c.LinkLine {
		if w.Input < 0 && !IsCudaLibrary(w.Word) {
			words = append(words, w.Word)
		}
	}
	return words
}

// math sets the precision options ("NVCC Command Options", "--use_fast_math").
func (f *Flags) math(c *nvcc.Command) {
	ftz, div, sqrt, fmad := c.FastMath, !c.FastMath, !c.FastMath, true
	for _, o := range []struct {
		given *bool
		to    *bool
	}{{c.FTZ, &ftz}, {c.PrecDiv, &div}, {c.PrecSqrt, &sqrt}, {c.FMad, &fmad}} {
		if o.given != nil {
			*o.to = *o.given
		}
	}
	if c.FastMath {
		f.Both = append(f.Both, "-fgpu-approx-transcendentals", "-D__USE_FAST_MATH__=1")
	}
	if ftz {
		f.Both = append(f.Both, "-fgpu-flush-denormals-to-zero")
	}
	f.LLC = append(f.LLC, "-fp-contract=fast")
	if !fmad {
		f.Both = append(f.Both, "-ffp-contract=off")
		f.LLC[0] = "-fp-contract=off"
	}
	if !div {
		f.LLC = append(f.LLC, "-nvptx-prec-divf32=0")
	}
	if !sqrt {
		f.LLC = append(f.LLC, "-nvptx-prec-sqrtf32=0")
	}
}

// hostOptions sorts options for the host compiler. Those that change what the
// preprocessor sees go to both sides, since both read the whole source.
func (f *Flags) hostOptions(words []string) {
	for i := 0; i < len(words); i++ {
		w := words[i]
		switch {
		case slices.Contains(twoWords, w) && i+1 < len(words):
			f.Both = append(f.Both, w, words[i+1])
			i++
		case hasAnyPrefix(w, []string{"-D", "-U", "-I", "-std=", "-isystem", "-m"}), w == "-pthread", w == "-w":
			f.Both = append(f.Both, w)
			if w == "-pthread" {
				f.Link = append(f.Link, w)
			}
		case w == "-fopenmp" || w == "-openmp":
			f.Both = append(f.Both, "-fopenmp")
			f.Link = append(f.Link, "-fopenmp")
		case strings.HasPrefix(w, "-O"):
			f.Opt = strings.TrimPrefix(w, "-O")
			if f.Opt == "" {
				f.Opt = "1"
			}
		case hasAnyPrefix(w, []string{"-L", "-l", "-Wl,", "-rdynamic", "-static", "-shared", "-no-pie", "-pie", "-fuse-ld="}):
			f.Link = append(f.Link, w)
		default:
			f.Host = append(f.Host, w)
		}
	}
}

// twoWords are options of host compilers whose value is the next word.
var twoWords = []string{"-include", "-isystem", "-iquote", "-idirafter", "-imacros", "-D", "-U", "-I"}

// IsCudaLibrary recognizes CUDA's own libraries: the runtime library takes
// their place.
func IsCudaLibrary(word string) bool {
	switch word {
	case "-lcudart", "-lcuda", "-lcudart_static", "-lcudadevrt", "-lnvrtc", "-lnvrtc_static", "-lnvJitLink", "-lnvJitLink_static", "-lnvToolsExt",
		"-lcublas", "-lcublasLt", "-lcublas_static", "-lcublasLt_static", "-lcufft", "-lcufft_static", "-lcusparse", "-lcusparse_static",
		"-lcusolver", "-lcusolver_static", "-lcurand", "-lcurand_static", "-lculibos",
		"-lnvidia-ml", "-lnccl":
		return true
	}
	return false
}

// newestArch returns the newest of some architecture names, "" if none of
// them names a particular one.
func newestArch(names []string) string {
	newest := ""
	for _, a := range names {
		n, _ := splitArch(a)
		if most, _ := splitArch(newest); n > most {
			newest = a
		}
	}
	return newest
}

func hasAnyPrefix(s string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// dropOpenMP makes a program's OpenMP serial: without the flag the compiler
// ignores the pragmas, and the header omp.h has functions for one thread.
func (f *Flags) dropOpenMP() {
	is := func(f string) bool { return f == "-fopenmp" || f == "-lgomp" || f == "-lomp" }
	f.Both = slices.DeleteFunc(f.Both, is)
	f.Link = slices.DeleteFunc(f.Link, is)
}

// Settle adapts flags to what the toolchain has.
func (tc *Toolchain) Settle(f *Flags) {
	f.defineVersion()
	if !tc.openMP {
		f.dropOpenMP()
	}
	for i, w := range f.Link {
		f.Link[i] = tc.LinkerWord(w)
	}
}

// LinkerWord is a word for the linker as it is passed on: clang's OpenMP
// runtime has GCC's functions as well, and a program must have only one.
func (tc *Toolchain) LinkerWord(w string) string {
	if w == "-lgomp" && tc.openMP {
		return "-lomp"
	}
	return w
}
