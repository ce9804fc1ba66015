package static

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/build"
	"github.com/warpgrind/warpgrind/internal/examine"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/static"
)

// TestStaticOpen has barriers and indices that are not decided: it is said how
// many, and why.
func TestStaticOpen(t *testing.T) {
	const unsized = "not checked for bounds: 1 access through pointers to allocations whose sizes the host code does not show"
	for _, test := range []struct {
		file, kernel, z3, want string
	}{
		{"degrade/calls.cu", "twoEntries", "", "twoEntries: 3 indices of arrays are to be checked at run time: a loop with several entries"},
		{"degrade/calls.cu", "waitsInCall", "", "waitsInCall: 1 barrier is to be checked at run time: a barrier in a function that is not looked into"},
		{"shared.cu", "doubleBuffer", "no-such-z3", "doubleBuffer: 2 indices of arrays are to be checked at run time: no-such-z3 not found\n" + unsized},
		{"shared.cu", "doubleBuffer", "", unsized},
	} {
		cfg := staticConfig("testdata/static/" + test.file)
		cfg.Tools, cfg.Solver, cfg.Kernel = "sync,memory", test.z3, test.kernel
		if got := checkStatic(t, cfg).Messages; strings.Join(got, "\n") != test.want {
			t.Errorf("%s, %q: %q, want %q", test.kernel, test.z3, got, test.want)
		}
	}
}

// TestStaticParams gives parameters by their names and numbers, members of
// structures by their offsets.
func TestStaticParams(t *testing.T) {
	for _, test := range []struct {
		kernel, param, refused, said string
		race                         bool
	}{
		{kernel: "combine<*", param: "d+8=0"},
		{kernel: "combineOwn*", param: "d+8=5", race: true},
		{kernel: "combineOwn*", param: "4+8=0x40"},
		{kernel: "combineOwn*", param: "d=5", refused: "it has 12 bytes: want d+OFFSET=VALUE"},
		{kernel: "combineOwn*", param: "d+12=5", refused: "it has 12 bytes: want d+OFFSET=VALUE"},
		{kernel: "combineOwn*", param: "d+x=5", refused: "want NAME=VALUE, or NAME+OFFSET=VALUE"},
		{kernel: "combineOwn*", param: "d", refused: "want NAME=VALUE, or NAME+OFFSET=VALUE"},
		{kernel: "parts", param: "n+0=5", refused: "it has 4 bytes: want n=VALUE"},
		{kernel: "parts", param: "m=5", said: "--param m=5: no kernel that was checked has this parameter"},
	} {
		needStatic(t)
		cfg := staticConfig("testdata/static/more/arguments.cu")
		cfg.Kernel, cfg.Params, cfg.Tools, cfg.Stdout, cfg.Stderr = test.kernel, []string{test.param}, "race", io.Discard, io.Discard
		r, err := examine.CheckStatic(context.Background(), cfg)
		usage := new(build.UsageError)
		switch {
		case test.refused != "":
			if !errors.As(err, &usage) || !strings.Contains(err.Error(), test.refused) {
				t.Errorf("--param %s: %v, want %q", test.param, err, test.refused)
			}
		case err != nil:
			t.Errorf("--param %s: %v", test.param, err)
		case test.said != "" && !slices.Contains(r.Messages, test.said):
			t.Errorf("--param %s: %q", test.param, r.Messages)
		case test.race != slices.ContainsFunc(r.Findings, func(f *finding.Finding) bool { return f.Rule == "race" && f.Confidence == finding.Proved }):
			t.Errorf("--param %s: a race is proved: %v, want %v", test.param, !test.race, test.race)
		}
	}
}

// TestStaticOpenPairs has kernels with comments "open N" before them: so many
// pairs of accesses are not decided. With "finding" some may race.
func TestStaticOpenPairs(t *testing.T) {
	comment := regexp.MustCompile(`(?m)^// open (\w+)(, finding)?\n__global__ void (\w+)`)
	for _, file := range []string{"launches.cu", "distinct.cu"} {
		file = "testdata/static/open/" + file
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		cfg := staticConfig(file)
		cfg.Tools = "race"
		r := checkStatic(t, cfg)
		kernels, _ := r.Stats["static"].([]static.KernelSummary)
		for _, m := range comment.FindAllStringSubmatch(string(text), -1) {
			launches := 0
			for _, k := range kernels {
				if finding.DemangleName(k.Kernel) != m[3] {
					continue
				}
				launches++
				open, unusual := k.Pairs-k.Safe, 0
				for _, w := range k.Reasons {
					if strings.HasPrefix(w.Why, "a conflict takes ") {
						unusual += w.Pairs
					}
				}
				ok := fmt.Sprint(open) == m[1]
				switch m[1] {
				case "some":
					ok = open > unusual
				case "unusual":
					ok = open > 0 && open == unusual
				}
				if !ok {
					t.Errorf("%s: %d pairs open, %d of them for unusual values, want %s: %v", m[3], open, unusual, m[1], k.Reasons)
				}
			}
			if found := slices.ContainsFunc(r.Findings, func(f *finding.Finding) bool { return finding.DemangleName(f.Kernel) == m[3] }); found != (m[2] != "") {
				t.Errorf("%s: a race is found: %v", m[3], found)
			}
			if launches == 0 {
				t.Errorf("%s was not checked", m[3])
			}
		}
	}
}
