package initialized

import (
	"math/bits"
	"sync"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// The engine follows undefined values from the read of uninitialized memory to where they
// matter, and carries an origin along: the number of a record of the read, and the lane
// that did it. A value that was stored in shared or global memory and is read again gets
// a record of that read, whose parent is the origin of what was stored. In global memory
// values outlive the block; what stands for their origin there is the checker's.

// record is a read of undefined values by the lanes of a warp.
type record struct {
	key  readKey
	warp int
	// lanes have read such values; of the first time are addr, missing and parent, the
	// origin of the value that was stored, 0 where nothing was.
	lanes   uint32
	addr    [32]uint64
	missing [32]uint64
	parent  [32]uint32
	// real are the lanes of which it is certain that no race explains the read: what
	// another thread stores later in the barrier interval is the race rule's.
	real uint32
	// reported are the lanes whose values have been reported.
	reported uint32
	memory   trace.Memory
	// exchange is of the first time, for a shuffle.
	exchange exchange
	// bytes are all that were missing, from the first to the last.
	bytes finding.Bytes
}

type recordKey struct {
	key   readKey
	warp  int
	again bool
}

// maxRecords bounds the records of a block, maxUses those of its uses.
const (
	maxRecords = 1 << 12
	maxUses    = 1 << 12
	// laneBits are the bits of an origin that name the lane; lastingOrigin marks one of
	// the checker's.
	laneBits      = 5
	lastingOrigin = 1 << 22
)

// tracker has the records of the block that runs in a slot.
type tracker struct {
	launch *launchObserver
	// owner is the observer that begins the slot's blocks and reports.
	owner *blockObserver
	// shared is the one that watches the slot's shared memory, if it is another.
	shared  *blockObserver
	records []record
	byKey   map[recordKey]int
	uses    []pendingUse
	// with are the other origins of what was computed from values of one.
	with map[uint32][]uint32
	// began are the first reads of the values that the slot's blocks have reported.
	began map[readKey]bool
}

// use is a place where a value matters: what was read, by which lane, and for what.
type use struct {
	record  *record
	lane    int
	purpose trace.Purpose
	site    *trace.Site
}

// pendingUse is a use of a value of which it is not certain yet that it is undefined.
type pendingUse struct {
	record, lane int
	purpose      trace.Purpose
	site         *trace.Site
	count        uint64
}

func (t *tracker) reset() {
	t.records, t.uses = t.records[:0], t.uses[:0]
	clear(t.byKey)
	clear(t.with)
}

// read records that lanes of a warp have read undefined values, and gives each its
// origin. It returns the record's index, or -1 if the block has too many records, or if the first blocks have
// reported values of such reads: these are not followed any more.
func (t *tracker) read(k readKey, warp int, lanes uint32, addr, missing *[32]uint64, parent, origin *[32]uint32, m trace.Memory) int {
	if t.launch.known[k] {
		for b := lanes; b != 0; b &= b - 1 {
			origin[bits.TrailingZeros32(b)&31] = 0
		}
		return -1
	}
	rk := recordKey{k, warp, parent != nil}
	i, ok := t.byKey[rk]
	if !ok {
		if i = len(t.records); i == maxRecords {
			return -1
		}
		t.byKey[rk] = i
		t.records = append(t.records, record{key: k, warp: warp, memory: m})
	}
	r := &t.records[i]
	for b := lanes; b != 0; b &= b - 1 {
		l := bits.TrailingZeros32(b)
		computed := uint32(0)
		if parent != nil {
			computed = parent[l] & trace.Computed
		}
		r.bytes = r.bytes.With(missingBytes(addr[l], missing[l]))
		if r.lanes>>l&1 == 0 {
			r.addr[l], r.missing[l] = addr[l], missing[l]
			if parent != nil {
				r.parent[l] = parent[l]
			}
		}
		origin[l] = uint32(i+1)<<laneBits | uint32(l) | computed
	}
	r.lanes |= lanes
	return i
}

// missingBytes are the bytes at an address that are missing, from the first to the last.
func missingBytes(addr, missing uint64) finding.Bytes {
	return finding.Bytes{Lo: int64(addr) + int64(bits.TrailingZeros64(missing)), Hi: int64(addr) + int64(bits.Len64(missing))}
}

// confirm notes that lanes of a record read undefined values for certain.
func (t *tracker) confirm(i int, lanes uint32) {
	if i >= 0 {
		t.records[i].real |= lanes
	}
}

// of returns the record and the lane of an origin, nil for one of the checker's.
func (t *tracker) of(origin uint32) (r *record, i, lane int) {
	origin &^= trace.Computed
	if origin == 0 || origin&lastingOrigin != 0 {
		return nil, -1, 0
	}
	if i = int(origin>>laneBits) - 1; i >= len(t.records) {
		return nil, -1, 0
	}
	return &t.records[i], i, int(origin & (1<<laneBits - 1))
}

// isReal reports whether an origin's value is undefined for certain.
func (t *tracker) isReal(origin uint32) bool {
	for range maxParents {
		r, _, lane := t.of(origin)
		if r == nil {
			return true
		}
		if r.parent[lane] == 0 {
			return r.real>>lane&1 != 0
		}
		origin = r.parent[lane]
	}
	return false
}

// maxParents bounds the way back to where a value comes from.
const maxParents = 64

// used notes that values matter.
func (t *tracker) used(e *trace.Used) {
	for m := e.Mask; m != 0; m &= m - 1 {
		origin := e.Origin[bits.TrailingZeros32(m)] &^ trace.Computed
		t.usedOne(origin, e)
		for _, other := range t.with[origin] {
			t.usedOne(other, e)
		}
	}
}

func (t *tracker) usedOne(origin uint32, e *trace.Used) {
	r, i, lane := t.of(origin)
	switch {
	case r == nil:
	case t.isReal(origin):
		t.owner.noteUse(use{r, lane, e.Purpose, e.Site}, 1)
	default:
		t.pend(pendingUse{i, lane, e.Purpose, e.Site, 1})
	}
}

func (t *tracker) pend(p pendingUse) {
	for i := range t.uses {
		if u := &t.uses[i]; u.record == p.record && u.lane == p.lane && u.purpose == p.purpose && u.site == p.site {
			u.count++
			return
		}
	}
	if len(t.uses) < maxUses {
		t.uses = append(t.uses, p)
	}
}

// settle judges the uses that waited for the end of a barrier interval.
func (t *tracker) settle() {
	for _, p := range t.uses {
		if t.isReal(uint32(p.record+1)<<laneBits | uint32(p.lane)) {
			t.owner.noteUse(use{&t.records[p.record], p.lane, p.purpose, p.site}, p.count)
		}
	}
	t.uses = t.uses[:0]
}

// begin notes how a value that is reported came into the launch: by which read of memory that
// nothing had written, or of a value that an earlier launch or block had stored.
func (t *tracker) begin(r *record, lane int) {
	if t.launch.known != nil || r.reported>>lane&1 != 0 {
		return
	}
	r.reported |= 1 << lane
	for range maxParents {
		parent, _, l := t.of(r.parent[lane])
		if parent == nil {
			if t.began == nil {
				t.began = map[readKey]bool{}
			}
			t.began[r.key] = true
			return
		}
		r, lane = parent, l
	}
}

// provenance is where an undefined value comes from: a read of uninitialized memory.
type provenance struct {
	launch *trace.Launch
	key    readKey
	memory trace.Memory
	// element is set if what is missing is not padding of a structure.
	element bool
	// recorded is set instead if an earlier run has found it.
	recorded *check.Origin
}

// site is where the value was loaded, number the launch that did it.
func (s *provenance) site() *trace.Site {
	if s.recorded != nil {
		return &trace.Site{Loc: s.recorded.Loc}
	}
	return s.launch.Sites[s.key.site]
}

func (s *provenance) number() int {
	if s.recorded != nil {
		return s.recorded.Launch
	}
	return s.launch.ID
}

// root returns the source of an origin.
func (t *tracker) root(origin uint32) (provenance, bool) {
	for range maxParents {
		origin &^= trace.Computed
		if origin&lastingOrigin != 0 {
			return t.launch.checker.lasting.at(origin), true
		}
		r, _, lane := t.of(origin)
		if r == nil {
			break
		}
		if r.parent[lane] == 0 {
			return provenance{launch: t.launch.launch, key: r.key, memory: r.memory, element: r.isElement(lane)}, true
		}
		origin = r.parent[lane]
	}
	return provenance{}, false
}

// lasting are the sources of the values in global memory.
type lasting struct {
	mu   sync.Mutex
	list []provenance
	ids  map[lastingKey]uint32
}

type lastingKey struct {
	launch int
	key    readKey
}

func (s *lasting) at(origin uint32) provenance {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.list[origin&^lastingOrigin]
}

// add returns the origin that stands for a source.
func (s *lasting) add(x provenance) uint32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := lastingKey{x.launch.ID, x.key}
	id, ok := s.ids[k]
	if !ok {
		if s.ids == nil {
			s.ids = map[lastingKey]uint32{}
		}
		id = lastingOrigin | uint32(min(len(s.list), lastingOrigin-1))
		if len(s.list) < lastingOrigin {
			s.list = append(s.list, x)
		}
		s.ids[k] = id
	}
	return id
}

