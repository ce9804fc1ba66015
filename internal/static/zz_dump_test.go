package static

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/solve"
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
	var l Launch
	l.Shared = -1
	fmt.Sscanf(os.Getenv("BLOCK"), "%d,%d,%d", &l.Block[0], &l.Block[1], &l.Block[2])
	fmt.Sscanf(os.Getenv("GRID"), "%d,%d,%d", &l.Grid[0], &l.Grid[1], &l.Grid[2])
	l.Params = map[int]uint64{}
	var pi int
	var pv uint64
	if n, _ := fmt.Sscanf(os.Getenv("PARAMS"), "%d=%d", &pi, &pv); n == 2 {
		l.Params[pi] = pv
	}
	for _, it := range m.Items {
		f, ok := it.(*ptx.Func)
		if !ok || !f.Entry || f.Body == nil {
			continue
		}
		if k := os.Getenv("KERNEL"); k != "" && f.Name != k {
			continue
		}
		g, err := ssa.Build(m, f, ssa.Options{Verify: true})
		if err != nil {
			t.Error(err)
			continue
		}
		if os.Getenv("SSA") != "" {
			fmt.Println(g)
		}
		s := solve.New(solve.Options{})
		start := time.Now()
		r := NewUnit(g, l, nil, s).Races(context.Background(), ITS)
		fmt.Println("==", g.Name, r.Undecided, time.Since(start), s.Asked())
		n := map[Verdict]int{}
		for _, p := range r.Pairs {
			n[p.Verdict]++
			if p.Verdict != Safe {
				fmt.Printf("%v %v:%d %v:%d %v %s %v intra=%v inter=%v block=%v same=%v\n", p.Verdict, p.A.Value.Op, p.A.Value.Loc.Line, p.B.Value.Op, p.B.Value.Loc.Line, p.A.Name(), p.Why, p.Needs, p.IntraWarp, p.InterWarp, p.InterBlock, p.SameValue)
				if p.Evidence != nil {
					fmt.Printf("    %+v\n", *p.Evidence)
				}
			}
		}
		fmt.Println(n)
		s.Close()
	}
}
