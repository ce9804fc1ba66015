//lint:file-ignore SA1019 identifiers are resolved within one file, without types

package finding

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// wordFields are the fields that hold words for people, or an instruction's text: of
// findings and rules, of what the engine and the host tell, and of details.
var wordFields = map[string]bool{
	"Message": true, "Notes": true, "Help": true, "Title": true, "Doc": true, "Fix": true, "Role": true, "PTX": true,
	"Where": true, "where": true, "Reason": true, "Detail": true, "message": true,
}

// matchers are the functions of a package that look into a text.
var matchers = map[string][]string{
	"strings": {"Contains", "ContainsAny", "ContainsRune", "ContainsFunc", "HasPrefix", "HasSuffix", "Index", "IndexByte", "IndexAny",
		"IndexRune", "IndexFunc", "LastIndex", "LastIndexByte", "LastIndexAny", "Cut", "CutPrefix", "CutSuffix", "EqualFold", "Split",
		"SplitN", "SplitAfter", "SplitSeq", "Count", "Compare", "TrimPrefix", "TrimSuffix"},
	"regexp": {"MatchString", "Match"},
	"slices": {"Contains", "Index", "Equal", "Compare"},
}

// finders are methods of regular expressions.
var finders = []string{"MatchString", "FindString", "FindStringSubmatch", "FindAllString", "FindAllStringSubmatch", "FindStringIndex"}

// layout are the functions that look into words to lay them out, not to decide what
// is reported.
var layout = map[string]string{
	"report.relativeText":   "paths in a text become relative",
	"report.joinSuppressed": "of several reasons the first in the alphabet is written, whatever the order of the parts",
	"work.same":             "the texts are positions of the host's calls",
	"report.effects":        "a sentence is written once",
}

// pending are the files in which decisions by an instruction's text remain.
var pending = map[string]bool{}

