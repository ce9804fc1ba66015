package mem

import (
	"encoding/binary"
	"errors"
	"os"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// ErrNotKnown means that it cannot be told which memory was accessed.
var ErrNotKnown = errors.New("not known which memory was accessed")

// Touches is an answer to which memory this process accesses from some time on, by whatever way.
type Touches struct {
	a       *Arena
	swapped string
}

// Touches begins to watch. It takes the arena's pages out of the process's page table; contents
// stay, and an access puts the page back (madvise(2), MADV_DONTNEED of a shared mapping).
func (a *Arena) Touches() (*Touches, error) {
	t := &Touches{a: a, swapped: swapCounters()}
	if t.swapped == "" {
		return nil, ErrNotKnown
	}
	if err := unix.Madvise(unsafe.Slice((*byte)(a.base), a.size), unix.MADV_DONTNEED); err != nil {
		return nil, err
	}
	return t, nil
}

// swapCounters are the kernel's counts of pages that were swapped out: these leave the page table
// as well. "" if they cannot be read.
func swapCounters() string {
	text, err := os.ReadFile("/proc/vmstat")
	if err != nil {
		return ""
	}
	for _, line := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(line, "pswpout ") {
			return line
		}
	}
	return ""
}

// Each calls f for the ranges of n bytes at addr that have been accessed, in whole pages and
// in order. There may be others among them: the kernel maps pages around one that is read.
// The error is ErrNotKnown where pages may have left the page table meanwhile.
func (t *Touches) Each(addr, n uint64, f func(addr, n uint64)) error {
	if swapCounters() != t.swapped {
		return ErrNotKnown
	}
	pages, err := os.Open("/proc/self/pagemap")
	if err != nil {
		return ErrNotKnown
	}
	defer pages.Close()
	// An entry has 64 bits: 63 is set for a page that is present, 62 for one that is swapped or
	// moved (Documentation/admin-guide/mm/pagemap.rst).
	const there = 3 << 62
	size := uint64(os.Getpagesize())
	first, last := addr/size, (addr+n+size-1)/size
	buf := make([]byte, 64<<10)
	for first < last {
		part := buf[:min(uint64(len(buf)), (last-first)*8)]
		if _, err := pages.ReadAt(part, int64(first*8)); err != nil {
			return ErrNotKnown
		}
		for ; len(part) > 0; part, first = part[8:], first+1 {
			if binary.NativeEndian.Uint64(part)&there != 0 {
				f(first*size, size)
			}
		}
	}
	return nil
}
