package kernels

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"slices"

	"github.com/warpgrind/warpgrind/internal/host"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// HostFlow is what a program's host code gave the device in one call: all of it, whichever call of CUDA, pointer or
// mapping it used. Memory is compared with what the device left there, so that the program's word is not asked.
// Addresses are those of allocations by their ordinal, so that they are equal in equal runs.
type HostFlow struct {
	// Steps are what the host asked the device to do, in order.
	Steps []Step `json:",omitempty"`
	// Sent are the host's bytes that came into memory that kernels can read, in the order of their arrival.
	Sent []Sent `json:",omitempty"`
	// Heard are the values of small copies to the host.
	Heard []uint32 `json:",omitempty"`
	// Launches counts those of the host.
	Launches int
	// TooMuch is set where more came than is kept.
	TooMuch bool `json:",omitempty"`
	// Origins says of each buffer how many of its bytes are, at the end of the call, something else than the work of a
	// kernel.
	Origins []Origins
}

// Step is something that the host asked for. Name is the kernel's, the operation's of a request, or empty.
type Step struct {
	Kind  StepKind
	Name  string `json:",omitempty"`
	Words []uint32
	// Bytes is the size of what Words are only a hash of, 0 where they are all of it.
	Bytes int `json:",omitempty"`
}

// StepKind is what a step does.
type StepKind string

// The kinds of steps: a launch, a copy between memories of the device, a fill; another request whose contents kernels can find out; a
// launch that begins, whose word is its number in the call.
const (
	StepLaunch  StepKind = "launch"
	StepCopy    StepKind = "copy"
	StepFill    StepKind = "fill"
	StepRequest StepKind = "request"
	StepBegin   StepKind = "begin"
)

// Sent is a unit of the host's bytes: its address, and the bytes themselves, or a hash of them where Unit is more than
// four. Done is how many launches, copies and fills the device had begun then. Device is set where the device has changed a
// unit that the host had sent: what it holds is no longer the host's.
type Sent struct {
	At     uint64
	Unit   uint32
	Value  uint64 `json:",omitempty"`
	Done   int    `json:",omitempty"`
	Device bool   `json:",omitempty"`
}

// Origins counts bytes of a buffer by where their values come from.
type Origins struct {
	// Copied bytes came from the host by copies alone, Carried ones through kernels that did no more than move
	// them. Computed ones were computed with values that the host had sent.
	Copied, Carried, Computed uint64
	// Filled bytes have the pattern of a fill that is not zero, FillValues are the different ones among them, up to 3.
	Filled     uint64
	FillValues int
}

// The origins that a followed value has in mem.Taint. trace.Computed is added to them.
const (
	fromHost = 1 + iota
	fromHostByKernel
	fromFill
)

// Bounds of a HostFlow: what is kept of a call, and what is copied and compared.
const (
	maxSent     = 1 << 17
	maxSteps    = 1 << 14
	maxHeard    = 1 << 12
	heardBytes  = 64
	maxFollowed = 1 << 28
	maxCompared = 1 << 36
)

// hostFlow makes the HostFlow of each call.
type hostFlow struct {
	arena  *mem.Arena
	values bool // are followed through copies and kernels, for Origins
	out    *HostFlow
	seen   map[*mem.Allocation][]byte // what the device left there
	// sentTo are the units that hold what the host sent, by their offsets.
	sentTo   map[*mem.Allocation]map[uint64]sentUnit
	done     int // launches, copies and fills that the device has begun in the call
	pending  []pendingCopy
	held     uint64 // bytes of seen
	compared uint64
	base     int    // the first allocation of the call
	first    int    // the number of the call's first launch, -1 before it
	kernel   uint32 // that of the launch which is asked for
}

func newHostFlow(a *mem.Arena, values bool) *hostFlow {
	return &hostFlow{arena: a, values: values, seen: map[*mem.Allocation][]byte{}, sentTo: map[*mem.Allocation]map[uint64]sentUnit{}, out: &HostFlow{}, first: -1}
}

// add puts the recorder's hooks before others.
func (f *hostFlow) add(h *host.Hooks) {
	h.Alloc = first(h.Alloc, f.allocated)
	h.Free = first(h.Free, f.forget)
	h.Copy = first(h.Copy, f.copyAsked)
	h.Fill = first(h.Fill, f.fillAsked)
	h.Launch = first(h.Launch, f.launchAsked)
	h.Copying = first(h.Copying, f.copying)
	h.Filling = first(h.Filling, f.filling)
	h.Asked = first(h.Asked, f.asked)
	h.Begun = first(h.Begun, func(l *host.LaunchInfo) {
		if !l.Child {
			f.step(Step{Kind: StepBegin, Words: []uint32{uint32(l.ID - f.first)}})
			f.sync()
			f.done++
		}
	})
	ended := h.Launched
	h.Launched = func(l *host.LaunchInfo, r host.LaunchResult) {
		if ended != nil {
			ended(l, r)
		}
		if !l.Child {
			f.settle()
		}
	}
	h.Parked = first(h.Parked, func(int) { f.settle() })
	h.Resumed = first(h.Resumed, func(int) { f.sync() })
}

