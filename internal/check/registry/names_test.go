package registry

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestNames: each kind and cause that a rule's code has as a constant can be explained.
func TestNames(t *testing.T) {
	words := Words()
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "registry") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, text, 0)
		if err != nil {
			return err
		}
		for _, w := range append(kindsIn(file), causesIn(file)...) {
			if !slices.Contains(words, w) {
				t.Errorf("%s: %q is not in names.go", path, w)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range append(words, "raw", "memcheck") {
		if n, ok := FindName(w); !ok {
			t.Errorf("%q: not found", w)
		} else if _, ok := Find(n.Rules[0]); !ok {
			t.Errorf("%q: no rule %s", w, n.Rules[0])
		}
	}
	if _, ok := FindName("nonesuch"); ok {
		t.Error("nonesuch was found")
	}
}

// kindsIn are the texts that become kinds of findings: Kind: "x" of a finding, f.Kind = "x".
func kindsIn(file *ast.File) (out []string) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			typ, ok := n.Type.(*ast.SelectorExpr)
			if !ok || typ.Sel.Name != "Finding" {
				return true
			}
			for _, e := range n.Elts {
				if kv, ok := e.(*ast.KeyValueExpr); ok && isNamed(kv.Key, "Kind") {
					out = append(out, literal(kv.Value)...)
				}
			}
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if s, ok := l.(*ast.SelectorExpr); ok && isNamed(s.X, "f") && s.Sel.Name == "Kind" && i < len(n.Rhs) {
					out = append(out, literal(n.Rhs[i])...)
				}
			}
		}
		return true
	})
	return out
}

// causesIn are the constants of type Cause.
func causesIn(file *ast.File) (out []string) {
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		typ := spec.Type
		if s, ok := typ.(*ast.SelectorExpr); ok {
			typ = s.Sel
		}
		if isNamed(typ, "Cause") {
			for _, v := range spec.Values {
				out = append(out, literal(v)...)
			}
		}
		return true
	})
	return out
}

func isNamed(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

func literal(e ast.Expr) []string {
	if l, ok := e.(*ast.BasicLit); ok && l.Kind == token.STRING {
		if s, err := strconv.Unquote(l.Value); err == nil {
			return []string{s}
		}
	}
	return nil
}
