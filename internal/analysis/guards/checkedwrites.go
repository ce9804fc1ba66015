package guards

import (
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/ptx/isa"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// Test says how a thread reaches write where it has read.
type Test struct {
	Read Site
	// Last is set if nothing else is decided between the read and the write.
	Last bool
	// Extreme is set if the value is written because it is greater, or less, than
	// the one that was read: a maximum or a minimum.
	Extreme bool
	// Moved is set if the value written was read from the same array, as when two
	// elements change places.
	Moved bool
	// Others are the reads of a loop that continues to other places until it finds one to
	// write, those beside Read.
	Others []Site
}

// Test returns the test that lets a write happen: it runs only after a load of the
// same place has found some values and not others, which are the same for all
// threads, and what it writes is not computed from them. A thread that waits for
// its own number, as in a ticket lock, does not test in this sense.
func (x *Facts) Test(write Site) (best Test, ok bool) {
	if x == nil {
		return Test{}, false
	}
	for _, w := range x.at[write] {
		if w.Op != ssa.Store && w.Op != ssa.Atomic {
			continue
		}
		for _, r := range x.loadsLike(w) {
			if !sameAddress(r, w, 0) || !x.before(r, w) || computes(r, w) {
				continue
			}
			if t, found := x.decides(r, w); found && (!ok || t.Last) {
				best, ok = t, true
			}
		}
	}
	if !ok {
		return x.sought(write)
	}
	return best, ok
}

// sought returns the test of a write after a loop that has looked for its place: on each
// way to where the place is settled, a load of it has found a value to stop at.
func (x *Facts) sought(write Site) (t Test, ok bool) {
	for _, w := range x.at[write] {
		if w.Op != ssa.Store && w.Op != ssa.Atomic || w.Mem.Base == nil {
			continue
		}
		b := settled(w.Mem.Base, 0)
		if b == nil || !x.f.Dominates(b, w.Block) {
			continue
		}
		var reads []*ssa.Value
		for i := range b.Preds {
			if r := x.lookedAt(w, b, i); r != nil {
				reads = append(reads, r)
			}
		}
		if len(b.Preds) == 0 || len(reads) < len(b.Preds) {
			continue
		}
		t = Test{Read: siteOf(x.f, reads[0]), Last: true}
		for _, r := range reads[1:] {
			t.Others = append(t.Others, siteOf(x.f, r))
		}
		return t, true
	}
	return t, false
}

// settled is the block of the phis that an address is computed from, nil for none or
// several.
func settled(v *ssa.Value, depth int) (b *ssa.Block) {
	if depth > deepest {
		return nil
	}
	if v.Op == ssa.Phi {
		return v.Block
	}
	for _, a := range v.Args {
		switch c := settled(a, depth+1); {
		case c == nil:
		case b != nil && b != c:
			return nil
		default:
			b = c
		}
	}
	return b
}

// lookedAt returns the load of the place of w that decides that the way into block b
// from its i-th predecessor is taken; it may compare the value with the one of a thread.
func (x *Facts) lookedAt(w *ssa.Value, b *ssa.Block, i int) *ssa.Value {
	p := b.Preds[i]
	for _, c := range x.f.Blocks {
		if c != p && !x.f.Dominates(c, p) || c.Control == nil || c != p && !x.controls(c, p) {
			continue
		}
		for _, rb := range x.f.Blocks {
			if rb != c && !x.f.Dominates(rb, c) {
				continue
			}
			for _, r := range rb.Values {
				if r.Op != ssa.Load || r.Instr == nil || r.Mem.Base == nil || r.Mem.Offset != w.Mem.Offset || computes(r, w) {
					continue
				}
				if !(&along{b, i}).same(r.Mem.Base, w.Mem.Base, 0) {
					continue
				}
				if part, _ := comparison(c.Control, r); part != nil && common(part, r) {
					return r
				}
			}
		}
	}
	return nil
}

// along is a way into a block: its phis have the values of that way.
type along struct {
	b *ssa.Block
	i int
}

// same reports whether a is what v becomes on the way.
func (w *along) same(a, v *ssa.Value, depth int) bool {
	if v.Op == ssa.Phi && v.Block == w.b {
		v = v.Args[w.i]
		return same(a, v, depth)
	}
	if same(a, v, depth) {
		return true
	}
	if depth > deepest || a.Op != v.Op || a.Type != v.Type || a.Const != v.Const || a.Name != v.Name || len(a.Args) != len(v.Args) || len(a.Args) == 0 {
		return false
	}
	switch a.Op {
	case ssa.Phi, ssa.Load, ssa.Atomic, ssa.Lane, ssa.Clock, ssa.OpCall, ssa.Effect:
		return false
	}
	for k := range a.Args {
		if !w.same(a.Args[k], v.Args[k], depth+1) {
			return false
		}
	}
	return true
}

// SamePlace reports two plain reads of one place.
func (x *Facts) SamePlace(a, b Site) bool {
	if x == nil {
		return false
	}
	for _, r := range x.at[a] {
		for _, s := range x.at[b] {
			if r.Op == ssa.Load && s.Op == ssa.Load && sameAddress(r, s, 0) {
				return true
			}
		}
	}
	return false
}

// before reports whether w runs only after r.
func (x *Facts) before(r, w *ssa.Value) bool {
	if r.Block != w.Block {
		return x.f.Dominates(r.Block, w.Block)
	}
	for _, v := range r.Block.Values {
		if v == r || v == w {
			return v == r
		}
	}
	return false
}

// computes reports whether what w writes is computed from what r has read.
func computes(r, w *ssa.Value) bool {
	for _, v := range operands(w) {
		if (&search{want: r}).in(v) {
			return true
		}
	}
	return false
}

// operands are what a write writes.
func operands(w *ssa.Value) []*ssa.Value {
	if w.Mem.Base != nil {
		return w.Args[1:]
	}
	return w.Args
}

// decides looks for branches on what r has read that let w happen.
func (x *Facts) decides(r, w *ssa.Value) (t Test, ok bool) {
	t.Read, t.Last = siteOf(x.f, r), true
	for b := w.Block; ; b = x.f.Blocks[x.f.Idom[b.ID]] {
		if b.Control != nil && b != w.Block && x.controls(b, w.Block) {
			if c, alone := comparison(b.Control, r); c != nil {
				t.Last = t.Last && alone
				t.Extreme, t.Moved = extreme(c, r, w), moved(w)
				return t, t.Extreme || common(c, r)
			}
			t.Last = false
		}
		if b == r.Block || x.f.Idom[b.ID] < 0 {
			return t, false
		}
	}
}

// controls reports whether one way out of block b leads to block to only by way
// of b again, or not at all.
func (x *Facts) controls(b, to *ssa.Block) bool {
	for _, s := range b.Succs {
		if !reaches(s, to, b) {
			return true
		}
	}
	return false
}

// reaches reports whether a block can be reached from another one without
// passing a third.
func reaches(from, to, without *ssa.Block) bool {
	seen := map[*ssa.Block]bool{without: true}
	work := []*ssa.Block{from}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] {
			continue
		}
		if b == to {
			return true
		}
		seen[b] = true
		work = append(work, b.Succs...)
	}
	return false
}

