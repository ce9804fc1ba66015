package repair

import (
	"fmt"
	"io"

	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/visible"
)

// Need says whether a synchronization is needed.
type Need string

// The verdicts.
const (
	// Redundant: the program does the same without it, or with less.
	Redundant Need = "redundant"
	// Unneeded: these inputs do not need it, and it is not proved that no other does. It stays, unless the user asks for what these inputs need.
	Unneeded Need = "unneeded-here"
	// Kept: it is redundant, and the user did not take the patch.
	Kept Need = "kept"
	// Needed: what was tried instead does not hold.
	Needed Need = "needed"
	// NotReached: nothing executes it on these inputs.
	NotReached Need = "not-reached"
)

// TidyResult is the verdict on one synchronization.
type TidyResult struct {
	At   source.Pos      `json:"at"`
	Kind Synchronization `json:"kind"`
	Text string          `json:"text"`
	Need Need            `json:"need"`
	// Executions are those by threads, on all inputs.
	Executions uint64 `json:"executions"`
	// What describes the patch, Edits are its edits, and Saving is what it saves on the first
	// input, negative if it costs.
	What   string               `json:"what,omitempty"`
	Edits  []source.Replacement `json:"edits,omitempty"`
	Saving *Saving              `json:"saving,omitempty"`
	// Proved is set if no input makes it needed: for any grid, block, parameters and memory. Unproved is why that is not proved.
	Proved   bool   `json:"proved,omitempty"`
	Unproved string `json:"unproved,omitempty"`
	// Tried are the patches that did not hold.
	Tried []Trial `json:"tried,omitempty"`
}

// Saving is a difference of two costs.
type Saving struct {
	Instructions int64 `json:"instructions"`
	Barriers     int64 `json:"barriers"`
	Fences       int64 `json:"fences"`
	Atomics      int64 `json:"atomics"`
}

// SavedBy is what a program saves that costs after instead of before.
func SavedBy(before, after *Cost) *Saving {
	less := func(a, b uint64) int64 { return int64(a) - int64(b) }
	return &Saving{less(before.Instructions, after.Instructions), less(before.Barriers, after.Barriers), less(before.Fences, after.Fences), less(before.Atomics, after.Atomics)}
}

// TidyReport is what of a program's synchronization is redundant.
type TidyReport struct {
	Schema  int          `json:"schema"`
	Results []TidyResult `json:"results"`
	// Inputs and Schedules are how many inputs each patch ran with, and under how many orders of
	// threads and blocks besides the usual one.
	Inputs    int       `json:"inputs"`
	Schedules int       `json:"schedules"`
	Files     []Changed `json:"files"`
	Before    *Cost     `json:"before,omitempty"`
	After     *Cost     `json:"after,omitempty"`
	Messages  []string  `json:"messages,omitempty"`
	// Environment is what failed on this machine and was replaced, nil for nothing.
	Environment *report.Environment `json:"environment,omitempty"`
	Exit        int                 `json:"exit"`
}

// Diff writes the changes as a unified diff, with names relative to dir.
func (r *TidyReport) Diff(w io.Writer, dir string) error { return writeDiff(w, r.Files, dir) }

// Text writes the verdicts, with names relative to dir.
func (r *TidyReport) Text(w io.Writer, dir string) {
	n, here := 0, 0
	for _, x := range r.Results {
		at := x.At
		at.File = within(dir, at.File)
		_, _ = visible.Fprintf(w, "%v: %s: ", at, x.Text)
		switch x.Need {
		case Redundant:
			n++
			where := "on these inputs"
			if x.Proved {
				where = "on all inputs"
			}
			_, _ = visible.Fprintf(w, "redundant %s: %s\n", where, x.What)
			x.Saving.text(w)
			x.unproved(w)
		case Unneeded:
			here++
			_, _ = visible.Fprintf(w, "kept: these inputs do not need it, others may\n")
			x.unproved(w)
		case Kept:
			n++
			fmt.Fprintln(w, "redundant, and kept: the patch was declined")
		case NotReached:
			fmt.Fprintln(w, "not reached")
		case Needed:
			fmt.Fprintln(w, "needed")
		}
		for _, t := range x.Tried {
			_, _ = visible.Fprintf(w, "    tried: %s: %s\n", t.What, t.Why)
		}
	}
	if len(r.Results) > 0 {
		_, _ = visible.Fprintf(w, "warpgrind: %d of %d are redundant; inputs: %d, schedules: %d\n", n, len(r.Results), r.Inputs, 1+r.Schedules)
	}
	if here > 0 {
		_, _ = visible.Fprintf(w, "warpgrind: %d of %d are kept, as only these inputs are known not to need them: --these-inputs takes them out\n", here, len(r.Results))
	}
	for _, m := range r.Messages {
		_, _ = visible.Fprintf(w, "warpgrind: %s\n", m)
	}
}

// unproved writes why another input may need it.
func (x *TidyResult) unproved(w io.Writer) {
	if x.Unproved != "" {
		_, _ = visible.Fprintf(w, "    not proved for all inputs: %s\n", x.Unproved)
	}
}

func (s *Saving) text(w io.Writer) {
	if s == nil {
		return
	}
	for _, x := range []struct {
		n    int64
		what string
	}{{s.Barriers, "barrier executions by blocks"}, {s.Fences, "fence executions by threads"}, {s.Atomics, "atomic operations by threads"}, {s.Instructions, "instructions of threads"}} {
		switch {
		case x.n > 0:
			_, _ = visible.Fprintf(w, "    saved %s: %d\n", x.what, x.n)
		case x.n < 0:
			_, _ = visible.Fprintf(w, "    additional %s: %d\n", x.what, -x.n)
		}
	}
}
