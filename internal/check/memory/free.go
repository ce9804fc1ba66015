package memory

import (
	"strconv"
	"strings"
	"sync"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// checker adds to faults what the host frees wrongly.
type checker struct {
	check.Faults
	mu    sync.Mutex
	seq   uint64
	frees finding.Set
}

// Findings returns what was found, in the order of a report.
func (c *checker) Findings() []*finding.Finding {
	var all finding.Set
	all.AddAll(c.Faults.Findings())
	all.AddAll(c.frees.Sorted())
	return all.Sorted()
}

// InvalidFree adds a finding for a free that CUDA refused.
func (c *checker) InvalidFree(e *trace.InvalidFree) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seq++
	f := &finding.Finding{
		Rule: Rule.ID, Kind: "invalid-free", Level: finding.Error, Count: 1, Unit: "call",
		Message: e.Call + ": " + e.Message,
		Primary: finding.Place{Role: "freed here", Loc: source.Location{Pos: position(e.Where)}},
		Notes:   append([]string{"CUDA reports cudaErrorInvalidValue and frees nothing"}, e.Notes...),
		Help:    "free the pointer that the allocation gave, with the function that belongs to it",
		Key:     "free\x00" + e.Call + "\x00" + e.Where,
		Witness: [4]uint64{c.seq},
	}
	if e.Double {
		f.Kind, f.Help = "double-free", "free the memory once, and set the pointer to null then"
	}
	c.frees.Add(f)
}

// position reads "file:line"; it is unknown where that is missing.
func position(where string) source.Pos {
	i := strings.LastIndexByte(where, ':')
	if i < 0 {
		return source.Pos{}
	}
	line, err := strconv.Atoi(where[i+1:])
	if err != nil {
		return source.Pos{}
	}
	return source.Pos{File: where[:i], Line: line}
}
