package shared

import (
	"fmt"
	"maps"
	"math/bits"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// reference is the definition of a race, written down as plainly as possible:
// every access of every thread byte by byte, a vector clock for each thread.
type reference struct {
	model    check.RaceModel
	threads  int
	clocks   [][]int // clocks[b][a]: a's events up to this one are before b's next
	now      []int
	log      []refAccess
	interval int
	event    int
	// pairs maps site pairs to what was seen; thread pairs by word and interval.
	pairs map[[2]int]map[string]bool
}

type refAccess struct {
	site            *trace.Site
	thread, stamp   int
	from, to        int
	event, interval int
}

func newReference(model check.RaceModel, threads int) *reference {
	r := &reference{model: model, threads: threads, now: make([]int, threads), pairs: map[[2]int]map[string]bool{}}
	for range threads {
		r.clocks = append(r.clocks, make([]int, threads))
	}
	return r
}

func (r *reference) ordered(a *refAccess, b int, event int) bool {
	if a.thread == b || a.interval != r.interval {
		return true
	}
	if r.model == check.Lockstep && a.thread/32 == b/32 {
		return a.event != event
	}
	return a.stamp <= r.clocks[b][a.thread]
}

func (r *reference) access(s *trace.Site, warp int, mask uint32, addr func(int) int) {
	r.event++
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		t := 32*warp + l
		b := refAccess{s, t, r.now[t] + 1, addr(l), addr(l) + s.Size, r.event, r.interval}
		for i := range r.log {
			a := &r.log[i]
			if a.to <= b.from || b.to <= a.from || r.ordered(a, t, r.event) ||
				a.site.Kind == trace.Read && s.Kind == trace.Read ||
				atomics(a.site, s) {
				continue
			}
			r.add(a, &b)
		}
		r.log = append(r.log, b)
	}
}

// atomics reports whether two accesses of one size are atomic by name, or one of them
// is and the other is volatile.
func atomics(a, b *trace.Site) bool {
	return a.Size == b.Size && hb.IsStrong(a) && hb.IsStrong(b) && !(a.Order == trace.OrderVolatile && b.Order == trace.OrderVolatile)
}

func (r *reference) add(a, b *refAccess) {
	k := [2]int{min(a.site.ID, b.site.ID), max(a.site.ID, b.site.ID)}
	if r.pairs[k] == nil {
		r.pairs[k] = map[string]bool{}
	}
	for by := max(a.from, b.from); by < min(a.to, b.to); by++ {
		// A pair of one site is unordered; of two sites it matters who is where.
		x, y := a, b
		if a.site.ID > b.site.ID || a.site == b.site && a.thread > b.thread {
			x, y = y, x
		}
		r.pairs[k][fmt.Sprint(x.thread, y.thread, by/4, x.bytes(by/4), y.bytes(by/4), b.interval)] = true
	}
}

// bytes returns which bytes of a word an access covers.
func (a *refAccess) bytes(word int) string {
	return fmt.Sprint(max(a.from, 4*word), min(a.to, 4*word+4))
}

// each calls f with every thread of masks.
func each(masks []uint32, n int, f func(t int)) {
	for w, m := range masks {
		for ; m != 0; m &= m - 1 {
			if t := 32*w + bits.TrailingZeros32(m); t < n {
				f(t)
			}
		}
	}
}

// sync joins the threads of arrived into those of synced.
func (r *reference) sync(arrived, synced []uint32) {
	join := make([]int, r.threads)
	each(arrived, r.threads, func(t int) {
		for a, v := range r.clocks[t] {
			join[a] = max(join[a], v)
		}
	})
	each(arrived, r.threads, func(t int) { r.now[t]++; join[t] = max(join[t], r.now[t]) })
	each(synced, r.threads, func(t int) {
		for a, v := range join {
			r.clocks[t][a] = max(r.clocks[t][a], v)
		}
	})
}

