package main

import (
	"strings"
	"testing"
)

func TestSummarize(t *testing.T) {
	tests := []struct {
		name, input string
		want        counts
		shown       []string
	}{
		{
			name: "leaves count, parents do not",
			input: `{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"run","Package":"p","Test":"TestA/x"}
{"Action":"run","Package":"p","Test":"TestA/y"}
{"Action":"pass","Package":"p","Test":"TestA/x"}
{"Action":"output","Package":"p","Test":"TestA/y","Output":"    a_test.go:3: wrong\n"}
{"Action":"fail","Package":"p","Test":"TestA/y"}
{"Action":"fail","Package":"p","Test":"TestA"}
{"Action":"fail","Package":"p"}
`,
			want:  counts{passed: 1, failed: 1},
			shown: []string{"FAIL  p TestA/y", "a_test.go:3: wrong", "1 passed, 1 failed, 0 skipped"},
		},
		{
			name: "skips say why",
			input: `{"Action":"run","Package":"p","Test":"TestS"}
{"Action":"output","Package":"p","Test":"TestS","Output":"=== RUN   TestS\n"}
{"Action":"output","Package":"p","Test":"TestS","Output":"    a_test.go:9: needs AVX2\n"}
{"Action":"output","Package":"p","Test":"TestS","Output":"--- SKIP: TestS (0.00s)\n"}
{"Action":"skip","Package":"p","Test":"TestS"}
{"Action":"skip","Package":"q"}
`,
			want:  counts{skipped: 1},
			shown: []string{"skip  p TestS: a_test.go:9: needs AVX2"},
		},
		{
			name: "the longest tests are named",
			input: `{"Time":"2026-01-02T03:04:05Z","Action":"run","Package":"p","Test":"TestA"}
{"Time":"2026-01-02T03:04:11Z","Action":"pass","Package":"p","Test":"TestA","Elapsed":0}
{"Time":"2026-01-02T03:04:11Z","Action":"run","Package":"p","Test":"TestB"}
{"Time":"2026-01-02T03:04:15Z","Action":"pass","Package":"p","Test":"TestB","Elapsed":4}
{"Time":"2026-01-02T03:04:00Z","Action":"run","Package":"q","Test":"TestC"}
{"Time":"2026-01-02T03:05:01.25Z","Action":"pass","Package":"q","Test":"TestC","Elapsed":61.25}
`,
			want:  counts{passed: 3},
			shown: []string{"slow  q TestC (61.2s)\nslow  p TestA (6.0s)\n3 passed"},
		},
		{
			name: "a parallel test's wait for its turn is not its time",
			input: `{"Time":"2026-01-02T03:04:05Z","Action":"run","Package":"p","Test":"TestA"}
{"Time":"2026-01-02T03:04:06Z","Action":"pause","Package":"p","Test":"TestA"}
{"Time":"2026-01-02T03:34:06Z","Action":"cont","Package":"p","Test":"TestA"}
{"Time":"2026-01-02T03:34:12Z","Action":"pass","Package":"p","Test":"TestA","Elapsed":7}
`,
			want:  counts{passed: 1},
			shown: []string{"slow  p TestA (7.0s)"},
		},
		{
			name: "a package that does not build is one failure",
			input: `{"ImportPath":"p [p.test]","Action":"build-output","Output":"p.go:1:1: expected package\n"}
{"ImportPath":"p [p.test]","Action":"build-fail"}
{"Action":"fail","Package":"p"}
`,
			want:  counts{failed: 1},
			shown: []string{"p.go:1:1: expected package", "0 passed, 1 failed, 0 skipped"},
		},
		{
			name:  "text that is not an event is passed on",
			input: "go: warning: something\n",
			shown: []string{"go: warning: something"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out strings.Builder
			if got := summarize(strings.NewReader(tt.input), &out); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
			for _, text := range tt.shown {
				if !strings.Contains(out.String(), text) {
					t.Errorf("output lacks %q:\n%s", text, out.String())
				}
			}
		})
	}
}
