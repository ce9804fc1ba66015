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

// scopesOf returns the scopes that the marked instructions of a function begin and end.
func scopesOf(f *ptx.Func) map[*ptx.Instr]pragma.Scope {
	return marks(f, pragma.ReadScope)
}

// markScope adds the step that begins or ends a scope, if it is known which variable it is about. A function that calls itself has
// several of the kind, and none is followed.
func (e *emitter) markScope(in *ptx.Instr) {
	m, ok := e.f.scopes[in]
	if !ok || m.Size == 0 || e.f.baseSlot != program.NoSlot {
		return
	}
	set := e.objectsIn(e.sets(), in.Args[1]) &^ aNumber
	if set == 0 || set&(set-1) != 0 || set&(anObject|maybeObject) != 0 {
		return
	}
	o := e.sets().one(set)
	at, ok := e.f.locals[o.name]
	if !ok || o.space != trace.SpaceLocal || o.fixed || o.size != m.Size {
		return
	}
	s := &program.ScopeMark{Scope: e.u.scopeNumber(e.scopeAt(o.name, at, o.lo, m.Size)), Ends: m.Ends, Site: e.unnumbered(in)}
	e.addStep(s, s.Site)
}

// scopeAt describes the variable at lo in a depot that begins at base.
func (e *emitter) scopeAt(depot string, base, lo, size uint64) trace.Variable {
	s := trace.Variable{Addr: base + lo, Size: size}
	for _, v := range e.findFrame().Vars {
		if v.Depot == depot && v.Offset == lo && v.Name != "-" && parts[v.Kind] == trace.NoPart {
			s.Name, s.Type = v.Name, v.Type
		}
	}
	return s
}

// scopeNumber is the number of a scope's variable.
func (u *unit) scopeNumber(s trace.Variable) int {
	for i := range u.prog.Scopes {
		if u.prog.Scopes[i].Addr == s.Addr {
			return i
		}
	}
	u.prog.Scopes = append(u.prog.Scopes, s)
	return len(u.prog.Scopes) - 1
}

// decisionsOf returns the instructions of a function that copy a condition which is counted.
func decisionsOf(f *ptx.Func) map[*ptx.Instr]bool {
	list := map[*ptx.Instr]bool{}
	for in := range marks(f, pragma.ReadDecide) {
		list[in] = true
	}
	return list
}

// decision adds the step that counts a condition, in place of the instruction that copies it.
func (e *emitter) decision(in *ptx.Instr) error {
	a, err := e.vec(in.Args[1], alu.Pred)
	if err != nil {
		return err
	}
	p := e.u.prog
	p.Decisions = append(p.Decisions, in.Pos.Line)
	e.add(program.Instr{Op: program.OpDecide, A: a, X: int32(len(p.Decisions) - 1)})
	return nil
}

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
func (e *emitter) objectSubarray(s *objectSets, p trace.Subarray, set objects) objects {
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
func (e *emitter) beginSubarray(in *ptx.Instr) {
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
func (e *emitter) subarrayIn(set objects) int {
	rest := set &^ aNumber
	if rest == 0 || rest&(rest-1) != 0 || rest&(anObject|maybeObject) != 0 {
		return 0
	}
	return e.sets().one(rest).part
}

// marked is how many instructions of a block are only there to name parts, and to count conditions.
func (e *emitter) marked(b *cfg.Block) (n int) {
	for _, in := range b.Instrs {
		if _, ok := e.f.subarrays[in]; ok || e.f.decisions[in] {
			n++
		}
	}
	return n
}
