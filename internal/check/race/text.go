package race

import (
	"fmt"
	"math"
	"math/bits"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/trace"
)

func (st *story) notes() []string {
	notes := []string{st.values(), st.interval(), st.details.Reason, st.pairs()}
	if st.strong {
		notes = append(notes, "both are volatile, relaxed or atomic: that makes each access happen, "+
			"but orders nothing between threads")
	}
	out := notes[:0]
	for _, n := range notes {
		if n != "" {
			out = append(out, n)
		}
	}
	return out
}

func (st *story) values() string {
	w := st.w
	in := formatValue(w.memory, w.then.site)
	switch {
	case w.then.site.Kind == trace.Read:
		return "value read: " + in
	case !w.then.hasWrote:
		return "value before: " + in
	case w.oneInstr && w.first.hasWrote && st.pair.different:
		return fmt.Sprintf("values: one lane writes %s, the other %s",
			formatValue(w.first.wrote, w.first.site), formatValue(w.then.wrote, w.then.site))
	case w.then.site.Kind == trace.Atomic:
		return fmt.Sprintf("value before: %s; operand of the atomic: %s", in, formatValue(w.then.wrote, w.then.site))
	}
	return fmt.Sprintf("value before: %s; value written: %s", in, formatValue(w.then.wrote, w.then.site))
}

func (st *story) interval() string {
	n := st.details.Interval
	if n.Number == 0 {
		return "barrier interval: from the kernel's start, no barrier passed"
	}
	return fmt.Sprintf("barrier interval: after the %s, number %d of the block", n.After, n.Number)
}

func (st *story) reason() string {
	w := st.w
	switch {
	case w.inFlight:
		return "the asynchronous copy may still be on its way: its thread has not waited for it"
	case w.oneInstr:
		return fmt.Sprintf("both are lanes of one instruction of warp %d, and its lanes write in no defined order", w.then.warp)
	case w.since.part != nil:
		return fmt.Sprintf("the barrier at %s joins %d of %d threads and does not order these two",
			check.Where(w.since.part, w.then.site.Loc.File), countLanes(w.since.partIn), st.launch.Block.Size())
	case w.first.warp == w.then.warp && st.model == check.ITS:
		return "both are in one warp: no __syncwarp and no barrier between them"
	}
	return "no barrier between them"
}

func countLanes(masks []uint32) int {
	n := 0
	for _, m := range masks {
		n += bits.OnesCount32(m)
	}
	return n
}

func (st *story) pairs() string {
	d := &st.details
	s := check.Plural(d.IntraWarp+d.InterWarp, "thread pair")
	var parts []string
	for _, k := range []struct {
		n    uint64
		name string
	}{{d.RAW, "RAW"}, {d.WAR, "WAR"}, {d.WAW, "WAW"}} {
		if k.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", k.n, k.name))
		}
	}
	if len(parts) > 1 {
		s += " (" + strings.Join(parts, ", ") + ")"
	}
	switch {
	case d.InterWarp == 0:
		s += ", all within a warp"
	case d.IntraWarp > 0:
		s += fmt.Sprintf(", %d of them within a warp", d.IntraWarp)
	}
	return s
}

// help is the smallest change that orders the pair.
func (st *story) help() string {
	w := st.w
	early, late := w.inProgram()
	a, z := early.site, late.site
	switch {
	case w.inFlight && st.inWarp && w.first.lane == w.then.lane:
		return "wait for the copy (cp.async.wait_group, __pipeline_wait_prior, consumer_wait) " + between(a, z)
	case w.inFlight:
		return fmt.Sprintf("wait for the copy (cp.async.wait_group, __pipeline_wait_prior, consumer_wait) and then add %s, both %s",
			st.barrier(), between(a, z))
	case st.hazard == waw && !st.pair.different:
		return "harmless as long as all write the same value; let one thread write it to be sure"
	case a.Kind == trace.Atomic || z.Kind == trace.Atomic:
		return "make both accesses atomic, or add " + st.barrier() + " " + between(a, z)
	case readModifyWrite(a, z) && !st.strong:
		return "make the update atomic (for example atomicAdd), or give each thread its own element"
	case w.oneInstr || a == z && !w.apart:
		return "let one thread write it, give each thread its own element, or use an atomic"
	}
	return "add " + st.barrier() + " " + between(a, z)
}

// readModifyWrite reports whether two sites are the load and the store of one
// update such as x++ or x += y: both at one place.
func readModifyWrite(a, z *trace.Site) bool {
	return a != z && a.Loc.IsValid() && a.Kind != z.Kind && a.Loc.Pos == z.Loc.Pos
}

// barrier names the weakest barrier that orders all pairs of the finding.
func (st *story) barrier() string {
	if st.inWarp && st.model == check.ITS {
		return "__syncwarp()"
	}
	return "__syncthreads()"
}

// between says where a barrier has to go so that a comes before z.
func between(a, z *trace.Site) string {
	p, q := a.Loc, z.Loc
	switch {
	case !p.IsValid() || !q.IsValid():
		return fmt.Sprintf("between PTX line %d and PTX line %d", a.PTXLine, z.PTXLine)
	case p.File != q.File:
		return fmt.Sprintf("between %s:%d and %s:%d", filepath.Base(p.File), p.Line, filepath.Base(q.File), q.Line)
	case p.Line == q.Line && a.Kind == trace.Read:
		return fmt.Sprintf("between the read and the write of line %d", p.Line)
	case p.Line == q.Line:
		return fmt.Sprintf("after line %d, before it runs again", p.Line)
	case p.Line < q.Line:
		return fmt.Sprintf("between line %d and line %d", p.Line, q.Line)
	}
	return fmt.Sprintf("after line %d, before line %d runs again", p.Line, q.Line)
}

// formatValue prints an element as the site's instruction types it: a float
// for .f32 and .f64, signed for .s8 to .s64, else unsigned and hexadecimal.
func formatValue(v uint64, s *trace.Site) string {
	op, _, _ := strings.Cut(strings.TrimSpace(opcode(s.PTX)), " ")
	typ := op[strings.LastIndexByte(op, '.')+1:]
	size := s.Elem
	switch {
	case typ == "f32" && size == 4:
		return strconv.FormatFloat(float64(math.Float32frombits(uint32(v))), 'g', -1, 32)
	case typ == "f64" && size == 8:
		return strconv.FormatFloat(math.Float64frombits(v), 'g', -1, 64)
	case strings.HasPrefix(typ, "s") && size >= 1 && size <= 8:
		return strconv.FormatInt(int64(v<<(64-8*size))>>(64-8*size), 10)
	case v < 10:
		return strconv.FormatUint(v, 10)
	}
	return fmt.Sprintf("%d (0x%x)", v, v)
}

// opcode returns an instruction's text without its guard.
func opcode(ptx string) string {
	s := strings.TrimSpace(ptx)
	if strings.HasPrefix(s, "@") {
		_, s, _ = strings.Cut(s, " ")
	}
	return strings.ReplaceAll(s, "\t", " ")
}
