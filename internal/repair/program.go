package repair

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
	lines []int
	// operands maps the macros that expand to one operand to that operand.
	operands map[string]string
}

// Program is a source with the headers of its project, and the functions in them.
type Program struct {
	files     map[string]*File
	functions []*function
	// fixed are the constants that are whole numbers and belong to no function, variables all that do not.
	fixed, variables []*syntax.Node
}

// function is a function with a body. The instances of a template are one.
type function struct {
	file *File
	node *syntax.Node
	body *statement
	// parameters are the names of those that are whole numbers.
	parameters []string
	// void is set if it returns nothing, template if it is an instance of a template, or a member of one.
	void, template bool
}

// Read makes a program of texts, by absolute path, and of clang's syntax tree of them
// (-Xclang -ast-dump=json).
func Read(texts map[string][]byte, tree io.Reader) (*Program, error) {
	p := &Program{files: map[string]*File{}}
	for name, text := range texts {
		p.files[name] = &File{Name: name, Text: text, lines: lineStarts(text)}
	}
	operands := operandsOf(texts)
	for _, f := range p.files {
		f.operands = operands
	}
	decls, err := syntax.Read(tree, func(name string) bool { return p.file(name) != nil })
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
	p.variables = append(p.variables, n)
	if whole[n.Desugared] && (n.Const || strings.HasPrefix(n.Desugared, "const ")) {
		p.fixed = append(p.fixed, n)
	}
}

// body notes a function's body.
func (p *Program) body(n, body *syntax.Node, seen map[place]bool, template bool) {
	file := p.file(body.Begin.File)
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
	f := &function{file: file, node: n, body: nested(file, body, nil), void: strings.HasPrefix(n.Type, "void ("), template: template}
	for _, c := range n.Inner {
		if c.Kind == "ParmVarDecl" && c.Name != "" && whole[c.Desugared] {
			f.parameters = append(f.parameters, c.Name)
		}
	}
	if f.body != nil && onGPU(f) {
		everyList(f.body, func(s *statement) { gap{s}.addUnread() })
	}
	if f.body != nil {
		p.functions = append(p.functions, f)
	}
}

// whole are the types of sizes and indices.
var whole = map[string]bool{"int": true, "const int": true, "unsigned int": true, "const unsigned int": true, "long": true,
	"const long": true, "unsigned long": true, "const unsigned long": true, "long long": true, "unsigned long long": true}

// file is the project's file of a name; nil for those of others.
func (p *Program) file(name string) *File {
	if name == "" {
		return nil
	}
	abs, err := filepath.Abs(name)
	if err != nil {
		return nil
	}
	return p.files[abs]
}

// at returns the innermost statement at a position, and its function; nil where the project
// has none.
func (p *Program) at(pos source.Pos) (*function, *statement) {
	f, s, _ := p.place(pos)
	return f, s
}

// inLine are the statements that a position may mean. Where it is of a line only, as those of host code are, these are the
// innermost ones of the line, and then those around them that begin in it.
func (p *Program) inLine(pos source.Pos) (fn *function, out []*statement) {
	fn, s := p.at(pos)
	switch {
	case s == nil:
		return nil, nil
	case pos.Col > 0:
		return fn, []*statement{s}
	}
	var outer []*statement
	var visit func(s *statement)
	visit = func(s *statement) {
		begins, ends := s.file.line(s.from), s.file.line(s.to-1)
		if begins > pos.Line || ends < pos.Line {
			return
		}
		for _, in := range s.inner {
			visit(in)
		}
		switch {
		case s.isList() || s.outer == nil:
		case len(s.inner) == 0:
			out = append(out, s)
		case begins == pos.Line:
			outer = append(outer, s)
		}
	}
	visit(fn.body)
	return fn, append(out, outer...)
}

// place is at with the offset of the position.
func (p *Program) place(pos source.Pos) (*function, *statement, int) {
	file := p.file(pos.File)
	if file == nil || pos.Line < 1 || pos.Line > len(file.lines) {
		return nil, nil, 0
	}
	off := file.lines[pos.Line-1] + max(pos.Col-1, 0)
	if pos.Col == 0 { // of the line only
		off = syntax.SkipBlank(file.Text, off)
	}
	for _, f := range p.functions {
		if f.file == file && f.body.holds(off) {
			return f, f.body.innermost(off), off
		}
	}
	return nil, nil, 0
}

// line is the line of an offset, counted from 1.
func (f *File) line(off int) int { return sort.SearchInts(f.lines, off+1) }

func lineStarts(text []byte) []int {
	lines := []int{0}
	for i, c := range text {
		if c == '\n' {
			lines = append(lines, i+1)
		}
	}
	return lines
}
