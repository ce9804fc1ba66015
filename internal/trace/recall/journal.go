package recall

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"sync"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// journal has the accesses of an interval in their order, with what writes store and what
// was there before. Each is a record of 4-byte words: a header of recordHeader words (the
// site, the warp, the lanes, the length of the record, and whether what is stored is known),
// the 32 addresses, and for writes what the lanes store, by element and then by lane as registers have it (elements of less
// than a word together in one), and what was there in the words that they are in, by word and lane; for atomic operations only the latter. A warp synchronization
// has the header alone.
type journal struct {
	launch *trace.Launch
	shapes *trace.Shapes
	buf    []uint32
	n      int
	// small is what buf is in other intervals, where that is the launch's for a long one.
	small []uint32
	// syncs counts the synchronizations.
	syncs int
	// asyncs counts the accesses of asynchronous copies, sent is set once they have been sent.
	asyncs int
	sent   bool
	// spare is for long intervals, entire set if no access is left out.
	spare  *Room
	entire bool
	addr   [32]uint64
	record record
}

// Layout of a record, in bytes, for generated code.
const (
	RecordSite, RecordWarp, RecordMask, RecordLength, RecordKnown = 0, 4, 8, 12, 16

	recordHeader = 8
	RecordAddr   = 4 * recordHeader
	RecordData   = RecordAddr + 4*32
)

// The word at RecordKnown has bit shaped where the two words that follow it are the number of the access's shape and its base, and no
// addresses do; from asyncShift on it has the moment of an asynchronous copy. What that stores is not in the record.
const (
	asyncShift          = 1
	asyncMask           = 3
	shaped       uint32 = 1 << 31
	shapedRecord        = recordHeader + 2
)

// A journal begins with firstJournal words and grows to maxJournal (four megabytes) for all
// accesses. From then on it has those only that change a state or write, unless it must be entire (see
// sieve.thins). Up to smallJournal it keeps what it has; what it needs beyond that is the launch's (Room). Beyond ownJournal it grows
// up to maxLong as long as the launch has room. The interval that needs more is sent.
const (
	firstJournal = 1 << 13
	smallJournal = 1 << 16
	maxJournal   = 1 << 20
	ownJournal   = 2 * maxJournal
	maxLong      = 1 << 24
)

// Room is what the journals of a launch take where an interval needs more than a small one, and give back with the
// interval: blocks use it in turn. A buffer that has been written costs neither fresh pages nor copies while a journal grows to its size.
type Room struct {
	mu sync.Mutex
	// left is how many words more there may be in buffers beyond ownJournal, which are bounded in all.
	left int
	// free are the buffers that no journal has, own those up to ownJournal.
	free, own [][]uint32
}

// longRoom is what the buffers of a launch beyond ownJournal may have in all (256 MiB), keptRoom what all buffers have that one
// launch leaves to the next (64 MiB).
const (
	longRoom = 1 << 26
	keptRoom = 1 << 24
)

// NewRoom returns the room of a launch.
func NewRoom() *Room { return &Room{left: longRoom} }

// Renew makes the room that of a next launch, after the launch before has ended. A part of its buffers is kept.
func (r *Room) Renew() {
	r.mu.Lock()
	defer r.mu.Unlock()
	kept := 0
	tooMuch := func(b []uint32) bool {
		if kept+len(b) > keptRoom {
			return true
		}
		kept += len(b)
		return false
	}
	r.free = slices.DeleteFunc(r.free, tooMuch)
	r.left = longRoom - kept // buffers that were not given back are garbage
	r.own = slices.DeleteFunc(r.own, tooMuch)
}

// take returns a buffer of at least n words, nil if that exceeds the limit.
func (r *Room) take(n int) []uint32 {
	if r == nil {
		if n <= ownJournal {
			return make([]uint32, n)
		}
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	list := &r.free
	if n <= ownJournal {
		list = &r.own
	}
	if i := slices.IndexFunc(*list, func(b []uint32) bool { return len(b) >= n }); i >= 0 {
		b := (*list)[i]
		*list = slices.Delete(*list, i, i+1)
		return b
	}
	if n > ownJournal {
		if r.left < n {
			return nil
		}
		r.left -= n
	}
	return make([]uint32, n)
}

func (r *Room) giveBack(b []uint32) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(b) > ownJournal {
		r.free = append(r.free, b)
	} else {
		r.own = append(r.own, b)
	}
}

// RecordSize is the bytes of the record of a site's access. Two kinds of records that generated code does not make are
// shorter (see accessRecord).
func RecordSize(s *trace.Site) int {
	switch s.Kind {
	case trace.Write:
		return RecordData + 2*32*4*words(s)
	case trace.Atomic:
		return RecordData + 32*4*words(s)
	}
	return RecordData
}

