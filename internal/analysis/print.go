package analysis

import (
	"fmt"
	"strings"

	"github.com/warpgrind/warpgrind/internal/ssa"
)

// String prints a symbol: its name, with the offset of a part of a parameter.
func (s *Sym) String() string {
	switch s.Kind {
	case Param:
		if s.Off > 0 {
			return fmt.Sprintf("%s+%d", s.Name, s.Off)
		}
	case ObjectAddr:
		return "&" + s.Name
	}
	return s.Name
}

var infix = map[ssa.Op]string{
	ssa.DivU: "/", ssa.RemU: "%", ssa.DivS: "/s", ssa.RemS: "%s", ssa.And: "&", ssa.Or: "|", ssa.Xor: "^",
	ssa.Shl: "<<", ssa.ShrU: ">>", ssa.ShrS: ">>s", ssa.Eq: "==", ssa.Ne: "!=", ssa.LtS: "<s", ssa.LeS: "<=s",
	ssa.LtU: "<", ssa.LeU: "<=", ssa.Mul: "*",
}

// String prints the expression: "4*%tid.x + 16*n + 8".
func (e *Expr) String() string { return e.text(0) }

// maxText bounds the depth that is printed.
const maxText = 24

func (e *Expr) text(depth int) string {
	if depth > maxText {
		return "..."
	}
	switch e.Kind {
	case Symbol:
		return e.Sym.String()
	case Sum:
		return e.sumText(depth)
	}
	var args []string
	for _, x := range e.Args {
		t := x.text(depth + 1)
		if infix[e.Op] != "" && (x.Kind == Sum && len(x.Terms) > 0 || x.Kind == App && infix[x.Op] != "") {
			t = "(" + t + ")"
		}
		args = append(args, t)
	}
	if op := infix[e.Op]; op != "" && len(args) == 2 {
		return args[0] + " " + op + " " + args[1]
	}
	name := e.Op.String()
	if e.Op == ssa.Pure {
		name = e.Name
	}
	switch e.Op {
	case ssa.Zext, ssa.Sext, ssa.Trunc:
		name = fmt.Sprintf("%s%d", name, e.W)
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

func (e *Expr) sumText(depth int) string {
	var s strings.Builder
	for i, t := range e.Terms {
		k := signed(t.Coef, e.W)
		switch {
		case k < 0 && i > 0:
			s.WriteString(" - ")
			k = -k
		case i > 0:
			s.WriteString(" + ")
		case k < 0:
			s.WriteString("-")
			k = -k
		}
		if k != 1 {
			fmt.Fprintf(&s, "%d*", uint64(k))
		}
		for j, f := range t.Factors {
			if j > 0 {
				s.WriteString("*")
			}
			x := f.text(depth + 1)
			if f.Kind == App && infix[f.Op] != "" {
				x = "(" + x + ")"
			}
			s.WriteString(x)
		}
	}
	c := signed(e.C, max(e.W, 2))
	switch {
	case len(e.Terms) == 0:
		return fmt.Sprint(c)
	case c > 0:
		fmt.Fprintf(&s, " + %d", c)
	case c < 0:
		fmt.Fprintf(&s, " - %d", uint64(-c))
	}
	return s.String()
}
