package order

import (
	"fmt"
	"slices"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/repair/code"
)

// AddCalls is the patch that adds all calls and strengthens all orders that a repair names, each at its place; none where one of
// them has none.
func AddCalls(p *code.Program, f *finding.Finding) []*code.Patch {
	var each []*code.Patch
	for _, o := range f.Repair.Orders {
		made := strengthenAt(p, o)
		if made == nil {
			return nil
		}
		each = append(each, made)
	}
	for _, a := range f.Repair.Adds {
		at := a.Before
		if at == nil {
			at = a.After
		}
		_, s := p.At(at.Pos)
		if s == nil {
			return nil
		}
		c := code.Calls{Text: spellCall(p, a.Call, at.File) + ";"}
		if a.Before != nil {
			c.Before(s)
		} else {
			c.Behind(s)
		}
		if len(c.Patches) == 0 {
			return nil
		}
		each = append(each, c.Patches[0])
	}
	if len(each) < 2 {
		return each
	}
	all := code.Join(each...)
	if len(f.Repair.Orders) > 0 { // with one of them alone the program would still rely on what its atomics do not promise
		all.Parts = nil
	}
	return []*code.Patch{all}
}

// MakeFlagVolatile makes the accesses to a flag volatile where it is set and where it is seen, with the fences that the repair names.
func MakeFlagVolatile(p *code.Program, f *finding.Finding) []*code.Patch {
	if !f.Repair.Placed() {
		return nil
	}
	each := makeVolatileAt(p, f.Repair.From.Pos, f.Repair.To.Pos)
	if len(each) == 0 {
		return AddCalls(p, f)
	}
	parts := append(each, AddCalls(p, f)...)
	if len(parts) == 1 {
		return parts
	}
	return append([]*code.Patch{code.Join(parts...)}, AddCalls(p, f)...) // the flag may be volatile by the patch for another finding
}

// OnFlag reports whether the accesses of a finding are those of the flag that its repair names, or it names none: what a flag is for does
// not become ordered when it is volatile.
func OnFlag(f *finding.Finding) bool {
	r := f.Repair
	return !r.Placed() || slices.ContainsFunc(code.Places(f), func(at finding.Place) bool { return at.Loc.Pos == r.From.Pos || at.Loc.Pos == r.To.Pos })
}

// WriteFirst moves a write before the statement that sets its flag, with a fence between the two, or before the fence that the flag
// comes right after.
func WriteFirst(p *code.Program, f *finding.Finding) []*code.Patch {
	r := f.Repair
	if r.At == nil || r.From == nil || r.Then == "" {
		return nil
	}
	_, s := p.At(r.From.Pos)
	_, flag := p.At(r.At.Pos)
	if s == nil || flag == nil || s.Outer == nil || !s.Outer.IsList() || len(s.Inner) > 0 || s.Node.Kind == "DeclStmt" || s.Node.Begin.Macro {
		return nil
	}
	for i, o := range s.Outer.Inner {
		if o == s && !CanMoveOver(s, slices.DeleteFunc(slices.Clone(s.Outer.Inner[:i]), func(o *code.Statement) bool { return o.To <= flag.From })) {
			return nil
		}
	}
	take := s.File.Replace(s.From, s.To, "")
	c := code.Calls{Text: string(s.File.Text[s.From:s.To]), Edits: []code.Edit{s.Lines(take)}, Inline: []code.Edit{take}}
	what := fmt.Sprintf("move line %d before line %d", s.File.Line(s.From), flag.File.Line(flag.From))
	if fence := putFenceBefore(flag); fence != nil {
		what = fmt.Sprintf("move line %d before line %d", s.File.Line(s.From), fence.File.Line(fence.From))
		c.Before(fence)
	} else {
		c.Text += "\n" + spellCall(p, r.Then, r.At.File) + ";"
		what += fmt.Sprintf(", with %s between", r.Then)
		c.Before(flag)
	}
	for _, patch := range c.Patches {
		patch.Call, patch.What = "", what
	}
	return c.Patches
}

// putFenceBefore returns the statement before s in its list if that is a call of a fence of the device or the system, nil if it is not.
func putFenceBefore(s *code.Statement) *code.Statement {
	if s.Outer == nil || !s.Outer.IsList() {
		return nil
	}
	list := s.Outer.Inner
	i := slices.Index(list, s)
	if i < 1 || list[i-1].Node == nil || list[i-1].Node.Begin.Macro || list[i-1].Node.Kind != "CallExpr" {
		return nil
	}
	if name := code.Callee(list[i-1].Node); name != "__threadfence" && name != "__threadfence_system" {
		return nil
	}
	return list[i-1]
}
