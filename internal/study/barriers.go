// Package study finds the barriers of a module and takes single ones away, to
// see what each is needed for.
package study

import (
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/source"
)

// Barrier is a synchronization as the source has it. Copies that the compiler
// made of it, by unrolling or inlining, are one.
type Barrier struct {
	// At is its place in the user's own source.
	At source.Pos
	// Warp is set if it is a __syncwarp and not a barrier of the block; Result
	// that it also computes a value, as __syncthreads_or, so that it cannot be
	// left out.
	Warp, Result bool
}

// Sources tells the user's own source files from other headers.
type Sources func(file string) bool

// Place is where in the user's own source a location comes from: the innermost
// of its positions that lies there, or else the outermost.
func (own Sources) Place(l source.Location) source.Pos {
	chain := append([]source.Pos{l.Pos}, l.InlinedAt...)
	for _, p := range chain {
		if p.IsValid() && own(p.File) {
			return p
		}
	}
	return chain[len(chain)-1]
}

// Barriers lists the barriers of a module, by place.
func Barriers(m *ptx.Module, own Sources) []Barrier {
	var out []Barrier
	for _, it := range m.Items {
		if f, ok := it.(*ptx.Func); ok && f.Body != nil {
			each(f.Body, func(in *ptx.Instr) {
				if b, ok := barrier(in, own); ok && !slices.Contains(out, b) {
					out = append(out, b)
				}
			})
		}
	}
	slices.SortFunc(out, func(a, b Barrier) int { return a.At.Compare(b.At) })
	return out
}

func each(b *ptx.Block, f func(*ptx.Instr)) {
	for _, s := range b.Stmts {
		switch s := s.(type) {
		case *ptx.Instr:
			f(s)
		case *ptx.Block:
			each(s, f)
		}
	}
}

// barrier describes an instruction that is a barrier with a place.
func barrier(in *ptx.Instr, own Sources) (b Barrier, ok bool) {
	op := in.Opcode()
	switch {
	case strings.HasPrefix(op, "bar.warp.sync"):
		b.Warp = true
	case !strings.HasPrefix(op, "bar.") && !strings.HasPrefix(op, "barrier."):
		return b, false
	case in.Has("red"):
		b.Result = true
	case !in.Has("sync") && !in.Has("wait"):
		return b, false // an arrival does not wait
	}
	b.At = own.Place(in.Loc)
	return b, b.At.IsValid()
}

// Remove takes a barrier out of a module, in all its copies.
func Remove(m *ptx.Module, b Barrier, own Sources) {
	for _, it := range m.Items {
		if f, ok := it.(*ptx.Func); ok && f.Body != nil {
			remove(f.Body, b, own)
		}
	}
}

func remove(body *ptx.Block, b Barrier, own Sources) {
	body.Stmts = slices.DeleteFunc(body.Stmts, func(s ptx.Stmt) bool {
		switch s := s.(type) {
		case *ptx.Block:
			remove(s, b, own)
		case *ptx.Instr:
			x, ok := barrier(s, own)
			return ok && x == b
		}
		return false
	})
}
