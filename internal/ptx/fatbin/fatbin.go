// Package fatbin takes the PTX out of the fat binaries that NVIDIA's compilers
// embed in programs and libraries, compressed or not.
//
// NVIDIA documents what a fat binary is for ("CUDA Binary Utilities"), but not
// its layout. What is here follows what has been published about it and what
// the fatbinary tool writes. All numbers are little-endian:
//
//	offset  0  u32  magic, 0xba55ed50
//	        4  u16  version, 1
//	        6  u16  length of this header in bytes, 16
//	        8  u64  length of the entries after it
//
// and each entry:
//
//	offset  0  u16  kind: 1 PTX, 2 machine code in an ELF file
//	        2  u16  version
//	        4  u32  length of this header in bytes
//	        8  u64  length of the payload after it, padding included
//	       16  u32  length of the payload without padding if it is compressed
//	       28  u32  architecture, 80 for compute_80 and sm_80
//	       40  u64  flags: 0x2000 compressed as an LZ4 block, 0x8000 as a zstd frame
//	       56  u64  length of the payload when decompressed
package fatbin

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// Magic begins a fat binary.
const Magic = 0xba55ed50

// HeaderSize is the number of bytes that Size needs.
const HeaderSize = 16

// entryHeader is the number of bytes of an entry's header that are read.
const entryHeader = 64

// maxText bounds the PTX of an entry, in bytes.
const maxText = 1 << 29

// Kinds of entries.
const (
	KindPTX = 1
	KindELF = 2
)

const (
	flagLZ4  = 0x2000
	flagZstd = 0x8000
)

// Error is a damaged fat binary.
type Error struct {
	// Offset is where it is damaged, in bytes.
	Offset int
	Text   string
}

func (e *Error) Error() string {
	return fmt.Sprintf("damaged fat binary at byte %d: %s", e.Offset, e.Text)
}

// NoPTXError is the error for a fat binary without PTX, so that it cannot run here.
type NoPTXError struct {
	// SMs are the architectures that it holds machine code for.
	SMs []int
}

func (e *NoPTXError) Error() string {
	var names []string
	for _, sm := range e.SMs {
		names = append(names, "sm_"+strconv.Itoa(sm))
	}
	what := "no PTX"
	if len(names) > 0 {
		what = "only machine code for " + strings.Join(names, ", ") + " and no PTX"
	}
	return "the program holds " + what + ": build it with PTX, for example nvcc -gencode arch=compute_80,code=compute_80"
}

// NoImageError is the error for device code of which a device runs no version (cudaErrorNoKernelImageForDevice).
type NoImageError struct {
	// Device is the architecture of the device; For are those of the code, such as "sm_90a", the oldest first.
	Device int
	For    []string
}

func (e *NoImageError) Error() string {
	return fmt.Sprintf("no kernel image for sm_%d: the device code is for %s; use --arch %s, or build it for sm_%[1]d",
		e.Device, strings.Join(e.For, ", "), strings.TrimRight(e.For[0], "af"))
}

// Entry is one image of a fat binary.
type Entry struct {
	// Kind is KindPTX, KindELF or another number of the format.
	Kind int
	// SM is the architecture that it was compiled for, 80 for sm_80.
	SM int

	offset  int
	flags   uint64
	size    uint64 // decompressed
	payload []byte
}

// Is reports whether an image begins as a fat binary.
func Is(image []byte) bool {
	return len(image) >= HeaderSize && binary.LittleEndian.Uint32(image) == Magic
}

// Entries lists the images in a fat binary. Bytes after its end are ignored.
func Entries(image []byte) ([]Entry, error) {
	head, end, err := extent(image)
	if err != nil {
		return nil, err
	}
	var out []Entry
	for at := head; at < end; {
		e, n, err := entryAt(image[:end], at)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
		at += n
	}
	return out, nil
}

// Size returns the bytes that a fat binary occupies, of an image that may have more behind it.
func Size(image []byte) (int, error) {
	_, end, err := extent(image)
	return int(end), err
}

