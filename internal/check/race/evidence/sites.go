package evidence

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Follows reports whether a site comes before another in the text of one function.
func Follows(a, z *trace.Site) bool { return a.Func == z.Func && a.PTXLine < z.PTXLine }

// Behind reports whether site z comes after a in the source of the function
// that both are in: compilers lay out the blocks of loops in another order.
func Behind(a, z *trace.Site) bool {
	p, q := InOneFunction(a, z)
	if !p.IsValid() || p.File != q.File {
		return Follows(a, z)
	}
	return a.Func == z.Func && p.Compare(q) < 0
}

// InOneFunction returns the places of two sites in the innermost function that
// both are in, called ones inlined.
func InOneFunction(a, z *trace.Site) (p, q source.Pos) {
	if a.Func != z.Func {
		return a.Loc.Pos, z.Loc.Pos
	}
	i, j := len(a.Loc.InlinedAt), len(z.Loc.InlinedAt)
	for p, q = frame(a, i), frame(z, j); p == q && i > 0 && j > 0; {
		i, j = i-1, j-1
		p, q = frame(a, i), frame(z, j)
	}
	return p, q
}

// frame is the place of a site that n calls lead to from it, outward.
func frame(s *trace.Site, n int) source.Pos {
	if n == 0 {
		return s.Loc.Pos
	}
	return s.Loc.InlinedAt[n-1]
}

// Initializes reports whether a site makes an mbarrier object.
func Initializes(s *trace.Site) bool { return s.Op.Kind == inst.MBarrierInit }

// ReadsReadOnly reports whether s is a load that may take the read-only path, in the memory that it reads
// nothing may change while the kernel runs (PTX ISA, "ld.global.nc").
func ReadsReadOnly(s *trace.Site) bool {
	return (s.Op.NonCoherent || s.Restricted) && s.Kind == trace.Read && s.Size > 0
}

// PartOfUpdate reports whether a site belongs to an update such as x += y, which reads
// and writes at one place of the source.
func PartOfUpdate(l *trace.Launch, s *trace.Site) bool {
	return s.Kind != trace.Atomic && s.Loc.IsValid() && slices.ContainsFunc(l.Sites, func(o *trace.Site) bool {
		return o.Kind != trace.Atomic && o.Kind != s.Kind && o.Space == s.Space && o.Loc.Pos == s.Loc.Pos
	})
}
