package divergence

import (
	"fmt"
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/perf"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/source"
)

// Details is the rule's part of a finding in JSON.
type Details struct {
	BranchStats
	// Rank is 1 for the branch with the greatest cost in the kernel.
	Rank int `json:"rank"`
	// Tried is what grouping the threads of a block by the side of the branch
	// makes of the sides that its divided warps execute.
	Tried []perf.Tried `json:"tried,omitempty"`
}

// BranchStats are the numbers of one branch over all launches of a kernel.
type BranchStats struct {
	Location source.Location `json:"location"`
	// Diverged is how often the branch divided lanes that were together; lanes
	// that leave a loop one after the other count once.
	Diverged uint64 `json:"parted"`
	// Instructions were executed while lanes were idle because of it, Idle is
	// the sum of these lanes over the instructions.
	Instructions uint64 `json:"instructions"`
	Idle         uint64 `json:"idle_lane_instructions"`
	// Share is Idle divided by all lane instructions of the kernel's warps.
	Share float64 `json:"share_idle"`
}

// KernelStats are the totals of one kernel.
type KernelStats struct {
	Kernel     string `json:"kernel"`
	KernelName string `json:"kernel_name"`
	// LaneInstructions are the instructions of warps times 32; Idle those in
	// which a lane had no part, Absent those of lanes without a thread.
	LaneInstructions uint64        `json:"lane_instructions"`
	Idle             uint64        `json:"idle_lane_instructions"`
	Absent           uint64        `json:"absent_lane_instructions"`
	Branches         []BranchStats `json:"branches"`
}

func (k *kernel) stats(t *total) BranchStats {
	s := BranchStats{Location: t.site.Loc, Diverged: t.diverged, Instructions: t.instrs, Idle: t.idle}
	if k.slots > 0 {
		s.Share = float64(t.idle) / float64(k.slots)
	}
	return s
}

// Statistics returns []KernelStats, ordered by kernel.
func (c *checker) Statistics() any {
	out := []KernelStats{}
	for _, k := range perf.InOrder(c.kernels) {
		ks := KernelStats{k.name, finding.Demangle(k.name), k.slots, k.idle, k.absent, []BranchStats{}}
		for _, t := range k.sorted() {
			ks.Branches = append(ks.Branches, k.stats(t))
		}
		out = append(out, ks)
	}
	return out
}

// sorted returns the branches in the order of the source.
func (k *kernel) sorted() []*total {
	return perf.BySource(k.branches, func(t *total) source.Location { return t.site.Loc })
}

// Findings returns the branches that are worth it, by kernel and rank.
func (c *checker) Findings() []*finding.Finding {
	fs := []*finding.Finding{}
	for _, k := range perf.InOrder(c.kernels) {
		branches := k.sorted()
		sites := []perf.Site{{Index: -1, Cost: k.slots}}
		for i, t := range branches {
			if !t.short() {
				sites = append(sites, perf.Site{Index: i, Excess: t.idle, Mild: true})
			}
		}
		for rank, s := range perf.Choose(sites).Sites {
			fs = append(fs, k.finding(branches[s.Index], rank+1))
		}
		if k.absent*20 >= k.slots && k.partial.Count() > 0 {
			fs = append(fs, k.absentFinding())
		}
	}
	finding.Sort(fs)
	return fs
}

// muchIdle is the share from which on a branch can be a warning.
const muchIdle = 0.1

func (k *kernel) finding(t *total, rank int) *finding.Finding {
	d := Details{BranchStats: k.stats(t), Rank: rank}
	tried, helps := t.sample.group()
	if tried != nil {
		d.Tried = append(d.Tried, *tried)
	}
	f := &finding.Finding{
		Rule: Rule.ID, Kind: "idle", Level: perf.Level(d.Share >= muchIdle, helps), Rank: rank,
		Kernel: k.name, KernelName: finding.Demangle(k.name), Launches: t.launches,
		Message: fmt.Sprintf("%.1f %% of the kernel's lanes are idle because of this branch", 100*d.Share),
		Count:   d.Idle, Unit: "idle lane instruction", Details: d, Key: check.SiteKey(t.site),
		Repair: repairOf(helps), Help: t.sample.help(tried, helps),
		Notes: []string{
			fmt.Sprintf("the lanes diverged %s; on average %.4g of 32 were idle in %s",
				check.Plural(t.diverged, "time"), float64(t.idle)/float64(max(t.instrs, 1)), check.Plural(t.instrs, "instruction")),
		},
	}
	if s := &t.sample; s.launch != nil {
		p := &s.warps[0]
		f.Notes = append(f.Notes, fmt.Sprintf("first time: %d of %d lanes of warp %d took the branch",
			bits.OnesCount32(p.Taken), bits.OnesCount32(p.Mask), p.Warp))
		f.Primary = check.Place(t.site, "divided at", check.Thread(s.launch, s.block, p.Warp, bits.TrailingZeros32(p.Mask)))
	} else {
		f.Primary = check.Place(t.site, "", nil)
	}
	return f
}

// group puts the threads of the block that went one way into warps of their
// own: it counts the sides that are executed, before by each divided warp and
// after by as many warps as are needed. It returns nil where one warp was
// divided only.
func (s *sample) group() (*perf.Tried, bool) {
	if len(s.warps) < 2 {
		return nil, false
	}
	taken, all := 0, 0
	for _, p := range s.warps {
		taken += bits.OnesCount32(p.Taken)
		all += bits.OnesCount32(p.Mask)
	}
	t := &perf.Tried{Kind: finding.GroupThreads, Change: "group threads by side", Before: 2 * len(s.warps), After: (taken+31)/32 + (all-taken+31)/32}
	return t, t.Helps(len(s.warps))
}

// repairOf is the change where grouping helps, or does not.
func repairOf(helps bool) *finding.Repair {
	if helps {
		return &finding.Repair{Kind: finding.GroupThreads}
	}
	return &finding.Repair{Kind: finding.OtherWork}
}

// help puts it into words. Where all divided warps part in the same way, the
// lane's number decides, else data or the thread's number in the block.
func (s *sample) help(tried *perf.Tried, helps bool) string {
	if !helps {
		return "grouping the threads of a block by path would not help here: give the idle lanes other work, or shorten the guarded code"
	}
	same := true
	for _, p := range s.warps {
		same = same && p.Taken == s.warps[0].Taken && p.Mask == s.warps[0].Mask
	}
	how := "sort or group the work so that adjacent lanes take the same path"
	if same {
		how = "all warps diverge in the same way: make the condition uniform across a warp (compare the thread index with a bound or divide it by 32, instead of using a remainder)"
	}
	return fmt.Sprintf("%s (tried on one block: %d warps execute %d paths; with threads grouped by path, %d)", how, len(s.warps), tried.Before, tried.After)
}

// absentFinding is about lanes without a thread.
func (k *kernel) absentFinding() *finding.Finding {
	n := k.block.Size()
	full := (n + 31) / 32 * 32
	return &finding.Finding{
		Rule: Rule.ID, Kind: "partial-warp", Level: finding.Info,
		Kernel: k.name, KernelName: finding.Demangle(k.name), Launches: k.partial,
		Message: fmt.Sprintf("%.1f %% of the kernel's lanes have no thread: blocks of %d threads are not a multiple of 32", 100*float64(k.absent)/float64(k.slots), n),
		Count:   k.absent, Unit: "idle lane instruction", Key: "absent",
		Repair: &finding.Repair{Kind: finding.RoundToWarps}, Help: fmt.Sprintf("launch blocks of %d threads, which take the same number of warps", full),
	}
}
