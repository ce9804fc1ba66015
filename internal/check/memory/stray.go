package memory

import (
	"fmt"
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Observer observes faults, accesses that stray from one object into another, and
// what the host frees, copies and accesses wrongly.
func (c *checker) Observer() *trace.Observer {
	return &trace.Observer{Launch: c.Launch, InvalidFree: c.InvalidFree, BadTransfer: c.BadTransfer, HostAccess: c.HostAccess, Leaked: c.Leaked, Failed: c.Failed}
}

// Launch observes a launch.
func (c *checker) Launch(l *trace.Launch) []*trace.LaunchObserver {
	o := launchObserver{c, l}
	all := []*trace.LaunchObserver{{Fault: c.Faults.In(l), Block: o.newBlock}}
	if p := o.parts(); p != nil {
		all = append(all, &trace.LaunchObserver{Block: p.newBlock, Spares: p.Spares, End: p.End})
	}
	if rows := o.pitched(); len(rows) > 0 {
		all = append(all, &trace.LaunchObserver{Block: func() *trace.BlockObserver { return o.newPitchedBlock(rows) }})
	}
	return all
}

type launchObserver struct {
	checker *checker
	launch  *trace.Launch
}

func (o launchObserver) newBlock() *trace.BlockObserver {
	b := &blockObserver{in: o, seen: map[strayKey]*finding.Finding{}}
	return &trace.BlockObserver{Begin: b.Begin, End: b.End, Defect: b.Defect}
}

// strayKey tells the strays of a block apart.
type strayKey struct {
	site        *trace.Site
	meant, base uint64
}

// blockObserver has the strays of a block, the first of each kind.
type blockObserver struct {
	in    launchObserver
	block uint64
	seen  map[strayKey]*finding.Finding
}

func (b *blockObserver) Begin(k *trace.Block) { b.block = k.Index }

// Defect is the event of that name.
func (b *blockObserver) Defect(d *trace.Defect) {
	switch d.Kind {
	case trace.DefectReturned, trace.DefectScopeEnded:
		b.dangling(d)
	case trace.DefectTensorLeak:
		b.leaked(d)
	case trace.DefectTensorLanes:
		b.otherLanes(d)
	}
	if d.Kind != trace.DefectOutside {
		return
	}
	k := strayKey{d.Site, d.Meant.Base, d.Hit.Base}
	n := uint64(bits.OnesCount32(d.Mask))
	if f := b.seen[k]; f != nil {
		f.Count += n
		if f.Hit != nil {
			f.HitRange = f.HitRange.With(hitBytes(d, f.Hit))
		}
		return
	}
	if v := d.Site.Local; d.Space == trace.SpaceLocal && v != nil && v.Part != trace.NoPart {
		b.seen[k] = b.in.part(b.block, d, n)
		return
	}
	b.seen[k] = b.in.stray(b.block, d, n)
}

// End hands the block's strays over.
func (b *blockObserver) End() {
	if len(b.seen) == 0 {
		return
	}
	c := b.in.checker
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, f := range b.seen {
		c.strays.Add(f)
	}
	clear(b.seen)
}

// stray describes an access that hits another object than it means.
func (o launchObserver) stray(block uint64, d *trace.Defect, n uint64) *finding.Finding {
	l, lane := o.launch, bits.TrailingZeros32(d.Mask)
	at := d.Addr[lane]
	s := straying{d: d, l: l, at: at, what: check.Plural(d.Size, "byte")}
	if d.Space == trace.SpaceGlobal {
		s.global()
	} else {
		s.block()
	}
	f := &finding.Finding{
		Rule: Rule.ID, Kind: "out-of-bounds", Level: finding.Error, Kernel: l.Kernel,
		Launches: finding.InLaunch(l.ID), Count: n, Unit: "access",
		Message: fmt.Sprintf("%s %s of %s beyond %s", d.Space, d.Site.Kind, s.what, s.meant),
		Notes:   s.notes,
		Cause:   BeyondObject, Object: s.object, Hit: s.hitObject,
		Repair: &finding.Repair{Kind: finding.CheckIndex}, Help: helps[finding.CheckIndex],
		Primary: check.CalledPlace(d.Site, d.Callers, check.Role(d.Site.Kind), check.Thread(l, block, d.Warp, lane)),
		Key:     fmt.Sprintf("stray\x00%s\x00%s\x00%s", check.SiteKey(d.Site), objectKey(s.object), objectKey(s.hitObject)),
		Witness: [4]uint64{uint64(l.ID), block, uint64(d.Warp), uint64(lane)},
		Details: Details{Space: d.Space.String(), Access: d.Site.Kind.String(), Address: at, Size: int(d.Size), Lanes: bits.OnesCount32(d.Mask)},
	}
	if f.Object != nil {
		f.Range = check.Range(at, f.Object.Address, int(d.Size))
	}
	if f.Hit != nil {
		f.HitRange = hitBytes(d, f.Hit)
	}
	if k := bits.OnesCount32(d.Mask); k > 1 {
		f.Notes = append(f.Notes, sameLanes(k))
	}
	return f
}

// objectKey tells the objects of a launch's accesses apart: those of other launches with
// the same name, or from the same call, are the same to a reader.
func objectKey(o *finding.Object) string {
	if o == nil {
		return ""
	}
	return fmt.Sprint(o.Kind, o.Space, o.Name, o.Where)
}

// hitBytes are the bytes of what lies there that an access hits, from the first to the
// last of all lanes.
func hitBytes(d *trace.Defect, hit *finding.Object) (b finding.Bytes) {
	for m := d.Mask; m != 0; m &= m - 1 {
		at := check.Range(d.Addr[bits.TrailingZeros32(m)], hit.Address, int(d.Size))
		if at.Hi > 0 && at.Lo < int64(hit.Size) {
			b = b.With(at)
		}
	}
	return b
}

// straying puts into words what an access at at means and hits.
type straying struct {
	d          *trace.Defect
	l          *trace.Launch
	at         uint64
	meant, hit string
	// object is what is meant, hitObject what is hit as a whole; nil where unknown.
	object, hitObject *finding.Object
	// what is accessed: the element as the source calls it, or a number of bytes.
	what  string
	notes []string
}

func (s *straying) global() {
	m, h := &s.d.Meant, &s.d.Hit
	s.meant, s.hit = allocationName(m), allocationName(h)
	s.object, s.hitObject = check.ObjectOf(trace.SpaceGlobal, m), check.ObjectOf(trace.SpaceGlobal, h)
	there := fmt.Sprintf("byte %d of %s of %s", s.at-h.Base, s.hit, check.Plural(h.Size, "byte"))
	if h.Name != "" {
		there = check.GlobalElement(h, int64(s.at-h.Base), int(s.d.Size), s.d.Site.Elem)
	}
	if m.Name != "" {
		s.what = check.GlobalElement(m, int64(s.at-m.Base), int(s.d.Size), s.d.Site.Elem)
	}
	s.notes = []string{
		fmt.Sprintf("the address is computed from %s of %s and lies %s", s.meant, check.Plural(m.Size, "byte"), distance(s.at, m.Base, m.Size)),
		"that location belongs to " + there,
		"a GPU does not detect this: the access hits the other object",
	}
}

// block is straying within shared or local memory.
func (s *straying) block() {
	m := &s.d.Meant
	s.meant = "the local arrays of the function"
	if v := s.d.Site.Local; s.d.Space == trace.SpaceLocal && v != nil {
		s.object = check.VariableObject(trace.SpaceLocal, v)
		s.meant, s.what = v.Name, check.ElementOf(v, int64(s.at-v.Addr), int(s.d.Size), s.d.Site.Elem)
	}
	if s.d.Space == trace.SpaceShared {
		s.meant = or(check.SharedName(s.l, m.Base), "the array")
		s.hitObject, _ = check.SharedObject(s.l, s.at, int(s.d.Size))
		s.hit = check.SharedElement(s.l, s.at, int(s.d.Size), s.d.Site.Elem)
		s.object, _ = check.SharedObject(s.l, m.Base, int(s.d.Size))
		if i := check.SharedVariable(s.l, m.Base); i >= 0 && s.l.Shared[i].Size == m.Size {
			s.what = check.ElementOf(&s.l.Shared[i], int64(s.at-m.Base), int(s.d.Size), s.d.Site.Elem)
		}
	}
	s.notes = []string{fmt.Sprintf("the address is computed from %s (%s) and lies %s", s.meant,
		check.Plural(m.Size, "byte"), distance(s.at, m.Base, m.Size))}
	if s.hit != "" {
		s.notes = append(s.notes, "that location belongs to "+s.hit)
	}
	s.notes = append(s.notes, "a GPU does not detect this: the access hits the other object")
}

func allocationName(m *trace.Memory) string {
	switch {
	case m.Kind == "heap":
		return "memory from malloc in device code"
	case m.Name != "":
		return "variable " + check.VariableName(m.Name)
	}
	return "the memory of " + or(m.Where, "an allocation")
}

// distance says where an address lies that is not in an object.
func distance(at, base, size uint64) string {
	switch {
	case at < base:
		return check.Plural(base-at, "byte") + " before its start"
	case at == base+size:
		return "directly after its end"
	case at >= base+size:
		return check.Plural(at-base-size, "byte") + " after its end"
	}
	return "across its end"
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
