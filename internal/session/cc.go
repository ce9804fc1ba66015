package session

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/warpgrind/warpgrind/internal/cache"
	"github.com/warpgrind/warpgrind/internal/cc"
	"github.com/warpgrind/warpgrind/internal/nvcc"
)

// OptionsEnv names the environment variable with options for every run, as on
// the command line.
const OptionsEnv = "WARPGRIND_OPTIONS"

// Options returns the words of WARPGRIND_OPTIONS. The error is a *UsageError.
func Options() ([]string, error) {
	words, closed := nvcc.Words(os.Getenv(OptionsEnv))
	if !closed {
		return nil, &UsageError{fmt.Errorf("%s: a quote is not closed, or a backslash is last: %s", OptionsEnv, os.Getenv(OptionsEnv))}
	}
	return words, nil
}

// CheckEnvironment returns what is wrong with a setting that has no flag.
func CheckEnvironment() error { return cache.CheckSize() }

// ToolEnv names the environment variable with the path of warpgrind that
// programs start; without it that is the running one.
const ToolEnv = "WARPGRIND"

// Compile carries out a command line of nvcc, without the program's name, and
// returns the exit code. With --instrument the sources are instrumented first.
func Compile(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, building func(what string, done, all int)) int {
	compile := func(args []string) int {
		return cc.Main(ctx, cc.Config{
			Tool: tool(), Version: "warpgrind " + Version, Stdin: stdin, Stdout: stdout, Stderr: stderr, Building: building,
		}, args)
	}
	b, err := instrumented(args)
	switch {
	case err != nil:
		fmt.Fprintf(stderr, "nvcc fatal   : %v\n", err)
		return 1
	case b == nil:
		return compile(args)
	case b.with != "":
		compile = func(args []string) int { return b.other(ctx, args, stdin, stdout, stderr) }
	}
	b.stderr = stderr
	return b.run(ctx, compile)
}

// tool is the path of the running program.
func tool() string {
	if path := os.Getenv(ToolEnv); path != "" {
		if abs, err := filepath.Abs(path); err == nil {
			return abs
		}
	}
	path, err := os.Executable()
	if err != nil {
		return "warpgrind"
	}
	return path
}
