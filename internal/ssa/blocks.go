package ssa

import (
	"github.com/warpgrind/warpgrind/internal/graph"
)

// order keeps the reachable blocks, joins those that always follow each other,
// numbers them in reverse postorder, and finds the dominators.
func (f *Func) order() {
	f.number()
	f.join()
	f.number()
	f.dominators()
}

// number sorts the blocks and makes Preds.
func (f *Func) number() {
	for i, b := range f.Blocks {
		b.ID = i
		if b.Kind == If && b.Succs[0] == b.Succs[1] {
			b.Kind, b.Control, b.Succs = Jump, nil, b.Succs[:1]
		}
	}
	g := f.graph()
	order := g.ReversePostorder(0)
	blocks := make([]*Block, len(order))
	for i, n := range order {
		blocks[i] = f.Blocks[n]
		blocks[i].Preds = nil
	}
	f.Blocks = blocks
	for i, b := range blocks {
		b.ID = i
		for _, s := range b.Succs {
			s.Preds = append(s.Preds, b)
		}
	}
}

func (f *Func) graph() *graph.Graph {
	g := graph.New(len(f.Blocks))
	for _, b := range f.Blocks {
		for _, s := range b.Succs {
			g.Add(b.ID, s.ID)
		}
	}
	return g
}

// join moves the values of blocks with one predecessor, which has no other
// successor, to that one. Before there are phis only.
func (f *Func) join() {
	for _, b := range f.Blocks {
		for b.Kind == Jump && len(b.Succs) == 1 {
			s := b.Succs[0]
			if len(s.Preds) != 1 || s == b || s.ID == 0 {
				break
			}
			for _, v := range s.Values {
				v.Block = b
			}
			b.Values = append(b.Values, s.Values...)
			b.Kind, b.Control, b.Succs, b.Instr, b.Loc = s.Kind, s.Control, s.Succs, s.Instr, s.Loc
			for _, t := range b.Succs {
				for i, p := range t.Preds {
					if p == s {
						t.Preds[i] = b
					}
				}
			}
			s.Kind, s.Succs, s.Values = Exit, nil, nil
		}
	}
}

// dominators fills in Idom and Ipdom and numbers the dominator tree.
func (f *Func) dominators() {
	g := f.graph()
	f.Idom, f.Ipdom = g.Dominators(0), g.PostDominators()
	n := len(f.Blocks)
	children := make([][]int, n)
	for b := 1; b < n; b++ {
		children[f.Idom[b]] = append(children[f.Idom[b]], b)
	}
	f.pre, f.post = make([]int, n), make([]int, n)
	type visit struct{ block, next int }
	stack, clock := []visit{{0, 0}}, 0
	f.pre[0] = 0
	for len(stack) > 0 {
		v := &stack[len(stack)-1]
		if v.next == 0 {
			f.pre[v.block] = clock
			clock++
		}
		if v.next < len(children[v.block]) {
			v.next++
			stack = append(stack, visit{children[v.block][v.next-1], 0})
			continue
		}
		f.post[v.block] = clock
		stack = stack[:len(stack)-1]
	}
}

// shapeLoops gives each loop one edge into its header and one back edge, by
// blocks of their own where there are several, so that a header's phi has the
// first value and the next one as its arguments.
func (f *Func) shapeLoops() {
	blocks := f.Blocks
	changed := false
	for _, h := range blocks {
		var entries, latches []*Block
		for _, p := range h.Preds {
			if f.Dominates(h, p) {
				latches = append(latches, p)
			} else {
				entries = append(entries, p)
			}
		}
		if len(latches) == 0 {
			continue
		}
		if len(entries) > 1 || len(entries) == 0 && h.ID != 0 {
			f.funnel(h, entries)
			changed = true
		}
		if len(latches) > 1 {
			f.funnel(h, latches)
			changed = true
		}
	}
	if b := f.Blocks[0]; len(b.Preds) > 0 { // a loop at the very start
		entry := &Block{Kind: Jump, Succs: []*Block{b}}
		f.Blocks = append([]*Block{entry}, f.Blocks...)
		changed = true
	}
	if changed {
		f.number()
		f.dominators()
	}
}

// funnel leads the edges from the given blocks to h through a new block.
func (f *Func) funnel(h *Block, from []*Block) {
	n := &Block{Kind: Jump, Succs: []*Block{h}}
	f.Blocks = append(f.Blocks, n)
	for _, p := range from {
		for i, s := range p.Succs {
			if s == h {
				p.Succs[i] = n
			}
		}
	}
}
