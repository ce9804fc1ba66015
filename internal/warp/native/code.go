package native

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/fallback"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/alu/body"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// heatPerStep is how many warp instructions the interpreter does per step of a program before translating it pays, or looking
// for code in a cache.
const heatPerStep = 100

// MaxSteps bounds the size of programs that are translated.
const MaxSteps = 1 << 16

// Due reports whether it is time to translate a program, of which the interpreter did so
// many more warp instructions, or always before it runs.
func Due(p *program.Program, did uint64, always bool) bool {
	c := cacheOf(p)
	return !c.failed.Load() && (always || c.heat.Add(int64(did)) >= heatPerStep*int64(len(p.Code)))
}

// Heat returns the warp instructions per step that the interpreter did of a program.
func Heat(p *program.Program) int64 { return cacheOf(p).heat.Load() / int64(max(len(p.Code), 1)) }

// Refuse leaves a program to the interpreter from now on, and notes why.
func Refuse(p *program.Program, why error) { cacheOf(p).refuse(why) }

func (c *cache) refuse(why error) {
	if c.failed.CompareAndSwap(false, true) {
		fallback.Took(fallback.GeneratedCode, why)
	}
}

// cache is what is kept with a program.
type cache struct {
	mu     sync.Mutex
	heat   atomic.Int64
	plan   *Plan
	codes  map[Watched]*Code
	failed atomic.Bool
}

func cacheOf(p *program.Program) *cache {
	return p.Keep(func() any { return new(cache) }).(*cache)
}

// A Maker makes the code of a program for what is watched.
type Maker interface {
	Make() Made
	// Adapts reports whether the code finds out at each access which states of observers there are.
	Adapts() bool
}

// Made is what a maker makes: the code in two forms, and what Context.Functions must be.
type Made struct {
	Forms     [2]Form
	Functions [NumFunctions]uintptr
}

// CodeOf returns the code of a program for what is watched, of a new maker on the first call; nil where that cannot be.
func CodeOf(p *program.Program, w Watched, by func(pl *Plan, w Watched) Maker) *Code {
	c := cacheOf(p)
	c.mu.Lock()
	defer c.mu.Unlock()
	if v, ok := c.codes[w]; ok || c.failed.Load() {
		return v
	}
	if c.plan == nil {
		c.codes = map[Watched]*Code{}
		var err error
		if c.plan, err = NewPlan(p); err != nil {
			c.refuse(err)
			return nil
		}
	}
	v := &Code{plan: c.plan, watched: w, Maker: by(c.plan, w)}
	c.codes[w] = v
	return v
}

// Code is the machine code of a program for what is watched: for warps with all 32
// lanes and for those with some. It is made when it is first wanted.
type Code struct {
	plan    *Plan
	watched Watched
	Maker   Maker
	isDraft bool
	once    sync.Once
	IsMade  atomic.Bool
	Made
}

// NewDraft returns code that is used until a program's code is made.
func NewDraft(pl *Plan, w Watched, by Maker) *Code {
	return &Code{plan: pl, watched: w, Maker: by, isDraft: true}
}

// IsDraft reports whether better code may be made of the program.
func (c *Code) IsDraft() bool { return c.isDraft }

// FormOf is the index of the form for all lanes or for some.
func FormOf(part bool) int {
	if part {
		return 1
	}
	return 0
}

// Form is machine code, where each step's is in it, 0 for none, and where sweeps begin.
type Form struct {
	Text             *jit.Code
	Entry            []int32
	EnterAt, SweepAt int32
	// BySteps is set for C functions that get the step, rather than its place.
	BySteps bool
}

// Target is what Context.Target and Targets must be to enter at a step.
func (f *Form) Target(pc int32) uintptr {
	if f.BySteps {
		return uintptr(pc)
	}
	return f.Text.Address(f.Entry[pc])
}

// Enter runs the code for one warp, Sweep for those that the context lists. They return the
// step where the interpreter continues.
func (f *Form) Enter(c *Context) int32 { return f.call(f.EnterAt, c) }
func (f *Form) Sweep(c *Context) int32 { return f.call(f.SweepAt, c) }

func (f *Form) call(at int32, c *Context) int32 {
	if f.BySteps {
		return f.Text.CallC(at, unsafe.Pointer(c))
	}
	return f.Text.Call(at, unsafe.Pointer(c))
}

// NewCode returns the code of a program of which some slots are kept in the slab, though no step reads them; nil where that
// cannot be.
func NewCode(p *program.Program, by func(pl *Plan, w Watched) Maker, kept []int32) *Code {
	pl, err := NewPlan(p)
	if err != nil {
		return nil
	}
	for _, s := range kept {
		pl.Kept[pl.Id(s)] = true
	}
	return &Code{plan: pl, Maker: by(pl, 0)}
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
func Atomics() []string { return slices.Sorted(maps.Keys(nativeAtomics())) }

// Form returns the code for all lanes, or with part for some. Where the system
// refuses memory for it, there is none for any step.
func (c *Code) Form(part bool) *Form {
	c.Make()
	return &c.Forms[FormOf(part)]
}

// Sweeps reports whether a sweep may come to a step. A C function leaves where it has no code.
func (c *Code) Sweeps(pc int) bool {
	full, part := c.Form(false), c.Form(true)
	return full.Entry[pc] != 0 && (part.Entry[pc] != 0 || part.BySteps)
}

func (c *Code) Make() { c.Take(c.Maker.Make) }

// Take makes the code in a way, if it is not made.
func (c *Code) Take(in func() Made) {
	c.once.Do(func() {
		c.Made = in()
		c.IsMade.Store(true)
	})
}

// Rows are the rows that only repeat a scalar; generated code writes just the first
// lanes of them.
func (c *Code) Rows() []RepeatedRow { return c.plan.rows }

// Enters reports whether the code enters accesses of regions into Context.Plain, Marks whether it marks them.
func (c *Code) Enters() bool { return c.watched&Entered != 0 }
func (c *Code) Marks() bool  { return c.watched&Marked != 0 }

// Adapts reports whether the code finds out at each access which states there are.
func (c *Code) Adapts() bool { return c.Maker.Adapts() }

// Full are those of the rows that step pc reads: the interpreter makes them whole before
// it does the step.
func (c *Code) Full(pc int32) []RepeatedRow { return c.plan.full[pc] }
