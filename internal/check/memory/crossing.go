package memory

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// byteSet is a set of bytes of shared memory; the zero set is empty.
type byteSet []uint64

func (s *byteSet) add(at, end uint64, size int) {
	if *s == nil {
		*s = make(byteSet, size/64+1)
	}
	for ; at < end; at++ {
		(*s)[at/64] |= 1 << (at % 64)
	}
}

func (s byteSet) has(at uint64) bool { return s != nil && s[at/64]>>(at%64)&1 != 0 }

func (s byteSet) count() (n uint64) {
	for _, w := range s {
		n += uint64(bits.OnesCount64(w))
	}
	return n
}

// arrayBytes is the least size of what counts as an array, where that is in doubt.
const arrayBytes = 32

// judge says whether a crossing is a finding, and of which level.
func (b *partsBlock) judge(x *crossing) bool {
	p, q := &x.from, &x.to
	switch {
	case p.start < 0 || q.start < 0 || p.Array != q.Array:
		return false
	case x.addr >= p.lo && x.addr < p.hi, x.addr < q.lo || x.addr >= q.hi:
		return false
	case !alike(p.Kinds, q.Kinds):
		x.level = finding.Error
		return true
	}
	x.level = finding.Warning
	size, over := p.hi-p.lo, p.beyond.count()
	return x.addr >= p.hi && b.inside[x.site] && // from within p into q
		size >= arrayBytes && p.within.count() >= size/2 && !p.before &&
		q.within.count() >= arrayBytes && q.beyond == nil && !q.before &&
		p.beyond.has(p.hi) && over <= size/4 // by a little
}

// alike reports whether two parts have a kind of number in common. Bytes are like
// everything.
func alike(a, b string) bool {
	as, bs := strings.Split(a, ","), strings.Split(b, ",")
	return a == rawBytes || b == rawBytes || slices.ContainsFunc(as, func(k string) bool { return slices.Contains(bs, k) })
}

// finding puts a crossing into words.
func (o *partsLaunch) finding(k crossKey, x *crossing) *finding.Finding {
	l, p, q := o.launch, &x.from, &x.to
	f := &finding.Finding{
		Rule: Rule.ID, Kind: "out-of-bounds", Level: x.level, Kernel: l.Kernel,
		Launches: finding.InLaunch(l.ID), Count: x.count, Unit: "access",
		Message: fmt.Sprintf("shared %s of %s beyond %s, in %s", x.site.Kind, element(p, x), p.Name, q.Name),
		Cause:   BeyondObject, Object: partObject(p), Range: check.Range(x.addr, uint64(p.start), x.site.Size),
		Repair:  &finding.Repair{Kind: finding.CheckIndex},
		Primary: check.Place(x.site, check.Role(x.site.Kind), check.Thread(l, x.block, x.warp, x.lane)),
		Key:     fmt.Sprintf("part\x00%s\x00%s\x00%s", check.SiteKey(x.site), p.Name, q.Name),
		Witness: [4]uint64{uint64(l.ID), x.block, uint64(x.warp), uint64(x.lane)},
		Details: Details{Space: "shared", Access: x.site.Kind.String(), Address: x.addr, Size: x.site.Size, Lanes: 1},
	}
	f.Help = helps[finding.CheckIndex]
	f.Hit, f.HitRange = check.SharedObject(l, x.addr, x.site.Size)
	array := check.VariableName(p.Array)
	if x.addr >= p.hi {
		next := q
		if uint64(q.start) != p.hi {
			next = o.beginsAt(x, p.hi)
		}
		f.Notes = append(f.Notes, fmt.Sprintf("%s is the part of %s from byte %d on, and %s begins at byte %d", p.Name, array, p.lo, next.Name, p.hi))
		f.Repair.Kind = finding.MovePart
		f.Help = fmt.Sprintf("check the index against the size of %s, or let %s begin after it", p.Name, next.Name)
	} else {
		f.Notes = append(f.Notes, fmt.Sprintf("%s is the part of %s from byte %d on, and the access is to byte %d", p.Name, array, p.lo, x.addr))
	}
	file := f.Primary.Loc.File
	if k.read {
		f.Notes = append(f.Notes, fmt.Sprintf("that location belongs to %s, written through %s at %s", element(q, x), q.Name, check.Where(x.other, file)))
	} else {
		f.Notes = append(f.Notes, fmt.Sprintf("that location belongs to %s, which is read through %s at %s", element(q, x), q.Name, check.Where(x.other, file)))
	}
	if x.level == finding.Warning {
		f.Notes = append(f.Notes, fmt.Sprintf("the end of %s is inferred from this: if %s is meant as a position within it, the access is correct", p.Name, q.Name))
	}
	f.Notes = append(f.Notes, "a GPU does not detect this: the access hits the other object")
	return f
}

// partObject describes a part of an array.
func partObject(p *subarrayState) *finding.Object {
	return &finding.Object{Kind: finding.Part, Space: trace.SpaceShared.String(), Name: p.Name, Address: p.lo, Size: p.hi - p.lo}
}

// beginsAt is the part that begins at a byte.
func (o *partsLaunch) beginsAt(x *crossing, at uint64) *subarrayState {
	for _, q := range x.parts {
		if q.start == int64(at) {
			return &q
		}
	}
	return &x.to
}

// element is what the source calls the place of a crossing, seen as an element of a
// part: "a[64]".
func element(p *subarrayState, x *crossing) string {
	off, size := int64(x.addr)-p.start, int64(x.site.Size)
	if len(p.Kinds) == 2 {
		size = int64(p.Kinds[1] - '0')
	}
	if strings.Contains(p.Kinds, ",") || off%size != 0 {
		return fmt.Sprintf("byte %d of %s", off, p.Name)
	}
	return fmt.Sprintf("%s[%d]", p.Name, off/size)
}
