package buffers

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/userfile"
)

// Dump writes each buffer to a file of its own in dir, NAME.LAUNCH.txt: first a
// line that begins with # and says what it is, then one element a line. Nothing
// in it changes from run to run by itself, as times and addresses do.
func (t *Types) Dump(dir string, arena *mem.Arena, launch int, kernel string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	used := map[string]int{}
	for _, b := range t.Live(arena) {
		name := fileName(Name(b.Allocation))
		if used[name]++; used[name] > 1 {
			name = fmt.Sprintf("%s-%d", name, used[name])
		}
		file := filepath.Join(dir, fmt.Sprintf("%s.%04d.txt", name, launch))
		head := fmt.Sprintf("# %s, %s, after launch %d of %s", Describe(b.Allocation), b.Type, launch, kernel)
		if err := write(file, head, b.Type, arena.Bytes(b.Base, b.Size)); err != nil {
			return err
		}
	}
	return nil
}

// fileName replaces what does not belong in the name of a file.
func fileName(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '/' || r == ':' || r == ' ' || r == '<' || r == '>' || r < ' ' {
			return '_'
		}
		return r
	}, s)
}

func write(file, head string, t Type, data []byte) error {
	f, err := userfile.Create(file)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	fmt.Fprintln(w, head)
	for i := range t.Elems(len(data)) {
		w.WriteString(t.Format(t.Elem(data, i)))
		w.WriteByte('\n')
	}
	err = w.Flush()
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}
