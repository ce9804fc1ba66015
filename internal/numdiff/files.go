package numdiff

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/warpgrind/warpgrind/internal/userfile"
	"github.com/warpgrind/warpgrind/internal/visible"
)

// Summary counts the files of a comparison.
type Summary struct{ Compared, Differ, Missing int }

// Same reports whether nothing differs and no file is missing.
func (s Summary) Same() bool { return s.Differ == 0 && s.Missing == 0 }

// Paths compares two files, or the files of the same names in two directories,
// and writes what differs, at most n elements of each kind.
func Paths(w io.Writer, a, b string, o Options, n int) (Summary, error) {
	x, err := os.Stat(a)
	if err != nil {
		return Summary{}, err
	}
	y, err := os.Stat(b)
	if err != nil {
		return Summary{}, err
	}
	var s Summary
	switch {
	case x.IsDir() && y.IsDir():
		err = dirs(w, a, b, o, n, &s)
	case x.IsDir():
		err = files(w, filepath.Base(b), filepath.Join(a, filepath.Base(b)), b, o, n, &s)
	case y.IsDir():
		err = files(w, filepath.Base(a), a, filepath.Join(b, filepath.Base(a)), o, n, &s)
	default:
		err = files(w, b, a, b, o, n, &s)
	}
	return s, err
}

func dirs(w io.Writer, a, b string, o Options, n int, s *Summary) error {
	inA, err := names(a)
	if err != nil {
		return err
	}
	inB, err := names(b)
	if err != nil {
		return err
	}
	all := append(slices.Clone(inA), inB...)
	slices.Sort(all)
	for _, name := range slices.Compact(all) {
		switch {
		case !slices.Contains(inA, name):
			s.Missing++
			_, _ = visible.Fprintf(w, "%s: only in %s\n", name, b)
		case !slices.Contains(inB, name):
			s.Missing++
			_, _ = visible.Fprintf(w, "%s: only in %s\n", name, a)
		default:
			if err := files(w, name, filepath.Join(a, name), filepath.Join(b, name), o, n, s); err != nil {
				return err
			}
		}
	}
	return nil
}

func names(dir string) ([]string, error) {
	es, err := os.ReadDir(dir)
	var out []string
	for _, e := range es {
		if e.Type().IsRegular() {
			out = append(out, e.Name())
		}
	}
	return out, err
}

func files(w io.Writer, name, a, b string, o Options, n int, s *Summary) error {
	x, err := readFile(a)
	if err != nil {
		return err
	}
	y, err := readFile(b)
	if err != nil {
		return err
	}
	s.Compared++
	r := Compare(x, y, o)
	if !r.Same() {
		s.Differ++
	}
	r.Write(w, name, n)
	return nil
}

func readFile(name string) ([]Value, error) {
	f, err := userfile.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	v, err := Read(f)
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return v, err
}
