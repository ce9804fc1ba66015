package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// programs are whole programs with their arguments: three that execute more than 10^10
// thread instructions, and examples as they are.
var programs = []struct {
	path string
	args []string
}{
	{"apps/traversal.cu", []string{"1048576", "8"}},
	{"apps/radix_sort.cu", []string{"4194304", "4"}},
	{"apps/dynamics.cu", []string{"40", "16"}},
	{"apps/attention.cu", nil},
	{"apps/gemm.cu", nil},
	{"apps/hashtable.cu", nil},
	{"apps/lud.cu", nil},
	{"modern/lookback_scan.cu", nil},
	{"modern/stream_k_gemm.cu", nil},
	{"tensor/mma_gemm.cu", nil},
}

// programTimes are the wall times of a program with all correctness checks, from the command
// to the report, in seconds: compiled for the first time, and again.
type programTimes struct {
	command      string
	instructions uint64
	cold, warm   float64
}

// measurePrograms runs the programs from a folder of examples with a cache of their own, which has
// the runtime library and no program.
func (b *bench) measurePrograms(ctx context.Context, examples string) (list []programTimes, err error) {
	out, err := exec.CommandContext(ctx, b.warpgrind, "setup").Output()
	if err != nil {
		return nil, fmt.Errorf("setup: %w", err)
	}
	_, lib, _ := strings.Cut(string(out), "\n") // after the compiler's version
	own, shim := filepath.Join(b.dir, "cache"), filepath.Dir(strings.TrimSpace(lib))
	if err := os.MkdirAll(own, 0o755); err != nil {
		return nil, err
	}
	if err := os.Symlink(shim, filepath.Join(own, filepath.Base(shim))); err != nil {
		return nil, err
	}
	env := append(os.Environ(), "WARPGRIND_CACHE_DIR="+own)
	for i, p := range programs {
		if b.cfg.quick {
			if p.args = nil; i > 0 {
				break
			}
		}
		t := programTimes{command: strings.Join(append([]string{p.path}, p.args...), " ")}
		if t.cold, t.instructions, err = b.program(ctx, filepath.Join(examples, p.path), p.args, env); err != nil {
			return nil, err
		}
		for r := range b.cfg.rounds {
			s, _, err := b.program(ctx, filepath.Join(examples, p.path), p.args, env)
			if err != nil {
				return nil, err
			}
			if r == 0 || s < t.warm {
				t.warm = s
			}
		}
		list = append(list, t)
	}
	return list, nil
}

// program runs one program, of which nothing may be reported.
func (b *bench) program(ctx context.Context, path string, args, env []string) (seconds float64, instructions uint64, err error) {
	file := filepath.Join(b.dir, "report.json")
	cmd := exec.CommandContext(ctx, b.warpgrind, append([]string{"run", "--format", "json", "-o", file, path, "--"}, args...)...)
	cmd.Env = env
	began := time.Now()
	out, err := cmd.CombinedOutput()
	seconds = time.Since(began).Seconds()
	if err != nil {
		return 0, 0, fmt.Errorf("%s: %w: %s", path, err, firstLine(string(out)))
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, 0, err
	}
	var report struct{ Summary struct{ Instructions uint64 } }
	err = json.Unmarshal(text, &report)
	return seconds, report.Summary.Instructions, err
}

// programsSection is the page's table of whole programs.
func programsSection(list []programTimes) string {
	var w strings.Builder
	w.WriteString("\n## Whole programs\n\nSeconds from the command to the report with all correctness checks, the host's part included: compiled for the\n" +
		"first time, and from the cache (the best of some runs). The programs are in `examples`.\n\n" +
		"| program | 10^6 thread instructions | first run, s | again, s | 10^6 instructions a second |\n| --- | ---: | ---: | ---: | ---: |\n")
	for _, t := range list {
		fmt.Fprintf(&w, "| %s | %s | %s | %s | %s |\n", t.command, number(float64(t.instructions)/1e6), number(t.cold), number(t.warm),
			number(float64(t.instructions)/1e6/t.warm))
	}
	return w.String()
}
