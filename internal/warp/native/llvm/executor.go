package llvm

import (
	"sync"
	"sync/atomic"

	"github.com/warpgrind/warpgrind/internal/fallback"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/native"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// Executor translates programs by way of LLVM: before they run with Always, else when they have run a while, and beside the
// interpreter.
type Executor struct {
	Always   bool
	Compiler *Compiler
}

// heatToCompile is how many warp instructions the interpreter does per step of a program before a compiler's time pays.
const heatToCompile = 2000

// maxIR bounds the bytes of IR that a compiler gets: it needs three seconds for a megabyte.
const maxIR = 8 << 20

// Supported returns nil: there is a compiler.
func (Executor) Supported() error { return nil }

// Due reports whether it is time to translate a program, of which the interpreter did so
// many more warp instructions.
func (x Executor) Due(p *program.Program, did uint64) bool { return native.Due(p, did, x.Always) }

// Translate returns the code of a program for what is watched, nil where that cannot be, or not yet.
func (x Executor) Translate(p *program.Program, w native.Watched) *native.Code {
	c := native.CodeOf(p, forLLVM(w), x.newCompiled)
	if c == nil {
		return nil
	}
	switch m := c.Maker.(*compiled); {
	case x.Always:
		c.Make()
	case m.sought.CompareAndSwap(false, true):
		go x.Compiler.functions() // beside the program's own code
		go m.seek(c)
	case m.missed.Load() && native.Heat(p) >= heatToCompile && m.begun.CompareAndSwap(false, true):
		go c.Make()
	}
	if !c.IsMade.Load() {
		return nil
	}
	return c
}

// NewCode translates a program of which some slots are kept in the slab, though no step
// reads them; nil where that cannot be.
func (x Executor) NewCode(p *program.Program, kept ...int32) *native.Code {
	return native.NewCode(p, x.newCompiled, kept)
}

// forLLVM is what code by way of LLVM is made for: it finds out which states accesses to global memory are entered into when it runs.
func forLLVM(w native.Watched) native.Watched {
	if w&(native.Entered|native.Marked) != 0 || w.Has(trace.SpaceGlobal) {
		w = w&^(native.Touched|native.Concurrent) | native.Entered | native.Quick | native.Marked
	}
	return w
}

// compiled makes code: its text is sought in the cache, and if it is missed there, its compilation is begun once the program
// has run long enough.
type compiled struct {
	plan                  *native.Plan
	watched               native.Watched
	compiler              *Compiler
	sought, missed, begun atomic.Bool
	prepared              sync.Once
	text                  string
	// entries are the steps where the interpreter can enter each of the two forms.
	entries [2][]int32
}

func (x Executor) newCompiled(pl *native.Plan, w native.Watched) native.Maker {
	return &compiled{plan: pl, watched: w, compiler: x.Compiler}
}

func (*compiled) Adapts() bool { return true }

// prepare makes the program's IR.
func (c *compiled) prepare() string {
	c.prepared.Do(func() { c.text, c.entries = irModule(c.plan, c.watched) })
	return c.text
}

// seek takes the code from the cache, if it is there.
func (c *compiled) seek(code *native.Code) {
	if object := c.compiler.backend.Cached(languageIR, c.prepare()); object != nil {
		code.Take(func() native.Made { return c.link(mapped(object)) })
		return
	}
	c.missed.Store(true)
}

// Make compiles the program; there is no code where the compiler fails.
func (c *compiled) Make() native.Made {
	ir := c.prepare()
	if len(ir) > maxIR {
		return c.link(nil, nil, native.ErrTooLarge)
	}
	return c.link(c.compiler.compiled(languageIR, ir))
}

// link makes the forms of code. Where there is an error, no step has code.
func (c *compiled) link(code *jit.Code, symbols map[string]int32, err error) (m native.Made) {
	f := new(functions)
	if err == nil {
		f, err = c.compiler.functions()
	}
	if err != nil {
		fallback.Took(fallback.GeneratedCode, err)
		code, f = nil, new(functions)
	}
	m.Functions = f.at
	for i := range m.Forms {
		entry := make([]int32, len(c.plan.Program.Code))
		if code != nil {
			for _, pc := range c.entries[i] {
				entry[pc] = 1
			}
		}
		m.Forms[i] = native.Form{Text: code, Entry: entry, EnterAt: symbols["enter"], SweepAt: symbols["sweep"], BySteps: true}
	}
	c.text, c.entries = "", [2][]int32{}
	return m
}
