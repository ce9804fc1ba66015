package capsule

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"github.com/warpgrind/warpgrind/internal/mem"
)

// Recorder writes capsules to a directory.
type Recorder struct {
	store *store
	// open are the recordings that watch memory.
	open map[*Recording]bool
}

// NewRecorder makes a recorder, and its directory if there is none.
func NewRecorder(dir string) (*Recorder, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	s, err := openStore(dir)
	if err != nil {
		return nil, err
	}
	return &Recorder{s, map[*Recording]bool{}}, nil
}

// Close ends the recorder.
func (r *Recorder) Close() error { return r.store.close() }

// Texts are the contents that a capsule names besides memory.
type Texts struct {
	PTX     []byte
	Sources map[string][]byte
	// Files are the names of Sources in order.
	Files []string
	// Origin is the origin of an undefined value in memory, by the number that mem.Taint has for
	// it; nil if undefined values are not followed.
	Origin func(number uint32) (Origin, bool)
}

// describe stores what a capsule has besides contents of memory.
func (r *Recorder) describe(c *Capsule, t Texts, arena *mem.Arena) error {
	var err error
	c.Format = Format
	if c.Module.PTX, err = r.store.put(t.PTX); err != nil {
		return err
	}
	for _, f := range t.Files {
		o, err := r.store.put(t.Sources[f])
		if err != nil {
			return err
		}
		c.Sources = append(c.Sources, Source{f, o})
	}
	return r.memory(c, t, arena)
}

// manifest writes a manifest whose objects are stored.
func (s *store) manifest(name string, c *Capsule) error {
	text, err := json.MarshalIndent(c, "", " ")
	if err != nil {
		return err
	}
	return s.write(name, append(text, '\n'))
}

// CopyTo writes a capsule, and the objects that it names, to another directory.
func (c *Capsule) CopyTo(dir, name string) error {
	r, err := NewRecorder(dir)
	if err != nil {
		return err
	}
	defer r.Close()
	for _, o := range c.objects() {
		data, err := c.store.get(o, mem.MaxSize/8)
		if err != nil {
			return err
		}
		if _, err := r.store.put(data); err != nil {
			return err
		}
	}
	return r.store.manifest(name, c)
}

// objects lists the objects that a capsule names.
func (c *Capsule) objects() []Object {
	list := []Object{c.Module.PTX}
	for _, s := range c.Sources {
		list = append(list, s.Text)
	}
	for _, a := range c.Memory.Allocations {
		if a.Marks != nil {
			list = append(list, *a.Marks)
		}
		for _, k := range slices.Concat(a.Chunks, a.After) {
			list = append(list, k.Data)
		}
	}
	return list
}

// Files lists the objects that a capsule names, as files relative to its directory, each once.
func (c *Capsule) Files() []string {
	var out []string
	for _, o := range c.objects() {
		out = append(out, o.file())
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (r *Recorder) memory(c *Capsule, t Texts, arena *mem.Arena) error {
	st := arena.Save()
	c.Memory = Memory{Size: st.Size, Limit: st.Limit, Next: st.NextID, Allocations: []Allocation{}}
	ids := map[*mem.Allocation]int{nil: -1}
	o := origins{of: t.Origin, index: map[uint32]int{}}
	for _, s := range st.Allocations {
		a := allocation(s)
		if !s.Freed {
			ids[s.Allocation] = s.ID
			if s.Taint != nil && s.Taint.Any() {
				a.Taints = o.taints(s.Taint, s.Size)
			}
			if err := r.marks(&a, s); err != nil {
				return err
			}
		}
		c.Memory.Allocations = append(c.Memory.Allocations, a)
	}
	if c.Memory.Origins = o.list; o.lost > 0 {
		c.Missing = append(c.Missing, fmt.Sprintf("which further %d bytes hold undefined values that earlier launches stored", o.lost))
	}
	for _, h := range arena.Textures.Handles() {
		t := *arena.Textures.Get(h)
		id, live := ids[t.Alloc]
		if !live {
			continue // its array is freed
		}
		t.Alloc = nil
		c.Textures = append(c.Textures, Texture{h, id, t})
	}
	return nil
}

func allocation(s mem.SavedAllocation) Allocation {
	a := Allocation{ID: s.ID, Base: s.Base, Size: s.Size, Footprint: s.Footprint, Kind: s.Kind, Name: s.Name,
		Where: s.Where, Call: s.Call, At: s.At, ReadOnly: s.ReadOnly, Mapped: s.Mapped,
		RowWidth: s.Rows.Width, RowPitch: s.Rows.Pitch, Freed: s.Freed, FreedBy: s.FreedBy.Call, FreedAt: s.FreedBy.At, Tracked: s.Tracked}
	if s.Type != nil {
		a.Type = s.Type.String()
	}
	return a
}

// marks stores which bytes of an allocation were written.
func (r *Recorder) marks(a *Allocation, s mem.SavedAllocation) error {
	if s.Marks == nil {
		return nil
	}
	b := make([]byte, 0, 8*len(s.Marks))
	for _, m := range s.Marks {
		b = binary.LittleEndian.AppendUint64(b, m)
	}
	o, err := r.store.put(b)
	a.Marks = &o
	return err
}

// chunk stores the bytes at an offset, unless they are zero.
func (r *Recorder) chunk(a *Allocation, at uint64, arena *mem.Arena) error {
	data := arena.Bytes(a.Base+at, min(ChunkSize, a.Size-at))
	if isZero(data) {
		return nil
	}
	o, err := r.store.put(data)
	a.Chunks = append(a.Chunks, Chunk{at, o})
	return err
}

func isZero(b []byte) bool {
	for len(b) >= 8 {
		if binary.NativeEndian.Uint64(b) != 0 {
			return false
		}
		b = b[8:]
	}
	for _, v := range b {
		if v != 0 {
			return false
		}
	}
	return true
}
