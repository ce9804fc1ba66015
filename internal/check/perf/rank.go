package perf

import (
	"cmp"
	"slices"

	"github.com/warpgrind/warpgrind/internal/finding"
)

// Limits of what is reported of one kernel by one rule.
const (
	// minShare is the least excess that is reported, as a part of all that the
	// kernel does in the rule's unit; minMild the same where it is mild.
	minShare = 0.01
	minMild  = 0.05
	// maxSites is how many places are reported.
	maxSites = 10
)

// Tried is a change that was tried on the recorded addresses: what they cost
// as they are and what they would cost then, in the unit of the rule.
type Tried struct {
	// Kind is what kind of change it is, Change the same with its numbers, in words.
	Kind   finding.RepairKind `json:"kind"`
	Change string             `json:"change"`
	Before int                `json:"before"`
	After  int                `json:"after"`
}

// BetterThan reports whether a change leaves a smaller part of the excess than
// another one; ideal and other are the ideal costs of the requests of each.
func (t Tried) BetterThan(o Tried, ideal, other int) bool {
	return max(t.After-ideal, 0)*(o.Before-other) < max(o.After-other, 0)*(t.Before-ideal)
}

// Helps reports whether a change removes at least half of the excess.
func (t Tried) Helps(ideal int) bool {
	return t.Before > ideal && 2*(t.Before-t.After) >= t.Before-ideal
}

// Site is what the choice of findings must know of a place.
type Site struct {
	// Index is the caller's number of the place.
	Index int
	// Cost is what the place needed, Excess the part of it beyond the ideal.
	Cost, Excess uint64
	// Mild is set if the place is not severe, Exempt if it is not a finding.
	Mild, Exempt bool
}

// least is the part of the kernel's cost from which on a place is reported.
func (s *Site) least() float64 {
	switch {
	case s.Exempt:
		return 2
	case s.Mild:
		return minMild
	}
	return minShare
}

// Chosen is the outcome of Choose.
type Chosen struct {
	// Sites are to be reported, the greatest excess first.
	Sites []Site
	// Left is how many places with excess are not, LeftExcess what they have.
	Left       int
	LeftExcess uint64
	// Cost and Excess are the kernel's.
	Cost, Excess uint64
}

// Choose selects the places of one kernel that are worth a finding: those whose
// excess is at least 1 % of the kernel's cost, 5 % if it is mild, and ten at
// most.
func Choose(sites []Site) Chosen {
	var c Chosen
	for _, s := range sites {
		c.Cost += s.Cost
		c.Excess += s.Excess
	}
	for _, s := range sites {
		if s.Excess > 0 && float64(s.Excess) >= s.least()*float64(c.Cost) {
			c.Sites = append(c.Sites, s)
		} else if s.Excess > 0 {
			c.Left++
			c.LeftExcess += s.Excess
		}
	}
	slices.SortStableFunc(c.Sites, func(a, b Site) int { return cmp.Compare(b.Excess, a.Excess) })
	for len(c.Sites) > maxSites {
		c.Left++
		c.LeftExcess += c.Sites[len(c.Sites)-1].Excess
		c.Sites = c.Sites[:len(c.Sites)-1]
	}
	return c
}

// Severe reports whether a place costs at least half as much again as it
// should; less is information.
func Severe(cost, ideal uint64) bool { return 2*cost >= 3*ideal }

// Level is a warning where the excess is severe and something was found that
// removes it, else information.
func Level(severe, remedy bool) finding.Level {
	if severe && remedy {
		return finding.Warning
	}
	return finding.Info
}
