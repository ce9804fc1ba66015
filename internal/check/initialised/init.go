package initialised

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"
	"sync"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/ssa"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// New makes the checker.
func New(cfg check.Config) check.Checker {
	return &checker{exemplars: check.NewExemplars[struct{}](cfg), texts: cfg.Text, ends: map[string]*endSites{}}
}

type checker struct {
	set finding.Set
	// exemplars spare blocks whose shared memory need not be watched.
	exemplars *check.Exemplars[struct{}]
	// texts gives the form of kernels, nil for none; waiting are the sites of each
	// kernel that wait for others.
	texts   func(module, kernel string) *ssa.Func
	waiting map[string][]bool
	// ends are the stores of each kernel in which reads of shared memory end.
	ends map[string]*endSites
	// refused are the arguments of refused launches, copies and fills that may be pointers.
	refused []uint64
}

// Rejected is for trace.Observer: what a refused launch would have
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

// owed reports whether a refused launch, copy or fill had a pointer to an allocation.
func (c *checker) owed(m *trace.Memory) bool {
	return slices.ContainsFunc(c.refused, func(v uint64) bool { return v >= m.Base && v-m.Base < m.Size })
}

func (c *checker) Findings() []*finding.Finding { return c.set.Sorted() }

// Observer observes launches, and what the host copies or is refused.
func (c *checker) Observer() *trace.Observer {
	return &trace.Observer{Launch: c.Launch, CopiedUnwritten: c.CopiedUnwritten, Rejected: c.Rejected, BadTransfer: c.BadTransfer}
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
		o := &launchObserver{checker: c, launch: l, needs: n, waits: w, pieces: pieces{sites: l.Sites}}
		if n.shared {
			o.ends, o.exemplar = c.endSites(l), c.exemplars.Of(l, false)
		}
		if rest := (needs{local: n.local, global: n.global}); o.exemplar != nil && rest != (needs{}) {
			o.needs = needs{shared: true}
			all = append(all, o.observer())
			o = &launchObserver{checker: c, launch: l, needs: rest, waits: w}
		}
		all = append(all, o.observer())
	}
	if w != nil {
		all = append(all, w.observer())
	}
	return all
}

// needs are the spaces in which a launch reads what may be uninitialized.
type needs struct{ shared, local, global bool }

// add adds what a site makes necessary.
func (n *needs) add(l *trace.Launch, s *trace.Site) {
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
	// exemplar stands for blocks that do the same in shared memory, in whatever
	// order.
	exemplar *check.Exemplar[struct{}]
	ends     *endSites
	// waits watches what blocks wait for, nil for nothing.
	waits  *waitsLaunch
	pieces pieces
	mu     sync.Mutex
	blocks []*blockObserver
}

func (o *launchObserver) observer() *trace.LaunchObserver {
	return &trace.LaunchObserver{Spares: o.exemplar.Spares, End: o.End, MarksWritten: o.needs.global,
		Block: func() *trace.BlockObserver { return o.newBlock().observer(o.needs) }}
}

func (o *launchObserver) newBlock() *blockObserver {
	b := &blockObserver{launch: o.launch, pieces: &o.pieces, exemplar: o.exemplar, found: map[readKey]*read{}}
	b.open = open{endSites: o.ends, byKey: map[openKey]*openRead{}}
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
	// used and copied count lanes whose read was an error or a warning.
	used, copied uint64
	memory       trace.Memory
	// first is the witness: an error before a warning, then the smallest block,
	// then the first in time.
	first witness
	// bytes are all that were missing, by address.
	bytes finding.Bytes
}

type witness struct {
	block   uint64
	warp    int
	lane    int
	addr    uint64
	missing uint64
	verdict verdict
	// bytes are all that are missing in the access.
	bytes finding.Bytes
}

func (r *read) merge(o *read) {
	r.used += o.used
	r.copied += o.copied
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
func (b *blockObserver) note(k readKey, w witness, used, copied uint64, m trace.Memory) {
	r := b.found[k]
	if r == nil {
		r = &read{memory: m, first: w}
		b.found[k] = r
	}
	r.used += used
	r.copied += copied
	r.bytes = r.bytes.With(w.bytes)
	if w.before(&r.first) {
		r.first, r.memory = w, m
	}
}
