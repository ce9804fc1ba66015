package mem

import (
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/warpgrind/warpgrind/internal/memfile"
)

// DefaultSize is the virtual size of an arena whose caller names none. Pages
// count only once they are touched.
const DefaultSize uint64 = 512 << 30

const (
	pageSize = 4096
	minSize  = 64 << 20
)

// Arena is a range of shared memory at ArenaBase with an allocator. All
// methods are safe for concurrent use; Find is lock-free. A process has room
// for one arena at a time.
type Arena struct {
	file *os.File
	base unsafe.Pointer
	size uint64
	// claimed is set if Claim held its place.
	claimed bool

	// Textures are those that programs have now, by handle.
	Textures Textures

	taints atomic.Uint64

	mu     sync.Mutex
	limit  uint64
	used   uint64
	nextID int
	// redZone is the least distance between allocations.
	redZone uint64
	dev     region
	host    region
	live    directory
	dead    map[uint64]*Allocation
	// reserved are ranges of the device's half that Reserve took.
	reserved []reservation
	// track is set if new allocations note what is written to them; changed are the
	// notes that are to be settled.
	track   bool
	changed changes
}

// New maps an arena of size bytes (0: DefaultSize, or what fits into the process's limit of
// addresses) backed by an unnamed memory file. Where the system refuses so much, it tries halves down to
// 64 MiB; Size tells what came of it. The limit starts at Room, at most half the arena.
func New(size uint64) (*Arena, error) {
	if size == 0 {
		size = arenaSize(addressSpace())
	}
	size = min(max(roundUp(size, 2*pageSize), minSize), MaxSize)
	var err error
	for ; size >= minSize; size /= 2 {
		var a *Arena
		if a, err = mapArena(size); err == nil {
			return a, nil
		}
	}
	return nil, fmt.Errorf("reserve the device memory arena: %w", err)
}

func mapArena(size uint64) (*Arena, error) {
	f, sealable, err := memfile.New("warpgrind-arena")
	if err != nil {
		return nil, err
	}
	fd := int(f.Fd())
	if err := setSize(fd, size, sealable); err != nil {
		f.Close()
		return nil, err
	}
	want := unsafe.Add(nil, uintptr(ArenaBase))
	fixed := take(size)
	p, err := unix.MmapPtr(fd, 0, want, uintptr(size), unix.PROT_READ|unix.PROT_WRITE,
		unix.MAP_SHARED|unix.MAP_NORESERVE|fixed)
	if err == nil && p != want { // a kernel before 4.17 takes it as a hint
		_ = unix.MunmapPtr(p, uintptr(size))
		err = unix.EEXIST
	}
	if err != nil {
		f.Close()
		refused(fixed)
		return nil, fmt.Errorf("map %d bytes at 0x%x: %w", size, ArenaBase, err)
	}
	half := ArenaBase + size/2
	return &Arena{
		file: f, base: p, size: size, claimed: fixed == unix.MAP_FIXED, limit: min(size/2, Room()), redZone: RedZone,
		dev:  newRegion(ArenaBase+RedZone, half),
		host: newRegion(half+RedZone, ArenaBase+size),
		dead: map[uint64]*Allocation{},
	}, nil
}

// setSize gives a memory file its final size: a program that has the file, and made it shorter,
// would end the engine by SIGBUS (fcntl(2), "File Sealing"). In a sandbox without seals it ends its own check.
func setSize(fd int, size uint64, sealable bool) error {
	if err := unix.Ftruncate(fd, int64(size)); err != nil || !sealable {
		return err
	}
	_, err := unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, unix.F_SEAL_SHRINK|unix.F_SEAL_GROW|unix.F_SEAL_SEAL)
	return err
}

// File is the memory file, to hand to the program.
func (a *Arena) File() *os.File { return a.file }

// Size is the virtual size in bytes.
func (a *Arena) Size() uint64 { return a.size }

// HostBase is the address where host-visible allocations begin.
func (a *Arena) HostBase() uint64 { return ArenaBase + a.size/2 }

// Close unmaps the arena. No pointer into it may be used afterwards.
func (a *Arena) Close() error {
	if a.base == nil {
		return nil
	}
	err := a.giveBack()
	a.base = nil
	if cerr := a.file.Close(); err == nil {
		err = cerr
	}
	return err
}

// SetLimit sets the bytes of device memory that can be allocated at a time:
// what cudaMemGetInfo calls total. It is cut to what the arena holds.
func (a *Arena) SetLimit(n uint64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.limit = min(n, a.MaxLimit())
}

// MaxLimit is the highest limit that can be set: half of the arena is the host's.
func (a *Arena) MaxLimit() uint64 { return a.size / 2 }

// Usage returns the bytes allocated on the device and the limit.
func (a *Arena) Usage() (used, limit uint64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.used, a.limit
}

// Resident returns the bytes of memory that the arena's contents take: untouched pages take none.
func (a *Arena) Resident() uint64 {
	var st unix.Stat_t
	if unix.Fstat(int(a.file.Fd()), &st) != nil {
		return 0
	}
	return uint64(st.Blocks) * 512
}

// Room is how many bytes of contents this machine has memory to check: a quarter of its memory, since the rules' shadows take
// several bytes for each.
func Room() uint64 { return Physical() / 4 }

// Contains reports whether n bytes at addr lie in the arena, allocated or not.
func (a *Arena) Contains(addr, n uint64) bool {
	off := addr - ArenaBase
	return off < a.size && n <= a.size-off
}

// Pointer is the address as a pointer, unchecked: addr must lie in the arena.
func (a *Arena) Pointer(addr uint64) unsafe.Pointer {
	return unsafe.Add(a.base, uintptr(addr-ArenaBase))
}

// Bytes is the n bytes at addr, unchecked as Pointer is.
func (a *Arena) Bytes(addr, n uint64) []byte {
	return unsafe.Slice((*byte)(a.Pointer(addr)), int(n))
}

// Fill writes a pattern, of whose length n is a multiple, to the n bytes from addr on. Of many zeros only those are written whose
// pages were touched before.
func (a *Arena) Fill(addr, n uint64, pattern []byte) {
	const many = 1 << 20
	switch {
	case slices.ContainsFunc(pattern, func(v byte) bool { return v != 0 }):
		b := a.Bytes(addr, n)
		for n := copy(b, pattern); n < len(b); n *= 2 {
			copy(b[n:], b[:n])
		}
	case n < many || a.Data(addr, n, func(addr, n uint64) { clear(a.Bytes(addr, n)) }) != nil:
		clear(a.Bytes(addr, n))
	}
}

// release zeroes [lo, hi) and gives its whole pages back to the system.
func (a *Arena) release(lo, hi uint64) {
	plo, phi := roundUp(lo, pageSize), hi&^(pageSize-1)
	if plo >= phi {
		clear(a.Bytes(lo, hi-lo))
		return
	}
	clear(a.Bytes(lo, plo-lo))
	clear(a.Bytes(phi, hi-phi))
	err := unix.Fallocate(int(a.file.Fd()), unix.FALLOC_FL_PUNCH_HOLE|unix.FALLOC_FL_KEEP_SIZE,
		int64(plo-ArenaBase), int64(phi-plo))
	if err != nil {
		clear(a.Bytes(plo, phi-plo))
	}
}

func roundUp(n, align uint64) uint64 { return (n + align - 1) &^ (align - 1) }
