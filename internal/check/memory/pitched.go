package memory

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Rows of pitched memory
//
// cudaMallocPitch pads each row. An access to the padding hits no other object, but no
// element of the row either: what is written there is lost to cudaMemcpy2D. It is looked for
// where a kernel gets both a pointer into such memory and its pitch in bytes: it then
// computes rows as the CUDA documentation shows. A kernel without the pitch may walk the
// whole allocation. Vectors that begin inside the row are fine: the padding is there for them.

// pitched are the allocations with padded rows that a launch's arguments point into,
// where the pitch is an argument as well.
func (o launchObserver) pitched() []trace.Memory {
	l := o.launch
	if l.Memory == nil {
		return nil
	}
	var all []trace.Memory
	numbers := map[uint64]bool{}
	params := append(slices.Clone(l.Params), make([]byte, 7)...)
	for ; len(params) >= 8; params = params[8:] {
		v := binary.LittleEndian.Uint64(params)
		if m, ok := l.Memory(v); !ok {
			numbers[v], numbers[v&math.MaxUint32], numbers[v>>32] = true, true, true
		} else if m.Width < m.Pitch && !slices.ContainsFunc(all, func(x trace.Memory) bool { return x.ID == m.ID }) {
			all = append(all, m)
		}
	}
	return slices.DeleteFunc(all, func(m trace.Memory) bool { return !numbers[m.Pitch] })
}

// pitchedBlock has the accesses of a block to padding, the first of each site and
// allocation.
type pitchedBlock struct {
	blockObserver
	rows []trace.Memory
}

func (o launchObserver) newPitchedBlock(rows []trace.Memory) *trace.BlockObserver {
	b := &pitchedBlock{blockObserver{in: o, seen: map[strayKey]*finding.Finding{}}, rows}
	return &trace.BlockObserver{Begin: b.Begin, End: b.End, Global: b.access}
}

func (b *pitchedBlock) access(a *trace.Access) {
	for i := range b.rows {
		m := &b.rows[i]
		var lanes uint32
		for left := a.Mask; left != 0; left &= left - 1 {
			lane := bits.TrailingZeros32(left)
			if at := a.Addr[lane] - m.Base; at < m.Size && at%m.Pitch >= m.Width {
				lanes |= 1 << lane
			}
		}
		if lanes != 0 {
			b.padding(a, m, lanes)
		}
	}
}

// padding reports lanes that access the padding of a row.
func (b *pitchedBlock) padding(a *trace.Access, m *trace.Memory, lanes uint32) {
	n, k := uint64(bits.OnesCount32(lanes)), strayKey{a.Site, m.Base, m.Base}
	if f := b.seen[k]; f != nil {
		f.Count += n
		return
	}
	l, lane := b.in.launch, bits.TrailingZeros32(lanes)
	size := uint64(a.Site.Size)
	f := &finding.Finding{
		Rule: Rule.ID, Kind: "out-of-bounds", Level: finding.Warning, Kernel: l.Kernel,
		Launches: finding.InLaunch(l.ID), Count: n, Unit: "access",
		Message: fmt.Sprintf("column %d is out of bounds of a row of the memory of %s", (a.Addr[lane]-m.Base)%m.Pitch/size, m.Where),
		Primary: finding.Place{Role: check.Role(a.Site.Kind), Loc: a.Site.Loc, PTXLine: a.Site.PTXLine, Thread: check.Thread(l, b.block, a.Warp, lane)},
		Notes: []string{fmt.Sprintf("a row has %d bytes, %s of %d; the rest of its pitch of %d bytes is padding",
			m.Width, check.Plural(m.Width/size, "column"), size, m.Pitch)},
		Help:    "check the column against the width of the row",
		Repair:  &finding.Repair{Kind: finding.CheckIndex},
		Object:  check.ObjectOf(trace.SpaceGlobal, m),
		Key:     fmt.Sprintf("pitch\x00%s\x00%s", check.SiteKey(a.Site), m.Where),
		Witness: [4]uint64{uint64(l.ID), b.block, uint64(a.Warp), uint64(lane)},
	}
	if n > 1 {
		f.Notes = append(f.Notes, fmt.Sprintf("%d lanes of the warp do the same", n))
	}
	b.seen[k] = f
}
