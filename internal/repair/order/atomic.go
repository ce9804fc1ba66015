package order

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/source"
)

// MakeAtomic replaces the update that a finding is about by an atomic function (CUDA C++
// Programming Guide, "Atomic Functions").
func MakeAtomic(p *code.Program, f *finding.Finding) []*code.Patch {
	var out []*code.Patch
	for _, at := range code.Places(f) {
		_, s := p.At(at.Loc.Pos)
		if s == nil {
			continue
		}
		if call, ok := atomicCallFor(s); ok {
			edits := []code.Edit{s.File.Replace(s.From, s.To, call)}
			out = append(out, &code.Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("make the update in line %d atomic", s.File.Line(s.From))})
		}
	}
	return out
}

// WriteOut makes an update atomic whose read is the statement before it: "int old = x; x = old + v;".
func WriteOut(p *code.Program, f *finding.Finding) (out []*code.Patch) {
	for _, at := range code.Places(f) {
		_, s := p.At(at.Loc.Pos)
		if s == nil || s.Outer == nil || !s.Outer.IsList() {
			continue
		}
		i := slices.Index(s.Outer.Inner, s)
		if s.Node.Kind == "DeclStmt" {
			i++
		}
		if i < 1 || i >= len(s.Outer.Inner) {
			continue
		}
		read, write := s.Outer.Inner[i-1], s.Outer.Inner[i]
		n, v := write.Node, read.Node.Child(0)
		if read.Node.Kind != "DeclStmt" || len(read.Node.Inner) != 1 || n.Kind != "BinaryOperator" || n.Opcode != "=" || v == nil || len(v.Inner) == 0 {
			continue
		}
		object, value := n.Child(0), code.Stripped(n.Child(1))
		first := v.Child(len(v.Inner) - 1)
		kind := strings.TrimPrefix(object.Desugared, "volatile ")
		if value == nil || value.Kind != "BinaryOperator" || read.Text(code.Stripped(first)) != write.Text(object) || code.Acts(value) || !integers[kind] {
			continue
		}
		name := atomicOf[value.Opcode+"="]
		old, by := code.Stripped(value.Child(0)), write.Text(value.Child(1))
		if name == "" || by == "" || old == nil || old.Ref == nil || old.Ref.ID != v.ID || write.Text(object) == "" {
			continue
		}
		use := s.File.Replace(first.Begin.Off, first.End.End(), fmt.Sprintf("%s(%s, %s)", name, atomicAddress(write, object), by))
		take := s.File.Replace(write.From, write.To, "")
		out = append(out, &code.Patch{Edits: []code.Edit{use, write.Lines(take)}, Inline: []code.Edit{use, take},
			What: fmt.Sprintf("make the update in line %d atomic, with the read in line %d", s.File.Line(write.From), s.File.Line(read.From))})
	}
	return code.Distinct(out)
}

// ReadAtomically reads by an atomic function what others update by such: it has one of the values that there are.
func ReadAtomically(p *code.Program, f *finding.Finding) (out []*code.Patch) {
	if f.Primary.Access != finding.Atomic && !slices.ContainsFunc(f.Related, func(o finding.Place) bool { return o.Access == finding.Atomic }) {
		return nil
	}
	for _, at := range code.Places(f) {
		_, s, off := p.Place(at.Loc.Pos)
		if s == nil || at.Access != finding.Read {
			continue
		}
		n := objectAt(s, s.Node, off)
		if n == nil || !integers[n.Desugared] && n.Desugared != "unsigned long long" {
			continue
		}
		if text := s.Text(n); text != "" {
			edits := []code.Edit{s.File.Replace(n.Begin.Off, n.End.End(), "atomicAdd("+addressOf(s, n)+", 0)")}
			out = append(out, &code.Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("read %s in line %d by atomicAdd(%s, 0)", text, s.File.Line(n.Begin.Off), addressOf(s, n))})
		}
	}
	return code.Distinct(out)
}

// Apart reports whether the accesses of a finding are of threads of different blocks.
func Apart(f *finding.Finding) bool {
	a := f.Primary.Thread
	return a != nil && slices.ContainsFunc(f.Related, func(o finding.Place) bool { return o.Thread != nil && o.Thread.BlockIndex != a.BlockIndex })
}

