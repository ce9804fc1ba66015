package memory

import (
	"context"
	"fmt"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/pragma"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ssa"
	"github.com/warpgrind/warpgrind/internal/static"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Static reports indices beyond the arrays of a module, allocations whose size the host code shows, local arrays, members
// and rows.
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
	f := &finding.Finding{Rule: "memory", Kind: "out-of-bounds", Level: finding.Error, Kernel: u.F.Name, Count: 1, Unit: "place"}
	f.Primary = check.StaticPlace(a.Value, check.StaticRole(a.Value, a.Writes), check.StaticThread(e.Block[0], e.Thread[0], e.Shape))
	switch {
	case a.Local == nil && a.Root.Op == ssa.Param:
		staticAllocation(f, u, b)
	case a.Local == nil:
		staticVariable(f, b)
	case a.Local.Kind == pragma.Local:
		staticLocal(f, b)
	default:
		staticPart(f, b)
	}
	if n := e.Rounds[0]; len(n) > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("in iteration %s of its loops, counted from 0", check.Numbers(n)))
	}
	f.Notes = append(f.Notes, check.ForParams(u, e)...)
	check.Confident(f, u, b.Needs)
	if f.Confidence == finding.Possible {
		f.Level = finding.Warning
	}
	f.Key, f.Example = "static\x00"+check.StaticKey(a.Value), check.Example(u, e)
	return f
}

// staticSpaces are the spaces that variables of a module are in.
var staticSpaces = map[ptx.Space]trace.Space{ptx.Shared: trace.SpaceShared, ptx.Global: trace.SpaceGlobal, ptx.Const: trace.SpaceConst}

// staticAllocation describes an access beyond an array that the host allocated.
func staticAllocation(f *finding.Finding, u *static.Unit, b *static.Beyond) {
	at, size := b.Evidence.Offset, int64(b.Access.Mem.Size())
	p, _ := u.Parameter(b.Access)
	f.Message = fmt.Sprintf("out of bounds of the allocation of %s: %d bytes at byte %d of %d", u.Part(p), size, at, b.Size)
	f.Cause = finding.Cause(trace.CauseOutside)
	f.Object = &finding.Object{Kind: finding.Allocation, Space: trace.SpaceGlobal.String(), Size: uint64(b.Size)}
	f.Range = finding.Bytes{Lo: at, Hi: at + size}
	f.Repair = &finding.Repair{Kind: finding.CheckIndex}
	f.Help = helps[finding.CheckIndex]
}

// staticVariable describes an access beyond an array of the module.
func staticVariable(f *finding.Finding, b *static.Beyond) {
	v := b.Access.Root.Object
	staticRange(f, b, staticSpaces[v.Space], check.VariableName(v.Name))
	f.Repair = &finding.Repair{Kind: finding.ResizeArray}
	if v.Extern {
		f.Repair.Kind, f.Origin = finding.ResizeDynamic, "size of "+v.Name
		f.Details = StaticDetails{Variable: check.VariableName(v.Name), Origin: "size of " + v.Name}
	}
	if len(b.Needs) > 0 && f.Origin == "" { // an array that is too small for some values is so at each of its accesses
		f.Origin = "size of " + v.Name + " in " + f.Kernel
	}
	f.Help = helps[f.Repair.Kind]
}

// staticLocal describes an access beyond a local array.
func staticLocal(f *finding.Finding, b *static.Beyond) {
	staticRange(f, b, trace.SpaceLocal, b.Access.Local.Name)
	f.Repair = &finding.Repair{Kind: finding.ResizeArray}
	f.Help = helps[f.Repair.Kind]
}

// staticRange says which bytes of a variable an access is to.
func staticRange(f *finding.Finding, b *static.Beyond, space trace.Space, name string) {
	at, size := b.Evidence.Offset, int64(b.Access.Mem.Size())
	named := space.String() + " variable " + name
	if name == "-" {
		name, named = "", "a "+space.String()+" variable"
	}
	f.Message = fmt.Sprintf("out of bounds of %s: %d bytes at byte %d of %d", named, size, at, b.Size)
	f.Cause = finding.Cause(trace.CauseOutside)
	f.Object = &finding.Object{Kind: finding.Variable, Space: space.String(), Name: name, Size: uint64(b.Size)}
	f.Range = finding.Bytes{Lo: at, Hi: at + size}
}

// staticPart describes an index beyond a member array or a row.
func staticPart(f *finding.Finding, b *static.Beyond) {
	l := b.Access.Local
	v := &trace.Variable{Name: l.Name, Size: l.Type.Size, Part: trace.PartMember}
	if l.Kind == pragma.Row {
		v.Part = trace.PartRow
	}
	describePart(f, v, partIndex(uint64(b.Evidence.Offset)))
	f.Primary.Role, f.Primary.Access, f.Primary.PTX = "indexed by", "", ""
}
