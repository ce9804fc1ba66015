package session

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/warpgrind/warpgrind/internal/build"
	"github.com/warpgrind/warpgrind/internal/capsule"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/visible"
)

// ShowCapsule writes what is in a capsule, for people.
func ShowCapsule(w io.Writer, file string) error {
	c, err := capsule.Open(file)
	if err != nil {
		return &build.UsageError{Err: err}
	}
	defer c.Close()
	showCapsule(w, c)
	return nil
}

func showCapsule(w io.Writer, c *capsule.Capsule) {
	showLaunch(w, &c.Launch)
	_, _ = visible.Fprintf(w, "module: %s, %d bytes of PTX, %d source files\n", c.Module.Name, c.Module.PTX.Size, len(c.Sources))
	showMemory(w, c)
	_, _ = visible.Fprintf(w, "recorded by warpgrind %s: %s, race model %s\n", c.Version, c.Settings.Arch, c.Settings.RaceModel)
	for _, m := range c.Missing {
		_, _ = visible.Fprintf(w, "not recorded: %s\n", m)
	}
}

func showLaunch(w io.Writer, l *capsule.Launch) {
	_, _ = visible.Fprintf(w, "launch %d: %s\n", l.ID, finding.Demangle(l.Kernel))
	if l.Where != "" {
		_, _ = visible.Fprintf(w, "  at %s\n", l.Where)
	}
	_, _ = visible.Fprintf(w, "  grid (%d,%d,%d), block (%d,%d,%d), %d bytes of dynamic shared memory\n",
		l.Grid.X, l.Grid.Y, l.Grid.Z, l.Block.X, l.Block.Y, l.Block.Z, l.SharedDynamic)
	for i, a := range l.Arguments {
		_, _ = visible.Fprintf(w, "  argument %d: %s 0x%s", i, cmp.Or(a.Type, "bytes"), reversed(a.Value))
		if a.Buffer != "" {
			_, _ = visible.Fprintf(w, ", in %s", a.Buffer)
		}
		fmt.Fprintln(w)
	}
	if l.Children != nil {
		fmt.Fprintln(w, "  with the child grids that it launches")
	}
	for i := range l.Neighbors {
		_, _ = visible.Fprintf(w, "  %s\n", neighborLine(&l.Neighbors[i]))
	}
}

func showMemory(w io.Writer, c *capsule.Capsule) {
	live, left, written := 0, uint64(0), uint64(0)
	for _, a := range c.Memory.Allocations {
		if !a.Freed {
			live++
		}
		for _, s := range a.Left {
			left += s.Bytes
		}
		for _, k := range a.After {
			written += k.Data.Size
		}
	}
	_, _ = visible.Fprintf(w, "memory: %d allocations, %d bytes of contents", live, c.Bytes())
	if left > 0 {
		_, _ = visible.Fprintf(w, ", without %d bytes that the launch does not access", left)
	}
	if c.Outputs {
		_, _ = visible.Fprintf(w, ", %d bytes in pieces that it changes", written)
	}
	fmt.Fprintln(w)
}

// neighborLine says how a launch is ordered with the recorded one.
func neighborLine(n *capsule.Neighbor) string {
	switch n.Order {
	case capsule.Precedes:
		return "after launch " + describeNeighbor(n) + " in its stream"
	case capsule.Overlaps:
		return "may overlap launch " + describeNeighbor(n) + " before it in its stream: a programmatic dependent launch"
	}
	return "not ordered with launch " + describeNeighbor(n)
}

// reversed has the bytes of a little-endian number in hexadecimal from the highest to the lowest.
func reversed(hex string) string {
	b := []byte(hex)
	slices.Reverse(b)
	for i := 0; i+1 < len(b); i += 2 {
		b[i], b[i+1] = b[i+1], b[i]
	}
	return string(b)
}
