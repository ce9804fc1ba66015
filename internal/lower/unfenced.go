package lower

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/cfg"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// Which products take registers that were changed since the last wgmma.fence?
//
// A wgmma.fence comes between an access to a register and a product that takes it as accumulator or as a fragment of A, unless
// the access is that of a product of the same shape to its accumulator (PTX ISA, "wgmma.fence"). Compilers do not know
// that: they move arithmetic on registers across a fence, which is assembly to them, and make constants where they like. So
// what counts is what cannot have been moved from before an earlier product: arithmetic on its results, and loads behind it, if
// no fence at all is executed from there to the next product. Copies from register to register are none, whoever made them.
//
// Local memory, where unoptimized code keeps arrays, is one place to this analysis, as to that of inflight.go: where what comes
// through it decides, steps at its loads and stores follow which value is where.
//
// This is a data flow over the blocks, as that of inflight.go: it finds candidates. At a product a look at what the warp has executed
// decides whether the fence was.

// changes has by register the instructions that have changed it since a product, without a fence since: arithmetic, loads, products,
// and loads from local memory of such a value.
type changes map[*reg][]*ptx.Instr

type unfenced struct {
	f      *fn
	before []changes
	// sums and fragments are, by product, what has changed its accumulator, and its fragment of A; changers are all of these.
	sums, fragments map[*ptx.Instr][]*ptx.Instr
	changers        map[*ptx.Instr]bool
	local           unfencedLocal
}

// findUnfenced analyses a function; nil if it has no such products.
func findUnfenced(f *fn) *unfenced {
	blocks := f.g.Blocks
	if !slices.ContainsFunc(blocks, func(b *cfg.Block) bool {
		return slices.ContainsFunc(b.Instrs, func(in *ptx.Instr) bool { return in.Kind() == inst.ProductAsync })
	}) {
		return nil
	}
	a := &unfenced{f: f, before: make([]changes, len(blocks)), sums: map[*ptx.Instr][]*ptx.Instr{}, fragments: map[*ptx.Instr][]*ptx.Instr{},
		changers: map[*ptx.Instr]bool{}, local: newUnfencedLocal()}
	a.before[0] = changes{}
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
	a.followWhereNeeded()
	return a
}

func (s changes) clone() changes {
	c := make(changes, len(s))
	for r, list := range s {
		c[r] = slices.Clone(list)
	}
	return c
}

func (a *unfenced) join(to int, s changes) (changed bool) {
	if a.before[to] == nil {
		a.before[to] = s.clone()
		return true
	}
	for r, list := range s {
		for _, in := range list {
			if have := a.before[to][r]; !slices.Contains(have, in) {
				a.before[to][r], changed = append(have, in), true
			}
		}
	}
	return changed
}

// step is the effect of an instruction.
func (a *unfenced) step(s changes, in *ptx.Instr) {
	switch in.Kind() {
	case inst.ProductFence:
		clear(s)
	case inst.ProductAsync:
		a.product(s, in)
	default:
		a.other(s, in)
	}
}

func (a *unfenced) product(s changes, in *ptx.Instr) {
	shape := parseMatrix(in)
	d := a.f.regsIn(in.Args[:1])
	if _, ok := in.Args[1].(*ptx.Vector); ok {
		for _, r := range a.f.regsIn(in.Args[1:2]) {
			a.note(a.fragments, in, s[r])
			delete(s, r)
		}
	}
	for _, r := range d {
		a.note(a.sums, in, slices.DeleteFunc(slices.Clone(s[r]), func(by *ptx.Instr) bool {
			return by.Kind() == inst.ProductAsync && sameShape(parseMatrix(by), shape)
		}))
		s[r] = []*ptx.Instr{in}
	}
}

func sameShape(x, y matrixMods) bool { return x.dims() == y.dims() }

func (a *unfenced) note(where map[*ptx.Instr][]*ptx.Instr, product *ptx.Instr, by []*ptx.Instr) {
	for _, in := range by {
		a.changers[in] = true
		if !slices.Contains(where[product], in) {
			where[product] = append(where[product], in)
		}
	}
}

// other is the effect of an instruction that is not part of the products.
func (a *unfenced) other(s changes, in *ptx.Instr) {
	if len(s) == 0 { // nothing since the last fence
		return
	}
	writes, reads := results(in)
	var now []*ptx.Instr
	for _, r := range a.f.regsIn(reads) {
		now = with(now, s[r])
	}
	local, _ := a.f.localAccess(in)
	kind := in.Kind()
	copies := in.Flow() == inst.Same || in.Flow() == inst.Choice && len(in.Args) == 4
	switch {
	case local == localLoad:
		now = a.loadLocal(s, in)
	case local == localStore:
		a.storeLocal(s, in)
	case kind == inst.Load || kind == inst.MatrixLoad || len(now) > 0 && !copies:
		a.local.operands[in] = with(a.local.operands[in], now)
		now = []*ptx.Instr{in}
	}
	for _, r := range a.f.regsIn(writes) {
		switch {
		case in.Guard != nil:
			s[r] = append(slices.Clone(s[r]), now...)
		case len(now) == 0:
			delete(s, r)
		default:
			s[r] = now
		}
	}
}

// with adds instructions to a list that does not have them.
func with(list, more []*ptx.Instr) []*ptx.Instr {
	for _, in := range more {
		if !slices.Contains(list, in) {
			list = append(list, in)
		}
	}
	return list
}

// noteChange adds the step that notes the execution of an instruction which may change a register of a product.
func (e *emitter) noteChange(in *ptx.Instr) {
	a := e.f.unfenced
	if a == nil || !a.changers[in] || in.Kind() == inst.ProductAsync || a.local.loads(in) {
		return
	}
	s := &program.RegisterChange{ID: e.u.productID(in), Site: e.site(trace.Site{}), Loads: e.numbers(a.onlyLoads(in))}
	e.addStep(s, s.Site)
}

// changers are the numbers of the instructions that may have changed registers of a product, in the order of the program.
func (e *emitter) changers(of map[*ptx.Instr][]*ptx.Instr, in *ptx.Instr) []int {
	return e.numbers(of[in])
}

func (e *emitter) numbers(list []*ptx.Instr) (ids []int) {
	slices.SortFunc(list, func(x, y *ptx.Instr) int { return x.Pos.Line - y.Pos.Line })
	for _, by := range list {
		ids = append(ids, e.u.productID(by))
	}
	return ids
}
