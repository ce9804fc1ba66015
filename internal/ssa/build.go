package ssa

import (
	"github.com/warpgrind/warpgrind/internal/cfg"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
	"github.com/warpgrind/warpgrind/internal/source"
)

// Options of Build.
type Options struct {
	// Budget bounds the PTX instructions of a function with what is inlined
	// into it; calls beyond it stay calls. 0 stands for DefaultBudget.
	Budget int
	// NeverAbort takes it that no thread traps or fails an assertion: each branch to there becomes an Assume.
	NeverAbort bool
	// Verify checks the form after each pass, for tests.
	Verify bool
}

// DefaultBudget is the number of instructions up to which calls are inlined.
const DefaultBudget = 100_000

// maxDepth bounds chains of inlined calls.
const maxDepth = 64

// Build makes the form of fn, which must have a body. The error is an *Error.
func Build(m *ptx.Module, fn *ptx.Func, opts Options) (*Func, error) {
	if opts.Budget == 0 {
		opts.Budget = DefaultBudget
	}
	if fn.Body == nil {
		return nil, &Error{m.Name, fn.Pos, fn.Name + " has no body"}
	}
	b := &builder{
		f: &Func{Module: m, PTX: fn, Name: fn.Name}, opts: opts,
		graphs: map[*ptx.Func]*cfg.Func{}, depots: map[*cfg.Func]*cfg.Frame{}, global: map[string]*Object{},
	}
	if err := b.root(fn); err != nil {
		return nil, err
	}
	for _, p := range passes {
		p.run(b)
		if opts.Verify && p.valid {
			if err := b.f.Verify(); err != nil {
				return nil, &Error{m.Name, fn.Pos, "after " + p.name + ": " + err.Error()}
			}
		}
	}
	return b.f, nil
}

// passes turn the blocks with gets and sets of variables into the form. From
// the first pass that is valid on, the form obeys Verify.
var passes = []struct {
	name  string
	run   func(*builder)
	valid bool
}{
	{"assumptions", func(b *builder) { b.assume() }, false},
	{"blocks", func(b *builder) { b.f.order() }, false},
	{"loop shapes", func(b *builder) { b.f.shapeLoops() }, false},
	{"registers", func(b *builder) { b.f.promote(b.vars) }, true},
	{"simplify", func(b *builder) { b.f.simplify() }, true},
	{"locals", func(b *builder) { b.f.promoteLocals() }, true},
	{"parameters", func(b *builder) { b.f.readParams() }, true},
	{"simplify again", func(b *builder) { b.f.simplify() }, true},
	{"spaces", func(b *builder) { b.f.inferSpaces() }, true},
	{"loops", func(b *builder) { b.f.findLoops() }, true},
}

// assume takes out what ends the program, if that is asked for.
func (b *builder) assume() {
	if b.opts.NeverAbort {
		b.f.assumeNoAbort()
	}
}

// builder translates instructions to values.
type builder struct {
	f      *Func
	opts   Options
	graphs map[*ptx.Func]*cfg.Func
	depots map[*cfg.Func]*cfg.Frame
	global map[string]*Object
	// vars are the types of the variables: one for each register of each
	// instance of a function.
	vars   []isa.Type
	size   int
	frames []*frame
	fr     *frame
	cur    *Block
	in     *ptx.Instr
	loc    source.Location
}

// frame is an instance of a function: the kernel, or a call inlined.
type frame struct {
	g       *cfg.Func
	regs    map[string]int
	objects map[string]*Object
	blocks  []*Block
	// ret is where a return goes to, nil in the kernel.
	ret *Block
	ctx *Context
	// chains extends the chains of inlined-at of the instance's instructions.
	chains map[*source.Pos][]source.Pos
	plain  []source.Pos
}

// root builds the kernel's text and what it calls.
func (b *builder) root(fn *ptx.Func) error {
	g, err := b.graph(fn)
	if err != nil {
		return err
	}
	b.size = len(g.Blocks)
	return b.instance(&frame{g: g}, nil)
}

// graph is the control-flow graph of fn.
func (b *builder) graph(fn *ptx.Func) (*cfg.Func, error) {
	if g := b.graphs[fn]; g != nil {
		return g, nil
	}
	g, err := cfg.Build(fn)
	if err != nil {
		if ce, ok := err.(*cfg.Error); ok {
			return nil, &Error{b.f.Module.Name, ce.Pos, ce.Msg}
		}
		return nil, &Error{b.f.Module.Name, fn.Pos, err.Error()}
	}
	b.graphs[fn] = g
	return g, nil
}

// instance translates a function's blocks. from is the block that enters it,
// nil for the kernel.
func (b *builder) instance(fr *frame, from *Block) error {
	if fr.regs == nil {
		fr.regs = map[string]int{}
	}
	if fr.objects == nil {
		fr.objects = map[string]*Object{}
	}
	fr.chains = map[*source.Pos][]source.Pos{}
	outer := b.fr
	b.fr = fr
	b.frames = append(b.frames, fr)
	for range fr.g.Blocks {
		fr.blocks = append(fr.blocks, b.newBlock())
	}
	if from != nil {
		b.jump(from, fr.blocks[0])
	}
	for i, blk := range fr.g.Blocks {
		b.cur = fr.blocks[i]
		if i == 0 && from == nil {
			b.formals()
		}
		if err := b.block(blk); err != nil {
			return err
		}
	}
	b.frames = b.frames[:len(b.frames)-1]
	b.fr = outer
	return nil
}

