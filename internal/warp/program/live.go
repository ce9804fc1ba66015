package program

import "slices"

// liveness says which uniform slots hold a value that may still be read at a step:
// lanes at one step that differ in others only can continue together.
type liveness struct {
	l *Loops
	// slots are the uniform ones in order. One reaches to where the next begins.
	slots []int32
	// in has by block what is live where it begins.
	in []map[int32]bool
}

// liveness is computed when lanes of a warp of the program first meet apart.
func (p *Program) liveness() *liveness {
	p.liveOnce.Do(func() { p.live = findLive(p) })
	return p.live
}

func findLive(p *Program) *liveness {
	v := &liveness{l: p.Loops()}
	seen := map[int32]bool{}
	for i := range p.Code {
		p.Slots(&p.Code[i], func(s int32, _ Use) {
			if s < p.Uniform && !seen[s] {
				seen[s] = true
				v.slots = append(v.slots, s)
			}
		})
	}
	slices.Sort(v.slots)
	v.in = make([]map[int32]bool, len(v.l.starts))
	for i := range v.in {
		v.in[i] = map[int32]bool{}
	}
	for changed := true; changed; {
		changed = false
		for b := len(v.in) - 1; b >= 0; b-- {
			from, _ := v.l.span(int32(b))
			for s := range v.at(from) {
				if !v.in[b][s] {
					v.in[b][s], changed = true, true
				}
			}
		}
	}
	return v
}

// at returns what is live before a step.
func (v *liveness) at(pc int32) map[int32]bool {
	p, b := v.l.p, v.l.block[pc]
	live := map[int32]bool{}
	v.l.edges(b, func(to int32) {
		for s := range v.in[to] {
			live[s] = true
		}
	})
	_, to := v.l.span(b)
	for i := to - 1; i >= pc; i-- {
		in := &p.Code[i]
		if in.Guard == NoSlot {
			p.Slots(in, func(s int32, u Use) {
				if u&Writes != 0 && u&Partly == 0 {
					delete(live, s)
				}
			})
		}
		p.Slots(in, func(s int32, u Use) {
			if u&Reads != 0 && s < p.Uniform {
				live[s] = true
			}
		})
	}
	return live
}

// SameUniform reports whether two copies of the uniform slots agree in what may still be
// read at a step.
func (p *Program) SameUniform(pc int32, a, b []uint64) bool { return p.liveness().same(pc, a, b) }

// same reports whether two copies of the uniform slots agree in what is live at a step.
func (v *liveness) same(pc int32, a, b []uint64) bool {
	live := v.at(pc)
	for i, s := range v.slots {
		if !live[s] {
			continue
		}
		end := len(a)
		if i+1 < len(v.slots) {
			end = int(v.slots[i+1] / 8)
		}
		if !slices.Equal(a[s/8:end], b[s/8:end]) {
			return false
		}
	}
	return true
}
