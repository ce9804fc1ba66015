package buffers

import (
	"fmt"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/mem"
)

// Buffer is an allocation as it is called in reports and file names.
type Buffer struct {
	*mem.Allocation
	Type Type
}

// Name is short and the same in each run: a variable's name, or "cudaMalloc3"
// for what the third call of cudaMalloc made.
func Name(al *mem.Allocation) string {
	if al.Name != "" {
		n := finding.DemangleName(al.Name)
		return n[strings.LastIndex(n, ":")+1:]
	}
	call, _, _ := strings.Cut(al.Where, " at ")
	if call = strings.NewReplacer(" #", "", " ", "", "/", "").Replace(call); call != "" {
		return call
	}
	return fmt.Sprintf("%v%d", al.Kind, al.ID)
}

// Describe is a buffer for a sentence: "variable total" or "the 64 bytes of
// cudaMalloc #3 at a.cu:17".
func Describe(al *mem.Allocation) string {
	switch {
	case al.Name != "":
		return "variable " + Name(al)
	case al.Where != "":
		return fmt.Sprintf("the %d bytes of %s", al.Size, al.Where)
	}
	return fmt.Sprintf("%d bytes of %v memory", al.Size, al.Kind)
}

// Param is a kernel parameter of a launch: its bytes in the parameter buffer.
type Param struct {
	// Type is the C++ type, "" where it is not known.
	Type  string
	Value []byte
}

// Params splits a launch's parameter buffer. offsets and sizes are in bytes.
func Params(mangled string, buf []byte, offsets, sizes []uint32) []Param {
	names := ParamTypes(mangled)
	if len(names) != len(offsets) {
		names = make([]string, len(offsets))
	}
	var out []Param
	for i, at := range offsets {
		from := min(uint64(at), uint64(len(buf)))
		to := min(from+uint64(sizes[i]), uint64(len(buf)))
		out = append(out, Param{names[i], buf[from:to]})
	}
	return out
}

// Types remembers what the parameters of launches say of buffers.
type Types struct{ byID map[int]Type }

// Learn notes the types of the buffers that pointers among ps lead to.
func (t *Types) Learn(arena *mem.Arena, ps []Param) {
	for _, p := range ps {
		elem, ok := Pointee(p.Type)
		if !ok || len(p.Value) != 8 {
			continue
		}
		if al := arena.Find(bitsOf(p.Value)); al != nil {
			if t.byID == nil {
				t.byID = map[int]Type{}
			}
			if _, known := t.byID[al.ID]; !known {
				t.byID[al.ID] = elem
			}
		}
	}
}

// Of is the type of a buffer's elements, the unknown one if nothing said it.
func (t *Types) Of(al *mem.Allocation) Type { return t.byID[al.ID] }

// internalName tells the variables of the headers and of the compiler from
// the program's own.
func internalName(name string) bool {
	return strings.Contains(name, "__wg") || strings.Contains(name, "cooperative_groups") ||
		strings.HasPrefix(name, "$") || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "__unnamed")
}

// Live are the buffers of the program, by address: not those of the runtime.
func (t *Types) Live(arena *mem.Arena) []Buffer {
	var out []Buffer
	for _, al := range arena.Live() {
		if al.Size > 0 && !internalName(al.Name) {
			out = append(out, Buffer{al, t.Of(al)})
		}
	}
	return out
}

// PointsTo is the buffer that a parameter's value is an address in, nil for none.
func PointsTo(arena *mem.Arena, value []byte) *mem.Allocation {
	if len(value) != 8 {
		return nil
	}
	return arena.Find(bitsOf(value))
}
