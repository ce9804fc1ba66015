package buffers

import (
	"bytes"
	"cmp"
	"hash/maphash"
	"slices"

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

// History is what the buffers held after the launches of one or more runs at whose end all work
// had ended.
type History struct {
	seed maphash.Seed
	// after has the different states of each allocation, that of the first run first.
	after map[Moment]map[int][]state
	kept  map[uint64][]byte
	bytes uint64
	types Types
}

// state is a buffer's contents; written is how many of its bytes had been written.
type state struct {
	hash, size, written uint64
}

// NewHistory makes an empty history.
func NewHistory() *History {
	return &History{seed: maphash.MakeSeed(), after: map[Moment]map[int][]state{}, kept: map[uint64][]byte{}}
}

// Launch notes what a launch's parameters say of the buffers.
func (h *History) Launch(arena *mem.Arena, ps []Param) { h.types.Learn(arena, ps) }

// Add records the buffers at a moment of a run.
func (h *History) Add(at Moment, arena *mem.Arena) {
	if h.after[at] == nil {
		h.after[at] = map[int][]state{}
	}
	for _, b := range h.types.Live(arena) {
		data := arena.Bytes(b.Base, b.Size)
		s := h.stateOf(b, data)
		if known := h.after[at]; !slices.Contains(known[b.ID], s) {
			known[b.ID] = append(known[b.ID], s)
		}
		if h.kept[s.hash] == nil && h.bytes+b.Size <= keepBytes {
			h.kept[s.hash] = bytes.Clone(data)
			h.bytes += b.Size
		}
	}
}

func (h *History) stateOf(b Buffer, data []byte) state {
	s := state{maphash.Bytes(h.seed, data), b.Size, b.Size}
	if b.Written != nil {
		_, _, missing := b.Written.Gap(0, b.Size)
		s.written -= missing
	}
	return s
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
	// Unwritten is how many bytes less than in each of the recorded runs have been written.
	Unwritten uint64
}

// Compare returns how the buffers at a moment differ from those of the first run. Where the histories of allocations differ,
// only what both have is compared.
func (h *History) Compare(at Moment, arena *mem.Arena) []Difference {
	var out []Difference
	for _, b := range h.types.Live(arena) {
		known := h.after[at][b.ID]
		if len(known) == 0 || known[0].size != b.Size {
			continue
		}
		data, was := arena.Bytes(b.Base, b.Size), known[0]
		if maphash.Bytes(h.seed, data) == was.hash {
			continue
		}
		d := differs(at, b)
		if old := h.kept[was.hash]; old != nil {
			d.locate(old, data)
		}
		out = append(out, d)
	}
	return out
}

// Unseen returns the buffers at a moment that none of the recorded runs could have left: those with an
// element whose value it had in none of them, and those of which less has been written than in each.
func (h *History) Unseen(at Moment, arena *mem.Arena) []Difference {
	var out []Difference
	for _, b := range h.types.Live(arena) {
		known := h.after[at][b.ID]
		if len(known) == 0 || known[0].size != b.Size {
			continue
		}
		data := arena.Bytes(b.Base, b.Size)
		now, d := h.stateOf(b, data), differs(at, b)
		least := slices.MinFunc(known, func(a, b state) int { return cmp.Compare(a.written, b.written) })
		if d.Unwritten = least.written - min(now.written, least.written); d.Unwritten > 0 {
			out = append(out, d)
		} else if !slices.ContainsFunc(known, func(s state) bool { return s.hash == now.hash }) && !h.mixes(&d, known, data) {
			out = append(out, d)
		}
	}
	return out
}

// mixes reports whether each element has the value of one of the states. Else it notes the first that
// has not, and how many there are.
func (h *History) mixes(d *Difference, known []state, now []byte) bool {
	var old [][]byte
	for _, s := range known {
		if h.kept[s.hash] == nil {
			return false
		}
		old = append(old, h.kept[s.hash])
	}
	for i := range d.Type.Elems(len(now)) {
		e := d.Type.Elem(now, i)
		if slices.ContainsFunc(old, func(was []byte) bool { return bytes.Equal(d.Type.Elem(was, i), e) }) {
			continue
		}
		if d.Count++; d.Count == 1 {
			d.Index, d.Was, d.Now = i, d.Type.Format(d.Type.Elem(old[0], i)), d.Type.Format(e)
		}
	}
	return d.Count == 0
}

func differs(at Moment, b Buffer) Difference {
	return Difference{Launch: at.Launch, Buffer: Describe(b.Allocation), Name: Name(b.Allocation), Type: b.Type, Index: -1}
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
