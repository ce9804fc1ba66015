package command

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/warpgrind/warpgrind/internal/cache"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// TestScripts runs the command-line tests of testdata/script. Beside the
// commands of testscript there are
//
//	[long]                   the long tests are asked for
//	exits N command [args]   run a command that must end with exit code N
//	lines stderr N           the last command wrote N lines there (or stdout)
func TestScripts(t *testing.T) {
	bin := tooltest.Tool(t)
	dir, _ := tooltest.CacheDir()
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", filepath.Dir(bin)+string(os.PathListSeparator)+os.Getenv("PATH"))
			env.Setenv("TOOL", bin)
			env.Setenv(cache.DirEnv, dir)
			env.Setenv("EXAMPLES", filepath.Join(root, "examples"))
			return nil
		},
		Condition: func(name string) (bool, error) {
			if name != "long" {
				return false, fmt.Errorf("unknown condition %q", name)
			}
			return tooltest.Long(), nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits,
			"lines": lines,
		},
	})
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits code command [args...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

func lines(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: lines stdout|stderr N")
	}
	want, err := strconv.Atoi(args[1])
	ts.Check(err)
	text := strings.TrimRight(ts.ReadFile(args[0]), "\n")
	got := 0
	if text != "" {
		got = 1 + strings.Count(text, "\n")
	}
	if got != want {
		ts.Fatalf("%d lines in %s, want %d", got, args[0], want)
	}
}
