package session

import (
	"encoding/hex"
	"encoding/json"
	"io"

	"github.com/warpgrind/warpgrind/internal/buffers"
	"github.com/warpgrind/warpgrind/internal/capsule"
	"github.com/warpgrind/warpgrind/internal/device"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// listedLaunch is a launch in the list of --list-launches.
type listedLaunch struct {
	ID         int        `json:"id"`
	Kernel     string     `json:"kernel"`
	KernelName string     `json:"kernel_name"`
	Where      string     `json:"where,omitempty"`
	Grid       trace.Dim3 `json:"grid"`
	Block      trace.Dim3 `json:"block"`
	Cluster    trace.Dim3 `json:"cluster,omitzero"`
	// SharedDynamic is in bytes.
	SharedDynamic uint32             `json:"shared_dynamic,omitempty"`
	Stream        uint64             `json:"stream,omitempty"`
	Device        int                `json:"device,omitempty"`
	Cooperative   bool               `json:"cooperative,omitempty"`
	Programmatic  bool               `json:"programmatic,omitempty"`
	Nests         bool               `json:"nests,omitempty"`
	Arguments     []capsule.Argument `json:"arguments"`
	// Neighbors are the launch before it in its stream, and those that may run at the same time.
	Neighbors []capsule.Neighbor `json:"neighbors,omitempty"`
	// Instructions are those of threads.
	Instructions uint64 `json:"instructions"`
}

// launchLister writes each launch that has ended as a line of JSON.
type launchLister struct {
	w    *json.Encoder
	near *Neighbors
	at   map[int]string
	open map[int]*listedLaunch
}

func (s *Session) listLaunches(w io.Writer) {
	g := &launchLister{w: json.NewEncoder(w), near: NewNeighbors(), at: map[int]string{}, open: map[int]*listedLaunch{}}
	g.w.SetEscapeHTML(false)
	s.LaunchObservers = append(s.LaunchObservers, g)
	s.Observers = append(s.Observers, g.near.Observer(), &trace.Observer{Enqueued: func(e *trace.Enqueued) { g.at[e.Launch] = e.Where }})
	s.afterLaunch = g.ended
}

// Before implements device.Observer.
func (g *launchLister) Before(l *device.Launch) {
	g.near.runs(l.ID, l.Kernel)
	c := &l.Config
	g.open[l.ID] = &listedLaunch{ID: l.ID, Kernel: l.Kernel, KernelName: finding.Demangle(l.Kernel), Where: g.at[l.ID], Grid: c.Grid, Block: c.Block,
		Cluster: c.Cluster, SharedDynamic: c.SharedDynamic, Stream: c.Stream, Device: c.Device, Cooperative: c.Cooperative, Programmatic: c.Programmatic,
		Nests: l.Nests, Arguments: argumentsOf(l), Neighbors: g.near.of(l.ID)}
	delete(g.at, l.ID)
}

// After implements device.Observer.
func (g *launchLister) After(l *device.Launch) {
	x := g.open[l.ID]
	delete(g.open, l.ID)
	if x != nil {
		_ = g.w.Encode(x) // a writer that is gone needs no list
	}
}

// ended notes how much a launch has executed, before After.
func (g *launchLister) ended(l *device.Ran) {
	if x := g.open[l.ID]; x != nil {
		x.Instructions = l.Counts.ThreadInstrs
	}
}

// argumentsOf describes the arguments of a launch.
func argumentsOf(l *device.Launch) []capsule.Argument {
	out := []capsule.Argument{}
	for _, p := range l.Params {
		a := capsule.Argument{Type: p.Type, Value: hex.EncodeToString(p.Value)}
		if al := buffers.PointsTo(l.Arena, p.Value); al != nil {
			a.Buffer = buffers.Describe(al)
		}
		out = append(out, a)
	}
	return out
}
