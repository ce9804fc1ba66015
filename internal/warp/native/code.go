package native

import (
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/fallback"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/alu/body"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// Native translates programs to machine code.
type Executor struct {
	// Always translates a program before it runs, else when it has run a while.
	Always bool
	// With a compiler, programs are translated by way of LLVM; without, directly to machine code.
	Compiler *Compiler
}

// Supported returns why native code cannot run here, nil if it can.
func (x Executor) Supported() error {
	if x.Compiler == nil && !jit.Available() {
		return errors.New("native code needs an x86-64 processor with AVX-512 (F, BW, CD, DQ, VL) and BMI1")
	}
	return nil
}

// heatPerStep is how many warp instructions the interpreter does per step of a
// program before translating it pays, or looking for code in the cache, heatPerStepLLVM before a compiler's time does.
const (
	heatPerStep     = 100
	heatPerStepLLVM = 2000
)

// maxSteps bounds the size of programs that are translated, maxIR the bytes of IR that a
// compiler gets: it needs three seconds for a megabyte.
const (
	maxSteps = 1 << 16
	maxIR    = 8 << 20
)

// Due reports whether it is time to translate a program, of which the interpreter did so
// many more warp instructions.
func (x Executor) Due(p *program.Program, did uint64) bool {
	c := cacheOf(p)
	return !c.failed.Load() && (x.Always || c.heat.Add(int64(did)) >= heatPerStep*int64(len(p.Code)))
}

// Refuse leaves a program to the interpreter from now on, and notes why.
func Refuse(p *program.Program, why error) { cacheOf(p).refuse(why) }

func (c *cache) refuse(why error) {
	if c.failed.CompareAndSwap(false, true) {
		fallback.Took(fallback.GeneratedCode, why)
	}
}

// Translate returns the code of a program for what is watched, nil where that cannot be.
// Code by way of LLVM is made while the interpreter continues.
func (x Executor) Translate(p *program.Program, w Watched) *Code {
	if x.Compiler != nil {
		w = w.forLLVM()
	}
	c := cacheOf(p).get(p, w, x.Compiler)
	if c == nil || x.Compiler == nil {
		return c
	}
	switch {
	case x.Always:
		c.make()
	case c.sought.CompareAndSwap(false, true):
		go x.Compiler.functions() // beside the program's own code
		go c.seek()
	case c.missed.Load() && cacheOf(p).heat.Load() >= heatPerStepLLVM*int64(len(p.Code)) && c.begun.CompareAndSwap(false, true):
		go c.make()
	}
	if !c.made.Load() {
		return nil
	}
	return c
}

// forLLVM is what code by way of LLVM is made for: it finds out which states accesses to global memory are entered into when it runs.
func (w Watched) forLLVM() Watched {
	if w&(Entered|Marked) != 0 || w.has(trace.SpaceGlobal) {
		w = w&^(Touched|Concurrent) | Entered | Quick | Marked
	}
	return w
}

// cache is what is kept with a program.
type cache struct {
	mu     sync.Mutex
	heat   atomic.Int64
	plan   *plan
	codes  map[Watched]*Code
	failed atomic.Bool
}

func cacheOf(p *program.Program) *cache {
	return p.Keep(func() any { return new(cache) }).(*cache)
}

// get returns the code for what is watched, made on the first call; nil where
// that cannot be.
func (c *cache) get(p *program.Program, w Watched, compiler *Compiler) *Code {
	c.mu.Lock()
	defer c.mu.Unlock()
	if v, ok := c.codes[w]; ok || c.failed.Load() {
		return v
	}
	if c.plan == nil {
		c.codes = map[Watched]*Code{}
		var err error
		if c.plan, err = newPlan(p); err != nil {
			c.refuse(err)
			return nil
		}
	}
	v := &Code{plan: c.plan, watched: w, compiler: compiler}
	c.codes[w] = v
	return v
}

// Code is the machine code of a program for what is watched: for warps with all 32
// lanes and for those with some. It is made when it is first wanted.
type Code struct {
	plan      *plan
	watched   Watched
	compiler  *Compiler
	functions *functions
	once      sync.Once
	forms     [2]Form
	// By way of LLVM: the text is sought in the cache, and if it is missed there, its compilation is begun once the program
	// has run long enough.
	sought, missed, begun, made atomic.Bool
	text                        irProgram
	prepared                    sync.Once
}

// irProgram is a program as IR: entries are the steps where the interpreter can enter each of its two forms.
type irProgram struct {
	text    string
	entries [2][]int32
}

// Form is machine code, where each step's is in it, 0 for none, and where sweeps begin.
type Form struct {
	text         *jit.Code
	Entry        []int32
	enter, sweep int32
	// compiled is set for C functions that get the step, rather than its place.
	compiled bool
}

// Target is what Context.Target and Targets must be to enter at a step.
func (f *Form) Target(pc int32) uintptr {
	if f.compiled {
		return uintptr(pc)
	}
	return f.text.Address(f.Entry[pc])
}

// Enter runs the code for one warp, Sweep for those that the context lists. They return the
// step where the interpreter continues.
func (f *Form) Enter(c *Context) int32 { return f.call(f.enter, c) }
func (f *Form) Sweep(c *Context) int32 { return f.call(f.sweep, c) }

func (f *Form) call(at int32, c *Context) int32 {
	if f.compiled {
		return f.text.CallC(at, unsafe.Pointer(c))
	}
	return f.text.Call(at, unsafe.Pointer(c))
}

// NewCode translates a program of which some slots are kept in the slab, though no step
// reads them; nil where that cannot be.
func (x Executor) NewCode(p *program.Program, kept ...int32) *Code {
	pl, err := newPlan(p)
	if err != nil {
		return nil
	}
	for _, s := range kept {
		pl.kept[pl.id(s)] = true
	}
	return &Code{plan: pl, compiler: x.Compiler}
}

// Operations are the operations of package alu that have native code.
func Operations() (all []*alu.Op) {
	for _, name := range slices.Sorted(slices.Values(append(body.All(), alu.Formulas()...))) {
		if op, err := alu.Lookup(name); err == nil {
			all = append(all, op)
		}
	}
	for _, name := range slices.Sorted(slices.Values(alu.AllMath())) {
		f, _ := alu.LookupMath(name)
		if op, ok := f.Op(); ok && op.Formula != nil {
			all = append(all, op)
		}
	}
	return all
}

// Atomics are the names of the atomic operations that have native code.
func Atomics() []string { return slices.Sorted(maps.Keys(atomics)) }

// Form returns the code for all lanes, or with part for some. Where the system
// refuses memory for it, there is none for any step.
func (c *Code) Form(part bool) *Form {
	c.make()
	return &c.forms[formOf(part)]
}

func (c *Code) make() {
	c.once.Do(func() {
		if c.compiler != nil {
			c.makeCompiled()
		} else {
			c.makeDirectly()
		}
		c.made.Store(true)
	})
}

func (c *Code) makeDirectly() {
	text, entry, sweep := generate(c.plan, c.watched)
	code, err := jit.Map(text)
	if err != nil {
		fallback.Took(fallback.GeneratedCode, err)
	}
	for f := range entry {
		if err != nil {
			clear(entry[f])
		}
		c.forms[f] = Form{text: code, Entry: entry[f], sweep: sweep}
	}
}

// prepare makes the program's IR.
func (c *Code) prepare() *irProgram {
	c.prepared.Do(func() {
		c.text.text, c.text.entries = irModule(c.plan, c.watched)
	})
	return &c.text
}

// seek takes the code from the cache, if it is there.
func (c *Code) seek() {
	object := c.compiler.backend.Cached(languageIR, c.prepare().text)
	if object == nil {
		c.missed.Store(true)
		return
	}
	c.once.Do(func() {
		c.take(mapped(object))
		c.made.Store(true)
	})
}

// makeCompiled makes the code by way of LLVM; none where the compiler fails.
func (c *Code) makeCompiled() {
	if ir := c.prepare().text; len(ir) > maxIR {
		c.take(nil, nil, errTooLarge)
	} else {
		c.take(c.compiler.compiled(languageIR, ir))
	}
}

// take makes the forms of code by way of LLVM. Where there is an error, no step has code.
func (c *Code) take(code *jit.Code, symbols map[string]int32, err error) {
	if err == nil {
		c.functions, err = c.compiler.functions()
	}
	if err != nil {
		code = nil
		fallback.Took(fallback.GeneratedCode, err)
	}
	for f := range c.forms {
		entry := make([]int32, len(c.plan.p.Code))
		if code != nil {
			for _, pc := range c.text.entries[f] {
				entry[pc] = 1
			}
		}
		c.forms[f] = Form{text: code, Entry: entry, enter: symbols["enter"], sweep: symbols["sweep"], compiled: true}
	}
	c.text = irProgram{}
}

// Rows are the rows that only repeat a scalar; generated code writes just the first
// lanes of them.
func (c *Code) Rows() []RepeatedRow { return c.plan.rows }

// Enters reports whether the code enters accesses of regions into Context.Plain, Marks whether it marks them.
func (c *Code) Enters() bool { return c.watched&Entered != 0 }
func (c *Code) Marks() bool  { return c.watched&Marked != 0 }

// Adapts reports whether the code finds out at each access which states there are.
func (c *Code) Adapts() bool { return c.compiler != nil }

// Functions returns what Context.Functions must be.
func (c *Code) Functions() (at [numFunctions]uintptr) {
	if c.functions != nil {
		at = c.functions.at
	}
	return at
}

// Full are those of the rows that step pc reads: the interpreter makes them whole before
// it does the step.
func (c *Code) Full(pc int32) []RepeatedRow { return c.plan.full[pc] }
