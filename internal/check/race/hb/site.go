package hb

import (
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/analysis/guards"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Strength is how strong an operation is (PTX ISA, "Memory Consistency Model").
type Strength uint8

// Strengths. Volatile operations are strong ones that programs use as flags and not as
// atomics.
const (
	Weak Strength = iota
	Volatile
	Strong
)

// Reach is how far a scope goes.
type Reach uint8

// Reaches, each including those before it.
const (
	OverBlock Reach = iota
	OverCluster
	OverDevice
	reaches
)

// ReachOf is that of a scope.
func ReachOf(s trace.Scope) Reach {
	switch s {
	case trace.ScopeCTA:
		return OverBlock
	case trace.ScopeCluster:
		return OverCluster
	}
	return OverDevice
}

// Party is the block of a thread and its cluster.
type Party struct{ Block, Cluster uint32 }

// PartyOf is a block of a launch and its cluster.
func PartyOf(l *trace.Launch, block uint64) Party {
	cluster, _ := l.ClusterOf(block)
	return Party{uint32(block), uint32(cluster)}
}

// To is the reach that an operation needs to include a thread of another party.
func (p Party) To(o Party) Reach {
	switch {
	case p.Block == o.Block:
		return OverBlock
	case p.Cluster == o.Cluster:
		return OverCluster
	}
	return OverDevice
}

// Site is what matters of an instruction for what it orders.
type Site struct {
	Kind     trace.Kind
	Strength Strength
	Scope    trace.Scope
	// Acquires: a read orders what follows it at once. Releases: a write orders what
	// precedes it without a fence.
	Acquires, Releases bool
	// Result: an atomic has a result, as a test of an mbarrier has: others are
	// reductions.
	Result bool
	// Flag is for volatile sites: a read from which a thread may learn how far another one
	// has come, or a write where the launch reads words in such a way, unless it is an update.
	Flag bool
	// Announces: a fence may follow a volatile write. Asked: threads wait by reads of its
	// location. See guards.Facts.
	Announces, Asked bool
	// Polls: a loop waits by the strong read.
	Polls bool
	// Narrow is what a compare-and-swap of a word stands for: an atomic operation on an
	// element of 1 or 2 bytes. It leaves the other bytes of the word as they are, and should
	// one of them have changed, it fails. nil for all other sites.
	Narrow *trace.Site
	// Elem is the bytes of an element, which is accessed as a whole.
	Elem int
}

// Sites describes the sites of a launch. facts has what its kernel decides by reading
// memory, nil where that is unknown; with fencesOnly the result of an atomic does not
// acquire.
func Sites(l *trace.Launch, facts *guards.Facts, fencesOnly bool) []Site {
	sites := make([]Site, len(l.Sites))
	for i, s := range l.Sites {
		sites[i] = siteOf(s, fencesOnly)
		sites[i].Polls = s.Kind == trace.Read && sites[i].Strength != Weak && facts.Waits(GuardSite(s))
	}
	noteFlags(l, facts, sites)
	for i, s := range l.Sites {
		if s.Kind != trace.Atomic || !s.Op.IsCAS() || s.Size != 4 {
			continue
		}
		if n := facts.Narrow(GuardSite(s)); n != 0 {
			as := *s
			as.Size, as.Elem = n, n
			sites[i].Elem, sites[i].Narrow = n, &as
		}
	}
	return sites
}

// GuardSite names a site for guards.Facts.
func GuardSite(s *trace.Site) guards.Site { return guards.Site{Func: s.Func, Line: s.PTXLine} }

func siteOf(s *trace.Site, fencesOnly bool) Site {
	in := Site{Kind: s.Kind, Scope: s.Scope, Elem: s.Elem, Strength: StrengthOf(s)}
	in.Result = s.Kind == trace.Atomic && s.Op.Kind == inst.Atomic && s.Op.Result
	in.Acquires = in.Result && !fencesOnly || s.Order == trace.OrderAcquire || s.Order >= trace.OrderAcqRel
	in.Releases = s.Order >= trace.OrderRelease && s.Kind != trace.Read
	in.Result = in.Result || s.Op.Kind == inst.MBarrierTest
	return in
}

// StrengthOf is how strong a site is.
func StrengthOf(s *trace.Site) Strength {
	switch {
	case s.Kind == trace.Atomic || s.Order > trace.OrderVolatile:
		return Strong
	case s.Order == trace.OrderVolatile:
		return Volatile
	}
	return Weak
}

// noteFlags sets which volatile sites of a launch may be those of flags. A fence
// publishes what comes before it: a word that is written behind one is a flag only to
// those who branch on its value, and data to those who compute with it.
func noteFlags(l *trace.Launch, facts *guards.Facts, sites []Site) {
	if !MaySynchronize(l) {
		return
	}
	some := false
	for i, s := range l.Sites {
		switch in := &sites[i]; {
		case in.Kind == trace.Read && in.Strength == Volatile:
			in.Flag = facts.Flag(GuardSite(s))
			some = some || in.Flag
		case in.Kind == trace.Read && in.Strength == Strong, in.Result: // these look at words, too
			some = true
		}
	}
	for i, s := range l.Sites {
		if in := &sites[i]; some && in.Strength == Volatile && in.Kind == trace.Write {
			_, update := facts.Update(GuardSite(s))
			in.Flag = !update
			in.Announces, in.Asked = facts.Announces(GuardSite(s))
		}
	}
}

// MaySynchronize reports whether a launch may have release and acquire patterns: it
// has a fence or an instruction that releases or acquires by itself.
func MaySynchronize(l *trace.Launch) bool {
	return slices.ContainsFunc(l.Sites, func(s *trace.Site) bool { return s.Order >= trace.OrderAcquire || s.Op.IsFence() })
}

// MorallyStrong reports whether two accesses to one location, by threads at a distance, are
// strong and include each other (PTX ISA, "Morally Strong Operations"), or a read has the
// whole element that a swap of the word around it changes.
func MorallyStrong(x, y *Site, d Reach) bool {
	return x.Strength != Weak && y.Strength != Weak && (x.Elem == y.Elem || x.contains(y) || y.contains(x)) && ReachOf(x.Scope) >= d && ReachOf(y.Scope) >= d
}

// contains reports whether in is a read of all of the word's bytes that a swap for an element changes.
func (in *Site) contains(swap *Site) bool {
	return swap.Narrow != nil && in.Kind == trace.Read && in.Elem > swap.Elem && in.Elem <= 4
}

// Conflict reports whether accesses of two sites to one location, by threads at a distance,
// race unless they are ordered: one writes, and they are not morally strong. Volatile ones
// conflict, as they are not atomics by name.
func Conflict(x, y *Site, d Reach) bool {
	if x.Kind == trace.Read && y.Kind == trace.Read {
		return false
	}
	return !MorallyStrong(x, y, d) || x.Strength == Volatile && y.Strength == Volatile
}

// StandsFor reports whether whatever conflicts with other conflicts with in, too.
func (in *Site) StandsFor(other *Site) bool {
	return in.Strength == Weak || in.Strength <= other.Strength && in.Elem == other.Elem && ReachOf(in.Scope) <= ReachOf(other.Scope)
}

// Observable reports whether it orders a strong write before another access that a thread
// has observed it. Strong accesses of one size race only if a scope is too narrow, and that
// is wrong whatever was observed.
func Observable(write, then *Site) bool {
	return write.Strength != Weak && (then.Strength == Weak || write.Elem != then.Elem)
}

// FlagPair reports whether two accesses may be those to a flag: a read decides it, of two
// writes both.
func FlagPair(x, y *Site) bool {
	if x.Strength != Volatile || y.Strength != Volatile || x.Elem != y.Elem {
		return false
	}
	return (x.Flag || x.Kind != trace.Read && y.Kind == trace.Read) && (y.Flag || y.Kind != trace.Read && x.Kind == trace.Read)
}

// Announced reports whether two accesses to a flag, which need not be behind a fence, are
// followed by one: what a thread announces of itself, and others wait for. Two writes are
// so only where threads wait for the value.
func Announced(x, y *Site) bool {
	both := x.Kind != trace.Read && y.Kind != trace.Read
	announces := func(in *Site) bool { return in.Kind == trace.Read || in.Announces && (in.Asked || !both) }
	return announces(x) && announces(y)
}

// Taken is what a site is taken for: the narrow operation that it stands for, or itself.
func (in *Site) Taken(s *trace.Site) *trace.Site {
	if in.Narrow != nil {
		return in.Narrow
	}
	return s
}

// elems are the sizes of the elements that strong sites access.
func elems(sites []Site) (list []int) {
	for i := range sites {
		if in := &sites[i]; in.Strength != Weak && in.Elem > 0 && !slices.Contains(list, in.Elem) {
			list = append(list, in.Elem)
		}
	}
	return list
}

// NarrowAccess is room for an access as a narrow one is taken for.
type NarrowAccess struct {
	access trace.Access
	addr   [32]uint64
}

// Of returns what the swaps of an access are taken for. A swap that would change nothing
// only reads.
func (n *NarrowAccess) Of(a *trace.Access, as *trace.Site) *trace.Access {
	if a.Data == nil {
		return a
	}
	n.access, n.addr = *a, *a.Addr
	n.access.Site, n.access.Addr = as, &n.addr
	n.access.Regular, n.access.Shape = false, nil
	for m := a.Mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		changed := uint32(a.Data.Value(l, 0) ^ a.Data.Value(l, 1))
		if changed == 0 {
			n.access.Mask &^= 1 << l
			continue
		}
		n.addr[l] += uint64(bits.TrailingZeros32(changed) / 8 &^ (as.Size - 1))
	}
	return &n.access
}

// IsStrong reports whether a site is a strong operation (PTX ISA, "Memory
// Consistency Model": volatile, relaxed and stronger, atomics).
func IsStrong(s *trace.Site) bool { return StrengthOf(s) != Weak }
