//lint:file-ignore U1000 the assembly uses the constants

package recall

import (
	"unsafe"

	"golang.org/x/sys/cpu"

	"github.com/warpgrind/warpgrind/internal/shadow"
)

// vectors reports whether the processor can run the assembly in runs_amd64.s.
var vectors = cpu.X86.HasAVX512F

// Bits of states, for the assembly.
const (
	threadBits = shadow.SieveThread
	writtenBit = shadow.SieveWritten
	readAnew   = shadow.SieveWritten | shadow.SieveRead
)

// readRuns512 is readRuns where the state of the unit at the base is the first one. It takes the frequent cases only:
// where it returns false nothing is suspected yet, and the reads may be entered again.
//
//go:noescape
func readRuns512(states unsafe.Pointer, runs *run, n int, tag, thread uint32) bool
