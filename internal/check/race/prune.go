package race

import (
	"encoding/binary"
	"fmt"

	"github.com/warpgrind/warpgrind/internal/analysis/ownership"
)

// Sites that are proved safe need not be watched: those on arrays of which the
// shape and the arguments of the launch say that each byte belongs to one
// thread. What is found does not change, as such accesses race with none.

// pruned is what is known of one kernel: the launch that it was last looked at
// for, how many threads such launches had in a row, the proof, and its sites in
// any launch so far.
type pruned struct {
	key     string
	threads uint64
	proof   *ownership.Proof
	watched []bool
	proved  []bool
}

// spare stops watching the sites that are proved safe. It is not for launches
// whose blocks may synchronise, where accesses matter to what others mean.
func (g *globalLaunch) spare() {
	c, l := g.checker, g.launch
	if c.forms == nil || l.Memory == nil {
		return
	}
	if c.pruned == nil {
		c.pruned = map[string]*pruned{}
	}
	k := l.Module + " " + l.Kernel
	p := c.pruned[k]
	if p == nil {
		p = &pruned{watched: make([]bool, len(l.Sites)), proved: make([]bool, len(l.Sites))}
		c.pruned[k] = p
	}
	g.apply(p)
	for i := range g.sites {
		p.watched[i] = p.watched[i] || g.sites[i].watched
	}
}

// apply proves what can be proved of this launch, or takes the proof of the
// launch before if that was the same.
func (g *globalLaunch) apply(p *pruned) {
	l := g.launch
	if key := g.key(); p.key != key {
		p.key, p.threads, p.proof = key, 0, nil
	}
	p.threads += l.Grid.Size() * l.Block.Size()
	if p.proof == nil {
		f := g.checker.forms(l.Module, l.Kernel, p.threads)
		if f == nil {
			return
		}
		p.proof = ownership.Prove(f, ownership.Launch{
			Block: [3]uint32{l.Block.X, l.Block.Y, l.Block.Z}, Grid: [3]uint32{l.Grid.X, l.Grid.Y, l.Grid.Z},
			Params: l.Params, Memory: g.memory, Symbol: g.symbol,
		})
	}
	for i, s := range l.Sites { // all must be understood, so that none reaches the others' arrays
		if g.sites[i].watched && !p.proof.Known[ownership.Site{Func: s.Func, Line: s.PTXLine}] {
			return
		}
	}
	for i, s := range l.Sites {
		if g.sites[i].watched && p.proof.Safe[ownership.Site{Func: s.Func, Line: s.PTXLine}] {
			g.sites[i].watched, p.proved[i] = false, true
		}
	}
}

func (g *globalLaunch) symbol(name string) (uint64, bool) {
	if g.checker.symbols == nil {
		return 0, false
	}
	return g.checker.symbols(g.launch.Module, name)
}

func (g *globalLaunch) memory(addr uint64) (ownership.Memory, bool) {
	m, ok := g.launch.Memory(addr)
	return ownership.Memory{ID: m.ID, Base: m.Base, Size: m.Size}, ok
}

// key names all that a proof depends on: shape, arguments, and where they point.
func (g *globalLaunch) key() string {
	l := g.launch
	b := fmt.Appendf(nil, "%v %v ", l.Grid, l.Block)
	b = append(b, l.Params...)
	for at := 0; at+8 <= len(l.Params); at += 4 {
		if m, ok := l.Memory(binary.LittleEndian.Uint64(l.Params[at:])); ok {
			b = fmt.Appendf(b, " %d %d %d", at, m.ID, m.Size)
		}
	}
	return string(b)
}

// pruneStats counts the sites that were proved safe whenever they could have
// been watched, and those that were watched.
func (c *checker) pruneStats(s *Statistics) {
	for _, p := range c.pruned {
		for i := range p.watched {
			switch {
			case p.watched[i]:
				s.Watched++
			case p.proved[i]:
				s.Proved++
			}
		}
	}
}
