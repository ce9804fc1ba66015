package program

import (
	"strings"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// Exit is a way out of a loop: the comparison that decides it and the branch's
// place. It is certain if at most one step of the loop writes each operand.
type Exit struct {
	Compare *Instr
	Site    *trace.Site
	Certain bool
}

// Exits lists the ways out of the loop that a comparison in their block decides.
func (x *Loop) Exits() []Exit {
	var out []Exit
	for _, b := range x.blocks {
		from, to := x.of.span(b)
		last := &x.p.Code[to-1]
		for i := to - 1; i >= from; i-- {
			if x.p.Code[i].Op == OpBranch {
				last = &x.p.Code[i]
				break
			}
		}
		if last.Op != OpBranch || !x.exits(b) {
			continue
		}
		if in := x.comparison(last, from, to); in != nil {
			out = append(out, Exit{Compare: in, Site: x.p.Branches[last.X].Site, Certain: x.certain(in.A) && x.certain(in.B)})
		}
	}
	return out
}

// exits reports whether block b has a way out of the loop.
func (x *Loop) exits(b int32) bool {
	out := false
	x.of.edges(b, func(to int32) { out = out || !x.in[to] })
	return out
}

// comparison finds what set the branch's predicate in its block.
func (x *Loop) comparison(br *Instr, from, to int32) *Instr {
	for i := to - 1; i >= from; i-- {
		in := &x.p.Code[i]
		if in.D == br.A && in.ALU != nil && len(in.ALU.Args) == 2 && strings.HasPrefix(in.ALU.Name, "setp.") {
			return in
		}
	}
	return nil
}

// certain reports whether at most one step of the loop writes a slot.
func (x *Loop) certain(slot int32) bool {
	writes := 0
	x.Each(func(s *Instr) {
		if x.p.writes(s, map[int32]bool{slot: true}) {
			writes++
		}
	})
	return writes <= 1
}
