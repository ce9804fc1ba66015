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
)

// Prefix begins the names of all directories that this package makes in the
// system's directory for temporary files.
const Prefix = "warpgrind-"

// reap waits for its standard input to end and removes a directory, a second
// time once those who may still write to it have had time to end.
const reap = `read x; rm -rf "$0"; sleep 2; rm -rf "$0"`

// base is the directory that holds the others, while there are any.
var base struct {
	sync.Mutex
	dir    string
	users  int
	reaper *exec.Cmd
	pipe   io.Closer
}

// Dir makes a directory and returns it with the function that removes it.
func Dir() (dir string, remove func(), err error) {
	base.Lock()
	defer base.Unlock()
	if base.users == 0 {
		if err := open(); err != nil {
			return "", nil, err
		}
	}
	dir, err = os.MkdirTemp(base.dir, "")
	if err != nil {
		if base.users == 0 {
			closeBase()
		}
		return "", nil, err
	}
	base.users++
	var once sync.Once
	return dir, func() { once.Do(func() { release(dir) }) }, nil
}

func release(dir string) {
	os.RemoveAll(dir)
	base.Lock()
	defer base.Unlock()
	if base.users--; base.users == 0 {
		closeBase()
	}
}

// open makes the base. Its path is short, so that a socket in it has a name
// that fits (unix(7): 107 bytes).
func open() error {
	err := openIn(os.TempDir())
	if err == nil && len(base.dir) > 64 {
		closeBase()
		err = openIn("/tmp")
	}
	if err != nil {
		return fmt.Errorf("no directory for temporary files (TMPDIR): %w", err)
	}
	return nil
}

// openIn makes the base in a directory. The reaper comes first, so that there is no moment at
// which a kill leaves the base behind.
func openIn(dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	base.dir = filepath.Join(dir, Prefix+strconv.FormatUint(rand.Uint64(), 36))
	startReaper(base.dir)
	if err = os.Mkdir(base.dir, 0o700); err != nil {
		endReaper()
	}
	return err
}

// startReaper does without where there is no shell: what is left behind after
// a kill is then only untidy.
func startReaper(dir string) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		return
	}
	cmd := exec.Command(sh, "-c", reap, dir)
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return
	}
	if cmd.Start() == nil {
		base.reaper, base.pipe = cmd, pipe
	}
}

func closeBase() {
	os.RemoveAll(base.dir)
	endReaper()
}

func endReaper() {
	if base.reaper != nil {
		_ = base.reaper.Process.Kill()
		_ = base.reaper.Wait()
		base.pipe.Close()
		base.reaper = nil
	}
}
