package coverage

import (
	"reflect"
	"testing"

	"github.com/warpgrind/warpgrind/internal/source"
)

func resultWith(path string, line int, threads uint64, symbol string) *Result {
	at := &source.Pos{File: path, Line: 1, Col: 9}
	n := Count{Threads: threads, Warps: 1}
	branch := func(order uint64, macro *source.Pos) BranchCount {
		return BranchCount{Line: line, Col: 3, EndLine: line, EndCol: 8, Macro: macro, Taken: Count{Threads: threads + order}, Diverged: order}
	}
	return &Result{Files: []File{{Path: path,
		Lines:     []Line{{Line: line, Count: n, Launched: threads > 0}, {Line: 9, Count: n}},
		Functions: []FunctionCount{{Line: 1, Col: 2, EndLine: 10, Count: n, Instances: []Instance{{symbol, n}}}},
		Branches:  []BranchCount{branch(1, nil), branch(2, at), branch(3, at)}, // two of one macro's argument
	}}}
}

// TestMerge: results are added up, in any order and grouping.
func TestMerge(t *testing.T) {
	a, b, c := resultWith("a.cu", 3, 5, "f1"), resultWith("a.cu", 4, 0, "f2"), resultWith("b.cu", 3, 7, "f1")
	all := Merge(a, b, nil, c)
	for _, got := range []*Result{Merge(c, b, a), Merge(Merge(a, c), b), Merge(b, Merge(c, a))} {
		if !reflect.DeepEqual(got, all) {
			t.Errorf("%+v; want %+v", got, all)
		}
	}
	if got := Merge(a); !reflect.DeepEqual(got, a) {
		t.Errorf("%+v; want %+v", got, a)
	}
	f := Merge(a, a, b).Files[0]
	if n := f.Lines[0]; n != (Line{3, Count{10, 2}, true}) {
		t.Errorf("line %+v", n)
	}
	if n := f.Functions[0]; n.Threads != 10 || len(n.Instances) != 2 || n.Instances[0] != (Instance{"f1", Count{10, 2}}) {
		t.Errorf("function %+v", n)
	}
	if len(f.Branches) != 6 || f.Branches[1].Taken.Threads != 14 || f.Branches[2].Diverged != 6 {
		t.Errorf("branches %+v", f.Branches)
	}
	if Merge(nil, nil) != nil {
		t.Error("a result of none")
	}
}