func (r *reference) result(count bool) string {
	var out []string
	for _, k := range slices.SortedFunc(maps.Keys(r.pairs), func(a, b [2]int) int { return slices.Compare(a[:], b[:]) }) {
		s := fmt.Sprint(k)
		if count {
			s += fmt.Sprint(" x", len(r.pairs[k]))
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

// result is the same of the rule itself, from the pairs of its block observer.
func (p *player) result(count bool) string {
	m := map[[2]int]uint64{}
	for k, pr := range p.bo.pairs {
		for _, n := range pr.By() {
			m[[2]int{k.A, k.B}] += n
		}
	}
	var out []string
	for _, k := range slices.SortedFunc(maps.Keys(m), func(a, b [2]int) int { return slices.Compare(a[:], b[:]) }) {
		s := fmt.Sprint(k)
		if count {
			s += fmt.Sprint(" x", m[k])
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

// both plays random events to the rule and to the reference.
type both struct {
	*player
	ref *reference
	rng *rand.Rand
	log []string
}

func (b *both) warps() int { return b.launch.Warps() }

func (b *both) randomMask() uint32 {
	switch b.rng.Intn(4) {
	case 0:
		return ^uint32(0)
	case 1:
		return 1 << b.rng.Intn(32)
	case 2:
		return 0xffff << (16 * b.rng.Intn(2))
	}
	return b.rng.Uint32() | 1
}

func (b *both) randomAccess() {
	site := b.rng.Intn(bar)
	s := b.launch.Sites[site]
	size := max(s.Size, 1)
	w := b.rng.Intn(b.warps())
	mask := b.randomMask()
	base, step := size*b.rng.Intn(64), size*b.rng.Intn(3)
	scatter := b.rng.Intn(4) == 0
	at := [32]int{}
	for l := range at {
		at[l] = base + step*(l+32*w)
		if scatter {
			at[l] = size * b.rng.Intn(16)
		}
	}
	addr := func(l int) int { return at[l] }
	b.log = append(b.log, fmt.Sprintf("access site %d warp %d mask %x base %d step %d scatter %v", site, w, mask, base, step, scatter))
	b.access(site, w, mask, addr, nil)
	b.ref.access(s, w, mask, addr)
}

func (b *both) randomSync(kinds int) {
	switch b.rng.Intn(kinds) {
	case 0:
		b.barrier()
		b.ref.interval++
		b.log = append(b.log, "barrier")
	case 1:
		w, mask := b.rng.Intn(b.warps()), b.randomMask()
		b.syncwarp(w, mask)
		if b.player.config.Model == check.ITS {
			m := make([]uint32, b.warps())
			m[w] = mask
			b.ref.sync(m, m)
		}
		b.log = append(b.log, fmt.Sprintf("syncwarp %d %x", w, mask))
	case 2:
		b.randomBarrier()
	}
}

func (b *both) randomBarrier() {
	arrived, synced := make([]uint32, b.warps()), make([]uint32, b.warps())
	for w := range arrived {
		if b.rng.Intn(3) > 0 {
			arrived[w] = b.randomMask()
		}
		synced[w] = arrived[w]
		if b.rng.Intn(4) == 0 {
			synced[w] &= b.randomMask()
		}
	}
	b.part(arrived, synced)
	if b.player.config.Model == check.Lockstep {
		for w := range arrived {
			if arrived[w] != 0 {
				arrived[w] = ^uint32(0)
			}
			if synced[w] != 0 {
				synced[w] = ^uint32(0)
			}
		}
	}
	b.ref.sync(arrived, synced)
	b.log = append(b.log, fmt.Sprintf("part %x %x", arrived, synced))
}

// TestAgainstReference has a kernel without fences, so that nothing but barriers orders.
// It compares, on random event streams, which pairs of sites
// race, and where no thread synchronizes within an interval also how many
// thread pairs.
func TestAgainstReference(t *testing.T) {
	rounds := 400
	if testing.Short() {
		rounds = 60
	}
	for seed := range rounds {
		for kinds := 1; kinds <= 3; kinds++ {
			for _, model := range []check.RaceModel{check.ITS, check.Lockstep, check.Threads} {
				rng := rand.New(rand.NewSource(int64(seed)))
				threads := []int{32, 64, 96, 80}[rng.Intn(4)]
				b := &both{player: newPlayerOf(t, model, threads, 1, fence), ref: newReference(model, (threads+31)/32*32), rng: rng}
				b.launch.Block.X = uint32((threads + 31) / 32 * 32)
				b.begin(0)
				for range 4 + rng.Intn(12) {
					b.randomAccess()
					if rng.Intn(3) == 0 {
						b.randomSync(kinds)
					}
				}
				count := kinds == 1
				if got, want := b.result(count), b.ref.result(count); got != want {
					t.Fatalf("seed %d kinds %d model %v:\n got %s\nwant %s\n%s", seed, kinds, model, got, want, strings.Join(b.log, "\n"))
				}
			}
		}
	}
}
