package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"sync"
	"syscall"
	"time"

	"github.com/warpgrind/warpgrind/internal/interrupt"
	"github.com/warpgrind/warpgrind/internal/patience"
)

// SocketEnv names the environment variable with the server's socket.
const SocketEnv = "WARPGRIND_SOCKET"

// killDelay is how long output is awaited from descendants of a program that
// has ended.
const killDelay = 2 * time.Second

// Program is a program to run under a server. Env nil means the own
// environment.
type Program struct {
	Exe            string
	Args           []string
	Env            []string
	Dir            string
	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

// Exit is how a program ended.
type Exit struct {
	// Code is the exit status, or -1 after a signal.
	Code int
	// Signal is what ended it, or 0.
	Signal syscall.Signal
	// Canceled is set if it was killed because the context ended.
	Canceled bool
}

// Run runs a program with s as its GPU and waits for it. Interrupts are
// passed on to it; when ctx ends its process group is killed. Nothing is left
// after: no process of the group, no file. The error says why the program
// could not be started or watched; that it failed is not an error.
func Run(ctx context.Context, prog Program, s *Server) (Exit, error) {
	l, remove, err := s.listen()
	if err != nil {
		return Exit{}, err
	}
	defer remove()
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, l) }()
	exit, pid, err := runProgram(ctx, prog, s.socket)
	l.Close()
	defer patience.Begin(patience.Device, "")()
	s.dismiss(ctx)
	serr := <-served
	if exit.Signal != 0 || exit.Canceled {
		sweep(append(s.pids, pid))
	}
	if err == nil && serr != nil && ctx.Err() == nil {
		err = fmt.Errorf("serve the program: %w", serr)
	}
	return exit, err
}

// runProgram starts the program in a process group of its own and waits. It
// stays on one thread, because the program's death signal follows the thread
// that started it.
func runProgram(ctx context.Context, prog Program, socket string) (exit Exit, pid int, err error) {
	type result struct {
		exit Exit
		pid  int
		err  error
	}
	done := make(chan result)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		var r result
		r.exit, r.pid, r.err = startAndWait(ctx, prog, socket)
		done <- r
	}()
	r := <-done
	return r.exit, r.pid, r.err
}

func startAndWait(ctx context.Context, prog Program, socket string) (exit Exit, pid int, err error) {
	cmd := exec.CommandContext(ctx, prog.Exe, prog.Args...)
	cmd.Env = prog.Env
	if cmd.Env == nil {
		cmd.Env = os.Environ()
	}
	cmd.Env = append(cmd.Env[:len(cmd.Env):len(cmd.Env)], SocketEnv+"="+socket)
	cmd.Dir = prog.Dir
	cmd.Stdin, cmd.Stdout, cmd.Stderr = prog.Stdin, prog.Stdout, prog.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	restore := foreground(cmd)
	defer restore()
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = killDelay

	signals := make(chan os.Signal, 8)
	interrupt.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	defer signal.Stop(signals)
	if err := cmd.Start(); err != nil {
		return Exit{}, 0, fmt.Errorf("start %s: %w", prog.Exe, err)
	}
	stop := make(chan struct{})
	defer close(stop)
	passed := make(chan struct{})
	go forward(signals, cmd.Process.Pid, stop, sync.OnceFunc(func() { close(passed) }))
	told := context.AfterFunc(ctx, func() {
		end := patience.Begin(patience.Program, prog.Exe)
		<-stop
		end()
	})
	defer told()
	err = cmd.Wait()
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what it left running
	select {
	case <-passed:
		awaitEnd(ctx)
	default:
	}
	exit, err = exitOf(ctx, cmd, err)
	return exit, cmd.Process.Pid, err
}

// awaitEnd waits for the end of a context, which ends by the signal that the program got too, perhaps a moment later.
func awaitEnd(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(time.Second): // a signal that ends no run, such as SIGQUIT
	}
}

// forward passes signals on to the process group until stop is closed. It calls passed before it does.
func forward(signals <-chan os.Signal, pid int, stop <-chan struct{}, passed func()) {
	for {
		select {
		case sig := <-signals:
			passed()
			_ = syscall.Kill(-pid, sig.(syscall.Signal))
		case <-stop:
			return
		}
	}
}

func exitOf(ctx context.Context, cmd *exec.Cmd, err error) (Exit, error) {
	if cmd.ProcessState == nil {
		return Exit{}, err
	}
	e := Exit{Code: cmd.ProcessState.ExitCode(), Canceled: ctx.Err() != nil}
	if ws, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		e.Signal = ws.Signal()
	}
	var ee *exec.ExitError
	if err == nil || errors.As(err, &ee) || errors.Is(err, exec.ErrWaitDelay) || e.Canceled {
		return e, nil
	}
	return e, err
}
