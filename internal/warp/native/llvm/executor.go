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

// Executor translates programs by way of LLVM when they have run a while, and beside the interpreter: to a draft, which takes a compiler
// a fraction of the time, and then to code. With Always it translates to code before they run, with Drafts to nothing but drafts.
type Executor struct {
	Always, Drafts bool
	Compiler       *Compiler
}

// How many warp instructions of a program run per step before a compiler's time pays, for a draft and for code.
const (
	heatToDraft   = 1000
	heatToCompile = 4000
)

// Bounds on the bytes of IR that a compiler gets: it needs three seconds for a megabyte, and a draft a byte of the stack for ten of them.
const (
	maxIR    = 8 << 20
	maxDraft = 1 << 19
)

// Supported returns nil: there is a compiler.
func (Executor) Supported() error { return nil }

// Due reports whether it is time to translate a program, of which the interpreter did so
// many more warp instructions.
func (x Executor) Due(p *program.Program, did uint64) bool {
	return native.Due(p, did, x.Always || x.Drafts)
}

// Translate returns the code of a program for what is watched, or its draft, nil where that cannot be, or not yet.
func (x Executor) Translate(p *program.Program, w native.Watched) *native.Code {
	c := native.CodeOf(p, forLLVM(w), x.newCompiled)
	if c == nil {
		return nil
	}
	m := c.Maker.(*compiled)
	switch heat := native.Heat(p); {
	case x.Always:
		c.Make()
	case x.Drafts:
		m.makeDraft()
	case m.sought.CompareAndSwap(false, true):
		go m.seek(c)
	case !m.missed.Load():
	case heat >= heatToCompile && m.begun.CompareAndSwap(false, true):
		go c.Make()
	case heat >= heatToDraft && m.drafted.CompareAndSwap(false, true):
		go m.makeDraft()
	}
	for _, c := range []*native.Code{c, m.draft} {
		if c.IsMade.Load() {
			return c
		}
	}
	return nil
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

// compiled makes code: its text is sought in the cache, and if it is missed there, a draft and the code are compiled once the program
// has run long enough.
type compiled struct {
	maker
	draft                          *native.Code
	sought, missed, drafted, begun atomic.Bool
}

func (x Executor) newCompiled(pl *native.Plan, w native.Watched) native.Maker {
	draft := &maker{plan: pl, watched: w, compiler: x.Compiler, language: languageDraft}
	return &compiled{
		maker: maker{plan: pl, watched: w, compiler: x.Compiler, language: languageIR},
		draft: native.NewDraft(pl, w, draft),
	}
}

// seek takes the code from the cache, or its draft.
func (c *compiled) seek(code *native.Code) {
	if !c.take(code) {
		c.draft.Maker.(*maker).take(c.draft)
		c.missed.Store(true)
	}
}

// makeDraft makes the draft, unless it would need too much of the stack.
func (c *compiled) makeDraft() {
	if len(c.draft.Maker.(*maker).prepare()) <= maxDraft {
		c.draft.Make()
	}
}

// maker makes code of a program's IR, or a draft.
type maker struct {
	plan     *native.Plan
	watched  native.Watched
	compiler *Compiler
	language string
	prepared sync.Once
	text     string
	// entries are the steps where the interpreter can enter each of the two forms.
	entries [2][]int32
}

func (*maker) Adapts() bool { return true }

// prepare makes the program's IR.
func (c *maker) prepare() string {
	c.prepared.Do(func() { c.text, c.entries = irModule(c.plan, c.watched, c.language == languageDraft) })
	return c.text
}

// take takes the code from the cache, if it is there.
func (c *maker) take(code *native.Code) bool {
	object := c.compiler.backend.Cached(c.language, c.prepare())
	if object != nil {
		code.Take(func() native.Made { return c.link(mapped(object)) })
	}
	return object != nil
}

// Make compiles the program; there is no code where the compiler fails.
func (c *maker) Make() native.Made {
	ir := c.prepare()
	if len(ir) > maxIR {
		return c.link(nil, nil, native.ErrTooLarge)
	}
	return c.link(c.compiler.compiled(c.language, ir))
}

// link makes the forms of code. Where there is an error, no step has code.
func (c *maker) link(code *jit.Code, symbols map[string]int32, err error) (m native.Made) {
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
