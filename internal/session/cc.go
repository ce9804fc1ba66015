package session

import (
	"context"
	"io"
	"os"
	"path/filepath"

	"github.com/warpgrind/warpgrind/internal/cc"
	"github.com/warpgrind/warpgrind/internal/nvcc"
)

// OptionsEnv names the environment variable with options for every run, as on
// the command line.
const OptionsEnv = "WARPGRIND_OPTIONS"

// Options returns the words of WARPGRIND_OPTIONS.
func Options() []string { return nvcc.Fields(os.Getenv(OptionsEnv)) }

// ToolEnv names the environment variable with the path of warpgrind that
// programs start; without it that is the running one.
const ToolEnv = "WARPGRIND"

// Compile carries out a command line of nvcc, without the program's name, and
// returns the exit code.
func Compile(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, building func(done, all int)) int {
	return cc.Main(ctx, cc.Config{
		Tool: tool(), Version: "warpgrind " + Version, Stdin: stdin, Stdout: stdout, Stderr: stderr, Building: building,
	}, args)
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
