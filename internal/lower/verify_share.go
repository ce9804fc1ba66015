package lower

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// Checked is Kernel for tests and debugging: it verifies the program and that
// no value is overwritten, while it lives, by another in the same place.
func Checked(m *ptx.Module, name string, syms Symbols) (*program.Program, error) {
	u, err := lowerKernel(m, name, syms, true)
	if err != nil {
		return nil, err
	}
	if u.clobbered != nil {
		return nil, fmt.Errorf("kernel %s: %w", name, u.clobbered)
	}
	return u.prog, Verify(u.prog)
}

// maxChecked bounds blocks times shared places; larger functions are not
// checked.
const maxChecked = 1 << 26

// checkSharing follows what each place of more than one slot holds along all
// paths, in ways that have nothing in common with how places were found. The
// program must still have slot numbers.
func (u *unit) checkSharing() error {
	users := make([]int, len(u.slots))
	for i := range u.slots {
		users[u.slots[i].place]++
	}
	for _, f := range u.order {
		c := &shareCheck{ranges: newRanges(&sharing{u: u}, f), u: u, index: map[int32]int{}}
		for i := range u.slots {
			if p := u.slots[i].place; i > 0 && p > 0 && users[p] > 1 && u.slots[i].fn == f.index {
				if _, ok := c.index[p]; !ok {
					c.index[p] = len(c.index)
				}
			}
		}
		if len(c.index)*(c.blocks()+1) > maxChecked {
			continue
		}
		if c.holds(); c.err == nil {
			c.regions()
		}
		if c.err != nil {
			return c.err
		}
	}
	return nil
}

// shareCheck is the check of one function.
type shareCheck struct {
	*ranges
	u     *unit
	index map[int32]int // places by number
	err   error
}

// What a place holds: a slot's number, with guardedOnly if only lanes with
// the guard of the last write hold it; unknown before any path is known.
const (
	unknown     int32 = 0
	mixed       int32 = -1
	guardedOnly int32 = 1 << 30
)

// at returns the number of the slot's place if others share it.
func (c *shareCheck) at(slot int32) (int, bool) {
	i, ok := c.index[c.u.slots[slot].place]
	return i, ok
}

// holds runs the forward analysis until nothing changes and then checks each
// read.
func (c *shareCheck) holds() {
	n := c.blocks()
	in := make([][]int32, n)
	for b := range in {
		in[b] = make([]int32, len(c.index))
	}
	prologue := n - 1
	c.atEntry(in[prologue])
	work := []int{prologue}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		out := append([]int32(nil), in[b]...)
		c.run(b, out, false)
		for _, s := range c.succ(b) {
			if meetInto(in[s], out) {
				work = append(work, s)
			}
		}
	}
	for b := range in {
		c.run(b, in[b], true)
	}
}

func (c *shareCheck) succ(b int) []int {
	if b < len(c.start) {
		return c.f.g.Graph.Succ[b]
	}
	if len(c.start) == 0 {
		return nil
	}
	return []int{0}
}

// atEntry sets what places hold when the function begins: parameters, and what
// is filled with 0.
func (c *shareCheck) atEntry(state []int32) {
	for i := range state {
		state[i] = mixed
	}
	for _, z := range c.u.prog.Zero {
		if i, ok := c.at(z.Slot); ok && c.f.index == 0 {
			state[i] = z.Slot
		}
	}
	for _, w := range c.u.prog.Funcs[c.f.index].Params {
		for _, x := range w {
			if i, ok := c.at(x); ok {
				state[i] = x
			}
		}
	}
}

// meetInto joins what two paths leave and reports a change.
func meetInto(to, from []int32) bool {
	changed := false
	for i, v := range from {
		if to[i] != v && to[i] != mixed {
			if to[i] != unknown {
				v = mixed
			}
			to[i], changed = v, true
		}
	}
	return changed
}

// run follows the steps of block b; with check it looks at the reads.
func (c *shareCheck) run(b int, state []int32, check bool) {
	from, to := c.span(b)
	p := c.u.prog
	for i := from; i < to; i++ {
		in := &p.Code[i]
		guarded := in.Guard != program.NoSlot
		if check {
			c.reads(i, in, state)
		}
		p.Slots(in, func(x int32, u program.Use) {
			k, ok := c.at(x)
			if !ok || u&program.Writes == 0 {
				return
			}
			if (guarded || u&program.Partly != 0) && state[k] != x && state[k] != unknown {
				state[k] = x | guardedOnly
			} else {
				state[k] = x
			}
		})
	}
}

