package report

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/finding"
)

// result is a result as it is read from a file.
func result(t *testing.T, r *Report) *Report {
	t.Helper()
	var b bytes.Buffer
	if err := JSON(&b, r, ""); err != nil {
		t.Fatal(err)
	}
	out, err := Read(&b, "result")
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func saved(t *testing.T, r *Report) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := JSON(&b, r, ""); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// someResult is a result of job i of n. Some have findings that others have as well.
func someResult(t *testing.T, i, n int) *Report {
	r := &Report{Version: "1", Arch: "sm_80", Tools: []string{"race", "memory"}, Summary: Summary{Launches: 1, Instructions: uint64(i), Unchecked: uint64(i % 3), UncheckedBlocks: uint64(i % 5), SkippedBlocks: uint64(i % 7)},
		Job:      &Job{ID: fmt.Sprint("job", i), Name: fmt.Sprintf("test %03d", i), Suite: "s"},
		Stats:    map[string]any{"bank": []any{map[string]any{"kernel": "k", "excess": i}}, "race": map[string]any{"sites": 2}},
		Launches: []Launch{{ID: i, Count: 1, Kernel: "k", Instructions: uint64(i)}},
		Code:     []Code{{Kernel: "k", Instructions: []Instruction{{PTX: "add", Warps: 1, Threads: 32}}}},
		Sources:  []Source{{"a.cu", "text"}}}
	for k := range i % 4 {
		r.Findings = append(r.Findings, &finding.Finding{Rule: "race", Kernel: "k", Level: finding.Level(k % 3), Message: fmt.Sprintf("m%d", k), Count: uint64(i),
			Fingerprint: fmt.Sprintf("%016x", k), Details: map[string]any{"address": 1<<60 + uint64(i)}})
	}
	if len(r.Findings) > 0 {
		r.Exit = 1
	}
	return result(t, r)
}

// TestMergeIsOfASet: results may come in any order, in any groups and more than once.
func TestMergeIsOfASet(t *testing.T) {
	const n = 40
	var all []*Report
	for i := range n {
		all = append(all, someResult(t, i, n))
	}
	merge := func(in []*Report) *Report { return Merge(in, make([]string, len(in)), finding.Rules{}) }
	want := merge(all)
	if want.Exit != 1 || want.Summary.Tests != n || want.Summary.Launches != n || len(want.Findings) != 3 {
		t.Fatalf("merged: %+v with %d findings", want.Summary, len(want.Findings))
	}
	if f := want.Findings[0]; len(f.Tests) == 0 || f.Count == 0 {
		t.Errorf("a finding without tests: %+v", f)
	}
	for seed := range uint64(30) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		list := slices.Clone(all)
		for range rnd.IntN(10) {
			list = append(list, all[rnd.IntN(n)])
		}
		rnd.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		for len(list) > 1 {
			k := 1 + rnd.IntN(min(len(list), 5))
			list = append(list[k:], result(t, merge(list[:k])))
		}
		if got := saved(t, merge(list)); !bytes.Equal(got, saved(t, want)) {
			t.Fatalf("seed %d: another report:\n%s", seed, got)
		}
	}
}

// TestMergeCountsMissingJobs: results of jobs without shards, as Bazel's tests give them, are complete
// when all are there.
func TestMergeCountsMissingJobs(t *testing.T) {
	var all []*Report
	for i := range 3 {
		all = append(all, result(t, &Report{Job: &Job{ID: fmt.Sprint(i), Name: "test", Suite: "s"}, Suites: []Suite{{ID: "s", Jobs: 3}}, Summary: Summary{Launches: 1}}))
	}
	one := result(t, &Report{Merged: true, Parts: all, Suites: []Suite{{ID: "s", Jobs: 3, Count: 1, Have: []int{0}}}})
	names := make([]string, 3)
	if got, want := saved(t, Merge(all, names, nil)), saved(t, Merge([]*Report{one}, names, nil)); !bytes.Equal(got, want) {
		t.Errorf("jobs one by one:\n%s\nfrom one machine:\n%s", got, want)
	}
	r := Merge(all[:2], names, nil)
	if r.Exit != 7 || len(r.Messages) != 1 || r.Messages[0] != "missing: 1 of 3 jobs of suite s have no result" {
		t.Errorf("exit code %d, %q", r.Exit, r.Messages)
	}
}

