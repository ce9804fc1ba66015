package check

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/ssa"
	"github.com/warpgrind/warpgrind/internal/static"
)

// staticAccess is what operations do to memory.
var staticAccess = map[ssa.Op]finding.Access{ssa.Load: finding.Read, ssa.Store: finding.Write, ssa.Atomic: finding.Atomic}

// StaticPlace describes a value's place; t may be nil.
func StaticPlace(v *ssa.Value, role string, t *finding.Thread) finding.Place {
	p := finding.Place{Role: role, Access: staticAccess[v.Op], Loc: v.Loc, Thread: t}
	if v.Instr != nil {
		p.PTX, p.PTXLine = v.Instr.String(), v.Instr.Pos.Line
	}
	return p
}

// StaticKey identifies a value's place, as SiteKey does a site's.
func StaticKey(v *ssa.Value) string {
	if !v.Loc.IsValid() && v.Instr != nil {
		return fmt.Sprintf("@%d", v.Instr.Pos.Line)
	}
	k := v.Loc.String()
	for _, p := range v.Loc.InlinedAt {
		k += "<" + p.String()
	}
	return k
}

// StaticThread describes a thread of a block whose extents are shape.
func StaticThread(block, thread, shape [3]uint32) *finding.Thread {
	linear := thread[0] + shape[0]*(thread[1]+shape[1]*thread[2])
	return &finding.Thread{
		Block:  finding.Coord{X: block[0], Y: block[1], Z: block[2]},
		Thread: finding.Coord{X: thread[0], Y: thread[1], Z: thread[2]},
		Warp:   int(linear / 32), Lane: int(linear % 32),
	}
}

// StaticRole says what an operation does to its place.
func StaticRole(v *ssa.Value, writes bool) string {
	switch {
	case v.Op == ssa.Atomic:
		return "atomically updated by"
	case writes:
		return "written by"
	}
	return "read by"
}

// Confident sets a finding's confidence and says what it depends on.
func Confident(f *finding.Finding, u *static.Unit, needs []static.Need) {
	if len(needs) == 0 {
		f.Confidence = finding.Proved
		f.Notes = append(f.Notes, "proved"+forLaunch(u))
		return
	}
	f.Confidence = finding.Possible
	note := "possible: it depends on " + u.Describe(needs)
	if how := u.Decide(needs); how != "" {
		note += "; decided by " + how
	} else {
		note += "; decided by running the program"
	}
	f.Notes = append(f.Notes, note)
}

// Example is the launch of a piece of evidence: as the kernel is checked for, and where that is not known as the
// threads of the evidence need it.
func Example(u *static.Unit, e *static.Evidence) *finding.Example {
	x := &finding.Example{Grid: u.Launch.Grid, Block: u.Launch.Block, Arguments: map[int]uint64{}, Members: map[[2]int]uint64{},
		Sizes: map[[2]int]uint64{}}
	for p, n := range e.Sizes {
		x.Sizes[[2]int{p.Param, p.Offset}] = n
	}
	for i := range 3 {
		if x.Grid[i] == 0 {
			x.Grid[i] = max(e.Grid[i], e.Block[0][i]+1, e.Block[1][i]+1)
		}
		if x.Block[i] == 0 {
			x.Block[i] = max(e.Shape[i], e.Thread[0][i]+1, e.Thread[1][i]+1)
		}
	}
	for _, values := range []map[static.Part]uint64{u.Launch.Params, e.Params} {
		for p, v := range values {
			switch {
			case p.Param >= len(u.F.PTX.Params):
				return nil
			case len(u.F.PTX.Params[p.Param].Dims) > 0:
				x.Members[[2]int{p.Param, p.Offset}] = v
			default:
				x.Arguments[p.Param] = v
			}
		}
	}
	return x
}

// forLaunch names the launch that a proof is for.
func forLaunch(u *static.Unit) string {
	if !u.Launch.Known() {
		return " for blocks of any size"
	}
	return " for blocks of " + Extents(u.Launch.Block) + " threads"
}

// Extents writes extents without trailing ones: 16x16, 256.
func Extents(d [3]uint32) string {
	text := fmt.Sprintf("%dx%dx%d", d[0], d[1], d[2])
	for strings.HasSuffix(text, "x1") {
		text = strings.TrimSuffix(text, "x1")
	}
	return text
}

// ForParams says for which parameters and extents an example is.
func ForParams(u *static.Unit, e *static.Evidence) []string {
	var notes []string
	for _, p := range slices.SortedFunc(maps.Keys(e.Params), static.Part.Compare) {
		notes = append(notes, fmt.Sprintf("for %s = %d", u.Part(p), e.Params[p]))
	}
	if !u.Launch.Known() && e.Shape[0] > 0 { // 0: the extents do not matter
		notes = append(notes, fmt.Sprintf("for blocks of %s threads", Extents(e.Shape)))
	}
	return notes
}

// Numbers lists numbers: "1, 2".
func Numbers(ns []uint64) string {
	text := ""
	for i, n := range ns {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprint(n)
	}
	return text
}
