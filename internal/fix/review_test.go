package fix

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/repair"
	"github.com/warpgrind/warpgrind/internal/session"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// reviewed is what a program of testdata/repairs says of its patches in its first lines: "fix: OUTCOME [REASON]" of the first finding,
// "has: " and "not: " of lines of the diff, "arch: ".
type reviewed struct {
	outcome, arch string
	has, not      []string
}

func reviewOf(text string) (r reviewed) {
	r.arch = "sm_80"
	for _, line := range strings.Split(text, "\n") {
		key, value, _ := strings.Cut(strings.TrimPrefix(line, "// "), ": ")
		switch key {
		case "fix":
			r.outcome = value
		case "arch":
			r.arch = value
		case "has":
			r.has = append(r.has, value)
		case "not":
			r.not = append(r.not, value)
		default:
			return r
		}
	}
	return r
}

// TestFixReviewed: the patches are those that a review would take, and what one would refuse is refused with the reason.
func TestFixReviewed(t *testing.T) {
	root, err := tooltest.Root()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(root, "testdata/repairs/*.cu"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if r := reviewOf(string(text)); r.outcome != "" {
			t.Run(strings.TrimSuffix(filepath.Base(file), ".cu"), func(t *testing.T) { r.check(t, string(text)) })
		}
	}
}

func (want reviewed) check(t *testing.T, text string) {
	r, diff := patched(t, text, want.arch)
	if len(r.Results) == 0 {
		t.Fatalf("nothing was found: %v", r.Messages)
	}
	first := r.Results[0]
	i := slices.IndexFunc(r.Results, func(x repair.Result) bool { return x.Outcome != repair.Gone })
	if i >= 0 {
		first = r.Results[i]
	}
	if got := strings.TrimSpace(string(first.Outcome) + " " + string(first.Untried)); got != want.outcome && !(want.outcome == "open" && first.Outcome != repair.Fixed) {
		t.Errorf("%s: %s, want %s: %+v", first.Finding.Message, got, want.outcome, first.Tried)
	}
	if fixed := want.outcome == string(repair.Fixed); (r.Exit == session.ExitClean) != fixed || (diff != "") != fixed {
		t.Errorf("exit %d, with the diff\n%s", r.Exit, diff)
	}
	var changes []string
	for _, line := range strings.Split(diff, "\n") {
		if strings.HasPrefix(line, "+") && !strings.HasPrefix(line, "+++") || strings.HasPrefix(line, "-") && !strings.HasPrefix(line, "---") {
			changes = append(changes, line)
		}
	}
	body := strings.Join(changes, "\n")
	for _, line := range want.has {
		if !slices.Contains(strings.Split(body, "\n"), line) {
			t.Errorf("%q is not in\n%s", line, diff)
		}
	}
	for _, part := range want.not {
		if strings.Contains(body, part) {
			t.Errorf("%q is in\n%s", part, diff)
		}
	}
}

// patched repairs a program, and returns the diff.
func patched(t *testing.T, text, arch string) (*repair.Report, string) {
	t.Helper()
	tooltest.NeedsClang(t)
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "a.cu")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	named, err := filepath.Rel(root, file) // as users name files: what compilers then print is relative as well
	if err != nil {
		t.Fatal(err)
	}
	cfg := fixConfig(named)
	cfg.Arch, cfg.Timeout = arch, time.Minute
	r, _, err := Fix(context.Background(), cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := r.Diff(&b, filepath.Dir(file)); err != nil {
		t.Fatal(err)
	}
	return r, b.String()
}

// TestFixKeepsTheFile: line ends, tabs, a mark at the beginning and a missing line end at the end stay.
func TestFixKeepsTheFile(t *testing.T) {
	text := "\ufeff#include <cstdio>\n__global__ void k(int *d) {\n\t__shared__ int s[128];\n\ts[threadIdx.x] = d[threadIdx.x]; // in\n\td[threadIdx.x] = s[127 - threadIdx.x];\n}\n" +
		"int main() {\n\tint *d;\n\tcudaMalloc(&d, 512);\n\tcudaMemset(d, 0, 512);\n\tk<<<1, 128>>>(d);\n\tcudaDeviceSynchronize();\n\tcudaFree(d);\n}"
	text = strings.ReplaceAll(text, "\n", "\r\n")
	r, diff := patched(t, text, "sm_80")
	if len(r.Files) != 1 {
		t.Fatalf("%+v", r.Results)
	}
	want := strings.Replace(text, "// in\r\n", "// in\r\n\t__syncthreads();\r\n", 1)
	if got := r.Files[0].After; got != want {
		t.Errorf("%s\n%q", diff, got)
	}
}

// TestTidyLoop: a barrier that the next pass of a loop needs stays, though this input has one pass.
func TestTidyLoop(t *testing.T) {
	root, err := tooltest.Root()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "testdata/repairs/tidy_loop.cu"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Tidy(context.Background(), fixConfig(tidyFile(t, string(text))), nil, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	var needs []repair.Need
	for _, x := range r.Results {
		needs = append(needs, x.Need)
	}
	if !slices.Equal(needs, []repair.Need{repair.Needed, repair.Unneeded}) || len(r.Files) > 0 || r.Results[1].Unproved == "" {
		t.Errorf("%v, %+v", needs, r.Results)
	}
}
