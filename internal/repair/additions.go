package repair

import (
	"fmt"
	"slices"

	"github.com/warpgrind/warpgrind/internal/finding"
)

// additions is the patch that adds all calls and strengthens all orders that a repair names, each at its place; none where one of
// them has none.
func (p *Program) additions(f *finding.Finding) []*Patch {
	var each []*Patch
	for _, o := range f.Repair.Orders {
		made := p.strongerAt(o)
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
		_, s := p.at(at.Pos)
		if s == nil {
			return nil
		}
		c := calls{text: p.spelled(a.Call, at.File) + ";"}
		if a.Before != nil {
			c.before(s)
		} else {
			c.behind(s)
		}
		if len(c.patches) == 0 {
			return nil
		}
		each = append(each, c.patches[0])
	}
	if len(each) < 2 {
		return each
	}
	all := Join(each...)
	if len(f.Repair.Orders) > 0 { // with one of them alone the program would still rely on what its atomics do not promise
		all.Parts = nil
	}
	return []*Patch{all}
}

// flagMadeVolatile makes the accesses to a flag volatile where it is set and where it is seen, with the fences that the repair names.
func flagMadeVolatile(p *Program, f *finding.Finding) []*Patch {
	if !f.Repair.Placed() {
		return nil
	}
	each := p.volatileAt(f.Repair.From.Pos, f.Repair.To.Pos)
	if len(each) == 0 {
		return p.additions(f)
	}
	parts := append(each, p.additions(f)...)
	if len(parts) == 1 {
		return parts
	}
	return append([]*Patch{Join(parts...)}, p.additions(f)...) // the flag may be volatile by the patch for another finding
}

// onFlag reports whether the accesses of a finding are those of the flag that its repair names, or it names none: what a flag is for does
// not become ordered when it is volatile.
func onFlag(f *finding.Finding) bool {
	r := f.Repair
	return !r.Placed() || slices.ContainsFunc(places(f), func(at finding.Place) bool { return at.Loc.Pos == r.From.Pos || at.Loc.Pos == r.To.Pos })
}

// writtenFirst moves a write before the statement that sets its flag, with a fence between the two, or before the fence that the flag
// comes right after.
func writtenFirst(p *Program, f *finding.Finding) []*Patch {
	r := f.Repair
	if r.At == nil || r.From == nil || r.Then == "" {
		return nil
	}
	_, s := p.at(r.From.Pos)
	_, flag := p.at(r.At.Pos)
	if s == nil || flag == nil || s.outer == nil || !s.outer.isList() || len(s.inner) > 0 || s.node.Kind == "DeclStmt" || s.node.Begin.Macro {
		return nil
	}
	take := Edit{s.file.Name, s.from, s.to, ""}
	c := calls{text: string(s.file.Text[s.from:s.to]), edits: []Edit{s.lines(take)}, inline: []Edit{take}}
	what := fmt.Sprintf("move line %d before line %d", s.file.line(s.from), flag.file.line(flag.from))
	if fence := flag.fenceBefore(); fence != nil {
		what = fmt.Sprintf("move line %d before line %d", s.file.line(s.from), fence.file.line(fence.from))
		c.before(fence)
	} else {
		c.text += "\n" + p.spelled(r.Then, r.At.File) + ";"
		what += fmt.Sprintf(", with %s between", r.Then)
		c.before(flag)
	}
	for _, patch := range c.patches {
		patch.Call, patch.What = "", what
	}
	return c.patches
}

// fenceBefore returns the statement before s in its list if that is a call of a fence of the device or the system, nil if it is not.
func (s *statement) fenceBefore() *statement {
	if s.outer == nil || !s.outer.isList() {
		return nil
	}
	list := s.outer.inner
	i := slices.Index(list, s)
	if i < 1 || list[i-1].node == nil || list[i-1].node.Begin.Macro || list[i-1].node.Kind != "CallExpr" {
		return nil
	}
	if name := callee(list[i-1].node); name != "__threadfence" && name != "__threadfence_system" {
		return nil
	}
	return list[i-1]
}
