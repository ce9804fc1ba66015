package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// recorded records the launches of programs below a directory.
func recorded(t *testing.T, bin string, programs ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, p := range programs {
		cmd := exec.Command(bin, "run", "-q", "--record", filepath.Join(dir, "caps", strings.TrimSuffix(filepath.Base(p), ".cu")), p)
		if out, err := cmd.CombinedOutput(); err != nil && cmd.ProcessState.ExitCode() != 1 {
			t.Fatalf("%v: %s", err, out)
		}
	}
	return dir
}

// in runs a command in a directory, and returns what it prints and its exit code.
func in(t *testing.T, dir string, env []string, args ...string) (string, int) {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), cmd.ProcessState.ExitCode()
}

// TestSuite: the merged report of all shards, however they were started and repeated, is that of
// one machine; without one of them it is not clean and names it.
func TestSuite(t *testing.T) {
	if testing.Short() {
		t.Skip("runs CUDA programs; not in short mode")
	}
	bin := tooltest.Tool(t)
	for _, c := range []struct {
		name     string
		programs []string
		exit     int
	}{
		{"findings", []string{"examples/boyer/fig1.cu", "examples/boyer/fig1_fixed.cu", "examples/bugs/oob_write.cu", "examples/bugs/missing_barrier.cu"}, 1},
		{"clean", []string{"examples/boyer/fig1_fixed.cu", "examples/basic/bitonic.cu"}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := recorded(t, bin, c.programs...)
			flags := []string{"--split", "tool", "--tool", "race,memory,bank", "caps"}
			suite := func(env []string, args ...string) {
				t.Helper()
				if out, code := in(t, dir, env, slices.Concat([]string{bin, "suite", "-q"}, args, flags)...); code != 0 && code != c.exit {
					t.Fatalf("exit code %d: %s", code, out)
				}
			}
			suite(nil, "--save", "one.json", "-j", "3")
			suite([]string{"TEST_TOTAL_SHARDS=3", "TEST_SHARD_INDEX=0", "TEST_SHARD_STATUS_FILE=" + filepath.Join(dir, "status")}, "--save", "s-%n.json")
			suite([]string{"SLURM_ARRAY_TASK_ID=6", "SLURM_ARRAY_TASK_COUNT=3", "SLURM_ARRAY_TASK_MIN=5"}, "--save", "s-%n.json", "--results", "kept")
			if _, err := os.Stat(filepath.Join(dir, "status")); err != nil {
				t.Error("Bazel's status file was not made")
			}
			out, code := in(t, dir, nil, bin, "report", "--merge", "s-0.json", "s-1.json")
			if want := max(c.exit, 7*(1-c.exit)); code != want || !strings.Contains(out, "missing: shard 3/3 of") {
				t.Errorf("without shard 3: exit code %d, want %d: %s", code, want, out)
			}
			suite([]string{"JOB_COMPLETION_INDEX=2"}, "--shard", "/3", "--save", "s-2.json")
			suite([]string{"JOB_COMPLETION_INDEX=1"}, "--shard", "/3", "--save", "again.json", "--results", "kept")
			for _, format := range []string{"text", "json", "sarif", "junit", "html", "github"} {
				one, code1 := in(t, dir, nil, bin, "report", "--format", format, "one.json")
				all, code2 := in(t, dir, nil, bin, "report", "--merge", "--format", format, "s-2.json", "again.json", "s-0.json", "s-1.json", "s-0.json")
				if one != all || code1 != c.exit || code2 != c.exit {
					t.Errorf("%s of the shards differs from that of one machine, exit codes %d and %d:\n%s\n%s", format, code2, code1, all, one)
				}
			}
		})
	}
}

// TestSplitBlocks: the jobs for parts of a launch find the defects of the whole launch, and no others.
func TestSplitBlocks(t *testing.T) {
	if testing.Short() {
		t.Skip("runs CUDA programs; not in short mode")
	}
	bin := tooltest.Tool(t)
	dir := recorded(t, bin, "examples/bugs/oob_write.cu", "examples/bugs/misaligned.cu", "examples/bugs/divergent_barrier.cu", "examples/basic/bitonic.cu")
	defects := func(args ...string) map[string]bool {
		t.Helper()
		out, _ := in(t, dir, nil, slices.Concat([]string{bin, "suite", "-q", "--format", "json", "--tool", "memory,sync,bank"}, args, []string{"caps"})...)
		type place struct{ File, Line, Column any }
		var r struct {
			Findings []struct {
				Rule    string
				Primary struct{ Location place }
			}
		}
		if err := json.Unmarshal([]byte(out), &r); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		all := map[string]bool{}
		for _, f := range r.Findings {
			all[fmt.Sprint(f.Rule, f.Primary.Location)] = true
		}
		return all
	}
	whole, parts := defects(), defects("--split", "blocks=3")
	if len(whole) < 3 || !maps.Equal(whole, parts) {
		t.Errorf("the parts show %v, the whole %v", parts, whole)
	}
}

// plan returns what warpgrind plan writes in a directory.
func plan(t *testing.T, bin, dir string, args ...string) string {
	t.Helper()
	out, code := in(t, dir, nil, slices.Concat([]string{bin, "plan"}, args)...)
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, out)
	}
	return out
}

// TestPlans writes plans: as a list, and as a script that bash reads.
func TestPlans(t *testing.T) {
	if testing.Short() {
		t.Skip("runs CUDA programs; not in short mode")
	}
	bin := tooltest.Tool(t)
	dir := recorded(t, bin, "examples/boyer/fig1.cu", "examples/basic/bitonic.cu")
	plan := func(args ...string) string { return plan(t, bin, dir, args...) }
	var list struct{ Jobs []struct{ Args []string } }
	if err := json.Unmarshal([]byte(plan("--for", "json", "--split", "blocks=2,seeds=1", "--tool", "race,bank,memory", "caps")), &list); err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprint(list.Jobs)
	for _, want := range []string{"--tool memory --only-blocks 0-", "--tool race,bank caps/bitonic", "--schedule random --seed 1 --only-blocks"} {
		if !strings.Contains(text, want) {
			t.Errorf("no job with %q: %s", want, text)
		}
	}
	t.Run("slurm", func(t *testing.T) {
		text := plan("--for", "slurm", "--shards", "3", "caps")
		cmd := exec.Command("bash", "-n")
		cmd.Stdin = strings.NewReader(text)
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(text, "#SBATCH --array=0-2\n") {
			t.Errorf("%v: %s\n%s", err, out, text)
		}
	})
}
