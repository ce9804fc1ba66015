package instrument

import (
	"fmt"
)

// Static holds the facts about accesses without running the program.
type Static struct {
	Sites []Verdict `json:"sites"`

	byLine map[string][]Verdict
}

// Verdict holds the facts about the accesses of a line, or of one of them.
type Verdict struct {
	// File is absolute once it has been parsed.
	File string `json:"file"`
	Line int    `json:"line"`
	// Column is 0 for all accesses of the line; Kind is "read" or "write", ""
	// for both.
	Column int    `json:"column,omitempty"`
	Kind   string `json:"kind,omitempty"`
	// Safe accesses have no race. ThreadInvariant ones are to the same address
	// in all threads, LoopInvariant ones in all iterations of the loops around.
	Safe            bool `json:"safe"`
	ThreadInvariant bool `json:"thread_invariant,omitempty"`
	LoopInvariant   bool `json:"loop_invariant,omitempty"`
}

// verdict joins all that is said of an access: it is safe, or invariant, if
// everything that is said of its line and kind is so.
func (s *Static) verdict(file string, line, col int, k Kind) Verdict {
	if s == nil {
		return Verdict{}
	}
	if s.byLine == nil {
		s.byLine = map[string][]Verdict{}
		for _, v := range s.Sites {
			key := fmt.Sprintf("%s:%d", v.File, v.Line)
			s.byLine[key] = append(s.byLine[key], v)
		}
	}
	out := Verdict{Safe: true, ThreadInvariant: true, LoopInvariant: true}
	known := false
	for _, v := range s.byLine[fmt.Sprintf("%s:%d", file, line)] {
		if v.Column != 0 && v.Column != col || v.Kind == "read" && k == Write || v.Kind == "write" && k == Read {
			continue
		}
		known = true
		out.Safe = out.Safe && v.Safe
		out.ThreadInvariant = out.ThreadInvariant && v.ThreadInvariant
		out.LoopInvariant = out.LoopInvariant && v.LoopInvariant
	}
	if !known {
		return Verdict{}
	}
	return out
}

// flags are the places that an access of a kind need not be watched at. A write is watched in all lanes: those of one
// warp that write to one place race with each other.
func (v Verdict) flags(k Kind) int {
	f := 0
	if v.ThreadInvariant && (k&Write == 0 || k == Atomic) {
		f |= oneThread
	}
	if v.LoopInvariant {
		f |= oneIteration
	}
	return f
}