// Origin implements check.OriginKeeper.
func (c *checker) Origin(number uint32) (check.Origin, bool) {
	s := &c.lasting
	s.mu.Lock()
	i := int(number &^ (lastingOrigin | trace.Computed))
	known := number&lastingOrigin != 0 && i < len(s.list)
	s.mu.Unlock()
	if !known {
		return check.Origin{}, false
	}
	x := s.at(number &^ trace.Computed)
	return check.Origin{Launch: x.number(), Loc: x.site().Loc, Object: x.object()}, true
}

// Adopt implements check.OriginKeeper.
func (c *checker) Adopt(o check.Origin) (number uint32) {
	s := &c.lasting
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.list) == lastingOrigin {
		return 0
	}
	s.list = append(s.list, provenance{recorded: &o})
	return lastingOrigin | uint32(len(s.list)-1)
}

// Lasting is for trace.UndefinedObserver.
func (b *blockObserver) Lasting(origin uint32) uint32 {
	if origin&lastingOrigin != 0 {
		return origin
	}
	s, ok := b.tracker.root(origin)
	if !ok {
		return origin & trace.Computed
	}
	return b.checker.lasting.add(s) | origin&trace.Computed
}

// Mixed is for trace.UndefinedObserver.
func (b *blockObserver) Mixed(x, y uint32) {
	if b.tracker.with == nil {
		b.tracker.with = map[uint32][]uint32{}
	}
	b.tracker.with[x] = append(b.tracker.with[x], y)
}

