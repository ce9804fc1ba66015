package capsule

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/warpgrind/warpgrind/internal/ctype"
	"github.com/warpgrind/warpgrind/internal/mem"
)

// Bounds on what a capsule may ask for.
const (
	maxManifest    = 64 << 20
	maxAllocations = 1 << 20
	maxTextures    = 1 << 16
	maxLaunches    = 1 << 40
	maxLevels      = 32
	maxSources     = 1 << 12
	maxParams      = 32 << 10 // CUDA C++ Programming Guide, "Function Parameters": 32,764 bytes
	maxSource      = 64 << 20 // of all files together
)

// Error is a capsule that cannot be used: the file, and why.
type Error struct {
	File string
	Err  error
}

func (e *Error) Error() string { return e.File + ": " + e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// Open reads a manifest and checks it. The error is an *Error.
func Open(file string) (*Capsule, error) {
	c, err := open(file)
	if err != nil {
		return nil, &Error{file, err}
	}
	return c, nil
}

func open(file string) (*Capsule, error) {
	// A link that the user names, as Bazel makes them, stands for what it leads to; the objects are beside that.
	if to, err := filepath.EvalSymlinks(file); err == nil {
		file = to
	}
	s, err := openStore(filepath.Dir(file))
	if err != nil {
		return nil, bare(err)
	}
	c, err := readManifest(s, filepath.Base(file))
	if err == nil {
		err = c.check()
	}
	if err != nil {
		_ = s.close()
		return nil, err
	}
	c.store = s
	return c, nil
}

// bare is a system error without its path, which Error has.
func bare(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

func readManifest(s *store, name string) (*Capsule, error) {
	f, err := s.open(name)
	if err != nil {
		return nil, bare(err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxManifest))
	if err != nil {
		return nil, bare(err)
	}
	var v struct {
		Format  int    `json:"format"`
		Version string `json:"version"`
	}
	if err := json.Unmarshal(text, &v); err != nil || v.Format == 0 {
		return nil, errors.New("not a capsule, or a damaged one")
	}
	if v.Format < 1 || v.Format > Format {
		return nil, fmt.Errorf("a capsule of format %d, recorded by warpgrind %.40q; this warpgrind reads formats up to %d", v.Format, v.Version, Format)
	}
	var c Capsule
	if err := json.Unmarshal(text, &c); err != nil {
		return nil, fmt.Errorf("a damaged capsule: %w", err)
	}
	return &c, nil
}

// Close ends the use of the capsule's objects.
func (c *Capsule) Close() error { return c.store.close() }

// check checks what the fields say by themselves.
func (c *Capsule) check() error {
	l := &c.Launch
	switch {
	case l.Kernel == "":
		return errors.New("no kernel")
	case l.ID < 0 || l.Device < 0 || l.Resident < 0 || l.Resident > 1<<20:
		return errors.New("a negative or too large number in the launch")
	case l.Children != nil && (l.Children.Next <= l.ID || l.Children.Next > maxLaunches || l.ID > maxLaunches):
		return errors.New("the numbers of the child grids are not after that of the launch")
	case c.Settings.Count < 0:
		return errors.New("a negative number of launches to check")
	case len(l.Params) > maxParams:
		return fmt.Errorf("%d bytes of parameters, at most %d", len(l.Params), maxParams)
	case !l.checkBlocks():
		return errors.New("the blocks that run are not in the grid, or not in rising order, or in clusters")
	case len(c.Sources) > maxSources:
		return fmt.Errorf("%d source files, at most %d", len(c.Sources), maxSources)
	case len(c.Memory.Allocations) > maxAllocations:
		return fmt.Errorf("%d allocations, at most %d", len(c.Memory.Allocations), maxAllocations)
	case len(c.Textures) > maxTextures:
		return fmt.Errorf("%d textures, at most %d", len(c.Textures), maxTextures)
	case c.Memory.Size > mem.MaxSize:
		return fmt.Errorf("%d bytes of device addresses, at most %d", c.Memory.Size, mem.MaxSize)
	}
	if err := c.Module.PTX.check(maxObject); err != nil {
		return err
	}
	room := uint64(maxSource)
	for _, s := range c.Sources {
		if err := s.Text.check(room); err != nil {
			return fmt.Errorf("source %q: %w", s.File, err)
		}
		room -= s.Text.Size
	}
	if err := c.checkTaints(); err != nil {
		return err
	}
	live, err := c.checkAllocations()
	if err != nil {
		return err
	}
	if c.Launch.GridWorkspace != 0 && !c.holds(c.Launch.GridWorkspace, gridBarrier) {
		return errors.New("the barrier of the grid has no memory")
	}
	return c.checkTextures(live)
}

// gridBarrier is the size in bytes of the barrier of a cooperative launch.
const gridBarrier = 8

// checkBlocks checks the blocks that run.
func (l *Launch) checkBlocks() bool {
	next := uint64(0)
	for _, b := range l.Blocks {
		if b < next || b >= l.Grid.Size() {
			return false
		}
		next = b + 1
	}
	return l.Blocks == nil || len(l.Blocks) > 0 && l.Cluster.Size() <= 1
}

// Blocks is how many blocks run.
func (c *Capsule) Blocks() uint64 {
	if b := c.Launch.Blocks; b != nil {
		return uint64(len(b))
	}
	return c.Launch.Grid.Size()
}

// checkAllocations returns the live allocations by number.
func (c *Capsule) checkAllocations() (map[int]*Allocation, error) {
	live := map[int]*Allocation{}
	for i := range c.Memory.Allocations {
		a := &c.Memory.Allocations[i]
		if err := a.check(); err != nil {
			return nil, fmt.Errorf("allocation %d: %w", a.ID, err)
		}
		if !a.Freed {
			if live[a.ID] != nil {
				return nil, fmt.Errorf("two allocations have the number %d", a.ID)
			}
			live[a.ID] = a
		}
	}
	return live, nil
}

func (a *Allocation) check() error {
	switch {
	case a.Size > mem.MaxSize:
		return fmt.Errorf("%d bytes, at most %d", a.Size, mem.MaxSize)
	case a.Freed && (len(a.Chunks)+len(a.After)+len(a.Left) > 0 || a.Marks != nil):
		return errors.New("contents of freed memory")
	case a.Type != "" && ctype.Parse(a.Type) == nil:
		return errors.New("an invalid type")
	case a.Marks != nil && (!a.Tracked || a.Marks.Size%8 != 0 || a.Marks.Size > (a.Size+63)/64*8):
		return errors.New("marks of another size")
	}
	if a.Marks != nil {
		if err := a.Marks.check(mem.MaxSize / 8); err != nil {
			return err
		}
	}
	if err := errors.Join(a.checkChunks(a.Chunks), a.checkChunks(a.After)); err != nil {
		return err
	}
	next := uint64(0)
	for _, s := range a.Left {
		if s.At < next || s.At > a.Size || s.Bytes > a.Size-s.At {
			return fmt.Errorf("contents that are left out at offset %d do not fit", s.At)
		}
		next = s.At + s.Bytes
	}
	return nil
}

func (a *Allocation) checkChunks(list []Chunk) error {
	next := uint64(0)
	for _, k := range list {
		if k.At%ChunkSize != 0 || k.At < next || k.At >= a.Size || k.Data.Size != min(ChunkSize, a.Size-k.At) {
			return fmt.Errorf("contents at offset %d do not fit", k.At)
		}
		if err := k.Data.check(ChunkSize); err != nil {
			return err
		}
		next = k.At + ChunkSize
	}
	return nil
}

func (c *Capsule) checkTextures(live map[int]*Allocation) error {
	seen := map[uint64]bool{}
	for _, t := range c.Textures {
		if seen[t.Handle] || t.Handle == 0 {
			return fmt.Errorf("texture handle %d occurs twice, or is 0", t.Handle)
		}
		seen[t.Handle] = true
		if t.Allocation != -1 && live[t.Allocation] == nil {
			return fmt.Errorf("texture %d is of allocation %d, which there is not", t.Handle, t.Allocation)
		}
		x := &t.Texture
		if !x.Format.Valid() || len(x.Levels) == 0 || len(x.Levels) > maxLevels || x.Kind > mem.TexturePitch2D {
			return fmt.Errorf("texture %d has an invalid format", t.Handle)
		}
		for _, mode := range x.Address {
			if mode > mem.AddressBorder {
				return fmt.Errorf("texture %d has an invalid address mode", t.Handle)
			}
		}
		for _, lv := range x.Levels {
			if !c.holdsLevel(lv, x) {
				return fmt.Errorf("texture %d reaches beyond its memory", t.Handle)
			}
		}
	}
	return nil
}

// holdsLevel reports whether all texels of a level lie in one allocation.
func (c *Capsule) holdsLevel(lv mem.TextureLevel, x *mem.Texture) bool {
	const limit = 1 << 40
	h, d := uint64(max(lv.Height, 1)), uint64(max(lv.Depth, x.Layers, 1))
	if lv.Pitch > limit || lv.Slice > limit || h > 1<<20 || d > 1<<20 {
		return false
	}
	return c.holds(lv.Base, (d-1)*lv.Slice+(h-1)*lv.Pitch+uint64(lv.Width)*x.Format.Bytes())
}

// holds reports whether n bytes at an address lie in one live allocation.
func (c *Capsule) holds(addr, n uint64) bool {
	return slices.ContainsFunc(c.Memory.Allocations, func(a Allocation) bool {
		off := addr - a.Base
		return !a.Freed && off <= a.Size && n <= a.Size-off
	})
}

// PTX returns the module's text.
func (c *Capsule) PTX() ([]byte, error) { return c.store.get(c.Module.PTX, maxObject) }

// Text returns a source file.
func (c *Capsule) Text(s Source) ([]byte, error) { return c.store.get(s.Text, maxSource) }

// Bytes is how many bytes of memory the capsule has contents for.
func (c *Capsule) Bytes() (n uint64) {
	for _, a := range c.Memory.Allocations {
		for _, k := range a.Chunks {
			n += k.Data.Size
		}
	}
	return n
}

// needs is how many bytes of memory the capsule takes before anything runs.
func (c *Capsule) needs() uint64 {
	n := c.Bytes()
	for _, a := range c.Memory.Allocations {
		if a.Marks != nil {
			n += 3 * a.Marks.Size // the object, its words, and those of the arena
		}
		for _, t := range a.Taints {
			n += 4 * (t.Bytes + 1<<10)
		}
	}
	return n
}

// Restore gives an arena of the size Memory.Size, which has no allocations, the capsule's memory.
func (c *Capsule) Restore(arena *mem.Arena) error {
	if need, have := c.needs(), mem.Physical(); need > have/2 {
		return fmt.Errorf("needs %d bytes of memory, and the machine has %d", need, have)
	}
	st := mem.State{Size: c.Memory.Size, Limit: c.Memory.Limit, NextID: c.Memory.Next}
	for i := range c.Memory.Allocations {
		s, err := c.saved(&c.Memory.Allocations[i])
		if err != nil {
			return err
		}
		st.Allocations = append(st.Allocations, s)
	}
	if err := arena.Restore(st); err != nil {
		return err
	}
	base := map[int]uint64{}
	for i := range c.Memory.Allocations {
		a := &c.Memory.Allocations[i]
		if a.Freed {
			continue
		}
		base[a.ID] = a.Base
		for _, k := range a.Chunks {
			data, err := c.store.get(k.Data, ChunkSize)
			if err != nil {
				return err
			}
			copy(arena.Bytes(a.Base+k.At, uint64(len(data))), data)
		}
	}
	for _, t := range c.Textures {
		x := t.Texture
		if x.Alloc = nil; t.Allocation >= 0 {
			x.Alloc = arena.Find(base[t.Allocation])
		}
		arena.Textures.Set(t.Handle, &x)
	}
	return nil
}

// saved is an allocation as an arena takes it.
func (c *Capsule) saved(a *Allocation) (mem.SavedAllocation, error) {
	s := mem.SavedAllocation{Footprint: a.Footprint, Freed: a.Freed, Tracked: a.Tracked, Allocation: &mem.Allocation{
		ID: a.ID, Base: a.Base, Size: a.Size, Kind: a.Kind, Name: a.Name, Where: a.Where, Call: a.Call, At: a.At, FreedBy: mem.Caller{Call: a.FreedBy, At: a.FreedAt},
		ReadOnly: a.ReadOnly, Mapped: a.Mapped, Rows: mem.Rows{Width: a.RowWidth, Pitch: a.RowPitch}}}
	if a.Type != "" {
		s.Type = ctype.Parse(a.Type)
	}
	if a.Marks == nil {
		return s, nil
	}
	b, err := c.store.get(*a.Marks, mem.MaxSize/8)
	s.Marks = []uint64{} // nil is all
	for ; len(b) > 0; b = b[8:] {
		s.Marks = append(s.Marks, binary.LittleEndian.Uint64(b))
	}
	return s, err
}