// accessRecord is the words of the record of an access as add makes it.
func accessRecord(a *trace.Access) int {
	switch {
	case a.Site.Kind == trace.Read && a.Shape != nil:
		return shapedRecord
	case a.Async != trace.Sync:
		return recordHeader + 32
	}
	return RecordSize(a.Site) / 4
}

// asyncOf is the moment of an asynchronous copy in a record.
func asyncOf(r []uint32) trace.Async { return trace.Async(r[4] >> asyncShift & asyncMask) }

// words is how many words a site's access has.
func words(s *trace.Site) int { return max(s.Size/4, 1) }

// reset begins an interval's journal.
func (j *journal) reset() {
	j.release()
	if j.buf == nil {
		j.buf = make([]uint32, firstJournal)
	}
}

// release empties the journal and gives back what it has of the launch's room.
func (j *journal) release() {
	if len(j.buf) > smallJournal {
		j.spare.giveBack(j.buf)
		j.buf = j.small
	}
	j.n, j.syncs, j.asyncs, j.sent = 0, 0, 0, false
}

// room returns where the next record is, and where it must end if all accesses are kept.
func (j *journal) room() (at, end uintptr) {
	n := len(j.buf)
	if !j.entire {
		n = min(n, maxJournal)
	}
	base := uintptr(unsafe.Pointer(unsafe.SliceData(j.buf)))
	return base + uintptr(4*j.n), base + uintptr(4*n)
}

// upTo takes note of records up to an address.
func (j *journal) upTo(at uintptr) {
	j.n = int(at-uintptr(unsafe.Pointer(unsafe.SliceData(j.buf)))) / 4
}

// fits makes room for n more words. It returns false if that is too much.
func (j *journal) fits(n int) bool {
	for j.n+n > len(j.buf) {
		was, more := j.buf, []uint32(nil)
		switch n := 2 * len(was); {
		case n <= smallJournal:
			more = make([]uint32, n)
		case n <= maxLong:
			more = j.spare.take(n)
		}
		if more == nil {
			return false
		}
		copy(more, was[:j.n])
		if j.buf = more; len(was) > smallJournal {
			j.spare.giveBack(was)
		} else if len(more) > smallJournal {
			j.small = was
		}
	}
	return true
}

// begin appends a record of so many words, with a header of an access that knows nothing.
func (j *journal) begin(s *trace.Site, warp int, mask uint32, size int) []uint32 {
	r := j.buf[j.n : j.n+size]
	j.n += size
	r[0], r[1], r[2], r[3], r[4] = uint32(s.ID), uint32(warp), mask, uint32(size), 0
	return r
}

// addRead appends a read of whose addresses the shape and the base are known.
func (j *journal) addRead(s *trace.Site, warp int, sh *trace.Shape, base uint64) {
	r := j.begin(s, warp, sh.Mask, shapedRecord)
	r[4], r[5], r[6] = shaped, uint32(sh.ID), uint32(base)
}

// add appends an access.
func (j *journal) add(a *trace.Access, shared []byte) {
	size := accessRecord(a)
	r := j.begin(a.Site, a.Warp, a.Mask, size)
	switch {
	case size == shapedRecord:
		r[4], r[5], r[6] = shaped, uint32(a.Shape.ID), uint32(a.Addr[bits.TrailingZeros32(a.Mask)&31])
		return
	case a.Async != trace.Sync:
		r[4] = uint32(a.Async) << asyncShift
		j.asyncs++
	case a.Data != nil:
		r[4] = 1
	}
	for m := a.Mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m) & 31
		r[recordHeader+l] = uint32(a.Addr[l])
	}
	if a.Site.Kind == trace.Read || a.Async != trace.Sync {
		return
	}
	data := r[recordHeader+32:]
	if a.Site.Kind == trace.Write {
		storeValues(data, a)
		data = data[32*words(a.Site):]
	}
	n := words(a.Site)
	for m := a.Mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m) & 31
		at := a.Addr[l] &^ 3
		if at+uint64(4*n) > uint64(len(shared)) {
			for i := range n {
				data[32*i+l] = wordOf(shared, at+uint64(4*i))
			}
			continue
		}
		for i, was := 0, shared[at:]; i < n; i++ {
			data[32*i+l] = binary.LittleEndian.Uint32(was[4*i:])
		}
	}
}

