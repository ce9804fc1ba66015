package capsule

import (
	"bytes"
	"errors"
	"fmt"
	"maps"

	"golang.org/x/sys/unix"

	"github.com/warpgrind/warpgrind/internal/mem"
)

// Contents that are no more than wholeBytes are all kept, so that a replay may do anything. Of
// more, a capsule has those that the launch has accessed.
const wholeBytes = 4 << 20

// Recording is a launch that runs while it is recorded.
type Recording struct {
	r     *Recorder
	name  string
	c     *Capsule
	arena *mem.Arena
	// copied are the contents before the launch; nil where there was no room for them.
	copied *copied
	// touches is nil if all contents are kept already. seen are the chunks that were accessed before
	// another recording began to watch, nil if that is not known.
	touches *mem.Touches
	seen    map[chunkKey]bool
}

// copied are contents of memory that is about to change.
type copied struct {
	data   []byte // mapped
	chunks []copiedChunk
	// at are the chunks by allocation and offset.
	at map[chunkKey]int
}

type copiedChunk struct {
	alloc    int // its index in Memory.Allocations
	at       uint64
	from, to int // in data
}

type chunkKey struct {
	alloc int
	at    uint64
}

// Begin records a launch that is about to begin: c without contents, the texts, and the arena as
// it is. name is that of the file, without a directory. If there is little memory with contents, or all
// is set, the capsule is complete then; End adds what the launch has written.
func (r *Recorder) Begin(name string, c *Capsule, t Texts, arena *mem.Arena, all bool) (*Recording, error) {
	if err := r.describe(c, t, arena); err != nil {
		return nil, err
	}
	g := &Recording{r: r, name: name, c: c, arena: arena}
	chunks, total, err := g.chunks()
	if err != nil {
		return nil, err
	}
	if total <= mem.Physical()/4 {
		if g.copied, err = copyChunks(c, chunks, total, arena); err != nil {
			return nil, err
		}
	}
	if !all && total > wholeBytes && g.copied != nil {
		for o := range r.open { // which stops to see what has been accessed so far
			if o.seen, err = o.touched(); err != nil {
				return nil, err
			}
		}
		if g.touches, err = arena.Touches(); err == nil {
			g.seen, r.open[g] = map[chunkKey]bool{}, true
			return g, nil
		}
	}
	for _, k := range chunks {
		if err := r.chunk(&c.Memory.Allocations[k.alloc], k.at, arena); err != nil {
			return nil, err
		}
	}
	return g, r.store.manifest(name, c)
}

// chunks lists the chunks that have memory, and the bytes of all of them.
func (g *Recording) chunks() (list []copiedChunk, total uint64, err error) {
	for i := range g.c.Memory.Allocations {
		a := &g.c.Memory.Allocations[i]
		if a.Freed {
			continue
		}
		err := eachChunk(a, g.arena, func(at, n uint64) error {
			list = append(list, copiedChunk{alloc: i, at: at})
			total += n
			return nil
		})
		if err != nil {
			return nil, 0, err
		}
	}
	return list, total, nil
}

// eachChunk calls f for the chunks of an allocation that have memory, in order.
func eachChunk(a *Allocation, arena *mem.Arena, f func(at, n uint64) error) error {
	var failed error
	next := uint64(0) // the first chunk that has not been looked at
	err := arena.Data(a.Base, a.Size, func(addr, n uint64) {
		last := (addr + n - 1 - a.Base) / ChunkSize
		for i := max(next, (addr-a.Base)/ChunkSize); i <= last && failed == nil; i++ {
			failed = f(i*ChunkSize, min(ChunkSize, a.Size-i*ChunkSize))
			next = i + 1
		}
	})
	return errors.Join(err, failed)
}

