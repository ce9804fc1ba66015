package driver

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/warpgrind/warpgrind/internal/build"
	"github.com/warpgrind/warpgrind/internal/cache"
	"github.com/warpgrind/warpgrind/internal/cc"
	"github.com/warpgrind/warpgrind/internal/nvcc"
	"github.com/warpgrind/warpgrind/internal/session"
)

// OptionsEnv names the environment variable with options for every run, as on
// the command line.
const OptionsEnv = "WARPGRIND_OPTIONS"

// Options returns the words of WARPGRIND_OPTIONS. The error is a *UsageError.
func Options() ([]string, error) {
	words, closed := nvcc.Words(os.Getenv(OptionsEnv))
	if !closed {
		return nil, &build.UsageError{Err: fmt.Errorf("%s: a quote is not closed, or a backslash is last: %s", OptionsEnv, os.Getenv(OptionsEnv))}
	}
	return words, nil
}

// CheckEnvironment returns what is wrong with a setting that has no flag.
func CheckEnvironment() error { return cache.CheckSize() }

// Compile carries out a command line of nvcc, without the program's name, and
// returns the exit code. With --instrument the sources are instrumented first.
func Compile(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, building func(what string, done, all int)) int {
	compile := func(args []string) int {
		return cc.Main(ctx, cc.Config{
			Tool: build.Tool(), Version: "warpgrind " + session.Version, Stdin: stdin, Stdout: stdout, Stderr: stderr, Building: building,
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
