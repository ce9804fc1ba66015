package clang

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"os"
	"os/exec"
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

// shortage turns the error of a tool that found no room for its output into one that names the
// file. Others stay as they are.
func shortage(err error, args []string, diag []byte) error {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return err
	}
	if st, ok := exit.Sys().(syscall.WaitStatus); ok && st.Signaled() && st.Signal() == syscall.SIGXFSZ {
		return &fs.PathError{Op: "write", Path: outputOf(args), Err: syscall.EFBIG}
	}
	for line := range bytes.Lines(diag) {
		text := strings.ToLower(strings.TrimSpace(string(line)))
		if atPosition.MatchString(text) {
			continue
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

// isShort reports whether a tool found no room for its output.
func isShort(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}
