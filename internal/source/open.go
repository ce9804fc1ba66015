package source

import (
	"fmt"
	"os"
	"path/filepath"
)

// Open opens a file for reading. A named pipe is refused: to open one blocks until a process writes to it, and no signal ends that. A
// pipe without a name, as of a shell's <(command), is open already.
func Open(name string) (*os.File, error) {
	st, err := os.Stat(name)
	if err == nil && st.Mode()&os.ModeNamedPipe != 0 {
		if _, err := filepath.EvalSymlinks(name); err == nil { // of /dev/fd/63 it leads to no file
			return nil, fmt.Errorf("%s: is a named pipe", name)
		}
	}
	return os.Open(name)
}
