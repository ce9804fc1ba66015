package native

import (
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// Native translates programs to machine code.
type Executor struct {
	// Always translates a program before it runs, else when it has run a while.
	Always bool
}

// Supported returns why native code cannot run here, nil if it can.
func (Executor) Supported() error {
	if !jit.Available() {
		return errors.New("native code needs an x86-64 processor with AVX-512 (F, BW, CD, DQ, VL) and BMI1")
	}
	return nil
}

// heatPerStep is how many warp instructions the interpreter does per step of a
// program before translating it pays.
const heatPerStep = 100

// maxSteps bounds the size of programs that are translated.
const maxSteps = 1 << 16

// Due reports whether it is time to translate a program, of which the interpreter did so
// many more warp instructions.
func (x Executor) Due(p *program.Program, did uint64) bool {
	if len(p.Code) > maxSteps {
		return false
	}
	c := cacheOf(p)
	return !c.failed.Load() && (x.Always || c.heat.Add(int64(did)) >= heatPerStep*int64(len(p.Code)))
}

// Translate returns the code of a program for what is watched, nil where that cannot be.
func (Executor) Translate(p *program.Program, w Watched) *Code { return cacheOf(p).get(p, w) }

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
func (c *cache) get(p *program.Program, w Watched) *Code {
	c.mu.Lock()
	defer c.mu.Unlock()
	if v, ok := c.codes[w]; ok || c.failed.Load() {
		return v
	}
	if c.plan == nil {
		c.plan = newPlan(p)
		c.codes = map[Watched]*Code{}
		if c.plan == nil {
			c.failed.Store(true)
			return nil
		}
	}
	v := &Code{plan: c.plan, watched: w}
	c.codes[w] = v
	return v
}

// Code is the machine code of a program for what is watched: for warps with all 32
// lanes and for those with some. It is made when it is first wanted.
type Code struct {
	plan    *plan
	watched Watched
	once    sync.Once
	forms   [2]Form
}

// Form is machine code, where each step's is in it, 0 for none, and where sweeps begin.
type Form struct {
	Text  *jit.Code
	Entry []int32
	Sweep int32
}

// NewCode translates a program of which some slots are kept in the slab, though no step
// reads them; nil where that cannot be.
func NewCode(p *program.Program, kept ...int32) *Code {
	pl := newPlan(p)
	if pl == nil {
		return nil
	}
	for _, s := range kept {
		pl.kept[pl.id(s)] = true
	}
	return &Code{plan: pl}
}

// Operations are the operations of package alu that have native code.
func Operations() (all []*alu.Op) {
	names := slices.AppendSeq(slices.Collect(maps.Keys(natives())), maps.Keys(tests()))
	for _, name := range slices.Sorted(slices.Values(append(names, alu.Formulas()...))) {
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
	c.once.Do(func() {
		text, entry, sweep := generate(c.plan, c.watched)
		code, err := jit.Map(text)
		for f := range entry {
			if err != nil {
				clear(entry[f])
			}
			c.forms[f] = Form{code, entry[f], sweep}
		}
	})
	return &c.forms[formOf(part)]
}

// Rows are the rows that only repeat a scalar; generated code writes just the first
// lanes of them.
func (c *Code) Rows() []RepeatedRow { return c.plan.rows }

// Full are those of the rows that step pc reads: the interpreter makes them whole before
// it does the step.
func (c *Code) Full(pc int32) []RepeatedRow { return c.plan.full[pc] }
