package coalesce

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/perf"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// remedy is a change that helped, with what it would do in words.
type remedy struct {
	perf.Tried
	text  string
	ideal int
}

// try tries changes of the program on what place i accessed, and returns the
// one that removes most of the excess; nil where none removes half of it. Of
// equal ones the first wins, so that they are ordered by how much they change.
func (c *checker) try(places []*total, i int) (*remedy, []perf.Tried) {
	t := places[i]
	before, ideal := c.sum(t, t.sample.InTime)
	var best *remedy
	var tried []perf.Tried
	for _, r := range []*remedy{c.align(t), c.vector(places, i), c.exchangeXY(places, i), c.wider(t), c.exchangeLoop(places, i), c.dense(places, i)} {
		if r == nil {
			continue
		}
		tried = append(tried, r.Tried)
		r.ideal = scaled(ideal, before, r.Before)
		if r.Helps(r.ideal) && (best == nil || r.BetterThan(best.Tried, r.ideal, best.ideal)) {
			best = r
		}
	}
	return best, tried
}

// scaled is the ideal of requests that now cost other, where ideal is that of
// requests that cost before.
func scaled(ideal, before, other int) int {
	if before == 0 {
		return 0
	}
	return ideal * other / before
}

// sum is what requests of a place cost, and what would do.
func (c *checker) sum(t *total, rs []perf.Request) (units, ideal int) {
	return c.sumSize(rs, t.sample.Size, t.site.Kind == trace.Read)
}

func (c *checker) sumSize(rs []perf.Request, size int, load bool) (units, ideal int) {
	for i := range rs {
		x := c.geo.access(rs[i].Mask, &rs[i].Addr, size, load)
		units += int(x.units)
		ideal += int(x.ideal)
	}
	return units, ideal
}

// cost is the units of sum.
func (c *checker) cost(t *total, rs []perf.Request) int {
	units, _ := c.sum(t, rs)
	return units
}

// align lets each access begin at a multiple of what is moved at once.
func (c *checker) align(t *total) *remedy {
	unit := uint64(line)
	if c.geo.way == arch.Sectors || c.geo.way == arch.Lines && t.site.Kind != trace.Read {
		unit = sector
	}
	rs := t.sample.ByWarp
	r := &remedy{Tried: perf.Tried{Kind: finding.AlignRows, Change: "align", Before: c.cost(t, rs), After: c.cost(t, perf.Aligned(rs, unit))}}
	off := perf.Lowest(&rs[0]) % unit
	same := true
	for i := range rs {
		same = same && perf.Lowest(&rs[i])%unit == off
	}
	if same {
		r.text = fmt.Sprintf("let each warp begin at a multiple of %d bytes: it begins %d bytes after one", unit, off)
	} else {
		r.text = fmt.Sprintf("let each row begin at a multiple of %d bytes, as cudaMallocPitch does: warps begin at different offsets", unit)
	}
	return r
}

// vector lets one access of 16 or 8 bytes do what accesses to neighboring
// elements do.
func (c *checker) vector(places []*total, i int) *remedy {
	t := places[i]
	if t.site.Kind == trace.Atomic {
		return nil
	}
	for _, width := range []uint64{16, 8} {
		if parts := width / uint64(t.sample.Size); parts == 2 || parts == 4 {
			if r := c.vectorOf(places, t, width, parts); r != nil {
				return r
			}
		}
	}
	return nil
}

// vectorOf tries vectors of width bytes. It returns nil unless each of the parts
// of one is accessed by the same lanes, and vectors are aligned.
func (c *checker) vectorOf(places []*total, t *total, width, parts uint64) *remedy {
	mine := &t.sample.InTime[0]
	size := width / parts
	at := perf.Lowest(mine)
	start := at / width * width
	before, found := 0, uint64(0)
	for _, s := range neighbors(places, t) {
		r := &s.InTime[0]
		part := (perf.Lowest(r) - start) / size
		if r.Mask == mine.Mask && r.Warp == mine.Warp && shifted(r, mine) && part < parts && found>>part&1 == 0 {
			before += c.cost(t, s.InTime[:1])
			found |= 1 << part
		}
	}
	whole := perf.Moved(t.sample.InTime[:1], start-at)
	if found != 1<<parts-1 || !multiples(&whole[0], width) {
		return nil
	}
	after, _ := c.sumSize(whole, int(width), t.site.Kind == trace.Read)
	return &remedy{Tried: perf.Tried{Kind: finding.VectorAccess, Change: "vector access", Before: before, After: after},
		text: fmt.Sprintf("access the %d neighboring elements of %d bytes at once, as one vector of %d bytes",
			parts, size, width)}
}

