package study

import (
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/source"
)

const module = `.version 7.8
.target sm_80
.address_size 64
.file 1 "a.cu"
.file 2 "/usr/include/group.h"
.visible .entry k()
{
	.reg .pred %p<3>;
	.reg .b32 %r<3>;
	.loc 1 5 1
	bar.sync 0;
	.loc 1 6 1
	bar.warp.sync -1;
	{
	.loc 2 9 1, function_name L, inlined_at 1 7 3
	barrier.sync 0;
	}
	.loc 1 8 1
	bar.arrive 1, 64;
	bar.red.popc.u32 %r1, 0, %p1;
	.loc 1 5 1
	@%p1 bar.sync 0;
	bar.cta.sync 2;
	ret;
}
.func f()
{
	.loc 1 20 1
	barrier.cluster.arrive.aligned;
	barrier.cluster.wait.aligned;
	ret;
}
`

func own(file string) bool { return !strings.HasPrefix(file, "/usr/") }

func parse(t *testing.T) *ptx.Module {
	t.Helper()
	m, err := ptx.Parse("m.ptx", []byte(module))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestBarriers(t *testing.T) {
	want := []Barrier{
		{At: source.Pos{File: "a.cu", Line: 5, Col: 1}},
		{At: source.Pos{File: "a.cu", Line: 6, Col: 1}, Warp: true},
		{At: source.Pos{File: "a.cu", Line: 7, Col: 3}},
		{At: source.Pos{File: "a.cu", Line: 8, Col: 1}, Result: true},
		{At: source.Pos{File: "a.cu", Line: 20, Col: 1}},
	}
	got := Barriers(parse(t), own)
	if len(got) != len(want) {
		t.Fatalf("%+v, want %+v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("barrier %d: %+v, want %+v", i, got[i], want[i])
		}
	}
}

// TestRemove takes each barrier away: the others stay.
func TestRemove(t *testing.T) {
	all := Barriers(parse(t), own)
	for i, b := range all {
		m := parse(t)
		Remove(m, b, own)
		left := Barriers(m, own)
		if len(left) != len(all)-1 {
			t.Errorf("without barrier %d there are %d, want %d", i, len(left), len(all)-1)
		}
		for _, x := range left {
			if x == b {
				t.Errorf("barrier %d is still there", i)
			}
		}
	}
}

func TestText(t *testing.T) {
	r := &Report{Barriers: []Result{
		{File: "/w/a.cu", Line: 3, Source: "__syncthreads();", Verdict: Needed, Why: []string{"1", "2", "3", "4", "5", "6"}},
		{File: "/x/b.cu", Line: 4, Source: "b.sync();", Verdict: NotNeeded},
	}, Messages: []string{"hello"}}
	const want = `a.cu:3: __syncthreads();: needed
  1
  2
  3
  4
  and 2 more
/x/b.cu:4: b.sync();: not needed on this input

warpgrind: hello
warpgrind: 2 barriers: 1 needed, 1 not needed on this input
`
	var b strings.Builder
	if err := Text(&b, r, "/w"); err != nil || b.String() != want {
		t.Errorf("%v\n%s", err, b.String())
	}
}
