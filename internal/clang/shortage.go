package clang

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
)

// shortages are why a tool cannot write a file although nothing is wrong with what it compiles, in
// the words of the C library (strerror, strsignal).
var shortages = map[string]syscall.Errno{
	"no space left on device":  syscall.ENOSPC,
	"disk quota exceeded":      syscall.EDQUOT,
	"file too large":           syscall.EFBIG,
	"file size limit exceeded": syscall.EFBIG,
}

// atPosition matches the lines of a tool's output that are about a source: what they quote is the
// user's.
var atPosition = regexp.MustCompile(`^\S[^:]*:\d+:`)

// KilledError is a tool that did not end by itself: the system ends one where memory is short, and so may a user.
type KilledError struct {
	Tool   string
	Signal syscall.Signal
}

func (e *KilledError) Error() string {
	return fmt.Sprintf("%s was ended by a signal (%v), perhaps for lack of memory", e.Tool, e.Signal)
}

// outside are the signals that others send to a tool; it has others from its own faults.
var outside = []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGXCPU}

// notExecuted is how the compiler reports the end of a tool that it has started, with strsignal's word.
const notExecuted = "unable to execute command: "

// shortage turns the error of a tool that found no room for its output into one that names the
// file, and that of a tool that was ended from outside into a KilledError. Others stay as they are.
func shortage(err error, tool string, args []string, diag []byte) error {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return err
	}
	if st, ok := exit.Sys().(syscall.WaitStatus); ok && st.Signaled() {
		if s := st.Signal(); s == syscall.SIGXFSZ {
			return &fs.PathError{Op: "write", Path: outputOf(args), Err: syscall.EFBIG}
		} else if slices.Contains(outside, s) {
			return &KilledError{filepath.Base(tool), s}
		}
	}
	for line := range bytes.Lines(diag) {
		text := strings.ToLower(strings.TrimSpace(string(line)))
		if atPosition.MatchString(text) {
			continue
		}
		if _, word, ok := strings.Cut(text, notExecuted); ok {
			for _, s := range outside {
				if word == s.String() {
					return &KilledError{"a tool of " + filepath.Base(tool), s}
				}
			}
		}
		if e, ok := shortages[strings.TrimSpace(text[strings.LastIndexByte(text, ':')+1:])]; ok {
			return &fs.PathError{Op: "write", Path: outputOf(args), Err: e}
		}
	}
	return err
}

// outputOf is the file that a tool's arguments name for its output, else where temporary files are.
func outputOf(args []string) string {
	out := ""
	if i := slices.Index(args, "-o"); i >= 0 && i+1 < len(args) && args[i+1] != "-" {
		out = args[i+1]
	}
	return cmp.Or(out, os.TempDir())
}

// isShort reports whether a tool found no room for its output, or was ended.
func isShort(err error) bool {
	var killed *KilledError
	return errors.As(err, &killed) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}