// neighbors are the samples, in the order of the source, of accesses like that
// of a place in the same block.
func neighbors(places []*total, t *total) []*perf.Sample {
	var out []*perf.Sample
	for _, o := range places {
		if o.site.Kind != t.site.Kind {
			continue
		}
		for _, id := range slices.Sorted(maps.Keys(o.samples)) {
			if s := o.samples[id]; s.Launch.ID == t.sample.Launch.ID && s.Block == t.sample.Block && s.Size == t.sample.Size {
				out = append(out, s)
			}
		}
	}
	return out
}

// multiples reports whether all addresses are multiples of width.
func multiples(r *perf.Request, width uint64) bool {
	for l := range r.Addr {
		if r.Mask>>l&1 != 0 && r.Addr[l]%width != 0 {
			return false
		}
	}
	return true
}

// shifted reports whether two requests differ by one distance in all lanes.
func shifted(a, b *perf.Request) bool {
	d := perf.Lowest(a) - perf.Lowest(b)
	for l := range a.Addr {
		if a.Mask>>l&1 != 0 && a.Addr[l]-b.Addr[l] != d {
			return false
		}
	}
	return true
}

// exchangeXY lets thread (x, y) do the work of thread (y, x). That changes all
// accesses of the kernel, and where others get half as expensive again a tile in
// shared memory is what helps.
func (c *checker) exchangeXY(places []*total, i int) *remedy {
	t := places[i]
	mine := perf.ExchangeXY(t.sample)
	if mine == nil {
		return nil
	}
	r := &remedy{Tried: perf.Tried{Kind: finding.ExchangeAxes, Change: "exchange x and y", Before: c.cost(t, t.sample.ByWarp), After: c.cost(t, mine)},
		text: "exchange threadIdx.x and threadIdx.y in the index, so that adjacent lanes access adjacent elements"}
	worse, at := 0, (*total)(nil)
	for j, o := range places {
		if j == i || o.sample.Launch == nil {
			continue
		}
		if rs := perf.ExchangeXY(o.sample); rs != nil {
			before := c.cost(o, o.sample.ByWarp)
			if more := c.cost(o, rs) - before; 2*more > before && more > worse {
				worse, at = more, o
			}
		}
	}
	if at != nil {
		r.Kind, r.Change = finding.Tile, "tile in shared memory"
		r.text = fmt.Sprintf("exchanging threadIdx.x and threadIdx.y improves this access but makes the %s at %s worse: pass the data through a tile in shared memory, read it in one order and write it in the other",
			at.site.Kind, check.Where(at.site, t.site.Loc.File))
	}
	return r
}

// wider makes the block 32 threads wide where a narrower one accesses a few
// neighboring elements of each row.
func (c *checker) wider(t *total) *remedy {
	s := t.sample
	width := int(s.Launch.Block.X)
	if width < 2 || width >= 32 || 32%width != 0 || s.Launch.Block.Y < 2 {
		return nil
	}
	rows := make([]perf.Request, 0, len(s.ByWarp))
	for i := range s.ByWarp {
		r := s.ByWarp[i]
		if r.Mask != 1<<32-1 || !runs(&r, width, s.Size) {
			return nil
		}
		start := r.Addr[0] / line * line
		for l := range r.Addr {
			r.Addr[l] = start + uint64(l*s.Size)
		}
		rows = append(rows, r)
	}
	return &remedy{Tried: perf.Tried{Kind: finding.WiderBlock, Change: "wider block", Before: c.cost(t, s.ByWarp), After: c.cost(t, rows)},
		text: fmt.Sprintf("make the block wider: it has %d threads along x, so that a warp accesses %d elements of each of %d rows; with 32 it accesses one row", width, width, 32/width)}
}

