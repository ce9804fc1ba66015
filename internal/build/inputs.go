package build

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// UsageError is a wrong use of the tool or a program that does not compile:
// one line, or the compiler's own text.
type UsageError struct{ Err error }

func (e *UsageError) Error() string { return e.Err.Error() }
func (e *UsageError) Unwrap() error { return e.Err }

// sourceExts are the inputs that are compiled.
var sourceExts = []string{".cu", ".cpp", ".cc", ".cxx", ".c", ".o", ".a", ".so"}

func IsSource(file string) bool { return slices.Contains(sourceExts, filepath.Ext(file)) }

// ArgumentsAt is where in a list of inputs, given without --, arguments of the program begin:
// behind an executable, or behind sources with what is neither a source nor a file that one
// could have meant. It is 0 where there are none.
func ArgumentsAt(inputs []string) int {
	if len(inputs) < 2 {
		return 0
	}
	if !IsSource(inputs[0]) {
		if st, err := os.Stat(FindProgram(inputs[0])); err == nil && !st.IsDir() && st.Mode()&0o111 != 0 {
			return 1
		}
		return 0
	}
	return max(0, slices.IndexFunc(inputs, func(in string) bool { return !IsSource(in) }))
}

// IsFile returns what the system says of a file, or why it cannot be an input: to open a pipe may block.
func IsFile(name string) (os.FileInfo, error) {
	st, err := os.Stat(name)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf("%s: no such file", name)
	case err != nil:
		return nil, err
	case st.IsDir():
		return nil, fmt.Errorf("%s: is a directory", name)
	case !st.Mode().IsRegular():
		return nil, fmt.Errorf("%s: is a pipe, socket or device", name)
	}
	return st, nil
}

func CheckInputs(inputs []string) error {
	if len(inputs) == 0 {
		return errors.New("no input: name a CUDA source or an executable")
	}
	for _, in := range inputs {
		st, err := IsFile(in)
		switch {
		case err != nil:
			return err
		case len(inputs) > 1 && !IsSource(in):
			return fmt.Errorf("%s: not a source or object file", in)
		case !IsSource(in) && st.Mode()&0o111 == 0:
			return fmt.Errorf("%s: neither a source (%s) nor an executable", in, strings.Join(sourceExts, " "))
		}
	}
	return nil
}