// comparison returns the part of a condition that looks at what r has read, nil
// for none; alone is set if there is no other part.
func comparison(c, r *ssa.Value) (part *ssa.Value, alone bool) {
	switch c.Op {
	case ssa.Not, ssa.And, ssa.Or, ssa.Xor, ssa.Select, ssa.Phi:
		if c.Type != isa.Pred {
			break
		}
		for _, a := range c.Args {
			if a != c && (&search{want: r}).in(a) {
				part, alone = comparison(a, r)
				return part, alone && c.Op == ssa.Not
			}
		}
		return nil, false
	}
	if (&search{want: r}).in(c) {
		return c, true
	}
	return nil, false
}

// extreme reports whether c is a comparison, as greater or less, of what r has read with what
// w writes.
func extreme(c, r, w *ssa.Value) bool {
	switch c.Op {
	case ssa.LtS, ssa.LeS, ssa.LtU, ssa.LeU:
	case ssa.Pure: // of floating-point numbers
		if !strings.Contains(c.Name, ".l") && !strings.Contains(c.Name, ".g") {
			return false
		}
	default:
		return false
	}
	written := operands(w)
	return len(c.Args) == 2 && len(written) == 1 &&
		(c.Args[0] == r && near(c.Args[1], written[0]) || c.Args[1] == r && near(c.Args[0], written[0]))
}