// TestMergeNamesWhatIsMissing: without all results nothing is clean.
func TestMergeNamesWhatIsMissing(t *testing.T) {
	clean := func(i, shard, count, exit int) *Report {
		r := &Report{Job: &Job{ID: fmt.Sprint(i), Name: fmt.Sprint("test ", i), Suite: "s"}, Exit: exit, Messages: []string{"the end"}, Summary: Summary{Launches: 1}}
		return result(t, &Report{Merged: true, Parts: []*Report{r}, Suites: []Suite{{ID: "s", Jobs: 3, Count: count, Have: []int{shard}}}})
	}
	for _, c := range []struct {
		in   []*Report
		exit int
		text string
	}{
		{[]*Report{clean(0, 0, 3, 0), clean(1, 1, 3, 0), clean(2, 2, 3, 0)}, 0, ""},
		{[]*Report{clean(0, 0, 3, 0), clean(2, 2, 3, 0)}, 7, "missing: shard 2/3 of suite s has no result"},
		{[]*Report{clean(0, 0, 3, 1), clean(2, 2, 3, 0)}, 1, "missing: shard 2/3 of suite s has no result"},
		{[]*Report{clean(0, 0, 3, 0), clean(1, 1, 3, 7), clean(2, 2, 3, 0)}, 7, "failed: test 1: exit code 7: the end"},
		{[]*Report{clean(0, 0, 3, 3), clean(1, 1, 3, 6), clean(2, 2, 3, 2)}, 6, "failed: test 0: exit code 3: the end|failed: test 1: exit code 6: the end|failed: test 2: exit code 2: the end"},
		{[]*Report{clean(0, 0, 3, 4), clean(1, 1, 3, 4), clean(2, 2, 3, 4)}, 4, ""},
		{[]*Report{clean(0, 0, 3, 4), clean(1, 1, 3, 0), clean(2, 2, 3, 4)}, 0, ""},
		// Shard 1 was run again, and all of it by others.
		{[]*Report{clean(0, 0, 3, 0), clean(1, 1, 3, 7), clean(1, 1, 3, 0), clean(2, 2, 3, 0)}, 0, ""},
		{[]*Report{clean(0, 0, 3, 0), clean(1, 1, 2, 0), clean(2, 1, 2, 0)}, 0, ""},
	} {
		r := Merge(c.in, make([]string, len(c.in)), finding.Rules{})
		if got := strings.Join(r.Messages, "|"); r.Exit != c.exit || got != c.text {
			t.Errorf("exit code %d, %q; want %d, %q", r.Exit, got, c.exit, c.text)
		}
		for _, format := range Formats() {
			var b bytes.Buffer
			if err := Write(&b, r, format, Options{}); err != nil {
				t.Errorf("%s: %v", format, err)
			}
			if c.text != "" && !slices.Contains([]string{"sanitizer-xml", "lcov", "cobertura"}, format) && !strings.Contains(b.String(), strings.SplitN(c.text, ": ", 3)[1]) {
				t.Errorf("%s does not name what %q does:\n%.2000s", format, c.text, b.String())
			}
		}
		if v := verdict(r); c.exit != 0 && v == "clean" {
			t.Errorf("%s, with exit code %d", v, r.Exit)
		}
	}
}

// TestMergeNamesWhatWasNotChecked: what a run left out by the user's choice is in the merged report, in each format, and nothing is called
// clean where something was left out. Counts add up, however results are grouped. JUnit has each run with its own messages.
func TestMergeNamesWhatWasNotChecked(t *testing.T) {
	for _, c := range []struct {
		a, b Summary
		want string
	}{
		{Summary{}, Summary{}, ""},
		{Summary{Unchecked: 3}, Summary{Unchecked: 4}, "7 launches were not checked (--kernel, --launch-skip, --launch-count)"},
		{Summary{UncheckedBlocks: 1}, Summary{}, "1 block was not checked (--sample)"},
		{Summary{}, Summary{SkippedBlocks: 1 << 40}, "1099511627776 blocks were not executed (--only-blocks): results are not those of the whole programs"},
	} {
		c.a.Launches, c.b.Launches = 1, 1
		both := []*Report{result(t, &Report{Summary: c.a, Job: &Job{Name: "a"}}), result(t, &Report{Summary: c.b, Job: &Job{Name: "b"}})}
		for _, again := range []bool{false, true} {
			r := Merge(both, make([]string, 2), finding.Rules{})
			if again {
				r = Merge([]*Report{result(t, r), both[0]}, make([]string, 2), finding.Rules{})
			}
			if got := strings.Join(r.Messages, "|"); got != c.want || r.Exit != 0 || (verdict(r) == "clean") != (c.want == "") {
				t.Errorf("exit code %d, %q, %s; want %q", r.Exit, got, verdict(r), c.want)
			}
			for _, format := range Formats() {
				var b bytes.Buffer
				if err := Write(&b, r, format, Options{}); err != nil {
					t.Errorf("%s: %v", format, err)
				}
				head, _, _ := strings.Cut(c.want, " (")
				if text := strings.Join(strings.Fields(b.String()), " "); !slices.Contains([]string{"sanitizer-xml", "lcov", "cobertura", "junit"}, format) && !strings.Contains(text, head) {
					t.Errorf("%s lacks %q:\n%.2000s", format, head, text)
				}
			}
		}
	}
}