// runs reports whether each width lanes access neighboring elements.
func runs(r *perf.Request, width, size int) bool {
	for l := range r.Addr {
		if l%width != 0 && r.Addr[l] != r.Addr[l-1]+uint64(size) {
			return false
		}
	}
	return true
}

// exchangeLoop lets the lanes walk where the iterations of a loop walk now.
func (c *checker) exchangeLoop(places []*total, i int) *remedy {
	t := places[i]
	rs := perf.ExchangeLoop(t.sample)
	if rs == nil {
		return nil
	}
	return &remedy{Tried: perf.Tried{Kind: finding.ExchangeLanes, Change: "exchange lanes and iterations", Before: c.cost(t, t.sample.InTime), After: c.cost(t, rs)},
		text: "exchange lanes and loop iterations: let adjacent lanes access what one lane now accesses in successive iterations (one warp per row instead of one thread, or elements assigned round-robin)"}
}

// maxStructure is the largest stride that is taken for a structure's size; a
// larger one is a row's.
const maxStructure = 256

// dense puts the elements that the lanes access side by side.
func (c *checker) dense(places []*total, i int) *remedy {
	t := places[i]
	rs := t.sample.ByWarp
	g := perf.Stride(rs)
	size := uint64(t.sample.Size)
	if g <= size || g%size != 0 || perf.LaneStride(rs) <= size {
		return nil
	}
	r := &remedy{Tried: perf.Tried{Before: c.cost(t, rs), After: c.cost(t, perf.Dense(rs, g, t.sample.Size))}}
	switch {
	case g > maxStructure:
		r.Kind, r.Change = finding.Transpose, "transpose the array"
		r.text = fmt.Sprintf("store the array transposed (exchange its two indices), so that elements %d bytes apart become adjacent", g)
	case c.members(places, t, g):
		r.Kind, r.Change = finding.StructOfArrays, "structure of arrays"
		r.text = fmt.Sprintf("make it a structure of arrays: this member of structures of %d bytes in a separate array", g)
	default:
		r.Kind, r.Change = finding.UnitStride, "unit stride"
		r.text = fmt.Sprintf("let adjacent lanes access adjacent elements: theirs have %d bytes and are %d bytes apart (a member of a structure belongs in a separate array)", size, g)
	}
	return r
}

// members reports whether other places access the gaps between a place's
// elements: other members of the same structures.
func (c *checker) members(places []*total, t *total, g uint64) bool {
	at := perf.Lowest(&t.sample.ByWarp[0])
	for _, o := range places {
		for _, s := range o.samples {
			low := perf.Lowest(&s.ByWarp[0])
			if d := max(low, at) - min(low, at); s.Launch.ID == t.sample.Launch.ID && d > 0 && d < g && perf.Stride(s.ByWarp[:1])%g == 0 {
				return true
			}
		}
	}
	return false
}

// scattered reports lanes side by side of which some between others take no part.
func scattered(rs []perf.Request, size int) bool {
	if perf.LaneStride(rs) != uint64(size) {
		return false
	}
	return slices.ContainsFunc(rs, func(r perf.Request) bool {
		run := r.Mask >> bits.TrailingZeros32(r.Mask)
		return run&(run+1) != 0
	})
}

// repairOf is the best change.
func repairOf(best *remedy, t *total) *finding.Repair {
	switch {
	case best != nil:
		return &finding.Repair{Kind: best.Kind}
	case scattered(t.sample.ByWarp, t.sample.Size):
		return &finding.Repair{Kind: finding.NeighboringWork}
	}
	return &finding.Repair{Kind: finding.OtherWork}
}

// help puts the best change into words.
func (c *checker) help(best *remedy, t *total, d *Details) string {
	if best == nil && scattered(t.sample.ByWarp, t.sample.Size) {
		return "some lanes in between are inactive: let adjacent lanes do the work, on contiguous elements"
	}
	if best == nil {
		return "none of the changes of layout or order that were tried removes half of the excess. If the addresses depend on data, " +
			"sort or group the work so that adjacent lanes need adjacent elements, or keep a copy in shared memory"
	}
	return fmt.Sprintf("%s (tried on recorded accesses: %d %ss become %d)", best.text, best.Before, d.Unit, best.After)
}