// formals gives parameters in registers of a function analyzed separately
// their unknown values.
func (b *builder) formals() {
	for _, p := range b.fr.g.PTX.Params {
		if p.Space == ptx.Reg {
			v := b.add(Param, regType(p.Type))
			v.Name = p.Name
			b.setVar(b.reg(p.Name), v)
		}
	}
}

// block translates the instructions of a block and how it ends.
func (b *builder) block(blk *cfg.Block) error {
	for _, in := range blk.Instrs {
		b.in, b.loc = in, b.location(in)
		if err := b.instr(in, blk); err != nil {
			return err
		}
	}
	if b.cur == nil {
		return nil
	}
	if blk.Next >= 0 {
		b.jump(b.cur, b.fr.blocks[blk.Next])
	} else {
		b.leave()
	}
	return nil
}

// leave ends the current block by returning from the instance.
func (b *builder) leave() {
	if b.fr.ret != nil {
		b.calls().storeResults()
		b.jump(b.cur, b.fr.ret)
	} else {
		b.finish(Return)
	}
}

// location is the place of an instruction with the inlined calls around it.
func (b *builder) location(in *ptx.Instr) source.Location {
	loc := in.Loc
	fr := b.fr
	if fr.ctx == nil {
		return loc
	}
	if len(loc.InlinedAt) == 0 {
		if fr.plain == nil {
			fr.plain = append([]source.Pos{fr.ctx.Loc.Pos}, fr.ctx.Loc.InlinedAt...)
		}
		loc.InlinedAt = fr.plain
		return loc
	}
	key := &loc.InlinedAt[0]
	c, ok := fr.chains[key]
	if !ok {
		c = append(append([]source.Pos(nil), loc.InlinedAt...), fr.ctx.Loc.Pos)
		c = append(c, fr.ctx.Loc.InlinedAt...)
		fr.chains[key] = c
	}
	loc.InlinedAt = c
	return loc
}

func (b *builder) newBlock() *Block {
	blk := &Block{}
	b.f.Blocks = append(b.f.Blocks, blk)
	return blk
}

// link adds an edge. Preds are filled in by order.
func link(from, to *Block) { from.Succs = append(from.Succs, to) }

func (b *builder) jump(from, to *Block) {
	from.Kind = Jump
	link(from, to)
	if from == b.cur {
		b.cur = nil
	}
}

// finish ends the current block without successor.
func (b *builder) finish(k BlockKind) {
	b.cur.Kind, b.cur.Instr, b.cur.Loc = k, b.in, b.loc
	b.cur = nil
}

// branch ends the current block with a two-way branch.
func (b *builder) branch(p *Value, yes, no *Block) {
	c := b.cur
	c.Kind, c.Control, c.Instr, c.Loc = If, p, b.in, b.loc
	link(c, yes)
	link(c, no)
	b.cur = nil
}

// add appends a value to the current block.
func (b *builder) add(op Op, t isa.Type, args ...*Value) *Value {
	v := &Value{
		ID: b.f.NumValues, Op: op, Type: t, Args: args, Block: b.cur, Instr: b.in, Loc: b.loc, Ctx: b.fr.ctx,
	}
	b.f.NumValues++
	b.cur.Values = append(b.cur.Values, v)
	return v
}

// constant appends a constant.
func (b *builder) constant(t isa.Type, bits uint64) *Value {
	v := b.add(Const, t)
	v.Const = mask(bits, width(t))
	return v
}

// mask keeps the lowest w bits.
func mask(x uint64, w int) uint64 {
	if w >= 64 {
		return x
	}
	return x & (1<<w - 1)
}

// reg is the variable of a register of the current instance, -1 if there is
// no such register.
func (b *builder) reg(name string) int {
	if i, ok := b.fr.regs[name]; ok {
		return i
	}
	r, ok := b.fr.g.Register(name)
	if !ok {
		return -1
	}
	return b.newVar(name, r.Type)
}

func (b *builder) newVar(name string, t isa.Type) int {
	b.vars = append(b.vars, regType(t))
	b.fr.regs[name] = len(b.vars) - 1
	return len(b.vars) - 1
}

// regType is the type of what a register of declared type t holds.
func regType(t isa.Type) isa.Type {
	switch {
	case t == isa.Pred || t.IsFloat() && t != isa.TF32:
		return t
	case t.Size() == 1:
		return isa.B8
	}
	return intOf(8 * t.Size())
}

// intOf is the integer type of that width.
func intOf(width int) isa.Type {
	switch width {
	case 1:
		return isa.Pred
	case 8:
		return isa.B8
	case 16:
		return isa.B16
	case 64:
		return isa.B64
	case 128:
		return isa.B128
	}
	return isa.B32
}

func (b *builder) getVar(i int) *Value {
	v := b.add(get, b.vars[i])
	v.Const = uint64(i)
	return v
}

func (b *builder) setVar(i int, x *Value) {
	v := b.add(set, isa.TypeNone, x)
	v.Const = uint64(i)
}

// What a builder translates falls into units; each is the builder, seen from that
// side.
type (
	// arithBuilder translates what computes values from values.
	arithBuilder struct{ *builder }
	// memoryBuilder translates accesses, and what orders them.
	memoryBuilder struct{ *builder }
	// callBuilder inlines the functions that a kernel calls.
	callBuilder struct{ *builder }
)

func (b *builder) memory() memoryBuilder { return memoryBuilder{b} }
func (b *builder) calls() callBuilder    { return callBuilder{b} }

// translation is what translates an instruction.
type translation = func(*builder, *ptx.Instr) bool

// on makes a translation of a unit's method.
func on[U ~struct{ *builder }](f func(U, *ptx.Instr) bool) translation {
	return func(b *builder, in *ptx.Instr) bool { return f(U{b}, in) }
}
