package proofs

import (
	"encoding/binary"
	"fmt"

	"github.com/warpgrind/warpgrind/internal/analysis/ownership"
	"github.com/warpgrind/warpgrind/internal/ssa"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// privateAccesses are a kernel's accesses to global memory: the launch that they were
// last examined for, how many threads such launches had in a row, and the proof, nil
// so far for none.
type privateAccesses struct {
	key     string
	threads uint64
	proof   *ownership.Proof
}

// Private proves which accesses of a launch to global memory stay within one thread. It
// takes the proof of the launch of its kernel before if that was the same, and returns nil
// if such launches had too few threads, or if there is no form.
func (c *Cache) Private(l *trace.Launch) *ownership.Proof { return c.proved(l, c.From) }

// BlocksMeet reports whether it is proved that blocks of a launch access the same memory;
// the engine asks for a launch that takes a while.
func (c *Cache) BlocksMeet(l *trace.Launch) bool {
	p := c.proved(l, 0)
	return p != nil && p.Meets
}

// proved is the proof about a launch, nil if such launches had less than from threads.
func (c *Cache) proved(l *trace.Launch, from uint64) *ownership.Proof {
	if l.Memory == nil {
		return nil
	}
	c.proving.Lock()
	defer c.proving.Unlock()
	p := c.lastPrivate(l.Module + " " + l.Kernel)
	if key := launchKey(l); p.key != key {
		*p = privateAccesses{key: key}
	}
	if from > 0 {
		p.threads += l.Grid.Size() * l.Block.Size()
	}
	if p.threads < from {
		return nil
	}
	if p.proof == nil {
		if form := c.Form(l.Module, l.Kernel); form != nil {
			p.proof = c.prove(form, l)
		}
	}
	return p.proof
}

func (c *Cache) lastPrivate(kernel string) *privateAccesses {
	if c.private == nil {
		c.private = map[string]*privateAccesses{}
	}
	p := c.private[kernel]
	if p == nil {
		p = &privateAccesses{}
		c.private[kernel] = p
	}
	return p
}

func (c *Cache) prove(form *ssa.Func, l *trace.Launch) *ownership.Proof {
	return ownership.Prove(form, ownership.Launch{
		Block: [3]uint32{l.Block.X, l.Block.Y, l.Block.Z}, Grid: [3]uint32{l.Grid.X, l.Grid.Y, l.Grid.Z}, Params: l.Params,
		Memory: func(addr uint64) (ownership.Memory, bool) {
			m, ok := l.Memory(addr)
			return ownership.Memory{ID: m.ID, Base: m.Base, Size: m.Size}, ok
		},
		Symbol: func(name string) (uint64, bool) { return c.symbol(l.Module, name) },
	})
}

// launchKey names all that a proof depends on: shape, arguments, and where they
// point.
func launchKey(l *trace.Launch) string {
	b := fmt.Appendf(nil, "%v %v ", l.Grid, l.Block)
	b = append(b, l.Params...)
	for at := 0; at+8 <= len(l.Params); at += 4 {
		if m, ok := l.Memory(binary.LittleEndian.Uint64(l.Params[at:])); ok {
			b = fmt.Appendf(b, " %d %d %d", at, m.ID, m.Size)
		}
	}
	return string(b)
}