// Used is for trace.UndefinedObserver.
func (b *blockObserver) Used(e *trace.Used) { b.tracker.used(e) }

// Reread is for trace.UndefinedObserver.
func (b *blockObserver) Reread(e *trace.Reread) {
	k := readKey{e.Site.ID, e.Space, -1}
	if e.Space == trace.SpaceShared {
		k.object = check.SharedVariable(b.launch, e.Addr[bits.TrailingZeros32(e.Mask)])
	} else {
		k = globalKey(e.Site, &e.Memory)
	}
	parent := *e.Origin
	if i := b.tracker.read(k, e.Warp, e.Mask, e.Addr, e.Missing, &parent, e.Origin, e.Memory); i >= 0 {
		b.tracker.confirm(i, e.Mask)
	}
}

// globalKey tells the reads of one site in one allocation apart.
func globalKey(s *trace.Site, m *trace.Memory) readKey {
	k := readKey{s.ID, trace.SpaceGlobal, m.ID}
	if m.Kind == "heap" {
		k.object = -1
	}
	return k
}

// Known is for trace.UndefinedObserver.
func (b *blockObserver) Known(s *trace.Site, allocation int) bool {
	return b.tracker.launch.known[readKey{s.ID, trace.SpaceGlobal, allocation}]
}

// Unwritten is for trace.BlockObserver.
func (b *blockObserver) Unwritten(e *trace.Unwritten) {
	k := globalKey(e.Site, &e.Memory)
	if e.Memory.Kind == "symbol" { // zero, as the language has it: what for, one may ask
		l := bits.TrailingZeros32(e.Mask)
		b.note(k, witness{block: b.block.Index, warp: e.Warp, lane: l, addr: e.Addr[l], missing: e.Missing[l], verdict: suspect,
			bytes: missingBytes(e.Addr[l], e.Missing[l])},
			uint64(bits.OnesCount32(e.Mask)), e.Memory)
		return
	}
	b.tracker.confirm(b.tracker.read(k, e.Warp, e.Mask, e.Addr, e.Missing, nil, e.Origin, e.Memory), e.Mask)
}
