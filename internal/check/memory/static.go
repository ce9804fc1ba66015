package memory

import (
	"context"
	"fmt"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/static"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Static reports indices beyond shared arrays.
func Static(ctx context.Context, _ check.Config, u *static.Unit) []*finding.Finding {
	var set finding.Set
	for _, b := range u.Bounds(ctx) {
		set.Add(staticFinding(u, &b))
	}
	return set.Sorted()
}

// StaticDetails is the rule's part of a static finding in JSON, for dynamic shared memory:
// all that lies beyond it is due to its one size.
type StaticDetails struct {
	Variable string `json:"variable"`
	Origin   string `json:"origin"`
}

func staticFinding(u *static.Unit, b *static.Beyond) *finding.Finding {
	e, a := b.Evidence, b.Access
	f := &finding.Finding{
		Rule: "memory", Kind: "out-of-bounds", Level: finding.Error, Kernel: u.F.Name, Count: 1, Unit: "place",
		Message: fmt.Sprintf("out of bounds of shared variable %s: %d bytes at byte %d of %d",
			check.VariableName(a.Root.Object.Name), a.Mem.Size(), e.Offset, b.Size),
		Cause: finding.Cause(trace.CauseOutside), Object: staticObject(b), Repair: &finding.Repair{Kind: ResizeArray},
		Range: finding.Bytes{Lo: e.Offset, Hi: e.Offset + int64(a.Mem.Size())},
	}
	if v := a.Root.Object; v.Extern {
		f.Repair.Kind, f.Origin = ResizeDynamic, "size of "+v.Name
		f.Details = StaticDetails{Variable: check.VariableName(v.Name), Origin: "size of " + v.Name}
	}
	f.Help = helps[f.Repair.Kind]
	f.Primary = check.StaticPlace(a.Value, check.StaticRole(a.Value, a.Writes), check.StaticThread(e.Block[0], e.Thread[0], e.Shape))
	if n := e.Rounds[0]; len(n) > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("in round %s of its loops, from 0", check.Numbers(n)))
	}
	f.Notes = append(f.Notes, check.ForParams(u, e)...)
	check.Confident(f, u, b.Needs)
	if f.Confidence == finding.Possible {
		f.Level = finding.Warning
	}
	f.Key = "static\x00" + check.StaticKey(a.Value)
	return f
}

// staticObject is the shared array that an index leaves.
func staticObject(b *static.Beyond) *finding.Object {
	return &finding.Object{Kind: finding.Variable, Space: trace.SpaceShared.String(), Name: check.VariableName(b.Access.Root.Object.Name), Size: uint64(b.Size)}
}
