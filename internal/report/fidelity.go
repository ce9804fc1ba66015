package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Fidelity counts the executed instructions by how closely the engine computes them: exactly, as every
// GPU does; within documented errors, but not to the last bit; not at all.
type Fidelity struct {
	// Exact is how many were executed, by warps.
	Exact       uint64       `json:"exact"`
	Approximate []Executions `json:"approximate,omitempty"`
	Unsupported []Executions `json:"unsupported,omitempty"`
}

// Executions is an instruction, with its modifiers, and how often warps have executed it.
type Executions struct {
	Instruction string `json:"instruction"`
	Warps       uint64 `json:"warps"`
}

// add adds the counts of another run.
func (f *Fidelity) add(o *Fidelity) *Fidelity {
	if f == nil || o == nil {
		return cmp.Or(f, o)
	}
	return &Fidelity{f.Exact + o.Exact, addExecutions(f.Approximate, o.Approximate), addExecutions(f.Unsupported, o.Unsupported)}
}

func addExecutions(a, b []Executions) []Executions {
	out := slices.Clone(a)
	for _, x := range b {
		i, has := slices.BinarySearchFunc(out, x, func(y, x Executions) int { return strings.Compare(y.Instruction, x.Instruction) })
		if has {
			out[i].Warps += x.Warps
		} else {
			out = slices.Insert(out, i, x)
		}
	}
	return out
}

// line puts it into words.
func (f *Fidelity) line() string {
	if f == nil {
		return ""
	}
	parts := []string{count(f.Exact, "execution", "executions") + " by warps exact"}
	for _, l := range []struct {
		what string
		list []Executions
	}{{"approximate", f.Approximate}, {"unsupported", f.Unsupported}} {
		var words []string
		for _, x := range l.list {
			words = append(words, fmt.Sprintf("%s (%d)", x.Instruction, x.Warps))
		}
		if len(words) > 0 {
			parts = append(parts, l.what+": "+strings.Join(words, ", "))
		}
	}
	return strings.Join(parts, "; ")
}
