package process

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

// A run that lost a process takes two seconds at most on an idle machine. Under load it may wait for a processor: it hangs if
// none of its processes has used one, or waited for one, for idleAfterKill, or if it takes mostAfterKill.
const (
	idleAfterKill = 30 * time.Second
	mostAfterKill = 5 * time.Minute
)

// TestKilledAtMoments kills one process of a run, of each kind, at a moment between its start and the run's end. The run
// exits within seconds with the documented code, and leaves no process or file.
func TestKilledAtMoments(t *testing.T) {
	bin, each := tooltest.Tool(t), 1
	if tooltest.Long() {
		each = 250
	}
	// What all runs need is compiled before, as the cache may be new.
	if out, err := exec.Command(bin, "run", "-q", "testdata/programs/arrays.cu").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
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
	delay, later := time.Duration(r.IntN(800))*time.Millisecond, time.Duration(r.IntN(2)*r.IntN(1000))*time.Millisecond
	killed = killWhen(v, mark, cmd.Process.Pid, delay, later, ended)
	start := time.Now()
	if why := awaitRun(ended, mark, cmd.Process.Pid); why != "" {
		cmd.Process.Signal(syscall.SIGABRT)
		<-ended
		t.Errorf("a run whose %s was killed (%v) %s:\n%s", v.name, killed, why, out.String())
	}
	took = time.Since(start)
	checkKilled(t, v, cmd.ProcessState, out.String(), killed)
	leftOver(t, tmp, mark)
	return killed, took
}

// awaitRun waits for the end of a run. It returns why the run hangs, or "".
func awaitRun(ended <-chan struct{}, mark string, engine int) string {
	var used uint64
	for start, active := time.Now(), time.Now(); ; {
		select {
		case <-ended:
			return ""
		case <-time.After(250 * time.Millisecond):
		}
		ticks, wants := activity(mark, engine)
		if wants || ticks != used {
			active, used = time.Now(), ticks
		}
		switch {
		case time.Since(active) > idleAfterKill:
			return "has waited for something else than a processor"
		case time.Since(start) > mostAfterKill:
			return fmt.Sprintf("has not ended after %v", mostAfterKill)
		}
	}
}

// activity is the processor time of a run's processes, in ticks, and reports whether one of them runs, waits for a processor
// or for the disk.
func activity(mark string, engine int) (ticks uint64, wants bool) {
	all := victim{is: func(string, string) bool { return true }}
	for _, pid := range marked(all, mark, engine) {
		files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				continue
			}
			// State, and the user's and the system's times: fields 3, 14 and 15 of proc_pid_stat(5). The name may have spaces.
			fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
			wants = wants || fields[0] == "R" || fields[0] == "D"
			for _, f := range fields[11:13] {
				n, _ := strconv.ParseUint(f, 10, 64)
				ticks += n
			}
		}
	}
	return ticks, wants
}

// killWhen waits for a while, then for a victim, whose later moments may come long after that on a loaded machine, and then for another while.
// It kills the victim that it then sees, and reports whether there was one.
func killWhen(v victim, mark string, engine int, delay, later time.Duration, ended <-chan struct{}) bool {
	for {
		select {
		case <-ended:
			return false
		case <-time.After(delay):
		}
		list := marked(v, mark, engine)
		if len(list) > 0 && later == 0 {
			return syscall.Kill(list[len(list)-1], syscall.SIGKILL) == nil
		}
		delay = 10 * time.Millisecond
		if len(list) > 0 {
			delay, later = later, 0
		}
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
