package repair_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/repair"
)

// TestEachMaker: each maker of the catalog, and each function of its rooms that makes patches for a finding, has a case that wants one.
func TestEachMaker(t *testing.T) {
	wanted := map[string]bool{}
	for _, table := range []struct {
		text  string
		cases []kindCase
	}{{kindsText, kindCases}, {orderText, orderCases}, {memoryText, memoryCases}, {childText, childCases}} {
		for _, c := range table.cases {
			if len(c.want) == 0 {
				continue
			}
			wanted[repair.MakerFor(c.finding(t, table.text, "a.cu"))] = true
			if c.maker != nil {
				wanted[repair.MakerName(c.maker)] = true
			}
		}
	}
	makers := repair.Makers()
	of := func(kind finding.RepairKind, want []string) {
		for _, name := range makers[kind] {
			wanted[name] = wanted[name] || len(want) > 0
		}
	}
	for _, c := range candidateCases {
		of(c.kind, c.want)
		if c.maker != nil {
			wanted[repair.MakerName(c.maker)] = true
		}
	}
	for _, c := range assemblyCases {
		of(c.kind, c.want)
	}
	for _, c := range fasterCases {
		of(c.kind, c.want)
	}
	all := roomMakers(t, "guard", "memory", "order", "perf")
	for _, names := range makers {
		all = append(all, names...)
	}
	slices.Sort(all)
	for _, name := range slices.Compact(all) {
		if !wanted[name] {
			t.Errorf("no case wants a patch of %s", name)
		}
	}
}

// roomMakers are the exported functions of packages that make patches for a finding.
func roomMakers(t *testing.T, rooms ...string) (out []string) {
	t.Helper()
	for _, room := range rooms {
		files, err := filepath.Glob(filepath.Join(room, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", room, len(files), err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range file.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.IsExported() && makes(fn.Type) {
					out = append(out, room+"."+fn.Name.Name)
				}
			}
		}
	}
	return out
}

// makes reports whether a function has the type of a maker.
func makes(fn *ast.FuncType) bool {
	return typesOf(fn.Params) == "*code.Program *finding.Finding" && typesOf(fn.Results) == "[]*code.Patch"
}

// typesOf are the types of parameters or results.
func typesOf(list *ast.FieldList) string {
	var out []string
	for _, f := range list.List {
		for range max(1, len(f.Names)) {
			out = append(out, typeText(f.Type))
		}
	}
	return strings.Join(out, " ")
}

func typeText(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return "*" + typeText(e.X)
	case *ast.ArrayType:
		return "[]" + typeText(e.Elt)
	case *ast.SelectorExpr:
		return typeText(e.X) + "." + e.Sel.Name
	case *ast.Ident:
		return e.Name
	}
	return "?"
}