// near reports values that differ by a constant at most: x + 1 > y is x >= y.
func near(a, b *ssa.Value) bool {
	plus := func(v *ssa.Value) *ssa.Value {
		if v.Op == ssa.Add && v.Args[1].Op == ssa.Const {
			return v.Args[0]
		}
		return v
	}
	return same(plus(a), plus(b), 0)
}

// common reports whether v is a value that is computed from r, constants and arguments alone.
func common(v, r *ssa.Value) bool {
	if v == r || v.Op == ssa.Const || v.Op == ssa.Param {
		return true
	}
	switch v.Op {
	case ssa.Special, ssa.Load, ssa.Atomic, ssa.Lane, ssa.Clock, ssa.OpCall, ssa.Effect, ssa.Phi:
		return false
	}
	for _, a := range v.Args {
		if !common(a, r) {
			return false
		}
	}
	return true
}

// moved reports whether w is a write of what was read from the same array.
func moved(w *ssa.Value) bool {
	for _, v := range operands(w) {
		for {
			switch v.Op {
			case ssa.Zext, ssa.Sext, ssa.Trunc:
				v = v.Args[0]
				continue
			case ssa.Load:
				return v.Mem.Base == nil || w.Mem.Base == nil || meet(arrays(v.Mem.Base, nil), arrays(w.Mem.Base, nil))
			}
			break
		}
	}
	return false
}

// arrays are the pointers and the variables that an address is computed from.
func arrays(v *ssa.Value, seen map[*ssa.Value]bool) map[string]bool {
	names := map[string]bool{}
	if seen == nil {
		seen = map[*ssa.Value]bool{}
	}
	if seen[v] {
		return names
	}
	seen[v] = true
	switch {
	case v.Op == ssa.Param && v.Width() == 64:
		names[v.Name+" "+strconv.FormatUint(v.Const, 10)] = true
	case v.Op == ssa.Addr && v.Object != nil:
		names[v.Object.Name] = true
	case v.Op == ssa.Load:
		return names
	}
	for _, a := range v.Args {
		for n := range arrays(a, seen) {
			names[n] = true
		}
	}
	return names
}

func meet(a, b map[string]bool) bool {
	for n := range a {
		if b[n] {
			return true
		}
	}
	return false
}

// sameAddress reports two accesses to one place.
func sameAddress(a, b *ssa.Value, depth int) bool {
	x, m := base(a)
	y, n := base(b)
	if m != n || (x == nil) != (y == nil) {
		return false
	}
	return x == nil || same(x, y, depth+1)
}

// base is what an address is computed from by adding a constant, and the constant.
func base(v *ssa.Value) (b *ssa.Value, offset int64) {
	b, offset = v.Mem.Base, v.Mem.Offset
	for b != nil && b.Op == ssa.Add {
		n, ok := b.Args[1].IsConst()
		if !ok {
			break
		}
		b, offset = b.Args[0], offset+int64(n)
	}
	return b, offset
}

// deepest bounds the operations that are compared.
const deepest = 12

// same reports values that are computed alike. A value in memory counts as the
// same wherever it is read.
func same(a, b *ssa.Value, depth int) bool {
	if a == b {
		return true
	}
	if depth > deepest || a.Op != b.Op || a.Type != b.Type || a.Const != b.Const || a.Name != b.Name || a.Object != b.Object || len(a.Args) != len(b.Args) {
		return false
	}
	switch a.Op {
	case ssa.Phi, ssa.Atomic, ssa.Lane, ssa.Clock, ssa.OpCall, ssa.Effect, ssa.Undef:
		return false
	case ssa.Load:
		return sameAddress(a, b, depth+1)
	}
	for i := range a.Args {
		if !same(a.Args[i], b.Args[i], depth+1) {
			return false
		}
	}
	return true
}
