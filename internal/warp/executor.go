package warp

import (
	"errors"
	"fmt"
	"os"
	"runtime"

	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/native"
	"github.com/warpgrind/warpgrind/internal/warp/native/llvm"
	"github.com/warpgrind/warpgrind/internal/warp/native/x86"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// An Executor executes steps of programs in place of the interpreter, which is the
// definition and does all the others. It needs a program and the set of what observers
// want to see; where the code of a step cannot continue (an address that the interpreter has
// not seen, an event that an observer wants), it leaves to the interpreter with all values
// in the slab.
type Executor interface {
	// Supported is why this machine cannot use it, nil if it can.
	Supported() error
	// Due reports whether it is time to translate a program, of which the interpreter did
	// so many more warp instructions.
	Due(p *program.Program, did uint64) bool
	// Translate returns code for what is watched, nil where that cannot be.
	Translate(p *program.Program, w native.Watched) *native.Code
}

// interpreter leaves all steps to the interpreter: because the user wants that, or because of an
// error, which is noted for each program that generated code would have executed.
type interpreter struct{ instead error }

func (interpreter) Supported() error                                        { return nil }
func (interpreter) Translate(*program.Program, native.Watched) *native.Code { return nil }

func (x interpreter) Due(p *program.Program, did uint64) bool {
	if x.instead != nil && native.Due(p, did, false) {
		native.Refuse(p, x.instead)
	}
	return false
}

// Names of executors, the values of the environment variable WARPGRIND_JIT.
const (
	executeOff    = "off"    // by the interpreter alone
	executeHot    = "hot"    // by native code after they ran a while, the default where that is possible
	executeAlways = "always" // by native code from the start
	executeDrafts = "drafts" // by drafts of native code from the start, where there are any
)

// The executor in use is the one that was chosen, or the interpreter where that cannot be.
// compiler makes object files of LLVM IR or C for a processor, nil where there is none; compilers has it for each processor.
var (
	chosen    = os.Getenv("WARPGRIND_JIT")
	compiler  func(processor string) llvm.Backend
	compilers map[string]*llvm.Compiler
	executor  = usable()
)

func usable() Executor {
	name := chosen
	if name == "" {
		name = executeHot
	}
	x, err := executorOf(name)
	switch {
	case err == nil:
		return x
	case alu.ISA() != alu.ISAs()[0]: // the user wants fewer vector instructions than there are
		return interpreter{}
	}
	return interpreter{instead: err}
}

// Backend makes machine code of LLVM IR (llvm.Backend).
type Backend = llvm.Backend

// UseCompiler lets programs be translated by way of LLVM, where the processor needs that. It
// must be called before any program runs. Processors are named as by clang's option -march.
func UseCompiler(compile func(processor string) Backend) {
	compiler = compile
	compilers = map[string]*llvm.Compiler{}
	executor = usable()
	if x, ok := executor.(llvm.Executor); ok {
		go x.Compiler.Prepare()
	}
}

// UseExecutor chooses how programs are executed, by a name of an executor. It returns why that
// is not possible here.
func UseExecutor(name string) error {
	x, err := executorOf(name)
	if err == nil {
		chosen, executor = name, x
	}
	return err
}

// processors are what compilers call processors with a set of vector instructions that package
// alu uses, by architecture and set.
var processors = map[[2]string]string{
	{"amd64", "avx2"}: "x86-64-v3",
	{"arm64", "go"}:   "armv8-a",
}

// executorOf returns the executor of a name. Native code keeps to the vector instructions that
// package alu uses.
func executorOf(name string) (Executor, error) {
	switch name {
	case executeOff:
		return interpreter{}, nil
	case executeHot, executeAlways, executeDrafts:
	default:
		return nil, fmt.Errorf("no executor %q", name)
	}
	if alu.ISA() == "avx512" {
		x := x86.Executor{Always: name != executeHot}
		return x, x.Supported()
	}
	processor, compile := processors[[2]string{runtime.GOARCH, alu.ISA()}], compiler
	switch {
	case processor == "":
		return nil, fmt.Errorf("no native code for the instruction set %q", alu.ISA())
	case compile == nil:
		return nil, errors.New("native code for this processor needs clang")
	}
	if compilers[processor] == nil {
		compilers[processor] = llvm.NewCompiler(compile(processor))
	}
	return llvm.Executor{Always: name == executeAlways, Drafts: name == executeDrafts, Compiler: compilers[processor]}, nil
}
