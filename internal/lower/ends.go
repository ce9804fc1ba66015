package lower

import (
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Where does all end that is computed from a value? Threads at the edge of a
// matrix compute with what nobody wrote, and then store no result: nothing has
// become of it. So the stores are followed that a value can end in, through the
// arithmetic of its own thread and its local arrays, whatever the order of the
// instructions. All other uses end the search: branches, addresses, calls,
// exchanges with other lanes.

// ending is what becomes of a register's values.
type ending struct {
	// used says that something is done with them that is not followed.
	used bool
	// at has a bit for each of endings.lines.
	at [maxEnds / 64]uint64
}

// maxEnds bounds the stores that are told apart in a function.
const maxEnds = 256

// endings are those of a function. Its nodes are the registers, by id, and the
// objects in local memory.
type endings struct {
	e *emitter
	// nodes are of registers alone when the search has ended.
	nodes []ending
	// into has for each node those whose values go there.
	into [][]int32
	// lines are the PTX lines of the stores.
	lines  []int
	locals map[object]int32
	// lost says that local memory is read through a pointer that is not known.
	lost bool
}

// endsOf returns the lines of the stores to global and shared memory, and of the
// atomic operations on global memory, in which all ends that is computed from the
// registers, nil if it does not end there alone.
func (e *emitter) endsOf(regs []*reg) []int {
	if e.f.ends == nil {
		e.f.ends = e.findEnds()
	}
	x, all := e.f.ends, ending{}
	for _, r := range regs {
		if r != nil && r.id < len(x.nodes) { // else it is named by no instruction
			all.add(&x.nodes[r.id])
		}
	}
	if all.used {
		return nil
	}
	lines := []int{}
	for i, line := range x.lines {
		if all.at[i/64]>>(i%64)&1 != 0 {
			lines = append(lines, line)
		}
	}
	return lines
}

// add unites and reports whether that changed anything.
func (a *ending) add(b *ending) (changed bool) {
	if changed = b.used && !a.used; changed {
		a.used = true
	}
	for i := range a.at {
		changed = changed || b.at[i]&^a.at[i] != 0
		a.at[i] |= b.at[i]
	}
	return changed
}

func (e *emitter) findEnds() *endings {
	n := len(e.f.byID())
	x := &endings{e: e, nodes: make([]ending, n), into: make([][]int32, n), locals: map[object]int32{}}
	e.f.instrs(x.follow)
	x.joinDepots()
	x.spread()
	x.nodes, x.into = x.nodes[:n], nil
	return x
}

// follow notes what an instruction does with what it reads.
func (x *endings) follow(in *ptx.Instr) {
	f := x.e.f
	writes, reads := results(in)
	if in.Guard != nil {
		x.use(f.reg(&ptx.RegRef{Name: in.Guard.Reg}))
	}
	switch {
	case (in.Op == "ld" || in.Op == "st") && len(in.Args) == 2 && !parseAccess(in).param:
		x.access(in, parseAccess(in))
	case (in.Op == "atom" || in.Op == "red") && in.Has("global") && !in.Has("cas"):
		x.update(in, reads)
	case computes(in):
		for _, to := range f.regsIn(writes) {
			for _, from := range f.regsIn(reads) {
				x.into[to.id] = append(x.into[to.id], int32(from.id))
			}
		}
	default:
		for _, r := range f.regsIn(reads) {
			x.use(r)
			x.escape(r)
		}
	}
}

// computes reports whether an instruction's results depend on its own lane's
// registers alone, and nothing else does on what it reads.
func computes(in *ptx.Instr) bool {
	if in.Op == "cvta" {
		return true
	}
	if in.Desc == nil || in.Has("cc") || in.Op == "addc" || in.Op == "subc" || in.Op == "madc" { // a carry is no register
		return false
	}
	switch in.Desc.Class {
	case isa.Arith, isa.Float, isa.Compare, isa.Logic, isa.Move:
		return true
	}
	return false
}

func (x *endings) use(r *reg) {
	if r != nil {
		x.nodes[r.id].used = true
	}
}

// escape gives up objects in local memory to which a register may point: others
// may read them.
func (x *endings) escape(r *reg) {
	for _, n := range x.localNodes(x.e.sets().byReg[r.id]) {
		x.nodes[n].used = true
	}
}

// access follows values into local objects and out of them, and to stores.
func (x *endings) access(in *ptx.Instr, a access) {
	f, address, data := x.e.f, in.Args[1], in.Args[0]
	if in.Op == "st" {
		address, data = data, address
	}
	set := objects(0)
	if ad, ok := address.(*ptx.Address); ok {
		set = x.e.objectsIn(x.e.sets(), ad.Base)
	}
	for _, r := range f.regsIn([]ptx.Operand{address}) {
		x.use(r)
	}
	locals, end := x.localNodes(set), -1
	if in.Op == "st" && len(locals) == 0 && (a.space == trace.SpaceGlobal || a.space == trace.SpaceShared && !in.Has("shared::cluster")) {
		end = x.end(in.Pos.Line)
	}
	for _, r := range f.regsIn([]ptx.Operand{data}) {
		for _, n := range locals {
			if in.Op == "ld" {
				x.into[r.id] = append(x.into[r.id], n)
			} else {
				x.into[n] = append(x.into[n], int32(r.id))
			}
		}
		if in.Op == "ld" {
			continue
		}
		x.escape(r)
		switch {
		case end >= 0:
			x.nodes[r.id].at[end/64] |= 1 << (end % 64)
		case len(locals) != 1 || set&anObject != 0:
			x.use(r)
		}
	}
	x.lost = x.lost || in.Op == "ld" && a.space == trace.SpaceLocal && len(locals) == 0
}

// update follows what an atomic operation adds to global memory.
func (x *endings) update(in *ptx.Instr, reads []ptx.Operand) {
	end := x.end(in.Pos.Line)
	for _, o := range reads {
		_, address := o.(*ptx.Address)
		for _, r := range x.e.f.regsIn([]ptx.Operand{o}) {
			if address || end < 0 {
				x.use(r)
			} else {
				x.nodes[r.id].at[end/64] |= 1 << (end % 64)
			}
			x.escape(r)
		}
	}
}

// end is the number of the store at a line, -1 if there are too many.
func (x *endings) end(line int) int {
	if i := slices.Index(x.lines, line); i >= 0 {
		return i
	}
	if len(x.lines) == maxEnds {
		return -1
	}
	x.lines = append(x.lines, line)
	return len(x.lines) - 1
}

// localNodes are the nodes of the local objects in a set.
func (x *endings) localNodes(set objects) (nodes []int32) {
	const flags = anObject | maybeObject | aNumber
	s := x.e.sets()
	for rest := set &^ flags &^ s.params; rest != 0; rest &= rest - 1 {
		o := s.list[bits.TrailingZeros64(uint64(rest))]
		if o.space != trace.SpaceLocal {
			continue
		}
		n, ok := x.locals[o]
		if !ok {
			n = int32(len(x.nodes))
			x.locals[o] = n
			x.nodes, x.into = append(x.nodes, ending{used: o.fixed}), append(x.into, nil)
		}
		nodes = append(nodes, n)
	}
	return nodes
}

// joinDepots lets what is in a part of a depot be in accesses to all of it.
func (x *endings) joinDepots() {
	for o, n := range x.locals {
		x.nodes[n].used = x.nodes[n].used || x.lost
		for p, m := range x.locals {
			if o.name == p.name && n != m && (o.size == 0 || p.lo < o.lo+o.size && o.lo < p.lo+p.size) {
				x.into[n] = append(x.into[n], m)
				x.into[m] = append(x.into[m], n)
			}
		}
	}
}

// spread takes the endings back to where values come from.
func (x *endings) spread() {
	work := make([]int32, 0, len(x.nodes))
	for n := range x.nodes {
		work = append(work, int32(n))
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, from := range x.into[n] {
			if x.nodes[from].add(&x.nodes[n]) {
				work = append(work, from)
			}
		}
	}
}
