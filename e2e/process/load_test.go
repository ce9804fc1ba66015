package process

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/scratch"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// loadScale is n, or long where WARPGRIND_LONG_TESTS is set.
func loadScale(n, long int) int {
	if tooltest.Long() {
		return long
	}
	return n
}

// runLoad runs testdata/load/load.cu with arguments and returns its output.
func runLoad(bin string, args ...string) (string, error) {
	cmd := exec.Command(bin, append([]string{"run", "testdata/load/load.cu", "--"}, args...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%v: %w\n%s", args, err, out)
	}
	return string(out), nil
}

// TestLoad launches, allocates and frees in great number, from one thread and
// from eight with a stream each.
func TestLoad(t *testing.T) {
	bin := tooltest.Tool(t)
	n := fmt.Sprint(loadScale(4000, 100000))
	for _, mode := range []string{"launch", "alloc", "threads"} {
		t.Run(mode, func(t *testing.T) {
			out, err := runLoad(bin, mode, n)
			if err != nil {
				t.Fatal(err)
			}
			t.Log(strings.SplitN(out, "\n", 2)[0])
		})
	}
}

// TestTwoAtOnce runs two programs, each with an engine of its own.
func TestTwoAtOnce(t *testing.T) {
	bin := tooltest.Tool(t)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if _, err := runLoad(bin, "threads", "500"); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

// TestKill kills at random moments the tool, a program that runs by itself and the compiler: no
// process, socket, file or shared memory is left behind.
func TestKill(t *testing.T) {
	bin := tooltest.Tool(t)
	temp := t.TempDir()
	mark := fmt.Sprintf("kill-test-%d", os.Getpid())
	rounds := loadScale(9, 1000)
	app := filepath.Join(t.TempDir(), "app")
	if out, err := exec.Command(bin, "cc", "-o", app, "testdata/load/load.cu").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if _, err := runLoad(bin, "launch", "1"); err != nil { // fills the cache
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range rounds {
		var out bytes.Buffer
		cmd := exec.Command(bin, "run", "testdata/load/load.cu", "--", "launch", "100000000", mark)
		switch i % 3 {
		case 1:
			cmd = exec.Command(app, "launch", "100000000", mark)
		case 2:
			cmd = exec.Command(bin, "cc", fmt.Sprintf("-DROUND=%d", i), "-DMARK="+mark, "-o", app+".killed", "testdata/load/load.cu")
		}
		cmd.Env = append(os.Environ(), "TMPDIR="+temp)
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(rng.IntN(400)) * time.Millisecond)
		cmd.Process.Kill()
		cmd.Wait()
	}
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		left := leftBehind(t, temp, mark)
		if len(left) == 0 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("left behind after %d kills:\n%s", rounds, strings.Join(left, "\n"))
		}
	}
}

// leftBehind lists temporary files of the tool, shared memory, and processes
// that have the mark among their arguments.
func leftBehind(t *testing.T, temp, mark string) []string {
	t.Helper()
	var left []string
	for _, pattern := range []string{filepath.Join(temp, "*"), filepath.Join("/dev/shm", scratch.Prefix+"*")} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		left = append(left, files...)
	}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Skip("no /proc")
	}
	for _, e := range entries {
		args, err := os.ReadFile(filepath.Join("/proc", e.Name(), "cmdline"))
		if err == nil && strings.Contains(string(args), mark) {
			left = append(left, "process "+e.Name()+": "+strings.ReplaceAll(string(args), "\x00", " "))
		}
	}
	return left
}