// storeValues notes what the lanes of a write store.
func storeValues(data []uint32, a *trace.Access) {
	if a.Data == nil {
		return
	}
	for m := a.Mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m) & 31
		for k := range a.Site.Size / a.Site.Elem {
			v := a.Data.Value(l, k)
			switch at := k * a.Site.Elem; {
			case a.Site.Elem == 8:
				data[64*k+2*l], data[64*k+2*l+1] = uint32(v), uint32(v>>32)
			case at%4 == 0:
				data[8*at+l] = uint32(v)
			default:
				low := uint32(1)<<(8*(at%4)) - 1
				data[8*(at-at%4)+l] = data[8*(at-at%4)+l]&low | uint32(v)<<(8*(at%4))
			}
		}
	}
}

// wordOf returns the word of shared memory at an offset, 0 for what lies beyond its end.
func wordOf(shared []byte, at uint64) uint32 {
	if at+4 <= uint64(len(shared)) {
		return binary.LittleEndian.Uint32(shared[at:])
	}
	var last [4]byte
	copy(last[:], shared[min(at, uint64(len(shared))):])
	return binary.LittleEndian.Uint32(last[:])
}

// sync appends a synchronization of a warp.
func (j *journal) sync(e *trace.WarpSync) {
	r := j.buf[j.n : j.n+recordHeader]
	r[0], r[1], r[2], r[3] = uint32(e.Site.ID), uint32(e.Warp), e.Mask, recordHeader
	j.n, j.syncs = j.n+recordHeader, j.syncs+1
}

// each calls f for the accesses but those of asynchronous copies that have been sent.
func (j *journal) each(f func(s *trace.Site, mask uint32)) {
	for r := range j.records {
		if len(r) > recordHeader && !(j.sent && asyncOf(r) != trace.Sync) {
			f(j.launch.Sites[r[0]], r[2])
		}
	}
}

func (j *journal) records(yield func([]uint32) bool) {
	for at := 0; at < j.n; {
		r := j.buf[at : at+int(j.buf[at+3])]
		if !yield(r) {
			return
		}
		at += len(r)
	}
}

// send sends the journal to an observer.
func (j *journal) send(to *trace.BlockObserver) {
	for r := range j.records {
		if len(r) == recordHeader {
			j.sendSync(r, to)
		} else {
			j.sendAccess(r, to)
		}
	}
}

func (j *journal) sendAccess(r []uint32, to *trace.BlockObserver) {
	a := j.access(r)
	to.Shared(&a)
}

// access is the access of a record.
func (j *journal) access(r []uint32) trace.Access {
	site := j.launch.Sites[r[0]]
	a := trace.Access{Site: site, Space: trace.SpaceShared, Warp: int(r[1]), Mask: r[2], Addr: &j.addr, Async: asyncOf(r)}
	if r[4]&shaped != 0 {
		j.shapes.List[r[5]].Addresses(uint64(r[6]), &j.addr)
		return a
	}
	for l := range j.addr {
		j.addr[l] = uint64(r[recordHeader+l])
	}
	if a.Async == trace.Sync {
		j.record = record{site: site, data: r[recordHeader+32:]}
		a.Past = &j.record
		if site.Kind == trace.Write && r[4]&1 != 0 {
			a.Data = &j.record
		}
	}
	return a
}

// sendLasting sends what matters to later intervals: the synchronizations, and the asynchronous copies to who wants them.
func (j *journal) sendLasting(to *trace.BlockObserver, copied []func(*trace.Access)) {
	j.sent = len(copied) > 0
	if j.syncs == 0 && (j.asyncs == 0 || !j.sent) {
		return
	}
	for r := range j.records {
		switch {
		case len(r) == recordHeader:
			j.sendSync(r, to)
		case j.sent && asyncOf(r) != trace.Sync:
			a := j.access(r)
			for _, f := range copied {
				f(&a)
			}
		}
	}
}

func (j *journal) sendSync(r []uint32, to *trace.BlockObserver) {
	to.WarpSync(&trace.WarpSync{Site: j.launch.Sites[r[0]], Warp: int(r[1]), Mask: r[2]})
}

// record is the data of a record.
type record struct {
	site *trace.Site
	data []uint32
}

// Value is for trace.Data.
func (r *record) Value(lane, elem int) uint64 {
	if r.site.Elem == 8 {
		return uint64(r.data[64*elem+2*lane]) | uint64(r.data[64*elem+2*lane+1])<<32
	}
	at := elem * r.site.Elem
	return uint64(r.data[8*(at-at%4)+lane] >> (8 * (at % 4)) & (1<<(8*r.site.Elem) - 1))
}

// Before is for trace.Past.
func (r *record) Before(lane, word int) uint32 {
	data := r.data
	if r.site.Kind == trace.Write {
		data = data[32*words(r.site):]
	}
	return data[32*word+lane]
}
