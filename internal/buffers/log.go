package buffers

import (
	"fmt"
	"io"
	"strings"

	"github.com/warpgrind/warpgrind/internal/mem"
)

// WriteParams writes a line for each parameter of a launch: its type where that
// is known, its value, and what it points to.
func WriteParams(w io.Writer, arena *mem.Arena, ps []Param) {
	for i, p := range ps {
		name := p.Type
		if name == "" {
			name = fmt.Sprintf("%d bytes", len(p.Value))
		}
		fmt.Fprintf(w, "  argument %d, %s: %s\n", i, name, value(arena, p))
	}
}

func value(arena *mem.Arena, p Param) string {
	pointer := strings.HasSuffix(strings.TrimSuffix(p.Type, " const"), "*")
	if len(p.Value) == 8 && (pointer || p.Type == "") {
		if v := bitsOf(p.Value); pointer || arena.Contains(v, 1) {
			return target(arena, v, p.Type)
		}
	}
	if t, ok := ParseType(p.Type); ok && t.Size == len(p.Value) {
		return t.Format(p.Value)
	}
	return bytesOf(p.Value)
}

// maxBytes is how many bytes of a structure are written.
const maxBytes = 64

func bytesOf(b []byte) string {
	if len(b) <= 8 {
		return hex(b)
	}
	if len(b) > maxBytes {
		return fmt.Sprintf("% x ...", b[:maxBytes])
	}
	return fmt.Sprintf("% x", b)
}

// target describes what is at a device address.
func target(arena *mem.Arena, addr uint64, pointer string) string {
	if addr == 0 {
		return "null"
	}
	if !arena.Contains(addr, 1) {
		return fmt.Sprintf("0x%x, which is not device memory", addr)
	}
	al := arena.Find(addr)
	if al == nil {
		if al, freed := arena.Nearest(addr); al != nil && freed && al.Contains(addr) {
			return fmt.Sprintf("0x%x, freed memory: %s", addr, Describe(al))
		}
		return fmt.Sprintf("0x%x, outside every allocation", addr)
	}
	s := fmt.Sprintf("0x%x, %s", addr, Name(al))
	if addr != al.Base {
		s += fmt.Sprintf(" + %d bytes", addr-al.Base)
	}
	left := al.End() - addr
	s += fmt.Sprintf(": %d bytes", left)
	if t, ok := Pointee(pointer); ok {
		s += fmt.Sprintf(" (%d of %s)", left/uint64(t.Size), t)
	}
	if al.Where != "" {
		s += ", " + al.Where
	}
	return s
}
