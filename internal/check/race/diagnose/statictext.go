package diagnose

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/static"
)

// The sentences for pairs that are found without a run.

const ownBlocks = "give each block its own elements, or use atomics"

func staticMessage(u *static.Unit, p *static.Pair) string {
	object, pointedTo := variable(u, p)
	switch {
	case object == "":
		object = "memory"
	case pointedTo:
		object = "the memory at " + object
	case p.A.Mem.Space != ptx.Shared:
		object = "global variable " + object
	}
	what, hazard := "data race: read and write of ", " (RW)"
	if p.A.Writes && p.B.Writes {
		what, hazard = "data race: two writes to ", " (WW)"
	}
	return what + object + hazard
}

func staticNotes(u *static.Unit, p *static.Pair) []string {
	e := p.Evidence
	notes := []string{fmt.Sprintf("both at byte %d of it%s", e.Offset, staticBetween(p))}
	for i, what := range []string{"the first", "the second"} {
		if n := e.Rounds[i]; len(n) > 0 {
			notes = append(notes, fmt.Sprintf("%s in round %s of its loops, from 0", what, check.Numbers(n)))
		}
	}
	notes = append(notes, check.ForParams(u, e)...)
	if p.SameValue {
		notes = append(notes, "both write the same value")
	}
	return notes
}

// staticBetween names which threads can meet.
func staticBetween(p *static.Pair) string {
	var who []string
	if p.IntraWarp {
		who = append(who, "threads of one warp")
	}
	if p.InterWarp {
		who = append(who, "threads of different warps")
	}
	if p.InterBlock {
		who = append(who, "threads of different blocks")
	}
	text := ""
	for i, w := range who {
		switch {
		case i == 0:
			text = ": " + w
		case i == len(who)-1:
			text += " and " + w
		default:
			text += ", " + w
		}
	}
	return text
}
