package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// sample is what came of one sample.
type sample struct {
	// Refused is the last output of the step that failed before there was a program.
	Refused string    `json:"refused,omitempty"`
	Runs    []*result `json:"runs,omitempty"`
}

// result is one run of a program.
type result struct {
	Args []string `json:"args,omitempty"`
	// Program is the exit code of the program, -1 where it did not end; Code is warpgrind's.
	Program  int       `json:"program"`
	Code     int       `json:"code"`
	Seconds  float64   `json:"seconds"`
	Launches int       `json:"launches"`
	Messages []string  `json:"messages,omitempty"`
	Findings []finding `json:"findings,omitempty"`
}

type finding struct {
	Rule  string `json:"rule"`
	Kind  string `json:"kind"`
	Level string `json:"level"`
	File  string `json:"file"`
	Line  int    `json:"line"`
	Text  string `json:"message"`
}

func (s *sample) String() string {
	if s.Refused != "" {
		return "not built: " + s.Refused
	}
	var parts []string
	for _, r := range s.Runs {
		parts = append(parts, fmt.Sprintf("program %d, warpgrind %d, %d launches, %d findings, %.0f s", r.Program, r.Code, r.Launches, len(r.Findings), r.Seconds))
	}
	return strings.Join(parts, "; ")
}

// waived is the exit code of a sample that finds that the device cannot do what it shows.
const waived = 2

// work is the tools and folders for a run of the samples.
type work struct {
	samples, warpgrind, cuda string
	// compilers has what CMake found about the compilers, once for all samples.
	compilers string
	limit     time.Duration
	tests     map[string]test
}

// test is an entry of the samples' test_args.json.
type test struct {
	Skip bool     `json:"skip"`
	Args []string `json:"args"`
	Runs []test   `json:"runs"`
	GPUs int      `json:"min_gpus"`
}

func newWork(samples, warpgrind string, limit time.Duration) (*work, error) {
	w := &work{limit: limit, tests: map[string]test{}}
	var err error
	if w.samples, err = filepath.Abs(samples); err != nil {
		return nil, err
	}
	if w.warpgrind, err = filepath.Abs(warpgrind); err != nil {
		return nil, err
	}
	b, err := os.ReadFile(filepath.Join(w.samples, "test_args.json"))
	if err == nil {
		err = json.Unmarshal(b, &w.tests)
	}
	if err != nil {
		return nil, err
	}
	home, err := exec.Command(w.warpgrind, "cc", "--print-cuda-home").Output()
	if err != nil {
		return nil, err
	}
	w.cuda = strings.TrimSpace(string(home))
	w.compilers, err = w.findCompilers()
	return w, err
}

// findCompilers is the folder with what CMake finds about the compilers, unless it has been found before.
func (w *work) findCompilers() (string, error) {
	seed := filepath.Join(w.samples, "compilers")
	found := func() string {
		files, _ := filepath.Glob(filepath.Join(seed, "build/CMakeFiles/*/CMakeCUDACompiler.cmake"))
		if len(files) == 1 {
			if text, err := os.ReadFile(files[0]); err == nil && bytes.Contains(text, []byte(w.cuda)) {
				return filepath.Dir(files[0])
			}
		}
		return ""
	}
	if dir := found(); dir != "" {
		return dir, nil
	}
	if err := os.RemoveAll(seed); err != nil {
		return "", err
	}
	if err := os.MkdirAll(seed, 0o755); err != nil {
		return "", err
	}
	lists := "cmake_minimum_required(VERSION 3.20)\nproject(compilers LANGUAGES C CXX CUDA)\n"
	if err := os.WriteFile(filepath.Join(seed, "CMakeLists.txt"), []byte(lists), 0o644); err != nil {
		return "", err
	}
	if out, err := w.cmake(seed, filepath.Join(seed, "build")); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	dir := found()
	if dir == "" {
		return "", errors.New("CMake has no CUDA compiler")
	}
	return dir, nil
}

func (w *work) cmake(source, build string) (string, error) {
	return w.command(source, "cmake", "-S", source, "-B", build, "-DCMAKE_CUDA_COMPILER="+w.cuda+"/bin/nvcc", "-DCUDAToolkit_ROOT="+w.cuda)
}

// command runs one, and returns what it has written.
func (w *work) command(dir, name string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, name, args...)
	c.Dir, c.WaitDelay = dir, time.Second
	out, err := c.CombinedOutput()
	return string(out), err
}

