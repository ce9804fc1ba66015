package perf

import (
	"cmp"
	"fmt"
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Contention counts atomic operations of lanes of one warp on one word. Memory carries
// them out one after the other (CUDA C++ Programming Guide, "Atomic Functions"), so that
// an instruction takes as many updates in a row as its most wanted word has lanes.
type Contention struct {
	// Requests are executions by a warp, Updates the updates in a row that they took.
	Requests, Updates uint64
}

// Plus adds the numbers of o, times over.
func (c *Contention) Plus(o *Contention, times uint64) {
	c.Requests += times * o.Requests
	c.Updates += times * o.Updates
}

// Minus returns the difference of c and what it was before.
func (c *Contention) Minus(before *Contention) Contention {
	return Contention{c.Requests - before.Requests, c.Updates - before.Updates}
}

// Excess is the updates beyond one a request.
func (c *Contention) Excess() uint64 { return c.Updates - c.Requests }

// Add counts an access and returns its updates in a row; 0 for one that is not an atomic
// operation which a warp could combine.
func (c *Contention) Add(a *trace.Access) int {
	if !combines(a.Site) {
		return 0
	}
	n := mostAtOne(a.Mask, a.Addr)
	c.Requests++
	c.Updates += uint64(n)
	return n
}

// combines reports whether s is an operation that one lane can do for several: neither an exchange,
// of which there is one winner, nor a compare-and-swap.
func combines(s *trace.Site) bool {
	return s.Kind == trace.Atomic && s.Op.Kind == inst.Atomic && !s.Op.IsSwap()
}

// mostAtOne is the greatest number of lanes with one address.
func mostAtOne(mask uint32, addr *[32]uint64) int {
	most := 0
	for left := mask; bits.OnesCount32(left) > most; {
		at, n := addr[bits.TrailingZeros32(left)], 0
		for m := left; m != 0; m &= m - 1 {
			if l := bits.TrailingZeros32(m); addr[l] == at {
				left &^= 1 << l
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

// Crowd is the worst request of a place: most updates in a row, then the lowest block,
// then the first in time.
type Crowd struct {
	Launch *trace.Launch
	Block  uint64
	Warp   int
	Lane   int
	Addr   uint64
	// Lanes is how many update one word.
	Lanes int
}

// Keep replaces the worst request if the access, which takes n updates, is worse.
func (c *Crowd) Keep(l *trace.Launch, block uint64, a *trace.Access, n int) {
	if n > c.Lanes || n == c.Lanes && n > 1 && c.Launch == l && block < c.Block {
		lane := bits.TrailingZeros32(a.Mask)
		*c = Crowd{l, block, a.Warp, lane, a.Addr[lane], n}
	}
}

// Merge keeps the worse one.
func (c *Crowd) Merge(o *Crowd) {
	if o.Lanes > c.Lanes || o.Lanes == c.Lanes && o.Launch != nil && c.before(o) > 0 {
		*c = *o
	}
}

func (c *Crowd) before(o *Crowd) int {
	return cmp.Or(cmp.Compare(c.Launch.ID, o.Launch.ID), cmp.Compare(c.Block, o.Block))
}

// Contended is a place with atomic operations.
type Contended struct {
	Contention
	Crowd
	Site     *trace.Site
	Launches finding.Launches
	// Object names the memory, "" where it is unknown.
	Object string
}

// leastLanes is how many updates in a row a request takes on average where they are
// reported: fewer is what bins that the data decides have anyhow.
const leastLanes = 8

// ContentionDetails is what a finding of contention says in JSON.
type ContentionDetails struct {
	Requests uint64 `json:"requests"`
	Updates  uint64 `json:"updates"`
	Excess   uint64 `json:"excess"`
	// Worst is the most lanes of a warp that updated one word.
	Worst int `json:"worst"`
	Rank  int `json:"rank"`
}

// ContentionFindings returns the places of one kernel that are worth a finding of a rule.
// cost is what the kernel does in all in the rule's unit.
func ContentionFindings(rule, kernel string, cost uint64, places []Contended) (out []*finding.Finding) {
	sites := []Site{{Index: -1, Cost: cost}}
	for i := range places {
		p := &places[i]
		sites = append(sites, Site{Index: i, Cost: p.Updates, Excess: p.Excess(), Exempt: p.Updates < leastLanes*p.Requests})
	}
	for rank, s := range Choose(sites).Sites {
		out = append(out, places[s.Index].finding(rule, kernel, rank+1))
	}
	return out
}

func (p *Contended) finding(rule, kernel string, rank int) *finding.Finding {
	on := "one word"
	if p.Object != "" {
		on += " of " + p.Object
	}
	t := check.Thread(p.Launch, p.Block, p.Warp, p.Lane)
	return &finding.Finding{
		Rule: rule, Kind: "contention", Level: finding.Warning, Rank: rank, Kernel: kernel, KernelName: finding.Demangle(kernel), Launches: p.Launches,
		Message: fmt.Sprintf("up to %d lanes of a warp update %s in one atomic instruction: %.4g successive updates where 1 would do",
			p.Lanes, on, float64(p.Updates)/float64(p.Requests)),
		Count: p.Excess(), Unit: "excess update", Key: "contention\x00" + check.SiteKey(p.Site),
		Primary: check.Place(p.Site, check.Role(p.Site.Kind), t),
		Notes:   []string{fmt.Sprintf("%s by %s", check.Plural(p.Updates, "update"), check.Plural(p.Requests, "warp access"))},
		Help:    "combine the values of the warp first (__reduce_add_sync, shuffles, or cooperative_groups::reduce) and let one lane update the word",
		Details: ContentionDetails{p.Requests, p.Updates, p.Excess(), p.Lanes, rank},
	}
}
