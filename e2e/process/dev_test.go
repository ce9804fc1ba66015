package process

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// mostDev is a bound on the run of TestDevUntouched, which takes four seconds.
const mostDev = 2 * time.Minute

// TestDevUntouched: a run as root with a /dev of its own and no /proc makes machine code, and leaves
// no file in /dev. A run that does not end in time is sent SIGABRT, which shows what its goroutines wait for.
func TestDevUntouched(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 || exec.Command("unshare", "-m", "true").Run() != nil {
		t.Skip("needs root and mount namespaces")
	}
	phase := time.Now()
	took := func(what string) {
		t.Logf("%s: %v", what, time.Since(phase).Round(time.Millisecond))
		phase = time.Now()
	}
	bin := tooltest.Tool(t)
	took("build the tool")
	cache := tooltest.FreshCache(t, "")
	took("set up the cache")
	dir := t.TempDir()
	script := `set -e
mkdir "$0/dev"; mount -t tmpfs none "$0/dev"
for d in null zero random urandom; do touch "$0/dev/$d"; mount --bind "/dev/$d" "$0/dev/$d"; done
mkdir "$0/dev/shm"; mount --rbind "$0/dev" /dev; mount -t tmpfs none /proc
find /dev | sort > "$0/before"
"$1" run -q -o "$0/report" examples/boyer/fig1.cu > "$0/out" || [ $? = 1 ]
find /dev | sort | diff "$0/before" -
`
	cmd := exec.Command("unshare", "-m", "sh", "-c", script, dir, bin)
	cmd.Env = append(os.Environ(), "WARPGRIND_SIMD=avx2", "WARPGRIND_JIT=always", "WARPGRIND_CACHE_DIR="+cache)
	out, err := outputWithin(cmd, mostDev)
	took("run")
	if err != nil {
		report, _ := os.ReadFile(filepath.Join(dir, "report"))
		t.Errorf("%v\n%s%s", err, out, report)
	}
}

// outputWithin runs a command in a process group of its own and returns what it writes. After most the group is sent SIGABRT,
// at which warpgrind shows its goroutines (SIGQUIT is passed on to the program), and what is left of it is killed.
func outputWithin(cmd *exec.Cmd, most time.Duration) (string, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var out lockedBuffer
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &out, &out, 10*time.Second
	if err := cmd.Start(); err != nil {
		return "", err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		return out.String(), err
	case <-time.After(most):
	}
	syscall.Kill(-cmd.Process.Pid, syscall.SIGABRT)
	kill := time.AfterFunc(5*time.Second, func() { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	defer kill.Stop()
	err := errors.Join(errors.New("it did not end in time"), <-ended)
	return out.String(), err
}
