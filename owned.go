package warpgrind

import (
	"encoding/binary"
	"fmt"

	"github.com/warpgrind/warpgrind/internal/analysis/ownership"
	"github.com/warpgrind/warpgrind/internal/ssa"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// ownedProof is what is known of a kernel's accesses to global memory: the launch
// that it was last looked at for, how many threads such launches had in a row, and
// the proof, nil so far for none.
type ownedProof struct {
	key     string
	threads uint64
	proof   *ownership.Proof
}

// owned is what rules get to find out which accesses of a launch cannot race, nil
// where all are to be watched.
func (s *session) owned() func(*trace.Launch) *ownership.Proof {
	if s.cfg.WatchAll {
		return nil
	}
	return func(l *trace.Launch) *ownership.Proof { return s.forms.owned(l, s.forms.from) }
}

// blocksMeet is what the engine asks of a launch that takes a while.
func (s *session) blocksMeet(l *trace.Launch) bool {
	p := s.forms.owned(l, 0)
	return p != nil && p.Meets
}

// owned proves what can be proved of a launch, or takes the proof of the launch
// of its kernel before if that was the same. It returns nil if such launches had
// less than from threads, or if there is no form.
func (f *forms) owned(l *trace.Launch, from uint64) *ownership.Proof {
	if l.Memory == nil {
		return nil
	}
	f.proving.Lock()
	defer f.proving.Unlock()
	p := f.lastOwned(l.Module + " " + l.Kernel)
	if key := ownedKey(l); p.key != key {
		*p = ownedProof{key: key}
	}
	if from > 0 {
		p.threads += l.Grid.Size() * l.Block.Size()
	}
	if p.threads < from {
		return nil
	}
	if p.proof == nil {
		if form := f.text(l.Module, l.Kernel); form != nil {
			p.proof = f.proveOwned(form, l)
		}
	}
	return p.proof
}

func (f *forms) lastOwned(kernel string) *ownedProof {
	if f.ownedProofs == nil {
		f.ownedProofs = map[string]*ownedProof{}
	}
	p := f.ownedProofs[kernel]
	if p == nil {
		p = &ownedProof{}
		f.ownedProofs[kernel] = p
	}
	return p
}

func (f *forms) proveOwned(form *ssa.Func, l *trace.Launch) *ownership.Proof {
	return ownership.Prove(form, ownership.Launch{
		Block: [3]uint32{l.Block.X, l.Block.Y, l.Block.Z}, Grid: [3]uint32{l.Grid.X, l.Grid.Y, l.Grid.Z}, Params: l.Params,
		Memory: func(addr uint64) (ownership.Memory, bool) {
			m, ok := l.Memory(addr)
			return ownership.Memory{ID: m.ID, Base: m.Base, Size: m.Size}, ok
		},
		Symbol: func(name string) (uint64, bool) { return f.symbol(l.Module, name) },
	})
}

// ownedKey names all that a proof depends on: shape, arguments, and where they
// point.
func ownedKey(l *trace.Launch) string {
	b := fmt.Appendf(nil, "%v %v ", l.Grid, l.Block)
	b = append(b, l.Params...)
	for at := 0; at+8 <= len(l.Params); at += 4 {
		if m, ok := l.Memory(binary.LittleEndian.Uint64(l.Params[at:])); ok {
			b = fmt.Appendf(b, " %d %d %d", at, m.ID, m.Size)
		}
	}
	return string(b)
}
