package coverage

import (
	"fmt"
	"maps"
	"slices"

	"github.com/warpgrind/warpgrind/internal/pragma"
	"github.com/warpgrind/warpgrind/internal/source"
)

// Count is how often something was executed.
type Count struct {
	Threads uint64 `json:"threads"`
	// Warps counts executions by warps, with one active thread or more. It is 0 where Threads is not if it is not known.
	Warps uint64 `json:"warps,omitempty"`
}

func (c *Count) add(n Count) {
	c.Threads += n.Threads
	c.Warps += n.Warps
}

// Collector joins what there is to cover with what was executed.
type Collector struct {
	functions map[string]*counted // by ID
	// real are the names of functions of which there is code.
	real   map[string]bool
	counts map[pragma.Counter]Count
	// decisions are those of conditions that decide whether a counter is increased.
	decisions map[pragma.Counter]Decision
	// launched are the IDs of functions that a kernel which was launched has in it.
	launched map[string]bool
	// warps are executions of lines by warps.
	warps map[source.Pos]uint64
}

// counted is a function of a unit, decoded.
type counted struct {
	Function
	*mapping
}

// NewCollector makes an empty collector.
func NewCollector() *Collector {
	return &Collector{functions: map[string]*counted{}, real: map[string]bool{}, counts: map[pragma.Counter]Count{}, decisions: map[pragma.Counter]Decision{}, launched: map[string]bool{}, warps: map[source.Pos]uint64{}}
}

// Add adds what there is to cover in a unit. A function that is there already counts once.
func (c *Collector) Add(u *Unit) error {
	names, err := u.fileNames()
	if err != nil {
		return fmt.Errorf("coverage mapping: %w", err)
	}
	for _, f := range u.Functions {
		id := f.ID()
		if c.functions[id] != nil {
			continue
		}
		m, err := f.decode(names)
		if err != nil {
			return fmt.Errorf("coverage mapping of %s: %w", f.Name, err)
		}
		c.functions[id] = &counted{f, m}
		c.real[f.Name] = c.real[f.Name] || f.Hash != 0
	}
	return nil
}

// Count adds executions of the place of a marker, none where a kernel that was launched has the marker and did not come there.
func (c *Collector) Count(m pragma.Counter, n Count) {
	was := c.counts[m]
	was.add(n)
	c.counts[m] = was
	c.launched[m.Function] = true
}

// Decision is how often a condition held and did not. Diverged counts the evaluations by warps in which it held in some threads and
// not in others.
type Decision struct {
	Yes, No  Count
	Diverged uint64
}

// Decide adds evaluations of the condition of a marker.
func (c *Collector) Decide(m pragma.Counter, n Decision) {
	was := c.decisions[m]
	was.Yes.add(n.Yes)
	was.No.add(n.No)
	was.Diverged += n.Diverged
	c.decisions[m] = was
	c.Count(m, n.Yes)
}

// Executed adds executions of a line by warps.
func (c *Collector) Executed(line source.Pos, warps uint64) {
	c.warps[source.Pos{File: line.File, Line: line.Line}] += warps
}

// Result is what was executed of what there is to cover.
func (c *Collector) Result() *Result {
	b := builder{Collector: c, files: map[string]*fileBuilder{}}
	for _, id := range slices.Sorted(maps.Keys(c.functions)) {
		if f := c.functions[id]; f.Hash != 0 || !c.real[f.Name] {
			b.function(id, f)
		}
	}
	return b.result()
}