// extent returns the offsets of a fat binary's first entry and of its end.
func extent(image []byte) (first, end uint64, err error) {
	if !Is(image) {
		return 0, 0, &Error{0, "no header"}
	}
	head, size := uint64(binary.LittleEndian.Uint16(image[6:])), binary.LittleEndian.Uint64(image[8:])
	if head < HeaderSize || size > uint64(len(image)) || head+size > uint64(len(image)) {
		return 0, 0, &Error{0, fmt.Sprintf("%d bytes are said to follow a header of %d, of %d in all", size, head, len(image))}
	}
	return head, head + size, nil
}

// entryAt reads the entry at an offset and returns its length.
func entryAt(image []byte, at uint64) (Entry, uint64, error) {
	b := image[at:]
	bad := func(text string) (Entry, uint64, error) { return Entry{}, 0, &Error{int(at), text} }
	if len(b) < entryHeader {
		return bad("an entry is cut off")
	}
	head, size := uint64(binary.LittleEndian.Uint32(b[4:])), binary.LittleEndian.Uint64(b[8:])
	if head < entryHeader || head > uint64(len(b)) || size > uint64(len(b))-head {
		return bad("an entry is longer than the fat binary")
	}
	e := Entry{
		Kind: int(binary.LittleEndian.Uint16(b)), SM: int(binary.LittleEndian.Uint32(b[28:])), offset: int(at + head),
		flags: binary.LittleEndian.Uint64(b[40:]), size: binary.LittleEndian.Uint64(b[56:]), payload: b[head : head+size],
	}
	if e.compressed() {
		n := uint64(binary.LittleEndian.Uint32(b[16:]))
		if n > size {
			return bad("a compressed payload is longer than its entry")
		}
		if e.size > maxText {
			return bad(fmt.Sprintf("a payload of %d bytes", e.size))
		}
		e.payload = e.payload[:n]
	}
	return e, head + size, nil
}

func (e *Entry) compressed() bool { return e.flags&(flagLZ4|flagZstd) != 0 }

// Text returns the PTX of an entry of KindPTX.
func (e *Entry) Text() ([]byte, error) {
	text := e.payload
	if e.compressed() {
		var err error
		if text, err = e.decompress(); err != nil {
			return nil, &Error{e.offset, err.Error()}
		}
	}
	if i := bytes.IndexByte(text, 0); i >= 0 {
		text = text[:i]
	}
	return text, nil
}

func (e *Entry) decompress() ([]byte, error) {
	out := make([]byte, e.size)
	if e.flags&flagLZ4 != 0 {
		n, err := lz4.UncompressBlock(e.payload, out)
		return out[:max(n, 0)], err
	}
	return decode(e.payload, out[:0])
}

// decode appends the contents of a zstd frame.
func decode(frame, to []byte) ([]byte, error) {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxText))
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.DecodeAll(frame, to)
}

// PTX returns the PTX for an architecture: the newest that it can run. If it can run none but there is machine code
// for it, as in the device runtime's library, the oldest PTX replaces the machine code. The error is a *NoPTXError if there is no PTX, a *NoImageError if the device runs nothing of it.
func PTX(image []byte, sm int) ([]byte, error) {
	entries, err := Entries(image)
	if err != nil {
		return nil, err
	}
	var best *Entry
	none := &NoPTXError{}
	for i := range entries {
		e := &entries[i]
		switch {
		case e.Kind == KindPTX && (best == nil || better(e.SM, best.SM, sm)):
			best = e
		case e.Kind == KindELF && !slices.Contains(none.SMs, e.SM):
			none.SMs = append(none.SMs, e.SM)
		}
	}
	switch {
	case best == nil:
		return nil, none
	case best.SM > sm && !slices.ContainsFunc(none.SMs, func(code int) bool { return code/10 == sm/10 && code <= sm }):
		newer := &NoImageError{Device: sm}
		for _, e := range entries {
			if name := "sm_" + strconv.Itoa(e.SM); e.Kind == KindPTX && !slices.Contains(newer.For, name) {
				newer.For = append(newer.For, name)
			}
		}
		slices.SortFunc(newer.For, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) })
		return nil, newer
	}
	return best.Text()
}

// better reports whether a suits sm better than b.
func better(a, b, sm int) bool {
	if (a <= sm) != (b <= sm) {
		return a <= sm
	}
	if a <= sm {
		return a > b
	}
	return a < b
}
