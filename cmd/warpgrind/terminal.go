package main

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// columns returns the width of a terminal; ok is false if w is not a terminal.
func columns(w io.Writer) (n int, ok bool) {
	f, isFile := w.(*os.File)
	if !isFile {
		return 0, false
	}
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0, false
	}
	return int(size.Col), true
}

// The limits of a text report's width on a terminal, in columns.
const (
	minWidth = 60
	maxWidth = 120
)

// textWidth is the width of a text report on w: that of a terminal within the limits, and
// otherwise the same 80 columns everywhere.
func textWidth(w io.Writer) int {
	n, ok := columns(w)
	if !ok || n == 0 {
		return helpWidth
	}
	return min(max(n, minWidth), maxWidth)
}
