package source

import (
	"bytes"
	"os"
	"sync"

	"github.com/warpgrind/warpgrind/internal/userfile"
)

// maxFileSize bounds what Files keeps of one file; longer files show no text.
const maxFileSize = 64 << 20

// Files reads source files once and hands out their lines. It is safe for
// concurrent use. The zero value is ready.
type Files struct {
	mu    sync.Mutex
	lines map[string][][]byte
}

// Line returns the text of line n (from 1) of file without its line end, and
// whether there is one.
func (f *Files) Line(file string, n int) (string, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	ls, ok := f.lines[file]
	if !ok {
		ls = readLines(file)
		if f.lines == nil {
			f.lines = map[string][][]byte{}
		}
		f.lines[file] = ls
	}
	if n < 1 || n > len(ls) {
		return "", false
	}
	return string(bytes.TrimRight(ls[n-1], "\r")), true
}

// Add gives the text of a file that need not exist; Line then takes its lines
// from there.
func (f *Files) Add(file string, text []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.lines == nil {
		f.lines = map[string][][]byte{}
	}
	f.lines[file] = bytes.Split(text, []byte("\n"))
}

// Text returns the whole text of file, and whether there is any.
func (f *Files) Text(file string) (string, bool) {
	if _, ok := f.Line(file, 1); !ok {
		return "", false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return string(bytes.Join(f.lines[file], []byte("\n"))), true
}

func readLines(file string) [][]byte {
	st, err := os.Stat(file)
	if err != nil || !st.Mode().IsRegular() || st.Size() > maxFileSize {
		return nil
	}
	b, err := userfile.Read(file)
	if err != nil {
		return nil
	}
	return bytes.Split(b, []byte("\n"))
}
