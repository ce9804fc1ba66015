package initialized

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"
	"sync"

	"github.com/warpgrind/warpgrind/internal/analysis/guards"
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/ssa"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// New makes the checker.
func New(cfg check.Config) check.Checker {
	return &checker{exemplars: check.NewExemplars[struct{}](cfg), texts: cfg.Text, unused: cfg.Unused}
}

type checker struct {
	set finding.Set
	// exemplars spare blocks whose shared memory need not be watched.
	exemplars *check.Exemplars[struct{}]
	// texts gives the form of kernels, nil for none; waiting are the sites of each
	// kernel that wait for others.
	texts   func(module, kernel string) *ssa.Func
	waiting map[string][]bool
	// rests has, by allocation with words that threads wait for, whether the first launch that set them left them as
	// they were (waitsLaunch.resting).
	rests map[int]bool
	// unset are the kernels whose registers are followed from before they are written, by module and name.
	unset map[string]bool
	// lasting are the sources of the undefined values in global memory.
	lasting lasting
	// refused are the arguments of invalid kernel launches, copies and fills that may be pointers.
	refused []uint64
	// fills are what the host wrote to allocations.
	fills fills
	// unused is from which percentage on unused memory is reported; nil for never.
	unused *float64
}

// Rejected is for trace.Observer: what an invalid kernel launch would have
// written is missing because of that.
func (c *checker) Rejected(r *trace.RejectedLaunch) {
	if r.Maybe {
		return
	}
	for at := 0; at+8 <= len(r.Params); at += 8 {
		c.refuse(binary.LittleEndian.Uint64(r.Params[at:]))
	}
}

// BadTransfer is for trace.Observer: so is what a refused copy or fill would
// have written. Where its direction is wrong, that may be either end.
func (c *checker) BadTransfer(e *trace.BadTransfer) {
	for _, v := range e.Ends {
		c.refuse(v)
	}
}

func (c *checker) refuse(v uint64) {
	if v != 0 && len(c.refused) < maxRefused && !slices.Contains(c.refused, v) {
		c.refused = append(c.refused, v)
	}
}

// maxRefused bounds the arguments that are remembered.
const maxRefused = 1 << 10

// owed reports whether an invalid kernel launch, copy or fill had a pointer to an allocation.
func (c *checker) owed(m *trace.Memory) bool {
	return slices.ContainsFunc(c.refused, func(v uint64) bool { return v >= m.Base && v-m.Base < m.Size })
}

func (c *checker) Findings() []*finding.Finding { return c.set.Sorted() }

// Observer observes launches, and what the host copies or is refused.
func (c *checker) Observer() *trace.Observer {
	o := &trace.Observer{Launch: c.Launch, CopiedUnwritten: c.CopiedUnwritten, Rejected: c.Rejected, BadTransfer: c.BadTransfer, Transfer: c.Transfer}
	if c.unused != nil {
		o.Unused = c.Unused
	}
	return o
}

// Launch watches the kernels that read memory other than parameters. Where blocks may
// be spared, that is shared memory's, and another observer sees the rest of all of them.
func (c *checker) Launch(l *trace.Launch) []*trace.LaunchObserver {
	w := c.waits(l)
	var n needs
	for _, s := range l.Sites {
		n.add(l, s)
	}
	var all []*trace.LaunchObserver
	if n != (needs{}) {
		n.global = true // where values matter
		o := &launchObserver{checker: c, launch: l, needs: n, unset: c.followsUnset(l), waits: w, slots: map[*trace.Block]*tracker{}}
		if n.shared {
			o.exemplar = c.exemplars.Of(l, false)
		}
		if o.exemplar != nil {
			o.needs = needs{shared: true}
			o.rest = &launchObserver{checker: c, launch: l, needs: needs{local: n.local, global: true}, unset: o.unset, waits: w, slots: o.slots}
			all = append(all, o.observer())
			o = o.rest
		}
		all = append(all, o.observer())
	}
	if w != nil {
		all = append(all, w.observer())
	}
	return all
}

// maxProved bounds the kernels of which the static form is made for a proof, by their sites.
const maxProved = 4000

// followsUnset reports whether it may matter what the registers of a launch's kernel hold before they are written.
func (c *checker) followsUnset(l *trace.Launch) bool {
	if c.texts == nil || len(l.Sites) > maxProved || !slices.ContainsFunc(l.Sites, register) {
		return true
	}
	k := l.Module + " " + l.Kernel
	follows, ok := c.unset[k]
	if !ok {
		f := c.texts(l.Module, l.Kernel)
		follows = f == nil || guards.Find(f).Undefined()
		if c.unset == nil {
			c.unset = map[string]bool{}
		}
		c.unset[k] = follows
	}
	return follows
}

// needs are the spaces in which a launch reads what may be uninitialized.
type needs struct{ shared, local, global bool }

// add adds what a site makes necessary.
func (n *needs) add(l *trace.Launch, s *trace.Site) {
	n.global = n.global || s.Register != "" || shuffles(s)
	if s.Size == 0 {
		return
	}
	hasShared := l.SharedStatic > 0 || l.SharedDynamic > 0 || len(l.Shared) > 0
	switch s.Space {
	case trace.SpaceGlobal, trace.SpaceConst:
		n.global = true
	case trace.SpaceShared:
		n.shared = n.shared || hasShared
	case trace.SpaceLocal:
		n.local, n.global = true, true
	case trace.SpaceGeneric:
		n.local, n.global, n.shared = true, true, n.shared || hasShared
	}
}

