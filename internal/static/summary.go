package static

import (
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/source"
)

// KernelSummary holds the facts about a kernel's pairs of accesses for a launch.
type KernelSummary struct {
	Kernel string `json:"kernel"`
	// Block and Grid have 0 for what is not known.
	Block [3]uint32 `json:"block"`
	Grid  [3]uint32 `json:"grid"`
	// Accesses are those to shared and global memory; Pairs those of them that
	// could be in conflict.
	Accesses int `json:"accesses"`
	Pairs    int `json:"pairs"`
	Safe     int `json:"safe"`
	Watched  int `json:"watched"`
	Possible int `json:"possible"`
	Proved   int `json:"proved"`
	// Reasons say why pairs are to be watched.
	Reasons []Reason `json:"reasons,omitempty"`
	// Sites are the accesses.
	Sites []SiteSummary `json:"sites,omitempty"`
}

// Reason is why so many pairs are to be watched.
type Reason struct {
	Why   string `json:"why"`
	Pairs int    `json:"pairs"`
}

// SiteSummary holds the facts about an access: the worst verdict of its pairs,
// whether all threads that execute it together access one address, and in how
// many of the loops around it all rounds do; LoopInvariant where it is all of them.
type SiteSummary struct {
	Location source.Location `json:"location"`
	Kind     string          `json:"kind"`
	// Space is "shared", "global" or "generic".
	Space           string `json:"space"`
	Name            string `json:"name,omitempty"`
	Verdict         string `json:"verdict"`
	ThreadInvariant bool   `json:"thread_invariant,omitempty"`
	LoopInvariant   bool   `json:"loop_invariant,omitempty"`
	// Strong is set for atomic and volatile accesses and the like, which can follow each other in
	// any order without a conflict.
	Strong         bool `json:"-"`
	Loops          int  `json:"loops,omitempty"`
	InvariantLoops int  `json:"invariant_loops,omitempty"`
}

// Summary counts the pairs of the models that were asked for; ok is false where
// none was.
func (u *Unit) Summary() (k KernelSummary, ok bool) {
	k = KernelSummary{Kernel: u.F.Name, Block: u.Launch.Block, Grid: u.Launch.Grid}
	for _, r := range u.races {
		ok = true
		k.add(r)
	}
	return k, ok
}

func (k *KernelSummary) add(r *Races) {
	k.Accesses, k.Pairs, k.Safe = len(r.Accesses), len(r.Pairs)+r.Safe, r.Safe
	why := map[string]int{}
	worst := map[*Access]Verdict{}
	for _, p := range r.Pairs {
		*[]*int{&k.Safe, &k.Watched, &k.Possible, &k.Proved}[p.Verdict]++
		if p.Verdict == Watched {
			why[strings.TrimPrefix(p.Why, "not decided: ")]++
		}
		worst[p.A], worst[p.B] = max(worst[p.A], p.Verdict), max(worst[p.B], p.Verdict)
	}
	for w, n := range why {
		k.Reasons = append(k.Reasons, Reason{w, n})
	}
	if r.Undecided != "" {
		k.Reasons = append(k.Reasons, Reason{strings.TrimPrefix(r.Undecided, "not decided: "), 0})
	}
	slices.SortFunc(k.Reasons, func(a, b Reason) int { return strings.Compare(a.Why, b.Why) })
	for _, a := range r.Accesses {
		v := worst[a]
		if r.Undecided != "" {
			v = Watched
		}
		k.Sites = append(k.Sites, SiteSummary{Location: a.Value.Loc, Kind: a.kind(), Space: a.space(), Name: a.Name(), Verdict: v.String(),
			Strong:          a.Atomic || a.Mem.Order != "" && a.Mem.Order != "weak",
			ThreadInvariant: a.ThreadInvariant, LoopInvariant: a.Loops > 0 && a.Loops == a.InvariantLoops,
			Loops: a.Loops, InvariantLoops: a.InvariantLoops})
	}
}

// kind is "read", "write" or "atomic".
func (a *Access) kind() string {
	switch {
	case a.Atomic:
		return "atomic"
	case a.Writes:
		return "write"
	}
	return "read"
}

func (a *Access) space() string {
	switch a.Mem.Space {
	case ptx.Shared:
		return "shared"
	case ptx.Global:
		return "global"
	}
	return "generic"
}
