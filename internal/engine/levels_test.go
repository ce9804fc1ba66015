package engine_test

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/warpgrind/warpgrind/internal/tooltest"
	"github.com/warpgrind/warpgrind/internal/warp"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
)

// TestLevels runs the package's tests at each instruction set, and with
// machine code and without. What this processor lacks is skipped.
func TestLevels(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the other tests several times; not in short mode")
	}
	if os.Getenv(levelEnv) != "" {
		t.Skip("runs at one level already")
	}
	defer useOwnExecutor()
	for i, l := range []struct{ simd, jit string }{
		{"off", "off"}, {"avx2", "always"}, {"avx512", "always"}, {"avx512", "off"}, {"avx2", "off"}, {"avx2", "drafts"},
	} {
		// Package alu's tests compare the operations of all, and the package's tests have run with
		// code for the best that there is.
		if !tooltest.Sampled(i, 6) {
			continue
		}
		t.Run("SIMD "+l.simd+" JIT "+l.jit, func(t *testing.T) {
			if l.simd != "off" && !slices.Contains(alu.ISAs(), l.simd) {
				t.Skipf("this processor has no %s", l.simd)
			}
			if err := warp.UseExecutor(l.jit); err != nil {
				t.Skip(err)
			}
			// These choose executors themselves.
			args, skip, seeds := []string{"-test.run=^Test"}, "^TestLevels$|^TestCoverage|^TestLocalWritten$|^TestSweeps", 60
			switch {
			case tooltest.Long():
			case l.jit == "off":
				args = append(args, "-test.short")
			case l.simd == "avx2": // a compiler takes half a second a program
				args, skip, seeds = append(args, "-test.short"), skip+"|Up$|^TestIntervals|^TestQuiet|^TestDifferentialCopies", 20
			}
			cmd := exec.Command(os.Args[0], append(args, "-test.skip="+skip)...)
			cmd.Env = append(os.Environ(), levelEnv+"=1", "WARPGRIND_SIMD="+l.simd, "WARPGRIND_JIT="+l.jit)
			if !tooltest.Long() { // random programs that the other levels do not have
				cmd.Env = append(cmd.Env, fmt.Sprintf("WARPGRIND_SEEDS=%d,%d", 301+60*i, seeds))
			}
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// levelEnv marks the processes that TestLevels starts.
const levelEnv = "WARPGRIND_TEST_LEVEL"

// takes reports whether case i of many runs: one in 80 at one of the levels, and where a compiler
// takes half a second for each.
func takes(i int) bool {
	return os.Getenv(levelEnv) == "" && slices.Contains(alu.ISAs(), "avx512") || tooltest.Sampled(i, 80)
}

// variant runs case i of many, of which each has to run: in the interpreter where takes leaves it out.
func variant(t *testing.T, i int, name string, run func(*testing.T)) {
	taken := takes(i)
	if !taken && os.Getenv(levelEnv) != "" {
		return // the level's parent has run it
	}
	t.Run(name, func(t *testing.T) {
		if !taken {
			defer useOwnExecutor()
			if err := warp.UseExecutor("off"); err != nil {
				t.Fatal(err)
			}
		}
		run(t)
	})
}

// TestExecutors runs random programs, and where an executor is missing says what it needs:
// the tests of the package use the best one that there is. Without AVX-512, code is made by way
// of LLVM.
func TestExecutors(t *testing.T) {
	defer useOwnExecutor()
	best := alu.ISA()
	defer alu.SetISA(best)
	for _, x := range []struct{ name, simd string }{{"off", best}, {"always", best}, {"always", "avx2"}, {"drafts", "avx2"}} {
		t.Run(x.name+" "+x.simd, func(t *testing.T) {
			if err := alu.SetISA(x.simd); err != nil {
				t.Skip(err)
			}
			if err := warp.UseExecutor(x.name); err != nil {
				t.Skip(err)
			}
			for seed := range int64(4) {
				if err := differ(t, seed, sizeOf(seed)); err != nil {
					t.Errorf("seed %d: %v", seed, err)
				}
			}
		})
	}
}