// TestNothingDecidesByWords keeps the rules and the report from deciding by what is
// written for people: any sentence can be improved, and no finding changes.
func TestNothingDecidesByWords(t *testing.T) {
	needed := map[string]bool{}
	for _, room := range []string{"../check", "../report"} {
		err := filepath.WalkDir(room, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.IsDir() || d.Name() == "testdata" {
				return err
			}
			files, set := parseDir(t, path)
			for _, use := range (&words{set: set}).check(files) {
				needed[use.in] = true
				if !pending[filepath.ToSlash(use.file)] && layout[use.in] == "" {
					t.Errorf("%v: %s decides by words: use the finding's values, or list %s in layout", use.pos, use.what, use.in)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(layout)) {
		if !needed[name] {
			t.Errorf("layout lists %s without need", name)
		}
	}
}

func parseDir(t *testing.T, dir string) ([]*ast.File, *token.FileSet) {
	t.Helper()
	set := token.NewFileSet()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return files, set
}

// TestWordsAreFound holds that the check sees the ways in which code decides by words,
// and passes over what only shows them.
func TestWordsAreFound(t *testing.T) {
	for _, tc := range []struct {
		code string
		want int
	}{
		{`func f(e E) bool { return strings.Contains(e.Message, "null") }`, 1},
		{`func f(e E) bool { return strings.HasSuffix(e.Message, "which has ended") && e.N == 1 }`, 1},
		{`func f(e E) string { return g(e.Message) }; func g(m string) string { if strings.Contains(m, "pitch") { return "a" }; return "b" }`, 1},
		{`func f(e E) string { switch { case strings.Contains(e.Message, "a"), strings.Contains(e.Message, "b"): return "x" }; return "" }`, 2},
		{`func f(e E) bool { return slices.ContainsFunc(e.Notes, func(n string) bool { return strings.HasPrefix(n, "malloc") }) }`, 1},
		{`func f(e E) bool { for _, n := range e.Notes { if n == "x" { return true } }; return false }`, 1},
		{`var re = regexp.MustCompile("x"); func f(e E) bool { m := re.FindStringSubmatch(e.Help); return m != nil }`, 1},
		{`func f(e E) bool { _, after, _ := strings.Cut(e.Message, " beyond "); return after == "x" }`, 2},
		{`func f(e E) bool { op := strings.TrimSpace(e.PTX); return strings.HasPrefix(op, "atom") }`, 1},
		{`func f(e E) string { return opcode(e.PTX) }; func opcode(s string) string { return s }; func g(e E) bool { return opcode(e.PTX) == "ld" }`, 1},
		{`func f(e E) int { switch e.Role { case "read by": return 1 }; return 0 }`, 1},
		{`func f(e E) int { return map[string]int{"a": 1}[e.Title] }`, 1},
		{`func f(a, b E) bool { return a.Help == b.Help }`, 1},
		{`func f(m *M) string { call, _, _ := strings.Cut(m.Where, " at "); return call }`, 1},
		{`func f(u *use) bool { return strings.LastIndexByte(u.where, ':') > 0 }`, 1},
		{`type s struct{ text string }; func f(e E) bool { x := s{}; x.text = e.Message; t := e.Message[2:]; return t == "y" }`, 1},
		{`func f(e E) string { if e.Message == "" { return "none" }; return e.Message + "!" }`, 0},
		{`func f(e E) string { return fmt.Sprintf("%s: %s", e.Call, strings.ToUpper(e.Message)) }`, 0},
		{`func f(e E) string { return strings.Join(e.Notes, "\n") }`, 0},
		{`func f(e E) bool { return e.Cause == "null" && strings.HasPrefix(e.File, "/") }`, 0},
		{`func f(e E) []string { return append(e.Notes, strings.Fields(e.Message)...) }`, 0},
	} {
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, "x.go", "package p\n"+tc.code, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := (&words{set: set}).check([]*ast.File{f}); len(got) != tc.want {
			t.Errorf("%s: %d uses, want %d: %v", tc.code, len(got), tc.want, got)
		}
	}
}

// use is one decision by words.
type use struct {
	pos            token.Position
	file, in, what string
}

// words follows words through the functions of a package, without types: from the
// fields to variables, parameters and results.
type words struct {
	set   *token.FileSet
	funcs map[string][]*ast.FuncDecl
	// tainted are the variables that hold words, returns the functions that return them.
	tainted map[*ast.Object]bool
	returns map[string]bool
	grown   bool
	pkg     string
}

func (w *words) check(files []*ast.File) (uses []use) {
	w.funcs, w.tainted, w.returns = map[string][]*ast.FuncDecl{}, map[*ast.Object]bool{}, map[string]bool{}
	var all []*ast.FuncDecl
	for _, f := range files {
		w.pkg = f.Name.Name
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
				w.funcs[fn.Name.Name] = append(w.funcs[fn.Name.Name], fn)
				all = append(all, fn)
			}
		}
	}
	for w.grown = true; w.grown; {
		w.grown = false
		for _, fn := range all {
			ast.Inspect(fn, func(n ast.Node) bool { w.flow(fn, n); return true })
		}
	}
	for _, fn := range all {
		ast.Inspect(fn, func(n ast.Node) bool {
			if what := w.decides(n); what != "" {
				at := w.set.Position(n.Pos())
				uses = append(uses, use{at, at.Filename, w.pkg + "." + fn.Name.Name, what})
			}
			return true
		})
	}
	return uses
}

func (w *words) mark(e ast.Expr) {
	if id, ok := e.(*ast.Ident); ok && id.Obj != nil && !w.tainted[id.Obj] {
		w.tainted[id.Obj], w.grown = true, true
	}
}

// flow follows words through one statement or call.
func (w *words) flow(fn *ast.FuncDecl, n ast.Node) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for i, l := range n.Lhs {
			if r := n.Rhs[min(i, len(n.Rhs)-1)]; w.isWords(r) && (len(n.Rhs) == len(n.Lhs) || i < 2) {
				w.mark(l)
			}
		}
	case *ast.RangeStmt:
		if n.Value != nil && w.isWords(n.X) {
			w.mark(n.Value)
		}
	case *ast.ReturnStmt:
		for _, r := range n.Results {
			if name := fn.Name.Name; w.isWords(r) && !w.returns[name] && fn.Recv == nil {
				w.returns[name], w.grown = true, true
			}
		}
	case *ast.CallExpr:
		w.call(n)
	}
}

// call passes words on to the parameters of functions of the package, and of functions
// that are given along.
func (w *words) call(n *ast.CallExpr) {
	for i, a := range n.Args {
		if !w.isWords(a) {
			continue
		}
		for _, fn := range w.funcs[calledName(n)] {
			if ps := parameters(fn.Type); len(ps) > 0 {
				w.mark(ps[min(i, len(ps)-1)])
			}
		}
		for _, other := range n.Args {
			if lit, ok := other.(*ast.FuncLit); ok {
				for _, p := range parameters(lit.Type) {
					w.mark(p)
				}
			}
		}
	}
}