// reads checks that each slot that step i reads is still in its place, and
// that no two of its slots are in one.
func (c *shareCheck) reads(i int32, in *program.Instr, state []int32) {
	p := c.u.prog
	written := map[int]int32{}
	p.Slots(in, func(x int32, u program.Use) {
		k, ok := c.at(x)
		if !ok || u&program.Writes == 0 {
			return
		}
		if y, ok := written[k]; ok && y != x {
			c.failf(i, "slots %d and %d are written to one place", x, y)
		}
		written[k] = x
	})
	p.Slots(in, func(x int32, u program.Use) {
		k, ok := c.at(x)
		if !ok || u&program.Reads == 0 {
			return
		}
		if h := state[k]; h != x && h != unknown && (h != x|guardedOnly || in.Guard == program.NoSlot) {
			c.failf(i, "slot %d is read where its place holds %d", x, h)
		}
		if y, ok := written[k]; ok && y != x && u&program.Late != 0 {
			c.failf(i, "slot %d is read late where %d is written", x, y)
		}
	})
}

func (c *shareCheck) failf(step int32, format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("step %d: %s", step, fmt.Sprintf(format, args...))
	}
}

// regions checks the rule for what is kept once a warp: no side of a divergent
// branch writes to a place that holds what another side, or the reconvergence point,
// still wants.
func (c *shareCheck) regions() {
	live := c.liveUniform()
	g := c.f.g
	for b := range c.start {
		if len(g.Graph.Succ[b]) < 2 || !c.divergent(b) {
			continue
		}
		meet := g.IPdom[b]
		for from, s := range g.Graph.Succ[b] {
			reach := g.Graph.Reachable(s, func(n int) bool { return n == meet })
			for n, in := range reach {
				if in {
					c.sideWrites(b, n, from, meet, live)
				}
			}
		}
	}
}

// divergent reports whether b is a block whose lanes may go different ways.
func (c *shareCheck) divergent(b int) bool {
	from, to := c.span(b)
	for i := from; i < to; i++ {
		if in := &c.u.prog.Code[i]; (in.Op == program.OpBranch || in.Op == program.OpTable) && c.u.slots[in.A].kind >= area32 {
			return true
		}
	}
	return false
}

// sideWrites checks the writes of block n, which lies on side from of b.
func (c *shareCheck) sideWrites(b, n, from, meet int, live [][]bool) {
	wanted := func(y int32) bool {
		if meet >= 0 && live[meet][y] {
			return true
		}
		for k, s := range c.f.g.Graph.Succ[b] {
			if k != from && s != meet && live[s][y] {
				return true
			}
		}
		return false
	}
	lo, hi := c.span(n)
	for i := lo; i < hi; i++ {
		c.u.prog.Slots(&c.u.prog.Code[i], func(x int32, u program.Use) {
			if _, ok := c.at(x); !ok || u&program.Writes == 0 || c.u.slots[x].kind > uniBcast64 {
				return
			}
			for y := range c.u.slots {
				if int32(y) != x && c.u.slots[y].place == c.u.slots[x].place && wanted(int32(y)) {
					c.failf(i, "slot %d, kept once a warp, is overwritten by %d on another side of block %d", y, x, b)
				}
			}
		})
	}
}

// liveUniform tells by block which slots kept once a warp live at its start.
func (c *shareCheck) liveUniform() [][]bool {
	live := make([][]bool, len(c.start))
	for b := range live {
		live[b] = make([]bool, len(c.u.slots))
	}
	for changed := true; changed; {
		changed = false
		for b := len(live) - 1; b >= 0; b-- {
			now := make([]bool, len(c.u.slots))
			for _, s := range c.f.g.Graph.Succ[b] {
				for x, v := range live[s] {
					now[x] = now[x] || v
				}
			}
			c.backward(b, now)
			for x, v := range now {
				if v && !live[b][x] {
					live[b][x], changed = true, true
				}
			}
		}
	}
	return live
}

func (c *shareCheck) backward(b int, now []bool) {
	from, to := c.span(b)
	for i := to - 1; i >= from; i-- {
		in := &c.u.prog.Code[i]
		for _, use := range []program.Use{program.Writes, program.Reads} {
			c.u.prog.Slots(in, func(x int32, u program.Use) {
				if u&use != 0 && c.u.slots[x].kind <= uniBcast64 {
					now[x] = use == program.Reads
				}
			})
		}
	}
}
