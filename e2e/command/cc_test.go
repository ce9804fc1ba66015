package command

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// TestCC runs the tests of the compiler driver in testdata/cc, which have the
// commands of TestScripts. Programs are built as users build them and run by
// themselves; the folder that they are linked with is the test's own.
func TestCC(t *testing.T) {
	bin := tooltest.Tool(t)
	_, cache := tooltest.CacheDir()
	testscript.Run(t, testscript.Params{
		Dir: "testdata/cc",
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", filepath.Dir(bin)+string(os.PathListSeparator)+os.Getenv("PATH"))
			env.Setenv("TOOL", bin)
			env.Setenv("XDG_CACHE_HOME", cache)
			env.Setenv("XDG_DATA_HOME", filepath.Join(env.WorkDir, "data"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits,
			"lines": lines,
		},
	})
}
