package clang

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/warpgrind/warpgrind/internal/patience"
)

// CompileError is what the compiler rejected in a source. Text is the
// compiler's own output, and where a missing header is to be had.
type CompileError struct {
	// Source is the file that was compiled; "" when linking.
	Source string
	// Stage is "device", "host" or "link".
	Stage string
	Text  string
	// Missing is the header that was not found, as the source names it; "" for none.
	Missing string
}

func (e *CompileError) Error() string {
	what := e.Stage + " compilation of " + e.Source + " failed"
	if e.Source == "" {
		what = e.Stage + " failed"
	}
	return what + "\n" + strings.TrimRight(e.Text, "\n")
}

// ToolError is a failure of a tool of the pipeline where a correct input
// was expected: a bug in warpgrind or in the tool.
type ToolError struct {
	Tool, Source string
	Text         string
	Err          error
}

func (e *ToolError) Error() string {
	line, _, _ := strings.Cut(strings.TrimSpace(e.Text), "\n")
	return fmt.Sprintf("%s failed on %s: %v: %s", e.Tool, e.Source, e.Err, line)
}

func (e *ToolError) Unwrap() error { return e.Err }

// UsageError is a wrong option.
type UsageError struct{ Text string }

func (e *UsageError) Error() string { return e.Text }

// toolEnvironment is that of the compiler's tools. One that crashes, as where its disk is full, would leave files in the folder
// for temporary ones: the input of a symbolizer, and what it was compiling.
func toolEnvironment() []string { return append(os.Environ(), "LLVM_DISABLE_SYMBOLIZATION=1") }

// runTool runs a program with input on its standard input and returns what
// it wrote. The program runs in a process group of its own, which is killed
// as a whole when ctx ends; then the error is ctx's. It ends with this process, even a killed one: clang would wait for the
// module in a named pipe forever.
func runTool(ctx context.Context, input []byte, name string, args ...string) (stdout, stderr []byte, err error) {
	defer patience.Begin(patience.Compiler, filepath.Base(name))()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env, cmd.SysProcAttr = toolEnvironment(), &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	runtime.LockOSThread() // the signal comes when the thread that started it ends (prctl(2), PR_SET_PDEATHSIG)
	defer runtime.UnlockOSThread()
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 2 * time.Second
	if input != nil {
		cmd.Stdin = bytes.NewReader(input)
	}
	var out, diag bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &diag
	err = cmd.Run()
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	return out.Bytes(), diag.Bytes(), shortage(err, name, args, diag.Bytes())
}

// failed turns the error of a tool's run into a ToolError, unless it comes
// from the context.
func failed(err error, tool, source string, diag []byte) error {
	if isShort(err) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &ToolError{Tool: filepath.Base(tool), Source: source, Text: string(diag), Err: err}
}

// crashed reports whether err is a tool that has ended itself by a signal, as after a failed assertion or a bad access.
func crashed(err error) bool {
	var e *exec.ExitError
	if !errors.As(err, &e) {
		return false
	}
	status, ok := e.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && slices.Contains([]syscall.Signal{syscall.SIGABRT, syscall.SIGSEGV, syscall.SIGBUS, syscall.SIGILL}, status.Signal())
}
