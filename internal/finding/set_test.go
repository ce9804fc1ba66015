package finding

import (
	"encoding/json"
	"math/rand"
	"testing"

	"github.com/warpgrind/warpgrind/internal/source"
)

type sum struct{ N int }

func (s sum) Merged(o any) any { return sum{s.N + o.(sum).N} }

func sample() []*Finding {
	var fs []*Finding
	for i := range 40 {
		fs = append(fs, &Finding{
			Rule: "race", Level: Level(i % 3), Kernel: "_Z1kPi", Key: string(rune('a' + i%4)),
			Launches: InLaunch(i / 4), Message: "m", Count: uint64(i), Details: sum{i},
			Primary: Place{Loc: source.Location{Pos: source.Pos{File: "a.cu", Line: 10 - i%4}}},
			Witness: [4]uint64{uint64(i * 7 % 11), uint64(i)},
		})
	}
	return fs
}

func render(t *testing.T, fs []*Finding) string {
	t.Helper()
	var s Set
	s.AddAll(fs)
	b, err := json.Marshal(s.Sorted())
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestSetIsOrderFree(t *testing.T) {
	want := render(t, sample())
	for seed := range int64(50) {
		fs := sample()
		rand.New(rand.NewSource(seed)).Shuffle(len(fs), func(i, j int) { fs[i], fs[j] = fs[j], fs[i] })
		if got := render(t, fs); got != want {
			t.Fatalf("seed %d:\n got %s\nwant %s", seed, got, want)
		}
	}
}

func TestSetAssociates(t *testing.T) {
	fs := sample()
	var left, right, all Set
	left.AddAll(fs[:17])
	right.AddAll(fs[17:])
	for _, f := range right.Sorted() {
		left.Add(f)
	}
	all.AddAll(sample())
	a, _ := json.Marshal(left.Sorted())
	b, _ := json.Marshal(all.Sorted())
	if string(a) != string(b) {
		t.Errorf("merged in parts:\n%s\nat once:\n%s", a, b)
	}
}

func TestMergeKeepsWorstLevelAndSums(t *testing.T) {
	var s Set
	s.Add(&Finding{Key: "x", Level: Info, Message: "info", Count: 2, Witness: [4]uint64{0}, Launches: InLaunch(0)})
	s.Add(&Finding{Key: "x", Level: Error, Message: "error", Count: 3, Witness: [4]uint64{5}, Launches: InLaunch(5)})
	fs := s.Sorted()
	if len(fs) != 1 || fs[0].Level != Error || fs[0].Message != "error" || fs[0].Count != 5 {
		t.Errorf("got %+v", fs[0])
	}
}

func TestLaunches(t *testing.T) {
	for _, tc := range []struct {
		ids                []int
		count, first, last int
	}{
		{nil, 0, -1, -1},
		{[]int{3}, 1, 3, 3},
		{[]int{3, 3}, 1, 3, 3},
		{[]int{3, 4, 5}, 3, 3, 5},
		{[]int{5, 3, 4, 3, 9}, 4, 3, 9},
		{[]int{9, 1, 5, 3, 7, 2}, 6, 1, 9},
	} {
		var l Launches
		for _, id := range tc.ids {
			l = l.Union(InLaunch(id))
		}
		if l.Count() != tc.count || l.First() != tc.first || l.Last() != tc.last {
			t.Errorf("%v: count %d first %d last %d", tc.ids, l.Count(), l.First(), l.Last())
		}
	}
}

func TestLevelText(t *testing.T) {
	for _, l := range []Level{Info, Warning, Error} {
		got, err := ParseLevel(l.String())
		if err != nil || got != l {
			t.Errorf("ParseLevel(%q) = %v, %v", l, got, err)
		}
	}
	if _, err := ParseLevel("fatal"); err == nil {
		t.Error("ParseLevel(fatal) succeeds")
	}
}

func TestLaunchesJSON(t *testing.T) {
	for _, ids := range [][]int{{}, {4}, {4, 5}, {4, 9}, {1, 2, 7, 9}} {
		var l, got Launches
		for _, id := range ids {
			l = l.Union(InLaunch(id))
		}
		b, err := json.Marshal(l)
		if err == nil {
			err = json.Unmarshal(b, &got)
		}
		if err != nil || got.Count() != l.Count() || got.First() != l.First() || got.Last() != l.Last() {
			t.Errorf("%v: %s becomes %d launches from %d to %d, %v", ids, b, got.Count(), got.First(), got.Last(), err)
		}
	}
}

func TestDemangle(t *testing.T) {
	for in, want := range map[string]string{
		"_Z6kernelPi": "kernel(int*)", "main": "main", "_Z4scanIfEvPT_": "scan<float>(float*)", "": "",
	} {
		if got := Demangle(in); got != want {
			t.Errorf("Demangle(%q) = %q, want %q", in, got, want)
		}
	}
}
