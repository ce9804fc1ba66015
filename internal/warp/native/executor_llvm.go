package native

import (
	"sync"
	"sync/atomic"

	"github.com/warpgrind/warpgrind/internal/fallback"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// LLVM translates programs by way of LLVM: before they run with Always, else when they have run a while, and beside the
// interpreter.
type LLVM struct {
	Always   bool
	Compiler *Compiler
}

// heatToCompile is how many warp instructions the interpreter does per step of a program before a compiler's time pays.
const heatToCompile = 2000

// maxIR bounds the bytes of IR that a compiler gets: it needs three seconds for a megabyte.
const maxIR = 8 << 20

// Supported returns nil: there is a compiler.
func (LLVM) Supported() error { return nil }

// Due reports whether it is time to translate a program, of which the interpreter did so
// many more warp instructions.
func (x LLVM) Due(p *program.Program, did uint64) bool { return Due(p, did, x.Always) }

// Translate returns the code of a program for what is watched, nil where that cannot be, or not yet.
func (x LLVM) Translate(p *program.Program, w Watched) *Code {
	c := codeOf(p, forLLVM(w), x.newCompiled)
	if c == nil {
		return nil
	}
	switch m := c.maker.(*compiled); {
	case x.Always:
		c.make()
	case m.sought.CompareAndSwap(false, true):
		go x.Compiler.functions() // beside the program's own code
		go m.seek(c)
	case m.missed.Load() && heat(p) >= heatToCompile && m.begun.CompareAndSwap(false, true):
		go c.make()
	}
	if !c.isMade.Load() {
		return nil
	}
	return c
}

// NewCode translates a program of which some slots are kept in the slab, though no step
// reads them; nil where that cannot be.
func (x LLVM) NewCode(p *program.Program, kept ...int32) *Code {
	return newCode(p, x.newCompiled, kept)
}

// forLLVM is what code by way of LLVM is made for: it finds out which states accesses to global memory are entered into when it runs.
func forLLVM(w Watched) Watched {
	if w&(Entered|Marked) != 0 || w.has(trace.SpaceGlobal) {
		w = w&^(Touched|Concurrent) | Entered | Quick | Marked
	}
	return w
}

// compiled makes code: its text is sought in the cache, and if it is missed there, its compilation is begun once the program
// has run long enough.
type compiled struct {
	plan                  *plan
	watched               Watched
	compiler              *Compiler
	sought, missed, begun atomic.Bool
	prepared              sync.Once
	text                  string
	// entries are the steps where the interpreter can enter each of the two forms.
	entries [2][]int32
}

func (x LLVM) newCompiled(pl *plan, w Watched) maker {
	return &compiled{plan: pl, watched: w, compiler: x.Compiler}
}

func (*compiled) adapts() bool { return true }

// prepare makes the program's IR.
func (c *compiled) prepare() string {
	c.prepared.Do(func() { c.text, c.entries = irModule(c.plan, c.watched) })
	return c.text
}

// seek takes the code from the cache, if it is there.
func (c *compiled) seek(code *Code) {
	if object := c.compiler.backend.Cached(languageIR, c.prepare()); object != nil {
		code.take(func() made { return c.link(mapped(object)) })
		return
	}
	c.missed.Store(true)
}

// make compiles the program; there is no code where the compiler fails.
func (c *compiled) make() made {
	ir := c.prepare()
	if len(ir) > maxIR {
		return c.link(nil, nil, errTooLarge)
	}
	return c.link(c.compiler.compiled(languageIR, ir))
}

// link makes the forms of code. Where there is an error, no step has code.
func (c *compiled) link(code *jit.Code, symbols map[string]int32, err error) (m made) {
	f := new(functions)
	if err == nil {
		f, err = c.compiler.functions()
	}
	if err != nil {
		fallback.Took(fallback.GeneratedCode, err)
		code, f = nil, new(functions)
	}
	m.functions = f.at
	for i := range m.forms {
		entry := make([]int32, len(c.plan.p.Code))
		if code != nil {
			for _, pc := range c.entries[i] {
				entry[pc] = 1
			}
		}
		m.forms[i] = Form{text: code, Entry: entry, enter: symbols["enter"], sweep: symbols["sweep"], bySteps: true}
	}
	c.text, c.entries = "", [2][]int32{}
	return m
}
