package lower

import (
	"github.com/warpgrind/warpgrind/internal/cfg"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/pragma"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// subarraysOf returns the subarray that each marked instruction of a function begins.
func subarraysOf(f *ptx.Func) map[*ptx.Instr]trace.Subarray {
	parts := map[*ptx.Instr]trace.Subarray{}
	for in, d := range marks(f, pragma.ReadPart) {
		parts[in] = trace.Subarray{Name: d.Name, Kinds: d.Kinds, Line: d.Line}
	}
	return parts
}

// marks returns the instructions of a function that copy a value behind a directive that read accepts, with what it reads.
func marks[T any](f *ptx.Func, read func(text string) (T, bool)) map[*ptx.Instr]T {
	out := map[*ptx.Instr]T{}
	var mark T
	marked := false
	for _, st := range f.Body.Stmts {
		switch st := st.(type) {
		case *ptx.Raw:
			mark, marked = read(st.Text)
		case *ptx.Instr:
			if marked && st.Flow() == inst.Same && len(st.Args) == 2 {
				out[st] = mark
			}
			marked = false
		}
	}
	return out
}

// objectSubarray returns the object of a part that begins with the address that set means,
// which is set itself if that is not one array in shared memory, or a part of it.
func (e provenance) objectSubarray(s *objectSets, p trace.Subarray, set objects) objects {
	rest := set &^ aNumber
	if rest == 0 || rest&(rest-1) != 0 || rest&(anObject|maybeObject) != 0 {
		return set
	}
	o := s.one(rest)
	if o.space != trace.SpaceShared {
		return set
	}
	p.Array, p.Parent = o.name, o.part
	o.part = e.u.subarrayNumber(p)
	return s.bit(o)
}

// maxParts bounds the parts of a kernel.
const maxParts = 255

// subarrayNumber is the number, from 1, of a part. Copies of one function's variable are
// one part. It is that of the parent where there are too many.
func (u *unit) subarrayNumber(p trace.Subarray) int {
	list := u.prog.Subarrays
	for i := range list {
		if list[i] == p {
			return i + 1
		}
	}
	for q := p.Parent; q > 0; q = list[q-1].Parent { // a pointer that walks
		if x := list[q-1]; x.Name == p.Name && x.Line == p.Line {
			return q
		}
	}
	if len(list) == maxParts {
		return p.Parent
	}
	u.prog.Subarrays = append(list, p)
	return len(list) + 1
}

// beginSubarray adds the step that tells where a subarray begins, after the instruction that
// copies its address.
func (e provenance) beginSubarray(in *ptx.Instr) {
	if _, ok := e.f.subarrays[in]; !ok {
		return
	}
	ref, ok := in.Args[0].(*ptx.RegRef)
	if !ok {
		return
	}
	r := e.f.reg(ref)
	n := e.subarrayIn(e.objectsIn(e.sets(), ref))
	if r == nil || n == 0 || r.slot == program.NoSlot {
		return
	}
	step := program.Instr{Op: program.OpSubarray, A: r.slot, X: int32(n - 1), Dst: r.width}
	if !r.varying {
		step.Dst2 = alu.Pred
	}
	e.add(step)
}

// subarrayIn is the part that a value is the address of, 0 if it may be something else.
func (e provenance) subarrayIn(set objects) int {
	rest := set &^ aNumber
	if rest == 0 || rest&(rest-1) != 0 || rest&(anObject|maybeObject) != 0 {
		return 0
	}
	return e.sets().one(rest).part
}

// marked is how many instructions of a block are only there to name parts, and to count conditions.
func (e provenance) marked(b *cfg.Block) (n int) {
	for _, in := range b.Instrs {
		if _, ok := e.f.subarrays[in]; ok || e.f.decisions[in] {
			n++
		}
	}
	return n
}