type launchObserver struct {
	checker *checker
	launch  *trace.Launch
	needs   needs
	// unset: registers are followed from before they are written.
	unset bool
	// exemplar stands for blocks that do the same in shared memory, in whatever
	// order.
	exemplar *check.Exemplar[struct{}]
	// rest watches what is not shared memory in all blocks, nil where this one does.
	rest *launchObserver
	// waits watches what blocks wait for, nil for nothing.
	waits  *waitsLaunch
	mu     sync.Mutex
	blocks []*blockObserver
	// slots are the trackers of the slots where blocks run, by what names a slot.
	slots map[*trace.Block]*tracker
	// known are the reads that began what the first blocks found, nil before they have ended.
	known map[readKey]bool
}

// trackerOf is the tracker of a slot. It belongs to the observer that sees all blocks.
func (o *launchObserver) trackerOf(slot *trace.Block, b *blockObserver) *tracker {
	if o.rest != nil {
		o = o.rest // which began the block before
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	t := o.slots[slot]
	if t == nil {
		t = &tracker{launch: o, owner: b, byKey: map[recordKey]int{}}
		o.slots[slot] = t
	}
	return t
}

func (o *launchObserver) observer() *trace.LaunchObserver {
	l := &trace.LaunchObserver{Spares: o.exemplar.Spares, End: o.End, MarksWritten: o.needs.global,
		Block: func() *trace.BlockObserver { return o.newBlock().observer(o.needs) }}
	if o.rest == nil { // it has the trackers
		l.Lead, l.Led = followed, o.Led
	}
	return l
}

// followed is how many blocks, or clusters of them, of a launch have all undefined values followed.
// Where a kernel computes with them all the time, each block takes 100 times as long, and most find the same.
const followed = 32

// Led is for trace.LaunchObserver: what the first blocks found is not followed in the others.
func (o *launchObserver) Led() {
	o.known = map[readKey]bool{}
	for _, t := range o.slots {
		maps.Copy(o.known, t.began)
	}
}

func (o *launchObserver) newBlock() *blockObserver {
	b := &blockObserver{checker: o.checker, launch: o.launch, in: o, exemplar: o.exemplar, found: map[readKey]*read{}}
	o.mu.Lock()
	o.blocks = append(o.blocks, b)
	o.mu.Unlock()
	return b
}

// End merges what the block observers found.
func (o *launchObserver) End() {
	all := map[readKey]*read{}
	for _, b := range o.blocks {
		for k, r := range b.found {
			if have := all[k]; have != nil {
				have.merge(r)
			} else {
				all[k] = r
			}
		}
	}
	for _, k := range slices.SortedFunc(maps.Keys(all), readKey.compare) {
		r := all[k]
		if k.space == trace.SpaceGlobal && k.object >= 0 && o.checker.owed(&r.memory) {
			continue
		}
		o.checker.set.Add(o.finding(k, r))
	}
	o.exemplar.Close()
	o.blocks = nil
}

// readKey tells the reads of one site in one variable or allocation apart.
type readKey struct {
	site  int
	space trace.Space
	// object is an index in Launch.Shared or -1, or an allocation's ID; -1 for
	// all of the device heap.
	object int
}

func (k readKey) compare(o readKey) int {
	return cmp.Or(cmp.Compare(k.site, o.site), cmp.Compare(k.space, o.space), cmp.Compare(k.object, o.object))
}

// read is what was seen of one site's reads of unwritten bytes.
type read struct {
	// count is how often a lane's value mattered, bytes are all that were missing, by
	// address.
	count  uint64
	bytes  finding.Bytes
	memory trace.Memory
	// first is the witness: an error before a warning, then the smallest block,
	// then the first in time.
	first witness
}

type witness struct {
	block   uint64
	warp    int
	lane    int
	addr    uint64
	missing uint64
	verdict verdict
	// purpose is why it matters, at site, nil where that is not known; source is where
	// the value that was stored there comes from, nil for a read of uninitialized memory.
	purpose trace.Purpose
	site    *trace.Site
	source  *provenance
	// exchange is that of a shuffle, of which addr is the lane that was read.
	exchange exchange
	// bytes are all that are missing in such reads.
	bytes finding.Bytes
}

// verdict is what a read means.
type verdict uint8

const (
	suspect verdict = iota // a warning
	wrong
	verdicts
)

func (r *read) merge(o *read) {
	r.count += o.count
	r.bytes = r.bytes.With(o.bytes)
	if o.first.before(&r.first) {
		r.first, r.memory = o.first, o.memory
	}
}

func (w *witness) before(o *witness) bool {
	if w.verdict != o.verdict {
		return w.verdict > o.verdict
	}
	return w.block < o.block
}

// note adds a read by some lanes of a warp, of which w is the first one.
func (b *blockObserver) note(k readKey, w witness, count uint64, m trace.Memory) {
	r := b.found[k]
	if r == nil {
		r = &read{memory: m, first: w}
		b.found[k] = r
	}
	r.count += count
	r.bytes = r.bytes.With(w.bytes)
	if w.before(&r.first) {
		r.first, r.memory = w, m
	}
}
