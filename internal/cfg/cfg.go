// Package cfg turns a PTX function's body into basic blocks: nested scopes
// are flattened with unique names, labels resolved, and for each block the
// point where diverged lanes meet again is known.
package cfg

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/graph"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/pragma"
	"github.com/warpgrind/warpgrind/internal/ptx"
)

// Func is a function with a body.
type Func struct {
	PTX *ptx.Func
	// Blocks in the order of the text; Blocks[0] is the entry.
	Blocks []*Block
	// Vars are the variables declared in the body (local, shared and call
	// parameters), under unique names.
	Vars []*ptx.Variable
	// Graph has an edge per possible transfer between blocks.
	Graph *graph.Graph
	// IPdom is the block where the paths that leave a block meet again; -1 if
	// that is the function's end.
	IPdom []int

	names   names
	targets map[string][]string
}

// Block is a sequence of instructions entered only at its start. A branch is
// its last instruction; calls lie inside.
type Block struct {
	ID     int
	Instrs []*ptx.Instr
	// First and Last are the lines of its first and last instruction or marker that counts its executions (pragma.Count),
	// 0 for none.
	First, Last int
	// Next is the block that follows in the text if control can fall through,
	// else -1.
	Next int
	// Targets are the blocks of the final branch: one for bra, the table for
	// brx.idx.
	Targets []int
}

// Error is a defect of the function's structure, at a PTX position.
type Error struct {
	Pos ptx.Pos
	Msg string
}

func (e *Error) Error() string { return fmt.Sprintf("%d:%d: %s", e.Pos.Line, e.Pos.Col, e.Msg) }

// Build makes the graph of fn, which must have a body.
func Build(fn *ptx.Func) (*Func, error) {
	b := &builder{
		f:      &Func{PTX: fn, targets: map[string][]string{}},
		labels: map[string]int{},
	}
	b.f.names.init()
	for _, list := range [][]*ptx.Variable{fn.Params, fn.Ret} {
		for _, v := range list {
			b.f.names.declare(v.Name, 0, v.Type)
		}
	}
	b.start()
	if err := b.block(fn.Body); err != nil {
		return nil, err
	}
	if err := b.link(); err != nil {
		return nil, err
	}
	return b.f, nil
}

type builder struct {
	f      *Func
	cur    *Block
	labels map[string]int
	depth  int
}

// start opens a block that the current one falls into.
func (b *builder) start() {
	if b.cur != nil && b.cur.First == 0 {
		return
	}
	nb := &Block{ID: len(b.f.Blocks), Next: -1}
	if b.cur != nil && b.cur.Next == -1 && !endsPath(b.cur.last()) {
		b.cur.Next = nb.ID
	}
	b.f.Blocks = append(b.f.Blocks, nb)
	b.cur = nb
}

func (b *Block) last() *ptx.Instr {
	if len(b.Instrs) == 0 {
		return nil
	}
	return b.Instrs[len(b.Instrs)-1]
}

// endsPath reports whether control never passes beyond the instruction.
func endsPath(in *ptx.Instr) bool {
	if in == nil || in.Guard != nil {
		return false
	}
	return endsBlock(in)
}

func endsBlock(in *ptx.Instr) bool {
	switch in.Kind() {
	case inst.Branch, inst.Return, inst.Exit:
		return true
	}
	return false
}

// maxScopes bounds nesting, which the parser bounds too.
const maxScopes = 1000

func (b *builder) block(body *ptx.Block) error {
	if b.depth++; b.depth > maxScopes {
		return &Error{body.Pos, "scopes nested too deeply"}
	}
	b.f.names.push()
	defer func() { b.f.names.pop(); b.depth-- }()
	b.declareLabels(body)
	for _, s := range body.Stmts {
		if err := b.stmt(s); err != nil {
			return err
		}
	}
	return nil
}

// declareLabels makes the scope's labels known before they are used.
func (b *builder) declareLabels(body *ptx.Block) {
	for _, s := range body.Stmts {
		switch s := s.(type) {
		case *ptx.Label:
			b.f.names.declare(s.Name, 0, 0)
		case *ptx.BranchTargets:
			b.f.names.declare(s.Name, 0, 0)
		case *ptx.CallTargets:
			b.f.names.declare(s.Name, 0, 0)
		case *ptx.CallPrototype:
			b.f.names.declare(s.Name, 0, 0)
		}
	}
}

func (b *builder) stmt(s ptx.Stmt) error {
	n := &b.f.names
	switch s := s.(type) {
	case *ptx.Block:
		return b.block(s)
	case *ptx.RegDecl:
		for _, r := range s.Regs {
			n.declareVec(r.Name, r.Count, s.Type, s.Vec)
		}
	case *ptx.Variable:
		v := s
		if u := n.declare(s.Name, s.Count, s.Type); u != s.Name {
			c := *s
			c.Name = u
			v = &c
		}
		b.f.Vars = append(b.f.Vars, v)
	case *ptx.Label:
		b.start()
		b.labels[n.resolve(s.Name)] = b.cur.ID
	case *ptx.BranchTargets:
		ts := make([]string, len(s.Labels))
		for i, l := range s.Labels {
			ts[i] = n.resolve(l)
		}
		b.f.targets[n.resolve(s.Name)] = ts
	case *ptx.CallTargets:
		b.f.targets[n.resolve(s.Name)] = s.Funcs
	case *ptx.Raw:
		if _, ok := pragma.ReadCount(s.Text); ok {
			b.cur.add(s.Pos)
		}
	case *ptx.Instr:
		b.instr(n.rename(s))
	}
	return nil
}

// add extends the block by a line.
func (b *Block) add(p ptx.Pos) {
	if b.First == 0 {
		b.First = p.Line
	}
	b.Last = p.Line
}

func (b *builder) instr(in *ptx.Instr) {
	b.cur.add(in.Pos)
	b.cur.Instrs = append(b.cur.Instrs, in)
	if endsBlock(in) {
		b.start()
	}
}

// link resolves branches and computes edges and reconvergence points.
func (b *builder) link() error {
	f := b.f
	for _, blk := range f.Blocks {
		in := blk.last()
		if in != nil && in.Kind() == inst.Branch {
			labels, err := b.branchLabels(in)
			if err != nil {
				return err
			}
			for _, l := range labels {
				t, ok := b.labels[l]
				if !ok {
					return &Error{in.Pos, fmt.Sprintf("%s to %q, which is not a label of this function", in.Op, l)}
				}
				blk.Targets = append(blk.Targets, t)
			}
		}
	}
	f.prune()
	f.Graph = graph.New(len(f.Blocks))
	for _, blk := range f.Blocks {
		for _, t := range blk.Targets {
			f.Graph.Add(blk.ID, t)
		}
		if blk.Next >= 0 {
			f.Graph.Add(blk.ID, blk.Next)
		}
	}
	f.IPdom = f.Graph.PostDominators()
	return nil
}

func (b *builder) branchLabels(in *ptx.Instr) ([]string, error) {
	if len(in.Args) > 0 {
		if l, ok := in.Args[len(in.Args)-1].(*ptx.SymbolRef); ok {
			if in.Op == "bra" {
				return []string{l.Name}, nil
			}
			if ts, ok := b.f.targets[l.Name]; ok {
				return ts, nil
			}
			return nil, &Error{in.Pos, fmt.Sprintf("%q is not a list of branch targets", l.Name)}
		}
	}
	return nil, &Error{in.Pos, in.Op + " without a label"}
}
