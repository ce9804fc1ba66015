// Package scratch makes temporary directories that are gone when this process
// is, even where it was killed and could remove nothing itself: a shell in a
// session of its own waits for the end of the process and removes them.
package scratch

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"

	"github.com/warpgrind/warpgrind/internal/fallback"
)

// Prefix begins the names of all directories that this package makes in the
// system's directory for temporary files.
const Prefix = "warpgrind-"

// reap waits for its standard input to end and removes a directory, again while there is one: those who still write to it, and
// have not ended yet, keep rm from removing all.
const reap = `read x; for i in 0 1 2 3 4 5 6 7 8 9; do rm -rf "$0"; [ -e "$0" ] || exit 0; sleep 1; done`

// base is the directory that holds the others of Dir, while there are any.
var base struct {
	sync.Mutex
	*guarded
	users int
}

// Dir makes a directory and returns it with the function that removes it.
func Dir() (dir string, remove func(), err error) {
	base.Lock()
	defer base.Unlock()
	if base.users == 0 {
		if base.guarded, err = open(); err != nil {
			return "", nil, err
		}
	}
	dir, err = os.MkdirTemp(base.dir, "")
	if err != nil {
		if base.users == 0 {
			base.close()
		}
		return "", nil, err
	}
	base.users++
	return dir, sync.OnceFunc(func() { release(dir) }), nil
}

// In makes a directory in another one, for what is to be renamed there, and returns it with the
// function that removes what is left of it.
func In(parent, prefix string) (dir string, remove func(), err error) {
	g, err := guard(parent, prefix)
	if err != nil {
		return "", nil, err
	}
	return g.dir, sync.OnceFunc(g.close), nil
}

func release(dir string) {
	os.RemoveAll(dir)
	base.Lock()
	defer base.Unlock()
	if base.users--; base.users == 0 {
		base.close()
	}
}

// open makes the base. Its path is short where that can be, so that a socket in it has a name
// that fits (unix(7): 107 bytes).
func open() (*guarded, error) {
	g, err := guard(os.TempDir(), Prefix)
	if err == nil && len(g.dir) > 64 {
		if short, err := guard("/tmp", Prefix); err == nil {
			g.close()
			g = short
		}
	}
	if err != nil {
		return nil, fmt.Errorf("no directory for temporary files (TMPDIR): %w", err)
	}
	return g, nil
}

// guarded is a directory with the process that removes it after a kill.
type guarded struct {
	dir    string
	reaper *exec.Cmd
	pipe   io.Closer
}

// guard makes a directory in another one. The reaper comes first, so that there is no moment at
// which a kill leaves the directory behind.
func guard(parent, prefix string) (*guarded, error) {
	parent, err := filepath.Abs(parent)
	if err != nil {
		return nil, err
	}
	g := &guarded{dir: filepath.Join(parent, prefix+strconv.FormatUint(rand.Uint64(), 36))}
	g.startReaper()
	if err = os.Mkdir(g.dir, 0o700); err != nil {
		g.endReaper()
		return nil, err
	}
	return g, nil
}

// startReaper does without where there is no shell, or no process: a kill then leaves the directory, which is counted as a fallback.
func (g *guarded) startReaper() {
	cmd := exec.Command("sh", "-c", reap, g.dir)
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	pipe, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		fallback.Took(fallback.Cleaner, fmt.Errorf("temporary files stay if warpgrind is killed: %w", err))
		return
	}
	g.reaper, g.pipe = cmd, pipe
}

func (g *guarded) close() {
	os.RemoveAll(g.dir)
	g.endReaper()
}

func (g *guarded) endReaper() {
	if g.reaper != nil {
		_ = g.reaper.Process.Kill()
		_ = g.reaper.Wait()
		g.pipe.Close()
		g.reaper = nil
	}
}
