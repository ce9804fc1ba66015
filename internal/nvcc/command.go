// Package nvcc is the command line of NVIDIA's compiler driver: its options,
// their spellings and what they ask for. It runs nothing.
//
// Reference: "NVIDIA CUDA Compiler Driver NVCC", "NVCC Command Options".
package nvcc

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Phase is how far a compilation goes, and to what.
type Phase int

// Phases, by the option that asks for them.
const (
	Link       Phase = iota // --link, the default
	Compile                 // --compile (-c); --device-c (-dc) adds RDC
	DeviceLink              // --device-link (-dlink)
	Library                 // --lib
	PTX                     // --ptx
	Cubin                   // --cubin
	Fatbin                  // --fatbin
	Preprocess              // --preprocess (-E)
	Depend                  // --generate-dependencies (-M, -MM)
	Cuda                    // --cuda: the intermediate host source
)

// Lang is the language of an input.
type Lang int

// Languages. The name's suffix decides unless -x is given.
const (
	NoLang Lang = iota // a file for the linker
	CUDA
	CXX
	C
	PTXText // .ptx: device code to embed
	Blob    // .cubin, .fatbin: device code to embed
)

// Input is a file named on the command line.
type Input struct {
	Path string
	Lang Lang
}

// Gencode is one --generate-code: virtual architecture and codes, as written.
type Gencode struct {
	Arch  string
	Codes []string
}

// Command is a command line, understood.
type Command struct {
	Phase  Phase
	Inputs []Input
	// LinkLine are the indices of the inputs and the linker's words between
	// them, in order.
	LinkLine []LinkWord

	Output, OutputDir, KeepDir string
	// Preprocessor holds -D, -U, -I, -isystem and -include, in order and in
	// clang's spelling.
	Preprocessor []string
	// HostCompiler holds the words of -Xcompiler.
	HostCompiler []string

	Std, Opt    string
	DeviceDebug bool // -G
	FastMath    bool
	FTZ         *bool
	PrecDiv     *bool
	PrecSqrt    *bool
	FMad        *bool
	RDC         bool
	// LinksDevice is set by --device-link, of which --cubin and --fatbin change the kind of output.
	LinksDevice    bool
	Shared         bool
	NoWarnings     bool
	WarningsErrors bool // -Werror all-warnings
	PerThread      bool // --default-stream per-thread
	Profile        bool // -pg
	NoExceptions   bool

	Arch     string
	Codes    []string
	Gencodes []Gencode

	// Optimized is warpgrind's --build=optimized, TellUnread its --tell-unread, Frontend
	// its --frontend and CudaPath its --cuda-path; CUDA is its --cuda-version, zero if
	// not given.
	Optimized          bool
	TellUnread         bool
	Frontend, CudaPath string
	CUDA               Version

	// Depend says how dependencies are written, if they are.
	Depend DependOptions

	CCBin, Cudart string
	DryRun        bool
	Verbose       bool
	Keep          bool
	Threads       int // 0: not given
	Run           bool
	RunArgs       []string

	// Info is an option that only asks for text, or "".
	Info string
}

// LinkWord is an input by its index, or a word for the linker if that is
// negative.
type LinkWord struct {
	Input int
	Word  string
}

// DependOptions are -M, -MM, -MD, -MMD, -MF, -MT and -MP.
type DependOptions struct {
	// Write is set if a compilation writes its dependencies beside the object
	// (-MD, -MMD).
	Write bool
	// NoSystem leaves out system headers (-MM, -MMD).
	NoSystem bool
	File     string
	Targets  []string
	Phony    bool
}

// Error is a command line that nvcc refuses.
type Error struct{ Text string }

func (e *Error) Error() string { return e.Text }

func errorf(format string, args ...any) error { return &Error{fmt.Sprintf(format, args...)} }

// Intermediate ends the name of what --cuda makes.
const Intermediate = ".cu.cpp.ii"

// LangOf returns the language that a file's name tells.
func LangOf(path string) Lang {
	if strings.HasSuffix(path, Intermediate) {
		return CUDA
	}
	switch filepath.Ext(path) {
	case ".cu", ".cuh":
		return CUDA
	case ".cpp", ".cc", ".cxx", ".C", ".c++", ".cp", ".ii":
		return CXX
	case ".c", ".i":
		return C
	case ".ptx":
		return PTXText
	case ".cubin", ".fatbin":
		return Blob
	}
	return NoLang
}

// IsSource says whether files of the language are compiled.
func (l Lang) IsSource() bool { return l == CUDA || l == CXX || l == C }

// OutputFor returns the file that a phase makes of an input, when no -o says
// otherwise: the base name with the suffix, in the directory of -odir.
func (c *Command) OutputFor(in Input, suffix string) string {
	base := filepath.Base(in.Path)
	return filepath.Join(c.OutputDir, strings.TrimSuffix(base, filepath.Ext(base))+suffix)
}

// Targets returns the architecture names of -arch, -code and -gencode, in
// order: "compute_70", "sm_75". It is empty if none was given.
func (c *Command) Targets() []string {
	var names []string
	if c.Arch != "" {
		names = append(names, c.Arch)
	}
	names = append(names, c.Codes...)
	for _, g := range c.Gencodes {
		names = append(append(names, g.Arch), g.Codes...)
	}
	return names
}

// Virtual lists the architectures that device code is generated for, as they were named: __CUDA_ARCH__
// is theirs, and not that of the machine code that is made of it.
func (c *Command) Virtual() []string {
	var names []string
	if c.Arch != "" {
		names = append(names, c.Arch)
	}
	for _, g := range c.Gencodes {
		names = append(names, g.Arch)
	}
	return names
}
