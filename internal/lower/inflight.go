package lower

import (
	"cmp"
	"slices"

	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// Which instructions may access a register of a product that is on its way?
//
// The registers of wgmma.mma_async, D and a fragment of A, must not be accessed before a
// wgmma.wait_group has waited for the product's group (PTX ISA, "wgmma.wait_group"). In PTX they
// are virtual: compilers move accumulators from one to another between products, which becomes
// nothing in machine code. So a move passes on what is in flight and does not count as an access.
//
// So it is with the registers that tcgen05.ld writes, until tcgen05.wait::ld (PTX ISA, "tcgen05.ld").
//
// Where compilers do not optimize, they keep arrays in local memory that are in registers else. So loads and stores of
// local memory are moves, too, those by generic addresses if the address is one of local memory. To the analysis all of it is one place, which may hold any product that was stored;
// which one a load gets, steps at the loads and stores follow when the kernel runs.
//
// This is a data flow over the blocks, which finds candidates: an instruction and the products that
// may be on their way there, on some path. Before each of them a step looks, when the kernel
// runs, whether one of them is.

// flight is a product whose register may be in flight.
type flight struct {
	product *ptx.Instr
	// operand is set for a fragment of A, which may be read.
	operand bool
	// via is the load by which the value came from local memory, nil for a register that only moves have passed on.
	via *ptx.Instr
}

// flights are those of a register, each with its age: the least number of commits since
// the product on a path.
type flights map[flight]int

// loads reports whether it is a load from tensor memory.
func (f flight) loads() bool { return f.product.Kind() == inst.TensorLoad }

// loadedByTensor are the operands that tcgen05.ld writes: registers, and the result of .red.
func loadedByTensor(in *ptx.Instr) []ptx.Operand {
	if isTensorReduction(in) {
		return in.Args[:2]
	}
	return in.Args[:1]
}

// maxAge is more than any wait leaves.
const maxAge = 64

// flightState is what is in flight at a place, by register.
type flightState map[*reg]flights

// inFlight is the analysis of a function.
type inFlight struct {
	f      *fn
	before []flightState
	// local represents local memory as a register.
	local *reg
	// found are the products that an instruction must wait for, stored those that a store to local memory
	// may put there, by operand.
	found  map[*ptx.Instr][]flight
	stored map[*ptx.Instr][][]*ptx.Instr
}

// findInFlight analyses a function; nil if it has neither products nor loads from tensor memory.
func findInFlight(f *fn) *inFlight {
	blocks := f.g.Blocks
	has := false
	for _, b := range blocks {
		has = has || slices.ContainsFunc(b.Instrs, func(in *ptx.Instr) bool { return in.Kind() == inst.ProductAsync || in.Kind() == inst.TensorLoad })
	}
	if !has {
		return nil
	}
	a := &inFlight{f: f, before: make([]flightState, len(blocks)), local: &reg{}, found: map[*ptx.Instr][]flight{}, stored: map[*ptx.Instr][][]*ptx.Instr{}}
	a.before[0] = flightState{}
	for work := []int{0}; len(work) > 0; {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		s := a.before[i].clone()
		for _, in := range blocks[i].Instrs {
			a.step(s, in)
		}
		for _, to := range append(slices.Clone(blocks[i].Targets), blocks[i].Next) {
			if to >= 0 && a.join(to, s) {
				work = append(work, to)
			}
		}
	}
	return a
}

func (s flightState) clone() flightState {
	c := make(flightState, len(s))
	for r, fs := range s {
		c[r] = fs.clone()
	}
	return c
}

func (fs flights) clone() flights {
	c := make(flights, len(fs))
	for f, age := range fs {
		c[f] = age
	}
	return c
}

// join adds what is in flight at the end of a block to the beginning of another one. It
// reports a change.
func (a *inFlight) join(to int, s flightState) bool {
	if a.before[to] == nil {
		a.before[to] = s.clone()
		return true
	}
	changed := false
	for r, fs := range s {
		for f, age := range fs {
			if old, ok := a.before[to][r][f]; ok && old <= age {
				continue
			}
			if a.before[to][r] == nil {
				a.before[to][r] = flights{}
			}
			a.before[to][r][f], changed = age, true
		}
	}
	return changed
}

// step is the effect of an instruction.
func (a *inFlight) step(s flightState, in *ptx.Instr) {
	switch in.Kind() {
	case inst.ProductCommit:
		s.age(func(_ flight, age int) (int, bool) { return min(age+1, maxAge), true })
	case inst.ProductWait:
		if n, ok := in.Args[0].(*ptx.Imm); ok {
			s.age(func(f flight, age int) (int, bool) { return age, f.loads() || age == 0 || uint64(age) <= n.Value })
		}
	case inst.TensorWait:
		if !waitsForStores(in) {
			s.age(func(f flight, age int) (int, bool) { return age, !f.loads() })
		}
	case inst.TensorLoad:
		a.access(s, in)
		for _, r := range a.f.regsIn(loadedByTensor(in)) {
			s[r] = flights{{product: in}: 0}
		}
	case inst.ProductAsync:
		a.product(s, in)
	default:
		a.access(s, in)
	}
}

// age changes ages; what is not kept has landed.
func (s flightState) age(change func(f flight, age int) (int, bool)) {
	for r, fs := range s {
		for f, age := range fs {
			if now, keep := change(f, age); keep {
				fs[f] = now
			} else {
				delete(fs, f)
			}
		}
		if len(fs) == 0 {
			delete(s, r)
		}
	}
}

// product is the effect of a product. Products of one shape may follow each other on one
// accumulator.
func (a *inFlight) product(s flightState, in *ptx.Instr) {
	x := parseMatrix(in)
	d := a.f.regsIn(in.Args[:1])
	for _, r := range d {
		a.note(in, s[r], func(f flight) bool {
			y := parseMatrix(f.product)
			return f.operand || y.dims() != x.dims()
		})
		s[r] = flights{{product: in}: 0}
	}
	if _, ok := in.Args[1].(*ptx.Vector); !ok {
		return // a descriptor is read at once
	}
	for _, r := range a.f.regsIn(in.Args[1:2]) {
		a.note(in, s[r], func(f flight) bool { return !f.operand && !slices.Contains(d, r) })
		if s[r] == nil {
			s[r] = flights{}
		}
		s[r][flight{product: in, operand: true}] = 0
	}
}

// access is the effect of another instruction.
func (a *inFlight) access(s flightState, in *ptx.Instr) {
	writes, reads := results(in)
	to, from := a.f.regsIn(writes), a.f.regsIn(reads)
	local, generic := a.f.localAccess(in)
	moves := in.Flow() == inst.Same || local != noLocal && !generic // of which a step finds out
	for _, r := range from {
		if !moves {
			a.note(in, s[r], func(f flight) bool { return !f.operand })
		}
	}
	for _, r := range to {
		if !moves {
			a.note(in, s[r], func(flight) bool { return true })
		}
		if in.Guard == nil {
			delete(s, r)
		}
	}
	if in.Flow() == inst.Same && len(to) == 1 && len(from) == 1 && s[from[0]] != nil {
		fs := flights{}
		for f, age := range s[from[0]] {
			if !f.operand { // the value, but not the register that is read
				fs[f] = age
			}
		}
		s[to[0]] = fs
	}
	switch local {
	case localLoad:
		a.load(s, in, to)
	case localStore:
		a.store(s, in)
	}
}

// locality tells loads and stores of local memory from other instructions.
type locality uint8

const (
	noLocal locality = iota
	localLoad
	localStore
)

// localAccess also reports an address that may be of other memory. Functions without local variables have no such accesses.
func (f *fn) localAccess(in *ptx.Instr) (l locality, generic bool) {
	if len(f.locals) == 0 {
		return noLocal, false
	}
	switch what := in.What(); {
	case what.Kind == inst.Load && what.Reads&inst.Local != 0:
		return localLoad, what.Reads != inst.Local
	case what.Kind == inst.Store && what.Writes&inst.Local != 0:
		return localStore, what.Writes != inst.Local
	}
	return noLocal, false
}

// load is the effect of a load from local memory: what it gets may be any product there.
func (a *inFlight) load(s flightState, in *ptx.Instr, to []*reg) {
	for _, r := range to {
		for f, age := range s[a.local] {
			if s[r] == nil {
				s[r] = flights{}
			}
			s[r][flight{product: f.product, via: in}] = age
		}
	}
}

// store is the effect of a store to local memory: it may put products there, and what was there may stay.
func (a *inFlight) store(s flightState, in *ptx.Instr) {
	if a.stored[in] == nil {
		a.stored[in] = make([][]*ptx.Instr, len(elems(in.Args[1])))
	}
	for i, o := range elems(in.Args[1]) {
		for _, r := range a.f.regsIn([]ptx.Operand{o}) {
			for f, age := range s[r] {
				if f.operand {
					continue
				}
				a.keep(s, flight{product: f.product}, age)
				if list := &a.stored[in][i]; !slices.Contains(*list, f.product) {
					*list = append(*list, f.product)
				}
			}
		}
	}
}

// keep adds a product to what local memory may hold.
func (a *inFlight) keep(s flightState, f flight, age int) {
	if s[a.local] == nil {
		s[a.local] = flights{}
	}
	if old, ok := s[a.local][f]; !ok || age < old {
		s[a.local][f] = age
	}
}

// note keeps the products that an instruction must wait for.
func (a *inFlight) note(in *ptx.Instr, fs flights, matters func(flight) bool) {
	for f := range fs {
		if matters(f) && !slices.Contains(a.found[in], f) {
			a.found[in] = append(a.found[in], f)
		}
	}
}

// byLocal reports whether some candidate's value came by a load from local memory.
func (a *inFlight) byLocal() bool {
	for _, fs := range a.found {
		if slices.ContainsFunc(fs, func(f flight) bool { return f.via != nil }) {
			return true
		}
	}
	return false
}

// checkInFlight adds the step that looks for products on their way before an instruction
// that accesses their registers.
func (e *emitter) checkInFlight(in *ptx.Instr) error {
	a := e.f.inFlight
	if a == nil || len(a.found[in]) == 0 {
		return nil
	}
	found := a.found[in]
	slices.SortFunc(found, func(x, y flight) int { return cmp.Or(x.line()-y.line(), x.product.Pos.Line-y.product.Pos.Line) })
	s := &program.ProductCheck{Site: e.site(trace.Site{})}
	for _, f := range found {
		p := program.Flying{Product: e.u.productID(f.product), Load: program.NoLoad}
		if f.via != nil {
			p.Load = e.u.productID(f.via)
		}
		if !slices.Contains(s.Products, p) {
			s.Products = append(s.Products, p)
		}
	}
	if _, generic := e.f.localAccess(in); generic {
		m, err := e.localMem(in)
		if err != nil {
			return err
		}
		s.Unless = &m
	}
	e.addStep(s, s.Site)
	return nil
}

// line is that of the load by which a product came, 0 for none.
func (f flight) line() int {
	if f.via == nil {
		return 0
	}
	return f.via.Pos.Line
}

// followLocal adds the step that follows products through a load or store of local memory, where
// some instruction may access one that came by it.
func (e *emitter) followLocal(in *ptx.Instr) (err error) {
	a := e.f.inFlight
	if a == nil || !a.byLocal() {
		return nil
	}
	s := &program.LocalFlight{Load: program.NoLoad}
	switch l, _ := e.f.localAccess(in); l {
	case noLocal:
		return nil
	case localLoad:
		s.Load = e.u.productID(in)
	case localStore:
		for _, products := range a.stored[in] {
			var ids []int
			for _, p := range products {
				ids = append(ids, e.u.productID(p))
			}
			slices.Sort(ids)
			s.Stored = append(s.Stored, ids)
		}
	}
	if s.Mem, err = e.localMem(in); err != nil {
		return err
	}
	e.addStep(s, s.Mem.Site)
	return nil
}

// localMem is the memory operand of a load or store of local memory.
func (e *emitter) localMem(in *ptx.Instr) (program.Mem, error) {
	at, data := in.Args[1], in.Args[0]
	space := trace.SpaceLocal
	l, generic := e.f.localAccess(in)
	if l == localStore {
		at, data = data, at
	}
	if generic {
		space = trace.SpaceGeneric
	}
	return e.mem(at, trace.Site{Space: space}, parseAccess(in).typ.Size(), len(elems(data)))
}

// awaits reports whether an instruction may access what a load from tensor memory has not written yet.
func (f *fn) awaits(load *ptx.Instr) bool {
	if f.inFlight == nil { // nothing in the function is
		return false
	}
	for _, fs := range f.inFlight.found {
		if slices.ContainsFunc(fs, func(x flight) bool { return x.product == load }) {
			return true
		}
	}
	return false
}

// productID numbers products.
func (u *unit) productID(in *ptx.Instr) int {
	if u.products == nil {
		u.products = map[*ptx.Instr]int{}
	}
	id, ok := u.products[in]
	if !ok {
		id = len(u.products)
		u.products[in] = id
	}
	return id
}