// parameters are those of a function; one that cannot hold words is the blank one.
func parameters(t *ast.FuncType) (ps []*ast.Ident) {
	for _, f := range t.Params.List {
		for _, name := range f.Names {
			if !holdsText(f.Type) {
				name = &ast.Ident{Name: "_"}
			}
			ps = append(ps, name)
		}
	}
	return ps
}

// holdsText reports whether a type is string, or a list of it, or any.
func holdsText(t ast.Expr) bool {
	switch t := t.(type) {
	case *ast.Ident:
		return t.Name == "string" || t.Name == "any"
	case *ast.ArrayType:
		return holdsText(t.Elt)
	case *ast.Ellipsis:
		return holdsText(t.Elt)
	}
	return false
}

// calledName is the name of a function or method that is called.
func calledName(n *ast.CallExpr) string {
	switch f := n.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		if id, ok := f.X.(*ast.Ident); ok && id.Obj == nil { // a package's
			return ""
		}
		return f.Sel.Name
	}
	return ""
}

// fromPackage is the package and the name of a function of another package.
func fromPackage(n *ast.CallExpr) (pkg, name string) {
	if f, ok := n.Fun.(*ast.SelectorExpr); ok {
		if id, ok := f.X.(*ast.Ident); ok && id.Obj == nil {
			return id.Name, f.Sel.Name
		}
	}
	return "", ""
}

// isWords reports whether an expression holds words.
func (w *words) isWords(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Obj != nil && w.tainted[e.Obj]
	case *ast.SelectorExpr:
		return wordFields[e.Sel.Name]
	case *ast.ParenExpr:
		return w.isWords(e.X)
	case *ast.IndexExpr:
		return w.isWords(e.X)
	case *ast.SliceExpr:
		return w.isWords(e.X)
	case *ast.BinaryExpr:
		return e.Op == token.ADD && (w.isWords(e.X) || w.isWords(e.Y))
	case *ast.CallExpr:
		return w.callGivesWords(e)
	}
	return false
}

func (w *words) callGivesWords(e *ast.CallExpr) bool {
	if id, ok := e.Fun.(*ast.Ident); ok && w.returns[id.Name] {
		return slices.ContainsFunc(e.Args, w.isWords)
	}
	pkg, name := fromPackage(e)
	changes := pkg == "strings" && (name == "Cut" || name == "CutPrefix" || name == "CutSuffix" || !slices.Contains(matchers["strings"], name) ||
		strings.HasPrefix(name, "Trim") || strings.HasPrefix(name, "Split"))
	return changes && slices.ContainsFunc(e.Args, w.isWords)
}

// decides names a decision by words, "" for none.
func (w *words) decides(n ast.Node) string {
	switch n := n.(type) {
	case *ast.CallExpr:
		pkg, name := fromPackage(n)
		finds := calledName(n) != "" && slices.Contains(finders, calledName(n)) || pkg == "" && len(n.Args) > 0 && isFinder(n)
		if (slices.Contains(matchers[pkg], name) || finds) && slices.ContainsFunc(n.Args, w.isWords) {
			return "a call of " + strings.TrimPrefix(pkg+"."+name, ".")
		}
	case *ast.BinaryExpr:
		compares := n.Op == token.EQL || n.Op == token.NEQ || n.Op == token.LSS || n.Op == token.GTR
		if compares && (w.isWords(n.X) || w.isWords(n.Y)) && !isEmpty(n.X) && !isEmpty(n.Y) {
			return fmt.Sprintf("a comparison (%v)", n.Op)
		}
	case *ast.SwitchStmt:
		if n.Tag != nil && w.isWords(n.Tag) {
			return "a switch"
		}
	case *ast.IndexExpr:
		if w.isWords(n.Index) {
			return "a look-up"
		}
	}
	return ""
}

// isFinder reports whether n is a call of a method that searches a text.
func isFinder(n *ast.CallExpr) bool {
	f, ok := n.Fun.(*ast.SelectorExpr)
	return ok && slices.Contains(finders, f.Sel.Name)
}

// isEmpty reports whether e is one of the constants with which one asks whether there are words at all.
func isEmpty(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return e.Value == `""` || e.Value == "``" || e.Kind != token.STRING
	case *ast.Ident:
		return e.Name == "nil"
	}
	return false
}
