package report

import (
	"maps"
	"slices"

	"github.com/warpgrind/warpgrind/internal/source"
)

// siteNumber is what the rules counted at one line of the source.
type siteNumber struct {
	file string
	line int
	// Executions are by warps, of memory instructions. Passes are those of
	// shared memory, Units the sectors, lines or transactions of global memory,
	// each with the number that would do; Requests are the accesses that Units
	// are of. Constant are passes of constant memory for ConstantRequests.
	Executions       uint64  `json:"executions,omitempty"`
	Passes           uint64  `json:"passes,omitempty"`
	PassesIdeal      uint64  `json:"passes_ideal,omitempty"`
	Degree           uint64  `json:"degree,omitempty"`
	Requests         uint64  `json:"requests,omitempty"`
	Units            uint64  `json:"units,omitempty"`
	UnitsIdeal       uint64  `json:"units_ideal,omitempty"`
	UnitName         string  `json:"unit_name,omitempty"`
	Constant         uint64  `json:"constant,omitempty"`
	ConstantRequests uint64  `json:"constant_requests,omitempty"`
	Idle             float64 `json:"idle,omitempty"`
}

// statSite has the fields that the rules' statistics give of a site, whichever
// rule it is.
type statSite struct {
	Location source.Location `json:"location"`
	Requests uint64          `json:"requests"`
	Accesses uint64          `json:"accesses"`
	Passes   uint64          `json:"passes"`
	Ideal    uint64          `json:"ideal"`
	Excess   uint64          `json:"excess"`
	Worst    uint64          `json:"worst"`
	Units    uint64          `json:"units"`
	Unit     string          `json:"unit"`
	Idle     float64         `json:"share_idle"`
}

// siteNumbers collects by line what the statistics of the performance rules
// have, in the order of files and lines.
func siteNumbers(stats map[string]any) []*siteNumber {
	type key struct {
		file string
		line int
	}
	byLine := map[key]*siteNumber{}
	for _, rule := range slices.Sorted(maps.Keys(stats)) {
		var kernels []struct {
			Sites    []statSite `json:"sites"`
			Branches []statSite `json:"branches"`
		}
		if !decode(stats[rule], &kernels) {
			continue
		}
		for _, k := range kernels {
			for _, s := range append(k.Sites, k.Branches...) {
				if !s.Location.IsValid() {
					continue
				}
				at := key{s.Location.File, s.Location.Line}
				if byLine[at] == nil {
					byLine[at] = &siteNumber{file: at.file, line: at.line}
				}
				byLine[at].add(rule, &s)
			}
		}
	}
	out := slices.Collect(maps.Values(byLine))
	slices.SortFunc(out, func(a, b *siteNumber) int {
		return source.Pos{File: a.file, Line: a.line}.Compare(source.Pos{File: b.file, Line: b.line})
	})
	return out
}

func (n *siteNumber) add(rule string, s *statSite) {
	switch rule {
	case "bank":
		n.Executions += s.Requests
		n.Passes += s.Passes
		n.PassesIdeal += s.Ideal
		n.Degree = max(n.Degree, s.Worst)
	case "coalesce":
		n.Executions += s.Accesses
		n.Requests += s.Accesses
		n.Units += s.Units
		n.UnitsIdeal += s.Ideal
		n.UnitName = s.Unit
	case "constant":
		n.Executions += s.Requests
		n.Constant += s.Passes
		n.ConstantRequests += s.Requests
	case "divergence":
		n.Idle += s.Idle
	}
}
