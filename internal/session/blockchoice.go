package session

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/engine"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/host"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// maxListedBlocks bounds the blocks that are named.
const maxListedBlocks = 1 << 24

// blockChoice is what --only-blocks takes: the blocks of a grid that run, by linear index. The zero blockChoice is all.
type blockChoice struct {
	text  string
	parts []blockPart
}

// blockPart is the blocks [first, last], every one in N of the grid, or the grid's last block.
type blockPart struct {
	first, last uint64
	every       uint64
	isLast      bool
}

// parseBlockChoice reads numbers, ranges, "first", "last" and 1/N, separated by commas: "first,last,4,64-127,1/1000".
func parseBlockChoice(text string) (*blockChoice, error) {
	c := &blockChoice{text: text}
	if text == "" {
		return c, nil
	}
	for _, part := range strings.Split(text, ",") {
		p, ok := parseBlockPart(strings.TrimSpace(part))
		if !ok {
			return nil, fmt.Errorf("--only-blocks %q: want first, last, numbers, ranges or 1/N, separated by commas, such as first,last,64-127,1/1000", text)
		}
		if p.last-p.first >= maxListedBlocks {
			return nil, fmt.Errorf("--only-blocks %q: want at most %d blocks", text, maxListedBlocks)
		}
		c.parts = append(c.parts, p)
	}
	return c, nil
}

func parseBlockPart(text string) (p blockPart, ok bool) {
	switch text {
	case "first":
		return blockPart{}, true
	case "last":
		return blockPart{isLast: true}, true
	}
	if n, every := strings.CutPrefix(text, "1/"); every {
		v, err := strconv.ParseUint(n, 10, 64)
		p.every = v
		return p, err == nil && v > 0
	}
	lo, hi, isRange := strings.Cut(text, "-")
	if !isRange {
		hi = lo
	}
	first, err1 := strconv.ParseUint(lo, 10, 64)
	last, err2 := strconv.ParseUint(hi, 10, 64)
	return blockPart{first: first, last: last}, err1 == nil && err2 == nil && first <= last
}

// Of lists the chosen ones of n blocks in rising order, those of the text that the grid has. It returns an error where they are too many.
func (c *blockChoice) Of(n uint64) ([]uint64, error) {
	var out []uint64
	for _, p := range c.parts {
		first, last, step := p.first, min(p.last, n-1), uint64(1)
		switch {
		case p.isLast:
			first, last = n-1, n-1
		case p.every > 0:
			first, last, step = 0, n-1, p.every
		}
		if first > last {
			continue
		}
		if (last-first)/step >= maxListedBlocks-uint64(len(out)) {
			return nil, fmt.Errorf("--only-blocks %s: of %d blocks these are more than %d", c.text, n, maxListedBlocks)
		}
		for b := first; b <= last; b += step {
			out = append(out, b)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// choose returns the blocks of a launch that run, by the number of their cluster where it has clusters; nil for all. The blocks of a
// cooperative launch wait for each other: all of them run.
func (s *Session) choose(l host.LaunchConfig) []uint64 {
	if len(s.Only.parts) == 0 || l.Cooperative {
		return nil
	}
	t := trace.Launch{Grid: l.Grid, Cluster: l.Cluster}
	list, err := s.Only.Of(l.Grid.Size())
	if err != nil {
		s.onlyFailed = err
		return nil
	}
	if len(list) == 0 { // of a small grid all run
		return nil
	}
	if t.ClusterSize() > 1 {
		for i, b := range list {
			list[i], _ = t.ClusterOf(b)
		}
		slices.Sort(list)
		list = slices.Compact(list)
	}
	if uint64(len(list)) == l.Grid.Size()/t.ClusterSize() {
		return nil
	}
	return list
}

// watchSkipped notes the first launch of which blocks are skipped.
func (s *Session) watchSkipped() {
	if len(s.Only.parts) == 0 {
		return
	}
	s.Observers = append(s.Observers, &trace.Observer{Launch: func(l *trace.Launch) []*trace.LaunchObserver {
		if l.Skipped > 0 && s.cut == nil {
			id := l.ID
			s.cut = &id
		}
		return nil
	}})
}

// dependsOnContents are the rules whose findings may come from an index that a kernel reads from memory.
var dependsOnContents = []string{"race", "memory"}

// noteSkipped adds to errors of launches behind the first one with skipped blocks that these may explain them: an index, an offset or a list that a
// skipped block would have written is usually still 0, so that threads meet at one element or leave an array. The level stays, since most
// errors have another cause.
func (s *Session) noteSkipped(found []*finding.Finding) {
	for _, f := range found {
		if s.cut != nil && f.Level == finding.Error && f.Launches.First() > *s.cut && slices.Contains(dependsOnContents, f.Rule) {
			f.Notes = append(f.Notes, fmt.Sprintf("blocks of earlier launches were not executed, from launch %d on: an index that they would have written may explain it", *s.cut))
		}
	}
}

// stateSkipped adds to the report how many blocks were not executed, where replay has not done so.
func (s *Session) stateSkipped(t engine.Counts) {
	s.Report.Summary.SkippedBlocks += t.Skipped
	if s.skips = t.Skipped; t.Skipped > 0 && !s.Stated {
		s.Say("executed %d of %d blocks (--only-blocks %s): results are not those of the whole program, and what the other blocks do was not checked",
			t.Blocks, t.Blocks+t.Skipped, s.Only.text)
	}
	if s.onlyFailed != nil {
		s.Say("%v: all were executed", s.onlyFailed)
	}
}
