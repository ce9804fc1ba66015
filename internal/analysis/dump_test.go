package analysis_test

import (
	"os"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/analysis"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

func TestDump(t *testing.T) {
	name := os.Getenv("PTXFILE")
	if name == "" {
		t.Skip()
	}
	text, _ := os.ReadFile(name)
	m, err := ptx.Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	for _, it := range m.Items {
		if f, ok := it.(*ptx.Func); ok && f.Entry && f.Body != nil {
			g, err := ssa.Build(m, f, ssa.Options{Verify: true})
			if err != nil {
				t.Error(err)
				continue
			}
			a := analysis.New(g, analysis.Env{Block: [3]uint32{256, 1, 1}, Assume: os.Getenv("ASSUME") != ""})
			t.Log(f.Name)
			for _, x := range a.Accesses() {
				l := a.Lanes(x.Addr.Expr, [3]uint32{256, 1, 1}, 1)
				p := a.Path(x.Block)
				var cs []string
				for _, c := range p.Conds {
					cs = append(cs, c.String())
				}
				on, may := a.Active(p, [3]uint32{256, 1, 1}, 1)
				t.Logf("%d: %s  %s\n   lanes exact %v %v align %d+%d needs %v\n   if %v exact %v on %x maybe %x", x.Value.Loc.Line, x.Mem, x.Addr.Expr, l.Exact, l.Off[:4], l.Align, l.Residue, l.Needs, strings.Join(cs, " && "), p.Exact, on, may)
			}
		}
	}
}
