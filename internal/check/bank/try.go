package bank

import (
	"fmt"
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/check/perf"
	"github.com/warpgrind/warpgrind/internal/finding"
)

// remedy is a change that helped, with what it would do in words.
type remedy struct {
	perf.Tried
	ideal int
	text  string
}

// try tries changes of the program on recorded accesses, and returns the one
// that removes most of the excess; nil where none removes half of it. Of equal
// ones the first wins, so that they are ordered by how much they change.
func (c *checker) try(sites []*siteTotal, t *siteTotal) (*remedy, []perf.Tried) {
	if t.kept.Launch == nil {
		return nil, nil
	}
	var all []*remedy
	for _, row := range c.rows(t) {
		all = append(all, c.pad(sites, t, row))
	}
	gap, dense := c.everyBanks(sites, t), c.dense(t)
	if perf.Stride(t.recorded()) <= smallStride {
		gap, dense = dense, gap
	}
	all = append(all, gap, dense, c.exchangeLoop(t), c.exchangeXY(sites, t))
	for _, row := range c.rows(t) {
		all = append(all, c.swizzle(sites, t, row))
	}
	var best *remedy
	var tried []perf.Tried
	for _, r := range all {
		if r == nil {
			continue
		}
		tried = append(tried, r.Tried)
		if r.Helps(r.ideal) && (best == nil || r.BetterThan(best.Tried, r.ideal, best.ideal)) {
			best = r
		}
	}
	return best, tried
}

// smallStride is the largest distance in bytes for which moving elements
// together is preferred to gaps in the array.
const smallStride = 16

// rows are the lengths in bytes that the rows of the array may have: how far
// apart lanes are that begin with another row. They are two at most, the
// commonest first.
func (c *checker) rows(t *siteTotal) []uint64 {
	count := map[uint64]int{}
	for _, r := range t.recorded() {
		countRows(count, &r, uint64(t.site.Size))
	}
	var out []uint64
	for len(out) < 2 && len(count) > 0 {
		best := uint64(0)
		for d, n := range count {
			if best == 0 || n > count[best] || n == count[best] && d < best {
				best = d
			}
		}
		out = append(out, best)
		delete(count, best)
	}
	return out
}

// countRows counts the distances between the lanes of a request with which a
// run of neighboring elements begins.
func countRows(count map[uint64]int, r *perf.Request, size uint64) {
	prev, start := uint64(0), uint64(0)
	first := true
	for m := r.Mask; m != 0; m &= m - 1 {
		a := r.Addr[bits.TrailingZeros32(m)]
		switch {
		case first:
			first, start = false, a
		case distance(a, prev) > size:
			if d := distance(a, start); d != 0 && d%4 == 0 {
				count[d]++
			}
			start = a
		}
		prev = a
	}
}

func distance(a, b uint64) uint64 { return max(a, b) - min(a, b) }

// recorded are the requests that changes are tried on: those of one barrier
// interval, and the worst of all.
func (t *siteTotal) recorded() []perf.Request {
	rs := t.kept.InTime
	if t.worst.degree > 1 {
		rs = append(rs[:len(rs):len(rs)], perf.Request{Warp: t.worst.warp, Mask: t.worst.mask, Addr: t.worst.addr})
	}
	return rs
}

// moved tries a new place for each byte of the shared variable that a place
// accesses, on all places that access the variable.
func (c *checker) moved(sites []*siteTotal, t *siteTotal, change func(rs []perf.Request) []perf.Request) *remedy {
	start := t.variable()
	r := &remedy{}
	for _, o := range sites {
		if o.kept.Launch == nil || o.kept.Launch.ID != t.kept.Launch.ID || o.variable() != start {
			continue
		}
		rs := o.recorded()
		before, ideal := c.geo.sum(rs, o.site.Size)
		after, _ := c.geo.sum(perf.Moved(change(perf.Moved(rs, -start)), start), o.site.Size)
		r.Before, r.After, r.ideal = r.Before+before, r.After+after, r.ideal+ideal
	}
	return r
}

// variable is where the shared variable that the place accesses begins.
func (t *siteTotal) variable() uint64 {
	return perf.Variable(t.kept.Launch, &t.kept.InTime[0])
}

// padding is by how much a row is lengthened: a word, or as much as the widest
// access to the array has, which would be misaligned otherwise.
func padding(sites []*siteTotal, t *siteTotal) uint64 {
	widest := max(t.site.Size, 4)
	for _, o := range sites {
		if o.kept.Launch != nil && o.kept.Launch.ID == t.kept.Launch.ID && o.variable() == t.variable() {
			widest = max(widest, o.site.Size)
		}
	}
	return uint64(widest)
}