// copyChunks copies contents, apart from Go's heap.
func copyChunks(c *Capsule, chunks []copiedChunk, total uint64, arena *mem.Arena) (*copied, error) {
	s := &copied{chunks: chunks, at: map[chunkKey]int{}}
	if total == 0 {
		return s, nil
	}
	var err error
	if s.data, err = unix.Mmap(-1, 0, int(total), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON); err != nil {
		return nil, err
	}
	used := 0
	for i := range chunks {
		k := &chunks[i]
		a := &c.Memory.Allocations[k.alloc]
		k.from = used
		used += copy(s.data[used:], arena.Bytes(a.Base+k.at, min(ChunkSize, a.Size-k.at)))
		k.to = used
		s.at[chunkKey{k.alloc, k.at}] = i
	}
	return s, nil
}

// close gives the memory back.
func (s *copied) close() {
	if s != nil && s.data != nil {
		_ = unix.Munmap(s.data)
		s.data = nil
	}
}

// before are the contents of a chunk before the launch, nil for zeros.
func (s *copied) before(alloc int, at uint64) []byte {
	i, ok := s.at[chunkKey{alloc, at}]
	if !ok {
		return nil
	}
	return s.data[s.chunks[i].from:s.chunks[i].to]
}

// End records what the launch, which has ended, has accessed and written.
func (g *Recording) End() error {
	defer g.copied.close()
	delete(g.r.open, g)
	if g.copied == nil {
		return nil // it is written, and what it was before is not known
	}
	touched, err := g.touched()
	if err != nil {
		return err
	}
	if err := g.outputs(touched); err != nil {
		return err
	}
	if g.touches != nil {
		for _, k := range g.copied.chunks {
			if err := g.keep(k, touched); err != nil {
				return err
			}
		}
	}
	return g.r.store.manifest(g.name, g.c)
}

// touched are the chunks that the launch has accessed; nil for all.
func (g *Recording) touched() (map[chunkKey]bool, error) {
	if g.touches == nil || g.seen == nil {
		return nil, nil
	}
	out := maps.Clone(g.seen)
	for i := range g.c.Memory.Allocations {
		a := &g.c.Memory.Allocations[i]
		if a.Freed || a.Size == 0 {
			continue
		}
		err := g.touches.Each(a.Base, a.Size, func(addr, n uint64) {
			lo, hi := max(addr, a.Base)-a.Base, min(addr+n-a.Base, a.Size)
			for at := lo / ChunkSize * ChunkSize; at < hi; at += ChunkSize {
				out[chunkKey{i, at}] = true
			}
		})
		if errors.Is(err, mem.ErrNotKnown) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// keep stores a chunk as it was before the launch, or notes that it was not accessed.
func (g *Recording) keep(k copiedChunk, touched map[chunkKey]bool) error {
	a := &g.c.Memory.Allocations[k.alloc]
	data := g.copied.data[k.from:k.to]
	switch {
	case isZero(data):
		return nil
	case touched == nil || touched[chunkKey{k.alloc, k.at}]:
		o, err := g.r.store.put(data)
		a.Chunks = append(a.Chunks, Chunk{k.at, o})
		return err
	}
	if n := len(a.Left); n > 0 && a.Left[n-1].At+a.Left[n-1].Bytes == k.at {
		a.Left[n-1].Bytes += uint64(len(data))
	} else {
		a.Left = append(a.Left, Span{k.at, uint64(len(data))})
	}
	return nil
}

// outputs stores the chunks that the launch has changed.
func (g *Recording) outputs(touched map[chunkKey]bool) error {
	g.c.Outputs = true
	for i := range g.c.Memory.Allocations {
		a := &g.c.Memory.Allocations[i]
		if al := g.arena.Find(a.Base); a.Freed || al == nil || al.ID != a.ID || al.Size != a.Size {
			continue
		}
		err := eachChunk(a, g.arena, func(at, n uint64) error {
			if touched != nil && !touched[chunkKey{i, at}] {
				return nil
			}
			now, was := g.arena.Bytes(a.Base+at, n), g.copied.before(i, at)
			if was == nil && isZero(now) || was != nil && bytes.Equal(was, now) {
				return nil
			}
			o, err := g.r.store.put(now)
			a.After = append(a.After, Chunk{at, o})
			return err
		})
		if err != nil {
			return fmt.Errorf("what the launch has written: %w", err)
		}
	}
	return nil
}
