package warp

import (
	"fmt"
	"os"

	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/native"
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

// interpreter leaves all steps to the interpreter.
type interpreter struct{}

func (interpreter) Supported() error                                        { return nil }
func (interpreter) Due(*program.Program, uint64) bool                       { return false }
func (interpreter) Translate(*program.Program, native.Watched) *native.Code { return nil }

// executors are the values of the environment variable WARPGRIND_JIT.
var executors = map[string]Executor{"off": interpreter{}, "hot": native.Executor{}, "always": native.Executor{Always: true}}

var executor = initialExecutor()

// initialExecutor follows the environment. Native code is wanted where it can run and
// the interpreter has not been asked to do with lesser vector instructions.
func initialExecutor() Executor {
	x, ok := executors[os.Getenv("WARPGRIND_JIT")]
	if !ok {
		x = executors["hot"]
	}
	if alu.ISA() != "avx512" || x.Supported() != nil {
		return interpreter{}
	}
	return x
}

// UseExecutor chooses how programs are executed: "off" by the interpreter alone, "hot" by
// native code after they ran a while, the default where the processor can, or "always" by
// native code. It returns why that is not possible here.
func UseExecutor(name string) error {
	x, ok := executors[name]
	if !ok {
		return fmt.Errorf("no executor %q", name)
	}
	if err := x.Supported(); err != nil {
		return err
	}
	executor = x
	return nil
}
