package lower

import (
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
// This is a data flow over the blocks, which finds candidates: an instruction and the products that
// may be on their way there, on some path. Before each of them a step looks, when the kernel
// runs, whether one of them is.

// flight is a product whose register may be in flight.
type flight struct {
	product *ptx.Instr
	// operand is set for a fragment of A, which may be read.
	operand bool
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
	// found are the products that an instruction must wait for.
	found map[*ptx.Instr][]*ptx.Instr
}

// findInFlight analyses a function; nil if it has neither products nor loads from tensor memory.
func findInFlight(f *fn) map[*ptx.Instr][]*ptx.Instr {
	blocks := f.g.Blocks
	has := false
	for _, b := range blocks {
		has = has || slices.ContainsFunc(b.Instrs, func(in *ptx.Instr) bool { return in.Kind() == inst.ProductAsync || in.Kind() == inst.TensorLoad })
	}
	if !has {
		return nil
	}
	a := &inFlight{f: f, before: make([]flightState, len(blocks)), found: map[*ptx.Instr][]*ptx.Instr{}}
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
	return a.found
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
		s[r][flight{in, true}] = 0
	}
}

// access is the effect of another instruction.
func (a *inFlight) access(s flightState, in *ptx.Instr) {
	writes, reads := results(in)
	to, from := a.f.regsIn(writes), a.f.regsIn(reads)
	moves := in.Flow() == inst.Same || isLocal(in)
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
}

// isLocal reports loads and stores of local memory. Where compilers do not optimize, they keep
// arrays there that are in registers else: these are moves, too, but lose what is in flight.
func isLocal(in *ptx.Instr) bool {
	switch what := in.What(); what.Kind {
	case inst.Load:
		return what.Reads == inst.Local
	case inst.Store:
		return what.Writes == inst.Local
	}
	return false
}

// note keeps the products that an instruction must wait for.
func (a *inFlight) note(in *ptx.Instr, fs flights, matters func(flight) bool) {
	for f := range fs {
		if matters(f) && !slices.Contains(a.found[in], f.product) {
			a.found[in] = append(a.found[in], f.product)
		}
	}
}

// checkInFlight adds the step that looks for products on their way before an instruction
// that accesses their registers.
func (e *emitter) checkInFlight(in *ptx.Instr) {
	products := e.f.inFlight[in]
	if len(products) == 0 {
		return
	}
	slices.SortFunc(products, func(a, b *ptx.Instr) int { return a.Pos.Line - b.Pos.Line })
	s := &program.ProductCheck{Site: e.site(trace.Site{})}
	for _, p := range products {
		s.Products = append(s.Products, e.u.productID(p))
	}
	e.addStep(s, s.Site)
}

// awaits reports whether an instruction may access what a load from tensor memory has not written yet.
func (f *fn) awaits(load *ptx.Instr) bool {
	for _, products := range f.inFlight {
		if slices.Contains(products, load) {
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
