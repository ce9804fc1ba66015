package interrupt

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestContext(t *testing.T) {
	for s, code := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143, syscall.SIGHUP: 129} {
		if signal.Ignored(s) { // as nohup has it for SIGHUP
			continue
		}
		ctx, stop := Context(t.Context(), Listen())
		child, end := context.WithTimeout(ctx, time.Hour)
		defer end()
		if err := syscall.Kill(os.Getpid(), s); err != nil {
			t.Fatal(err)
		}
		<-child.Done()
		if err := context.Cause(child); !errors.Is(err, context.Canceled) {
			t.Errorf("%v: the cause %v is not context.Canceled", s, err)
		}
		if got := ExitCode(child); got != code {
			t.Errorf("%v: exit code %d, want %d", s, got, code)
		}
		stop()
	}
	ctx, stop := Context(t.Context(), Listen())
	stop()
	if got := ExitCode(ctx); got != 130 {
		t.Errorf("exit code %d without a signal, want 130", got)
	}
}

// TestIgnored runs this test again in a process that ignores SIGHUP, and so does its child.
func TestIgnored(t *testing.T) {
	const again = "INTERRUPT_TEST_IGNORED"
	if os.Getenv(again) == "" {
		cmd := exec.Command("sh", "-c", `trap "" HUP; exec "$0" -test.run '^TestIgnored$'`, os.Args[0])
		cmd.Env = append(os.Environ(), again+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	c := make(chan os.Signal, 1)
	Notify(c, syscall.SIGHUP, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) || signal.Ignored(syscall.SIGTERM) {
		t.Error("SIGHUP is not ignored, or SIGTERM is")
	}
	if err := exec.Command("sh", "-c", "kill -HUP $$").Run(); err != nil {
		t.Error("SIGHUP ended a child:", err)
	}
}

// TestSecond sends a process of its own two signals.
func TestSecond(t *testing.T) {
	const again = "INTERRUPT_TEST_SECOND"
	if os.Getenv(again) != "" {
		ctx, _ := Context(t.Context(), Listen())
		_ = syscall.Kill(os.Getpid(), syscall.SIGTERM)
		<-ctx.Done()
		_ = syscall.Kill(os.Getpid(), syscall.SIGINT)
		time.Sleep(time.Minute)
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run", "^TestSecond$")
	cmd.Env = append(os.Environ(), again+"=1")
	out, err := cmd.CombinedOutput()
	status, _ := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if !status.Signaled() || status.Signal() != syscall.SIGINT || !strings.Contains(string(out), "interrupted again") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestStuck sends a process one signal that it cannot obey, since its standard error and what it writes to are full.
func TestStuck(t *testing.T) {
	const again = "INTERRUPT_TEST_STUCK"
	if os.Getenv(again) != "" {
		lateAfter, endAfter = 50*time.Millisecond, 200*time.Millisecond
		Context(t.Context(), Listen())
		_ = syscall.Kill(os.Getpid(), syscall.SIGTERM)
		for {
			os.Stderr.Write(make([]byte, 1<<16))
		}
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	cmd := exec.Command(os.Args[0], "-test.run", "^TestStuck$")
	cmd.Env, cmd.Stderr = append(os.Environ(), again+"=1"), w
	start := time.Now()
	err = cmd.Run()
	status, _ := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if !status.Signaled() || status.Signal() != syscall.SIGTERM || time.Since(start) > 20*time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}
}