// RelaxAlso makes the plain access of a finding a relaxed atomic, among others that are.
func RelaxAlso(p *code.Program, f *finding.Finding) (out []*code.Patch) {
	scope := "device"
	if f.Object != nil && f.Object.Space == "shared" {
		scope = "block"
	}
	for _, at := range code.Places(f) {
		_, s, off := p.Place(at.Loc.Pos)
		if s == nil || at.Access == finding.Atomic {
			continue
		}
		r := relaxing{scope: scope}
		var visit func(n, of *syntax.Node) bool
		visit = func(n, of *syntax.Node) bool {
			if n == nil {
				return true
			}
			if n == objectAt(s, s.Node, off) {
				return r.access(s, n, of)
			}
			return !slices.ContainsFunc(n.Inner, func(c *syntax.Node) bool { return !visit(c, n) })
		}
		if visit(s.Node, nil) && len(r.edits) > 0 {
			patch := &code.Patch{Edits: r.edits, Inline: slices.Clone(r.edits), What: fmt.Sprintf("make the access of line %d a relaxed atomic", s.File.Line(s.From))}
			out = append(out, including(p, atomicRef, []*code.Patch{patch})...)
		}
	}
	return code.Distinct(out)
}

// ReadVolatile makes the plain reads of a finding volatile: each has one of the values that there are.
func ReadVolatile(p *code.Program, f *finding.Finding) []*code.Patch {
	var at []source.Pos
	for _, place := range code.Places(f) {
		if place.Access == finding.Read {
			at = append(at, place.Loc.Pos)
		}
	}
	return makeVolatileAt(p, at...)
}

// UpdateAtomically makes an update atomic that races with itself: both accesses are in one statement.
func UpdateAtomically(p *code.Program, f *finding.Finding) []*code.Patch {
	if len(f.Related) == 0 {
		return nil
	}
	_, a := p.At(f.Primary.Loc.Pos)
	_, b := p.At(f.Related[0].Loc.Pos)
	if a == nil || a != b {
		return nil
	}
	return MakeAtomic(p, f)
}

// atomicCallFor is an atomic call that does what the statement does, if it is an update of one object
// whose value is not used.
func atomicCallFor(s *code.Statement) (string, bool) {
	n := s.Node
	for n.Kind == "ExprWithCleanups" || n.Kind == "ParenExpr" {
		n = n.Child(0)
	}
	object := n.Child(0)
	if object == nil || n.Begin.Macro || n.End.Macro && s.Text(n) == "" {
		return "", false
	}
	kind := strings.TrimPrefix(object.Desugared, "volatile ")
	name, value := "", ""
	switch {
	case n.Kind == "UnaryOperator" && n.Opcode == "++":
		name, value = "atomicAdd", "1"
	case n.Kind == "UnaryOperator" && n.Opcode == "--":
		name, value = "atomicSub", "1"
	case n.Kind == "CompoundAssignOperator":
		name, value = atomicOf[n.Opcode], s.Text(n.Child(1))
	case n.Kind == "BinaryOperator" && n.Opcode == "=":
		name, value = computedUpdate(s, object, code.Stripped(n.Child(1)))
	}
	if !AtomicTypes[kind] || name == "" || value == "" {
		return "", false
	}
	if name == "atomicSub" && !integers[kind] {
		name, value = "atomicAdd", "-("+value+")"
	}
	if name != "atomicAdd" && !integers[kind] {
		return "", false
	}
	return fmt.Sprintf("%s(%s, %s);", name, atomicAddress(s, object), value), true
}

// atomicAddress is the text of an object's address as atomic functions take it: not of a volatile one.
func atomicAddress(s *code.Statement, object *syntax.Node) string {
	address := addressOf(s, object)
	if kind, ok := strings.CutPrefix(object.Desugared, "volatile "); ok {
		if !code.Word.MatchString(strings.TrimPrefix(address, "&")) {
			address = "(" + address + ")"
		}
		return "(" + kind + " *)" + address
	}
	return address
}

// addressOf is the text of an object's address.
func addressOf(s *code.Statement, object *syntax.Node) string {
	if o := code.Stripped(object); o.Kind == "UnaryOperator" && o.Opcode == "*" {
		if pointer := s.Text(code.Stripped(o.Child(0))); pointer != "" {
			return pointer
		}
	}
	return "&" + s.Text(object)
}

// computedUpdate is the update in "x = x + value" and the like.
func computedUpdate(s *code.Statement, object, n *syntax.Node) (name, value string) {
	if n == nil || n.Kind != "BinaryOperator" {
		return "", ""
	}
	name = atomicOf[n.Opcode+"="]
	left, right := code.Stripped(n.Child(0)), code.Stripped(n.Child(1))
	switch own := s.Text(object); {
	case name == "" || own == "":
	case s.Text(left) == own:
		return name, s.Text(right)
	case s.Text(right) == own && name != "atomicSub":
		return name, s.Text(left)
	}
	return "", ""
}

// atomicOf are the functions by operator, atomicTypes the types that atomicAdd takes, of
// which integers have the other functions as well.
var (
	atomicOf    = map[string]string{"+=": "atomicAdd", "-=": "atomicSub", "&=": "atomicAnd", "|=": "atomicOr", "^=": "atomicXor"}
	integers    = map[string]bool{"int": true, "unsigned int": true}
	AtomicTypes = map[string]bool{"int": true, "unsigned int": true, "unsigned long long": true, "float": true, "double": true}
)