// pad lengthens the array's rows by as few elements as give the best result.
func (c *checker) pad(sites []*siteTotal, t *siteTotal, row uint64) *remedy {
	var best *remedy
	step := padding(sites, t)
	for pad := step; pad < uint64(4*c.geo.banks); pad += step {
		r := c.moved(sites, t, func(rs []perf.Request) []perf.Request { return perf.Padded(rs, row, pad) })
		if best == nil || r.After < best.After {
			best = r
			r.Kind = finding.PadRows
			r.Change = fmt.Sprintf("pad rows of %d bytes by %d", row, pad)
			r.text = fmt.Sprintf("pad each row from %d to %d words of 4 bytes", row/4, (row+pad)/4)
			if n := int(row) / t.site.Size; pad == uint64(max(t.site.Size, 4)) && n == 4*c.geo.banks/t.site.Size {
				r.text += fmt.Sprintf(", or use index + index / %d in an array without rows", n)
			}
		}
		if best.After <= best.ideal {
			break
		}
	}
	return best
}

// everyBanks leaves out a word after as many as there are banks.
func (c *checker) everyBanks(sites []*siteTotal, t *siteTotal) *remedy {
	row, pad := uint64(4*c.geo.banks), padding(sites, t)
	r := c.moved(sites, t, func(rs []perf.Request) []perf.Request { return perf.Padded(rs, row, pad) })
	r.Kind = finding.PadIndex
	r.Change = fmt.Sprintf("pad every %d bytes by %d", row, pad)
	n := max(int(row)/t.site.Size, 1)
	r.text = fmt.Sprintf("add a gap of one element after each %d: use index + index / %d", n, n)
	if gap := int(pad) / t.site.Size; gap > 1 {
		r.text = fmt.Sprintf("add a gap of %d elements after each %d: use index + index / %d * %d", gap, n, n, gap)
	}
	return r
}

// swizzle exchanges the words within each row.
func (c *checker) swizzle(sites []*siteTotal, t *siteTotal, row uint64) *remedy {
	if row&(row-1) != 0 || t.site.Size > 4 {
		return nil
	}
	r := c.moved(sites, t, func(rs []perf.Request) []perf.Request { return perf.Swizzled(rs, row) })
	r.Kind = finding.Swizzle
	r.Change = fmt.Sprintf("swizzle rows of %d bytes", row)
	r.text = fmt.Sprintf("exchange the words of each row of %d: use column ^ row %% %d in place of column", row/4, row/4)
	return r
}

// dense puts the elements that the lanes access side by side.
func (c *checker) dense(t *siteTotal) *remedy {
	rs := t.recorded()
	g, size := perf.Stride(rs), t.site.Size
	if g <= uint64(size) || g%uint64(size) != 0 || perf.LaneStride(rs) <= uint64(size) {
		return nil
	}
	r := c.alone(t, rs, perf.Dense(rs, g, size))
	r.Kind, r.Change = finding.UnitStride, "unit stride"
	r.text = fmt.Sprintf("let adjacent lanes access adjacent elements, which are now %d bytes apart: use a structure of arrays, or another order of the indices", g)
	return r
}

// exchangeLoop lets the lanes walk where the iterations of a loop walk now.
func (c *checker) exchangeLoop(t *siteTotal) *remedy {
	after := perf.ExchangeLoop(t.kept)
	if after == nil {
		return nil
	}
	r := c.alone(t, t.kept.InTime, after)
	r.Kind, r.Change = finding.ExchangeLanes, "exchange lanes and iterations"
	r.text = "exchange lanes and loop iterations: let adjacent lanes access what one lane now accesses in successive iterations"
	return r
}

// alone compares requests of one place.
func (c *checker) alone(t *siteTotal, before, after []perf.Request) *remedy {
	r := &remedy{}
	r.Before, r.ideal = c.geo.sum(before, t.site.Size)
	r.After, _ = c.geo.sum(after, t.site.Size)
	return r
}

// exchangeXY lets thread (x, y) do the work of thread (y, x), in all places.
func (c *checker) exchangeXY(sites []*siteTotal, t *siteTotal) *remedy {
	if perf.ExchangeXY(t.kept) == nil {
		return nil
	}
	r := &remedy{text: "exchange threadIdx.x and threadIdx.y in the index, so that adjacent lanes access adjacent elements"}
	r.Kind, r.Change = finding.ExchangeAxes, "exchange x and y"
	for _, o := range sites {
		if o.kept.Launch == nil || o.kept.Launch.ID != t.kept.Launch.ID {
			continue
		}
		if after := perf.ExchangeXY(o.kept); after != nil {
			one := c.alone(o, o.kept.ByWarp, after)
			r.Before, r.After, r.ideal = r.Before+one.Before, r.After+one.After, r.ideal+one.ideal
		}
	}
	return r
}

// conflict is the cause of all findings of the rule.
const conflict finding.Cause = "bank-conflict"

// repairOf is the best change.
func repairOf(best *remedy) *finding.Repair {
	if best == nil {
		return &finding.Repair{Kind: finding.OtherWork}
	}
	return &finding.Repair{Kind: best.Kind}
}

// help puts the best change into words.
func help(best *remedy) string {
	if best == nil {
		return "none of the changes of layout or order that were tried removes half of the excess. If the addresses depend on data, " +
			"give lanes private copies, or combine in registers first"
	}
	return fmt.Sprintf("%s (tried on recorded accesses: %d passes become %d, %d would be ideal)", best.text, best.Before, best.After, best.ideal)
}