func first[T any](hook, f func(T)) func(T) {
	if hook == nil {
		return f
	}
	return func(v T) { f(v); hook(v) }
}

// observer follows the host's values through kernels.
func (f *hostFlow) observer() *trace.Observer {
	block := &trace.BlockObserver{Undefined: &trace.UndefinedObserver{Keeps: true,
		Unset: func(*trace.UnsetRegister) {}, Absent: func(*trace.AbsentLanes) {}, NotCanceled: func(*trace.NotCanceled) {},
		Reread: func(e *trace.Reread) {
			for l := range 32 {
				if e.Mask>>l&1 != 0 && e.Origin[l] == fromHost {
					e.Origin[l] = fromHostByKernel
				}
			}
		},
		Lasting: func(origin uint32) uint32 { return origin },
		Mixed:   func(_, _ uint32) {},
		Used:    func(*trace.Used) {},
	}}
	return &trace.Observer{Launch: func(*trace.Launch) []*trace.LaunchObserver {
		return []*trace.LaunchObserver{{MarksWritten: true, Block: func() *trace.BlockObserver { return block }}}
	}}
}

// begin starts a call with its buffers.
func (f *hostFlow) begin(list []*mem.Allocation) {
	f.out, f.first, f.done = &HostFlow{}, -1, 0
	clear(f.sentTo)
	if len(list) > 0 {
		f.base = list[0].ID
	}
	for _, al := range list {
		f.keep(al, f.arena.Bytes(al.Base, al.Size))
	}
}

// finish ends a call.
func (f *hostFlow) finish(list []*mem.Allocation) *HostFlow {
	f.sync()
	for _, al := range list {
		f.out.Origins = append(f.out.Origins, f.origins(al))
		f.forget(al)
	}
	return f.out
}

func (f *hostFlow) origins(al *mem.Allocation) (o Origins) {
	if al.Taint == nil || !f.values {
		return o
	}
	values := map[byte]bool{}
	memory := f.arena.Bytes(al.Base, al.Size)
	al.Taint.Each(0, al.Size, func(off uint64, _ uint8, origin uint32) {
		switch {
		case origin&trace.Computed != 0:
			o.Computed++
		case origin == fromHost:
			o.Copied++
		case origin == fromHostByKernel:
			o.Carried++
		case origin == fromFill:
			o.Filled++
			values[memory[off]] = true
		}
	})
	o.FillValues = len(values)
	return o
}

// allocated gives memory that the host sees what is needed to follow its bytes.
func (f *hostFlow) allocated(al *mem.Allocation) {
	if f.values && al.Kind.HostVisible() {
		al.Taint = mem.NewTaint(al.Size)
	}
	if al.Kind == mem.Device || al.Kind.HostVisible() {
		f.keep(al, nil)
	}
}

// keep keeps what an allocation has: nil for zeros.
func (f *hostFlow) keep(al *mem.Allocation, contents []byte) {
	if f.held+al.Size > maxFollowed {
		f.out.TooMuch = true
		return
	}
	f.held += al.Size
	f.seen[al] = make([]byte, al.Size)
	copy(f.seen[al], contents)
}

func (f *hostFlow) forget(al *mem.Allocation) {
	if b, ok := f.seen[al]; ok {
		f.held -= uint64(len(b))
		delete(f.seen, al)
	}
	delete(f.sentTo, al)
}

// ordered are the allocations whose bytes are kept, as they were made.
func (f *hostFlow) ordered() []*mem.Allocation {
	return slices.SortedFunc(maps.Keys(f.seen), func(a, b *mem.Allocation) int { return a.ID - b.ID })
}

// live adds variables of modules, which hold what the module says when they are seen first.
func (f *hostFlow) live() {
	for _, al := range f.arena.Live() {
		if _, ok := f.seen[al]; !ok && al.Kind == mem.Symbol {
			f.keep(al, f.arena.Bytes(al.Base, al.Size))
		}
	}
}

// sync notes what the host has changed since the device last did anything.
func (f *hostFlow) sync() {
	for _, p := range f.pending {
		if f.arena.Find(p.al.Base) != p.al {
			continue
		}
		p.box.Ranges(func(addr, n uint64) { f.sent(p.al, addr-p.al.Base, n) })
	}
	f.pending = f.pending[:0]
	f.live()
	f.compare(func(al *mem.Allocation, off, n uint64) { f.sent(al, off, n) })
}

// compare calls found for the words of memory that are not as they were.
func (f *hostFlow) compare(found func(al *mem.Allocation, off, n uint64)) {
	const step = 4096
	for _, al := range f.ordered() {
		was, is := f.seen[al], f.arena.Bytes(al.Base, al.Size)
		if f.compared += al.Size; f.compared > maxCompared {
			f.out.TooMuch = true
			return
		}
		for at := uint64(0); at < al.Size; at += step {
			end := min(at+step, al.Size)
			if !bytes.Equal(was[at:end], is[at:end]) {
				changes(was, is, at, end, func(off, n uint64) { found(al, off, n) })
			}
		}
	}
}

