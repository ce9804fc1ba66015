package warpgrind_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// A victim is a kind of process that a run consists of.
type victim struct {
	name string
	// is reports whether a process is one, by the file that it executes and its command line.
	is func(exe, args string) bool
	// exits are the exit codes of a run that loses one, -1 for the end by the signal; says is what such a run says unless it
	// ends as if nothing had happened.
	exits []int
	says  string
	often bool // also without the long tests
}

var victims = []victim{
	{"program", func(exe, _ string) bool { return strings.Contains(exe, "/warpgrind-") }, []int{1, 3}, "killed", true},
	{"engine", func(exe, _ string) bool { return filepath.Base(exe) == "warpgrind" }, []int{-1, 1, 7}, "", false}, // 7: a child that was to become a compiler
	{"compiler", func(exe, _ string) bool { return strings.Contains(exe, "llvm") || strings.Contains(exe, "/ld") }, []int{1, 7}, "was ended by a signal", true},
	{"cleaner", func(_, args string) bool { return strings.Contains(args, "rm -rf") }, []int{1}, "", false},
}

// mostAfterKill is how long a run may take that lost a process. It takes two seconds at most on an idle machine.
const mostAfterKill = 45 * time.Second

// TestKilledAtMoments kills one process of a run, of each kind, at a moment between its start and the run's end. The run
// exits within seconds with the documented code, and leaves no process or file.
func TestKilledAtMoments(t *testing.T) {
	bin, each := tooltest.Tool(t), 1
	if tooltest.Long() {
		each = 250
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	for i, v := range victims {
		if !v.often && !tooltest.Long() {
			continue
		}
		t.Run(v.name, func(t *testing.T) {
			t.Parallel()
			r, met, longest := rand.New(rand.NewPCG(seed, uint64(i))), 0, time.Duration(0)
			for n := range each {
				killed, took := killOne(t, v, bin, fmt.Sprintf("%d-%d", i, n), r)
				if killed {
					met++
				}
				longest = max(longest, took)
			}
			t.Logf("killed %d of %d; the longest run took %v after that", met, each, longest.Round(time.Millisecond))
		})
	}
}

// killOne starts a run of a program that is not compiled yet, and kills one victim.
func killOne(t *testing.T, v victim, bin, id string, r *rand.Rand) (killed bool, took time.Duration) {
	tmp, mark := t.TempDir(), fmt.Sprintf("WARPGRIND_TEST_MARK=%d-kill-%s.", os.Getpid(), id)
	source := filepath.Join(t.TempDir(), "brief.cu")
	if err := os.WriteFile(source, []byte(briefProgram+"// "+strconv.FormatUint(r.Uint64(), 36)), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bin, "run", source)
	cmd.Env = append(os.Environ(), "TMPDIR="+tmp, "WARPGRIND_FALLBACK=", mark)
	var out lockedBuffer
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &out, &out, 5*time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { cmd.Wait(); close(ended) }()
	killed = killWhen(v, mark, cmd.Process.Pid, time.Duration(r.IntN(800))*time.Millisecond, ended)
	start := time.Now()
	select {
	case <-ended:
	case <-time.After(mostAfterKill):
		cmd.Process.Signal(syscall.SIGABRT)
		<-ended
		t.Errorf("a run whose %s was killed did not end:\n%s", v.name, out.String())
	}
	took = time.Since(start)
	checkKilled(t, v, cmd.ProcessState, out.String(), killed)
	leftOver(t, tmp, mark)
	return killed, took
}

// killWhen waits for a while, and kills the next victim that it sees. It reports whether there was one.
func killWhen(v victim, mark string, engine int, delay time.Duration, ended <-chan struct{}) bool {
	for {
		select {
		case <-ended:
			return false
		case <-time.After(delay):
		}
		if list := marked(v, mark, engine); len(list) > 0 {
			return syscall.Kill(list[len(list)-1], syscall.SIGKILL) == nil
		}
		delay = 10 * time.Millisecond
	}
}

// marked lists the victims among the processes whose environment has the mark; none began before the engine.
func marked(v victim, mark string, engine int) (pids []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range files {
		dir := filepath.Dir(file)
		pid, _ := strconv.Atoi(filepath.Base(dir))
		if pid < engine {
			continue
		}
		if b, err := os.ReadFile(file); err != nil || !bytes.Contains(b, []byte(mark)) {
			continue
		}
		exe, _ := os.Readlink(filepath.Join(dir, "exe"))
		args, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		if v.is(exe, string(args)) {
			pids = append(pids, pid)
		}
	}
	return pids
}

func checkKilled(t *testing.T, v victim, how *os.ProcessState, text string, killed bool) {
	t.Helper()
	found := how.ExitCode() == 1 && strings.Contains(text, "error[race]")
	for _, code := range v.exits {
		if how.ExitCode() == code && killed && (found || strings.Contains(text, v.says)) {
			return
		}
	}
	if !found {
		t.Errorf("%s killed (%v): ended with %v\n%s", v.name, killed, how, text)
	}
}
