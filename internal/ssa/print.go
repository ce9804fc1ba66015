package ssa

import (
	"fmt"
	"strings"

	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
)

// String prints the function: a line for each value, with the place in the
// CUDA source and the inlined calls after it.
func (f *Func) String() string {
	var s strings.Builder
	fmt.Fprintf(&s, "kernel %s\n", f.Name)
	for _, b := range f.Blocks {
		b.print(&s)
	}
	for _, l := range f.Loops {
		l.print(&s)
	}
	return s.String()
}

func (b *Block) print(s *strings.Builder) {
	fmt.Fprintf(s, "b%d:", b.ID)
	if len(b.Preds) > 0 {
		s.WriteString(" <-")
		for _, p := range b.Preds {
			fmt.Fprintf(s, " b%d", p.ID)
		}
	}
	if b.Loop != nil && b.Loop.Header == b {
		fmt.Fprintf(s, "  (loop, depth %d)", b.Loop.Depth)
	}
	s.WriteByte('\n')
	for _, v := range b.Values {
		line := "  " + v.String()
		if c := v.comment(); c != "" {
			line = fmt.Sprintf("%-56s ; %s", line, c)
		}
		s.WriteString(line + "\n")
	}
	switch b.Kind {
	case Jump:
		fmt.Fprintf(s, "  goto b%d\n", b.Succs[0].ID)
	case If:
		fmt.Fprintf(s, "  if v%d goto b%d else b%d\n", b.Control.ID, b.Succs[0].ID, b.Succs[1].ID)
	case Switch:
		fmt.Fprintf(s, "  switch v%d", b.Control.ID)
		for _, t := range b.Succs {
			fmt.Fprintf(s, " b%d", t.ID)
		}
		s.WriteByte('\n')
	case Return:
		s.WriteString("  return\n")
	case Exit:
		s.WriteString("  exit\n")
	}
}

// comment is the place of a value, without the file's folders.
func (v *Value) comment() string {
	if !v.Loc.IsValid() || v.Op == Const {
		return ""
	}
	c := v.Loc.File[strings.LastIndexByte(v.Loc.File, '/')+1:]
	c = fmt.Sprintf("%s:%d", c, v.Loc.Line)
	for _, p := range v.Loc.InlinedAt {
		c += fmt.Sprintf(" in %d", p.Line)
	}
	if v.Ctx != nil {
		c += " " + v.Ctx.String()
	}
	return c
}

// String prints one value: "v3 = add.b32 v1, v2".
func (v *Value) String() string {
	var s strings.Builder
	if v.Type != isa.TypeNone {
		fmt.Fprintf(&s, "v%d = ", v.ID)
	}
	s.WriteString(v.Op.String())
	if v.Type != isa.TypeNone {
		s.WriteString("." + v.Type.String())
	}
	switch v.Op {
	case Const:
		fmt.Fprintf(&s, " %d", signed(v.Const, max(v.Width(), 2)))
	case Param:
		fmt.Fprintf(&s, " %s+%d", v.Name, v.Const)
	case Addr:
		fmt.Fprintf(&s, " %s", v.Object.Name)
		if v.Const != 0 {
			fmt.Fprintf(&s, "+%d", int64(v.Const))
		}
	case Elem:
		fmt.Fprintf(&s, " %d of", v.Const)
	case Assume:
		fmt.Fprintf(&s, " %t of", v.Const != 0)
	case OpCall:
		fmt.Fprintf(&s, " %s (%s)", v.Call.Callee, v.Call.Why)
	default:
		if v.Name != "" {
			s.WriteString(" " + v.Name)
		}
	}
	args := v.Args
	if v.Mem != nil && v.Op != Copy {
		s.WriteString(" " + v.Mem.String())
		if v.Mem.Base != nil {
			args = args[1:]
		}
	}
	for i, a := range args {
		sep := " "
		if i > 0 {
			sep = ", "
		}
		fmt.Fprintf(&s, "%sv%d", sep, a.ID)
	}
	if v.Op == Copy {
		fmt.Fprintf(&s, " %s <- %s", v.Mem, v.Mem2)
	}
	return s.String()
}

// String prints an access: "shared [v3+8] f32x4 volatile".
func (m *Mem) String() string {
	var s strings.Builder
	s.WriteString(spaceNames[m.Space])
	if m.Generic && m.Space != ptx.NoSpace {
		s.WriteByte('*')
	}
	base := ""
	if m.Base != nil {
		base = fmt.Sprintf("v%d", m.Base.ID)
	}
	switch {
	case m.Offset != 0 && base != "":
		fmt.Fprintf(&s, " [%s%+d]", base, m.Offset)
	case base == "":
		fmt.Fprintf(&s, " [%d]", m.Offset)
	default:
		fmt.Fprintf(&s, " [%s]", base)
	}
	fmt.Fprintf(&s, " %s", m.Elem)
	if m.Count > 1 {
		fmt.Fprintf(&s, "x%d", m.Count)
	}
	for _, w := range []string{m.Order, m.Scope} {
		if w != "" {
			s.WriteString(" " + w)
		}
	}
	return s.String()
}

func (l *Loop) print(s *strings.Builder) {
	fmt.Fprintf(s, "loop b%d:", l.Header.ID)
	for _, b := range l.Blocks {
		fmt.Fprintf(s, " b%d", b.ID)
	}
	if l.Trips >= 0 {
		fmt.Fprintf(s, ", %d trips", l.Trips)
	}
	s.WriteByte('\n')
	for _, i := range l.Inductions {
		fmt.Fprintf(s, "  v%d = v%d, then %s v%d\n", i.Phi.ID, i.Init.ID, i.Op, i.Step.ID)
	}
	if t := l.Bound; t != nil {
		fmt.Fprintf(s, "  loops while v%d is %v", t.Cond.ID, t.StayOn)
		if t.Ind != nil {
			fmt.Fprintf(s, ": v%d against v%d", t.Ind.Phi.ID, t.Limit.ID)
		}
		s.WriteByte('\n')
	}
}