// changes calls found for runs of words in which two memories differ.
func changes(was, is []byte, at, end uint64, found func(off, n uint64)) {
	differs := func(i uint64) bool { return !bytes.Equal(was[i:min(i+4, end)], is[i:min(i+4, end)]) }
	for i := at; i < end; i += 4 {
		if !differs(i) {
			continue
		}
		from := i
		for i < end && differs(i) {
			i += 4
		}
		found(from, min(i, end)-from)
	}
}

// sent notes bytes that the host has brought.
func (f *hostFlow) sent(al *mem.Allocation, off, n uint64) {
	memory := f.arena.Bytes(al.Base, al.Size)
	if was := f.seen[al]; was != nil {
		copy(was[off:off+n], memory[off:off+n])
	}
	f.taint(al, off, n, fromHost)
	unit := uint64(4)
	switch {
	case n >= 1<<18:
		unit = 4096
	case n >= 4096:
		unit = 64
	}
	for end := off + n; off < end; {
		next := min(end, (off/unit+1)*unit)
		if len(f.out.Sent) >= maxSent {
			f.out.TooMuch = true
			return
		}
		f.out.Sent = append(f.out.Sent, Sent{At: f.place(al, off), Unit: uint32(unit), Value: digest(memory[off:next]), Done: f.done})
		if f.sentTo[al] == nil {
			f.sentTo[al] = map[uint64]sentUnit{}
		}
		f.sentTo[al][off] = sentUnit{next - off, uint32(unit)}
		off = next
	}
}

// sentUnit is a unit of the host's bytes, of which the first and the last of many may be shorter.
type sentUnit struct {
	size uint64
	unit uint32
}

// changed notes the units of the host's in an allocation that the device has changed, each once until the host sends it again.
func (f *hostFlow) changed(al *mem.Allocation, isChanged func(off, n uint64) bool) {
	for off, u := range f.sentTo[al] {
		if isChanged(off, u.size) {
			f.out.Sent = append(f.out.Sent, Sent{At: f.place(al, off), Unit: u.unit, Done: f.done, Device: true})
			delete(f.sentTo[al], off)
		}
	}
}

// overwritten is changed for a range that a copy or a fill has written.
func (f *hostFlow) overwritten(al *mem.Allocation, from, size uint64) {
	f.changed(al, func(off, n uint64) bool { return off < from+size && from < off+n })
}

// ofCall marks places in allocations of the call.
const ofCall = 1 << 62

// place is an address that is equal in equal runs, also where an earlier call has made another number of allocations.
func (f *hostFlow) place(al *mem.Allocation, off uint64) uint64 {
	if al.ID >= f.base {
		return ofCall | uint64(al.ID-f.base)<<40 | off
	}
	return uint64(al.ID)<<40 | off
}

// digest is a few bytes, or a hash of more.
func digest(b []byte) uint64 {
	if len(b) > 4 {
		h := sha256.Sum256(b)
		return binary.LittleEndian.Uint64(h[:])
	}
	var w [8]byte
	copy(w[:], b)
	return binary.LittleEndian.Uint64(w[:])
}

func (f *hostFlow) taint(al *mem.Allocation, off, n uint64, origin uint32) {
	if al.Taint == nil || !f.values {
		return
	}
	if !al.Taint.Any() {
		f.arena.Tainted()
	}
	for i := off; i < off+n; i++ {
		al.Taint.Set(i, 0xff, origin)
	}
}

// settle keeps what a kernel has left. The host program did not run beside it.
func (f *hostFlow) settle() {
	f.arena.Settle()
	for al := range f.sentTo {
		was, is := f.seen[al], f.arena.Bytes(al.Base, al.Size)
		f.changed(al, func(off, n uint64) bool { return was != nil && !bytes.Equal(was[off:off+n], is[off:off+n]) })
	}
	f.compare(func(al *mem.Allocation, off, n uint64) { copy(f.seen[al][off:off+n], f.arena.Bytes(al.Base+off, n)) })
}

// step notes what the host asked for.
func (f *hostFlow) step(s Step) {
	if len(f.out.Steps) >= maxSteps {
		f.out.TooMuch = true
		return
	}
	f.out.Steps = append(f.out.Steps, s)
}

func (f *hostFlow) launchAsked(l *host.LaunchInfo) {
	if l.Child {
		return
	}
	if f.out.Launches++; f.first < 0 {
		f.first = l.ID
	}
	w := []uint32{f.kernel, l.Grid.X, l.Grid.Y, l.Grid.Z, l.Block.X, l.Block.Y, l.Block.Z, l.Cluster.X, l.Cluster.Y, l.Cluster.Z, l.SharedDynamic,
		uint32(l.Device), bit(l.Cooperative), bit(l.Programmatic)}
	f.step(Step{Kind: StepLaunch, Name: l.Kernel, Words: f.words(w, l.Params)})
}

func bit(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}
