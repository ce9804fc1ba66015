package lower

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// unfencedLocal is the part of local memory in what changes the registers of products.
type unfencedLocal struct {
	// place represents local memory as a register.
	place *reg
	// loaded is what a load may get, stored what a store may put there, by element; operands is what the operands of
	// another instruction may hold.
	loaded, operands map[*ptx.Instr][]*ptx.Instr
	stored           map[*ptx.Instr][][]*ptx.Instr
	// followed is set if steps are to follow the values.
	followed bool
}

func newUnfencedLocal() unfencedLocal {
	return unfencedLocal{place: &reg{}, loaded: map[*ptx.Instr][]*ptx.Instr{}, operands: map[*ptx.Instr][]*ptx.Instr{}, stored: map[*ptx.Instr][][]*ptx.Instr{}}
}

// loads reports whether it is a load from local memory that may get such a value.
func (x *unfencedLocal) loads(in *ptx.Instr) bool { return len(x.loaded[in]) > 0 }

// loadLocal is the effect of a load: its result is the origin of the value.
func (a *unfenced) loadLocal(s changes, in *ptx.Instr) []*ptx.Instr {
	x := &a.local
	x.loaded[in] = with(x.loaded[in], s[x.place])
	if !x.loads(in) {
		return nil
	}
	return []*ptx.Instr{in}
}

// storeLocal is the effect of a store: what was there may stay.
func (a *unfenced) storeLocal(s changes, in *ptx.Instr) {
	x, data := &a.local, elems(in.Args[1])
	if x.stored[in] == nil {
		x.stored[in] = make([][]*ptx.Instr, len(data))
	}
	for i, o := range data {
		for _, r := range a.f.regsIn([]ptx.Operand{o}) {
			x.stored[in][i] = with(x.stored[in][i], s[r])
			if len(s[r]) > 0 {
				s[x.place] = with(slices.Clone(s[x.place]), s[r])
			}
		}
	}
}

// onlyLoads are the loads from local memory that decide whether an instruction changes a value of a product; none if
// one of its operands has such a value anyway.
func (a *unfenced) onlyLoads(in *ptx.Instr) []*ptx.Instr {
	list := a.local.operands[in]
	if slices.ContainsFunc(list, func(by *ptx.Instr) bool { return !a.local.loads(by) }) {
		return nil
	}
	return slices.Clone(list)
}

// followWhereNeeded finds out whether what a product takes depends on local memory. If so steps follow all of it,
// and the instructions that change what is there are noted; else loads from it do not count as changes.
func (a *unfenced) followWhereNeeded() {
	x := &a.local
	changed := func(by *ptx.Instr) bool { return by.Kind() != inst.ProductAsync && !x.loads(by) }
	for by := range a.changers {
		if x.loads(by) {
			x.followed = x.followed || x.mayGet(by, changed, map[*ptx.Instr]bool{})
		} else if changed(by) && len(a.onlyLoads(by)) > 0 {
			x.followed = true
		}
	}
	if !x.followed {
		for _, lists := range []map[*ptx.Instr][]*ptx.Instr{a.sums, a.fragments} {
			for in, list := range lists {
				lists[in] = slices.DeleteFunc(list, x.loads)
			}
		}
		return
	}
	for _, lists := range []map[*ptx.Instr][]*ptx.Instr{x.loaded, x.operands} {
		for in, list := range lists {
			for _, by := range append(slices.Clone(list), in) {
				a.changers[by] = true
			}
		}
	}
}

// mayGet reports whether a load may get a value for which the function is true, also through copies in local memory.
func (x *unfencedLocal) mayGet(load *ptx.Instr, is func(*ptx.Instr) bool, seen map[*ptx.Instr]bool) bool {
	if seen[load] {
		return false
	}
	seen[load] = true
	return slices.ContainsFunc(x.loaded[load], func(by *ptx.Instr) bool { return is(by) || x.mayGet(by, is, seen) })
}

// followChanges adds the step that follows changed values through a load or store of local memory.
func (e *emitter) followChanges(in *ptx.Instr) (err error) {
	if e.f.unfenced == nil || !e.f.unfenced.local.followed {
		return nil
	}
	x := &e.f.unfenced.local
	s := &program.LocalChange{Load: program.NoLoad}
	switch l, _ := e.f.localAccess(in); {
	case l == localLoad && x.loads(in):
		s.Load = e.u.productID(in)
	case l == localStore:
		for _, by := range x.stored[in] {
			s.Stored = append(s.Stored, e.numbers(by))
		}
		if s.Stored == nil { // no element can have one
			s.Stored = make([][]int, len(elems(in.Args[1])))
		}
	default:
		return nil
	}
	if s.Mem, err = e.localMem(in); err != nil {
		return err
	}
	e.addStep(s, s.Mem.Site)
	return nil
}
