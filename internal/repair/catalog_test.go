package repair

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"testing"

	"github.com/warpgrind/warpgrind/internal/finding"
)

// TestCatalog: each kind of repair has a row, and the row has patches or the reason why there are none.
func TestCatalog(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "../finding/repairkinds.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[finding.RepairKind]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok {
			text, err := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			if kinds[finding.RepairKind(text)] {
				t.Errorf("two kinds are called %s", text)
			}
			kinds[finding.RepairKind(text)] = true
		}
		return true
	})
	for kind := range kinds {
		r, ok := catalog[kind]
		patches := r.make != nil || r.faster != nil
		switch {
		case !ok:
			t.Errorf("%s has no row", kind)
		case !patches && r.untold == "" && r.why == "":
			t.Errorf("%s has neither patches nor a reason", kind)
		case patches && r.why != "":
			t.Errorf("%s has patches and a reason why it has none", kind)
		}
	}
	if len(kinds) != len(catalog) {
		t.Errorf("%d kinds, %d rows", len(kinds), len(catalog))
	}
}
