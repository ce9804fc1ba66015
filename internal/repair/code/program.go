package code

import (
	"io"
	"path/filepath"
	"sort"
	"strings"

	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/source"
)

// File is one file of the project.
type File struct {
	// Name is the file's absolute path, Text what it contains.
	Name string
	Text []byte
	// lines are the offsets at which lines begin.
	Lines []int
	// operands maps the macros that expand to one operand to that operand.
	operands map[string]string
}

// Program is a source with the headers of its project, and the functions in them.
type Program struct {
	Files     map[string]*File
	Functions []*Function
	// fixed are the constants that are whole numbers and belong to no function, variables all that do not.
	Fixed, Variables []*syntax.Node
}

// Function is a function with a body. The instances of a template are one.
type Function struct {
	File *File
	Node *syntax.Node
	Body *Statement
	// parameters are the names of those that are whole numbers.
	Parameters []string
	// void is set if it returns nothing, template if it is an instance of a template, or a member of one.
	Void, Template bool
}

// Read makes a program of texts, by absolute path, and of clang's syntax tree of them
// (-Xclang -ast-dump=json).
func Read(texts map[string][]byte, tree io.Reader) (*Program, error) {
	p := &Program{Files: map[string]*File{}}
	for name, text := range texts {
		p.Files[name] = &File{Name: name, Text: text, Lines: lineStarts(text)}
	}
	operands := operandsOf(texts)
	for _, f := range p.Files {
		f.operands = operands
	}
	decls, err := syntax.Read(tree, func(name string) bool { return p.File(name) != nil })
	if err != nil {
		return nil, err
	}
	bodies := map[place]bool{}
	for _, d := range decls {
		p.declaration(d, bodies, false)
		p.constant(d)
	}
	return p, nil
}

// place is an offset in a file.
type place struct {
	file *File
	at   int
}

// declaration finds the functions in a declaration.
func (p *Program) declaration(n *syntax.Node, seen map[place]bool, template bool) {
	if n == nil || n.Implicit {
		return
	}
	template = template || n.Kind == "FunctionTemplateDecl" || n.Kind == "ClassTemplateDecl"
	for _, c := range n.Inner {
		if c.Kind == "CompoundStmt" {
			p.body(n, c, seen, template)
		}
		p.declaration(c, seen, template)
	}
}

// constant notes a variable outside functions.
func (p *Program) constant(n *syntax.Node) {
	if n == nil {
		return
	}
	if n.Kind == "NamespaceDecl" {
		for _, c := range n.Inner {
			p.constant(c)
		}
	}
	if n.Kind != "VarDecl" {
		return
	}
	p.Variables = append(p.Variables, n)
	if Whole[n.Desugared] && (n.Const || strings.HasPrefix(n.Desugared, "const ")) {
		p.Fixed = append(p.Fixed, n)
	}
}

// body notes a function's body.
func (p *Program) body(n, body *syntax.Node, seen map[place]bool, template bool) {
	file := p.File(body.Begin.File)
	at := place{file, body.Begin.Off}
	if file == nil || seen[at] || body.Begin.Macro || body.End.Macro {
		return
	}
	switch n.Kind {
	case "FunctionDecl", "CXXMethodDecl", "CXXConstructorDecl", "CXXDestructorDecl", "CXXConversionDecl":
	default:
		return
	}
	seen[at] = true
	f := &Function{File: file, Node: n, Body: nested(file, body, nil), Void: strings.HasPrefix(n.Type, "void ("), Template: template}
	for _, c := range n.Inner {
		if c.Kind == "ParmVarDecl" && c.Name != "" && Whole[c.Desugared] {
			f.Parameters = append(f.Parameters, c.Name)
		}
	}
	if f.Body != nil && OnGPU(f) {
		everyList(f.Body, func(s *Statement) { gap{s}.addUnread() })
	}
	if f.Body != nil {
		p.Functions = append(p.Functions, f)
	}
}

// Whole are the types of sizes and indices.
var Whole = map[string]bool{"int": true, "const int": true, "unsigned int": true, "const unsigned int": true, "long": true,
	"const long": true, "unsigned long": true, "const unsigned long": true, "long long": true, "unsigned long long": true}

// File is the project's file of a name; nil for those of others.
func (p *Program) File(name string) *File {
	if name == "" {
		return nil
	}
	abs, err := filepath.Abs(name)
	if err != nil {
		return nil
	}
	return p.Files[abs]
}

// At returns the innermost statement at a position, and its function; nil where the project
// has none.
func (p *Program) At(pos source.Pos) (*Function, *Statement) {
	f, s, _ := p.Place(pos)
	return f, s
}

// InLine are the statements that a position may mean. Where it is of a line only, as those of host code are, these are the
// innermost ones of the line, and then those around them that begin in it.
func (p *Program) InLine(pos source.Pos) (fn *Function, out []*Statement) {
	fn, s := p.At(pos)
	switch {
	case s == nil:
		return nil, nil
	case pos.Col > 0:
		return fn, []*Statement{s}
	}
	var outer []*Statement
	var visit func(s *Statement)
	visit = func(s *Statement) {
		begins, ends := s.File.Line(s.From), s.File.Line(s.To-1)
		if begins > pos.Line || ends < pos.Line {
			return
		}
		for _, in := range s.Inner {
			visit(in)
		}
		switch {
		case s.IsList() || s.Outer == nil:
		case len(s.Inner) == 0:
			out = append(out, s)
		case begins == pos.Line:
			outer = append(outer, s)
		}
	}
	visit(fn.Body)
	return fn, append(out, outer...)
}

// Place is at with the offset of the position.
func (p *Program) Place(pos source.Pos) (*Function, *Statement, int) {
	file := p.File(pos.File)
	if file == nil || pos.Line < 1 || pos.Line > len(file.Lines) {
		return nil, nil, 0
	}
	off := file.Lines[pos.Line-1] + max(pos.Col-1, 0)
	if pos.Col == 0 { // of the line only
		off = syntax.SkipBlank(file.Text, off)
	}
	for _, f := range p.Functions {
		if f.File == file && f.Body.Holds(off) {
			return f, f.Body.Innermost(off), off
		}
	}
	return nil, nil, 0
}

// Line is the line of an offset, counted from 1.
func (f *File) Line(off int) int { return sort.SearchInts(f.Lines, off+1) }

func lineStarts(text []byte) []int {
	lines := []int{0}
	for i, c := range text {
		if c == '\n' {
			lines = append(lines, i+1)
		}
	}
	return lines
}
