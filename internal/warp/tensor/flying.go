package tensor

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// newest is the last operation on its way with one of the numbers.
func (u *Unit) newest(ids []int) flying {
	if len(ids) == 0 {
		return flying{}
	}
	has := func(id int) bool { return slices.Contains(ids, id) }
	lists := append(slices.Clone(u.wgmma.groups), u.wgmma.open)
	for _, list := range slices.Backward(lists) {
		for _, p := range slices.Backward(list) {
			if has(p.step.ID) {
				return flying{product: p.step, op: p.op}
			}
		}
	}
	for _, load := range slices.Backward(u.loads) {
		if has(load.ID) {
			return flying{load: load, waits: u.flights.waits}
		}
	}
	return flying{}
}

// flies reports whether an operation is still on its way.
func (u *Unit) flies(x flying) bool {
	if x.load != nil {
		return x.waits == u.flights.waits
	}
	is := func(p inFlight) bool { return p.op == x.op }
	return x.product != nil && (slices.ContainsFunc(u.wgmma.open, is) ||
		slices.ContainsFunc(u.wgmma.groups, func(list []inFlight) bool { return slices.ContainsFunc(list, is) }))
}

// localAddress is where in local memory an access goes, for the first of lanes m; not ok if it goes to other memory.
func (u *Unit) localAddress(op *program.Mem, m uint32) (at uint64, ok bool) {
	addr, _ := u.warp.AddressesOf(op, m)
	at = addr[vec.Lowest(m)&31]
	if op.Space == trace.SpaceLocal {
		return at, true
	}
	return at - mem.LocalWindow, at-mem.LocalWindow < mem.LocalWindowSize
}

// exec follows products through the load or store that is next.
func (s *localFlight) exec(u *Unit, m uint32) bool {
	x := &u.flights
	if x.stored == nil {
		x.stored, x.loaded = map[uint64]flying{}, map[int]flying{}
	}
	at, ok := u.localAddress(&s.Mem, m)
	if !ok {
		delete(x.loaded, s.Load)
		return true
	}
	if s.Load == program.NoLoad {
		for i, ids := range s.Stored {
			x.stored[at+uint64(i*s.Mem.Elem)] = u.newest(ids)
		}
		return true
	}
	got := flying{}
	for i := range s.Mem.Count {
		if y := x.stored[at+uint64(i*s.Mem.Elem)]; u.flies(y) {
			got = y
		}
	}
	x.loaded[s.Load] = got
	return true
}

// exec looks for products on their way whose registers the next instruction accesses.
func (s *productCheck) exec(u *Unit, m uint32) bool {
	if s.Unless != nil {
		if _, ok := u.localAddress(s.Unless, m); ok {
			return true
		}
	}
	for _, p := range s.Products {
		x := flying{}
		if p.Load == program.NoLoad {
			x = u.newest([]int{p.Product})
		} else if y := u.flights.loaded[p.Load]; y.id() == p.Product && u.flies(y) {
			x = y
		}
		switch {
		case x.product != nil:
			f := u.warp.Fault(trace.FaultBarrier, trace.CauseInFlight, s.Site, m, "%s accesses a register of %s, which may not have ended", s.Site.Opcode(), x.product.Site.Name())
			f.Notes = append(f.Notes, "wgmma.mma_async works on its registers until a wgmma.wait_group has waited for its group")
			return false
		case x.load != nil:
			if f := u.block.Observer().Defect; f != nil {
				f(&trace.Defect{Kind: trace.DefectTensorRegister, Site: s.Site, Warp: u.warp.Number(), Mask: m, Load: x.load.Site})
			}
			return true
		}
	}
	return true
}

// id is the number of the operation, -1 for none.
func (x flying) id() int {
	switch {
	case x.product != nil:
		return x.product.ID
	case x.load != nil:
		return x.load.ID
	}
	return -1
}