// sample builds and runs the sample of a folder.
func (w *work) sample(dir string) *sample {
	build := filepath.Join(dir, "build")
	s := &sample{}
	if err := os.RemoveAll(build); err != nil {
		return &sample{Refused: err.Error()}
	}
	if err := os.CopyFS(filepath.Join(build, "CMakeFiles", filepath.Base(w.compilers)), os.DirFS(w.compilers)); err != nil {
		return &sample{Refused: err.Error()}
	}
	out, err := w.cmake(dir, build)
	if err == nil {
		out, err = w.command(dir, "cmake", "--build", build)
	}
	if err != nil {
		s.Refused = reason(out)
		return s
	}
	exe := w.program(build)
	if exe == "" {
		s.Refused = "its CMake file leaves the program out, since something is not installed"
		return s
	}
	t := w.tests[filepath.Base(dir)]
	if len(t.Runs) == 0 {
		t.Runs = []test{{Args: t.Args}}
	}
	for _, r := range t.Runs {
		s.Runs = append(s.Runs, w.run(exe, r.Args, t.GPUs))
	}
	os.RemoveAll(build) //nolint:errcheck // only space
	return s
}

// reason is the line of a failed step that says why: the first that is an error, or the last.
func reason(out string) string {
	lines := strings.Split(strings.TrimSpace(out), "\n")
	for i, l := range lines {
		switch {
		case strings.HasPrefix(l, "CMake Error") && i+1 < len(lines):
			return strings.Join(strings.Fields(l+" "+strings.Join(lines[i+1:min(i+4, len(lines))], " ")), " ")
		case strings.Contains(l, "error:") || strings.Contains(l, "undefined"):
			return strings.TrimSpace(l)
		}
	}
	return lines[len(lines)-1]
}

// program is the executable that was built, of several the first.
func (w *work) program(build string) (found string) {
	filepath.WalkDir(build, func(path string, e fs.DirEntry, err error) error { //nolint:errcheck // none found
		if err != nil || e.IsDir() {
			if err == nil && e.Name() == "CMakeFiles" {
				return fs.SkipDir
			}
			return err
		}
		if info, err := e.Info(); err == nil && info.Mode()&0o111 != 0 && filepath.Ext(path) == "" && found == "" {
			found = path
		}
		return nil
	})
	return found
}

// run runs a program in its folder. A shell keeps the program's exit code.
func (w *work) run(exe string, args []string, gpus int) *result {
	r := &result{Args: args, Program: -1}
	dir := filepath.Dir(exe)
	report, code := filepath.Join(dir, "report.json"), filepath.Join(dir, "code")
	os.Remove(report) //nolint:errcheck // none yet
	os.Remove(code)   //nolint:errcheck // none yet
	argv := []string{"run", "--arch", "sm_90", "--timeout", w.limit.String(), "--devices", strconv.Itoa(max(gpus, 1)), "--format", "json=" + report, "--",
		"sh", "-c", `"$@"; echo $? >code`, "sh", "./" + filepath.Base(exe)}
	c := exec.Command(w.warpgrind, append(argv, args...)...)
	var log bytes.Buffer
	c.Dir, c.Stdout, c.Stderr = dir, &log, &log
	start := time.Now()
	c.Run() //nolint:errcheck // its code is kept
	r.Seconds, r.Code = time.Since(start).Seconds(), c.ProcessState.ExitCode()
	if b, err := os.ReadFile(code); err == nil {
		if n, err := strconv.Atoi(strings.TrimSpace(string(b))); err == nil {
			r.Program = n
		}
	}
	var rep struct {
		Summary  struct{ Launches int }
		Messages []string
		Findings []struct {
			finding
			Primary struct {
				Location struct {
					File string
					Line int
				}
			}
		}
	}
	b, err := os.ReadFile(report)
	if err == nil {
		err = json.Unmarshal(b, &rep)
	}
	if err != nil {
		r.Messages = append(r.Messages, "no report: "+strings.TrimSpace(log.String()))
	}
	r.Launches, r.Messages = rep.Summary.Launches, append(r.Messages, rep.Messages...)
	for _, f := range rep.Findings {
		f.finding.File, f.finding.Line = filepath.Base(f.Primary.Location.File), f.Primary.Location.Line
		r.Findings = append(r.Findings, f.finding)
	}
	return r
}
