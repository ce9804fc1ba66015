package buffers

import (
	"bytes"
	"hash/maphash"

	"github.com/warpgrind/warpgrind/internal/mem"
)

// keepBytes bounds the contents that a History keeps; beyond it knows only
// whether buffers are equal.
const keepBytes = 1 << 30

// Moment is when the same work has ended in each run, if the launches that ended it have one
// number: Work counts what the programs have enqueued.
type Moment struct {
	Work   uint64
	Launch int
}

// History is what the buffers held after the launches of a run at whose end all work had ended.
type History struct {
	seed  maphash.Seed
	after map[Moment]map[int]state // by allocation
	kept  map[uint64][]byte
	bytes uint64
	types Types
}

// state is a buffer's contents.
type state struct {
	hash uint64
	size uint64
}

// NewHistory makes an empty history.
func NewHistory() *History {
	return &History{seed: maphash.MakeSeed(), after: map[Moment]map[int]state{}, kept: map[uint64][]byte{}}
}

// Launch notes what a launch's parameters say of the buffers.
func (h *History) Launch(arena *mem.Arena, ps []Param) { h.types.Learn(arena, ps) }

// Add records the buffers at a moment.
func (h *History) Add(at Moment, arena *mem.Arena) {
	now := map[int]state{}
	for _, b := range h.types.Live(arena) {
		data := arena.Bytes(b.Base, b.Size)
		s := state{maphash.Bytes(h.seed, data), b.Size}
		now[b.ID] = s
		if h.kept[s.hash] == nil && h.bytes+b.Size <= keepBytes {
			h.kept[s.hash] = bytes.Clone(data)
			h.bytes += b.Size
		}
	}
	h.after[at] = now
}

// Difference is the first element of a buffer that differs between two runs.
type Difference struct {
	// Launch is after which launch it shows first, Buffer what it is.
	Launch int
	Buffer string
	// Name is the buffer's short name, Type that of its elements.
	Name string
	Type Type
	// Index is that of the element, -1 where the contents were not kept. Was and
	// Now are its values in the two runs, Count the elements that differ.
	Index    int
	Was, Now string
	Count    int
}

// Compare returns how the buffers at a moment differ from those of the history. Where the histories of allocations differ,
// only what both have is compared.
func (h *History) Compare(at Moment, arena *mem.Arena) []Difference {
	var out []Difference
	for _, b := range h.types.Live(arena) {
		was, ok := h.after[at][b.ID]
		if !ok || was.size != b.Size {
			continue
		}
		data := arena.Bytes(b.Base, b.Size)
		if maphash.Bytes(h.seed, data) == was.hash {
			continue
		}
		d := Difference{Launch: at.Launch, Buffer: Describe(b.Allocation), Name: Name(b.Allocation), Type: b.Type, Index: -1}
		if old := h.kept[was.hash]; old != nil {
			d.locate(old, data)
		}
		out = append(out, d)
	}
	return out
}

// locate finds the first element that differs and counts them.
func (d *Difference) locate(was, now []byte) {
	for i := range d.Type.Elems(len(was)) {
		a, b := d.Type.Elem(was, i), d.Type.Elem(now, i)
		if bytes.Equal(a, b) {
			continue
		}
		if d.Count++; d.Count == 1 {
			d.Index, d.Was, d.Now = i, d.Type.Format(a), d.Type.Format(b)
		}
	}
}
