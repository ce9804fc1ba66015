package static

import (
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/clang/irtext"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/solve"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// pointers follows the variables of host code that hold pointers to device
// memory: two that are set by allocations alone point to different arrays.
type pointers struct {
	// of the function at hand, and of the file, which no other file sees.
	declared map[string]bool
	// allocated are the allocations that set a variable, others the variables that something else may set.
	allocated map[string][]allocation
	others    map[string]bool
	// loaded has the variable that each value was read from.
	loaded map[string]string
	f      *hostFunc
}

// allocation is a call that allocates, in a line of a function, with the size in bytes as the function has it.
type allocation struct {
	f    *hostFunc
	line int
	size string
}

// allocators are the functions that set the pointer which their first argument points to, with the argument that
// is the size in bytes, 0 where there is none (CUDA Runtime API and Driver API, "Memory Management").
var allocators = map[string]int{
	"cudaMalloc": 1, "cudaMallocManaged": 1, "cudaMallocAsync": 1, "cudaMallocHost": 1, "cudaHostAlloc": 1, "cudaMallocPitch": 0,
	"cudaMallocFromPoolAsync": 1, "cudaMalloc3D": 0,
	"cuMemAlloc": 1, "cuMemAlloc_v2": 1, "cuMemAllocManaged": 1, "cuMemAllocAsync": 1, "cuMemAllocHost_v2": 1, "cuMemAllocPitch_v2": 0,
}

// newPointers reads all functions of a module, for the variables that they share.
func newPointers(m *irtext.Module) *pointers {
	p := &pointers{declared: map[string]bool{}, allocated: map[string][]allocation{}, others: map[string]bool{}, loaded: map[string]string{}}
	for i := 0; i < len(m.Lines); i++ {
		if body := m.Body(i); body != nil {
			p.function(newHostFunc(body))
			i += len(body)
			continue
		}
		p.line(m.Lines[i], i)
	}
	return p
}

// function begins a function, which has its own names.
func (p *pointers) function(f *hostFunc) {
	p.f = f
	clear(p.loaded)
	for name := range p.declared {
		if name[0] == '%' {
			delete(p.declared, name)
		}
	}
	for name := range p.allocated {
		if name[0] == '%' {
			delete(p.allocated, name)
		}
	}
	for name := range p.others {
		if name[0] == '%' {
			delete(p.others, name)
		}
	}
	for i, l := range f.lines {
		p.line(l, i)
	}
}

// line notes what a line does with variables.
func (p *pointers) line(l *irtext.Line, at int) {
	set := ""
	name, op, rest := l.Op()
	a, access := l.Access()
	global, def, isGlobal := globalVariable(l)
	switch {
	case isGlobal:
		p.declared[global] = p.declared[global] || def
		return
	case op == "alloca" && strings.HasPrefix(rest, "ptr"):
		p.declared[name] = true
		return
	case access && !a.Store && a.Type == "ptr":
		p.loaded[name] = a.Ptr
		return
	case access && a.Store && a.Type == "ptr" && a.Value == "null":
		return
	}
	callee, args, _ := l.Call()
	if strings.HasPrefix(callee, "llvm.lifetime.") {
		return
	}
	if size, ok := allocators[identifier(callee)]; ok {
		given := arguments(args)
		if len(given) > size {
			set, _ = operandOf(given[0])
			bytes := ""
			if size > 0 {
				bytes = given[size]
			}
			p.allocate(set, allocation{p.f, at, bytes})
		}
	}
	for _, name := range names(l) {
		if name != set {
			p.others[name] = true
		}
	}
}

// allocate notes an allocation; a function is read once more when its launches are.
func (p *pointers) allocate(variable string, a allocation) {
	same := func(o allocation) bool {
		return o.line == a.line && (o.f == a.f || o.f != nil && a.f != nil && o.f.name == a.f.name)
	}
	if !slices.ContainsFunc(p.allocated[variable], same) {
		p.allocated[variable] = append(p.allocated[variable], a)
	}
}

// globalVariable reads "@p = internal global ptr null": a variable, whether it is a pointer that begins as null and is
// the file's own.
func globalVariable(l *irtext.Line) (name string, pointer, ok bool) {
	if !l.HasPrefix("@") {
		return "", false, false
	}
	name, def, ok := strings.Cut(l.Text, " = ")
	own, ok2 := strings.CutPrefix(def, "internal ")
	own = strings.TrimPrefix(own, "unnamed_addr ")
	return name, ok2 && strings.HasPrefix(own, "global ptr null"), ok
}

// names are the variables and values that a line has.
func names(l *irtext.Line) []string {
	out := slices.Clone(l.Values())
	for rest := l.Text; ; {
		at := strings.IndexByte(rest, '@')
		if at < 0 {
			return out
		}
		end := at + irtext.NameEnd(rest[at:])
		out, rest = append(out, rest[at:end]), rest[end:]
	}
}

// identifier is the name in the source of a function whose name C++ has mangled, without what it is a member of: that of
// _ZL10cudaMallocIfE9cudaErrorPPT_m is cudaMalloc (Itanium C++ ABI, "Mangling").
func identifier(symbol string) string {
	rest, ok := strings.CutPrefix(symbol, "_Z")
	if !ok {
		return symbol
	}
	rest = strings.TrimPrefix(rest, "L")
	n := irtext.LeadingInt(rest)
	rest = strings.TrimLeft(rest, "0123456789")
	if n <= 0 || n > len(rest) {
		return symbol
	}
	return rest[:n]
}

// array is the variable that an argument was read from, if only allocations set
// it; else "".
func (p *pointers) array(arg string) string {
	op, _ := operandOf(arg)
	v := p.loaded[op]
	if !strings.HasPrefix(arg, "ptr ") || !p.declared[v] || len(p.allocated[v]) == 0 || p.others[v] {
		return ""
	}
	return v
}

// size is that of the allocation that a variable points to in a line of the function at hand, in bytes: a constant that all
// allocations have, or a term of this function if there is one allocation and each way to the line comes by it. Else nil.
func (p *pointers) size(variable string, line int) *solve.Term {
	all := p.allocated[variable]
	first := all[0]
	n, constant := scalar(first.size)
	for _, o := range all[1:] {
		if m, ok := scalar(o.size); !ok || !constant || m != n {
			return nil
		}
	}
	if constant {
		return solve.BV(n, 64)
	}
	if first.f == nil || first.f.name != p.f.name || !p.f.dominates(first.line, line) {
		return nil
	}
	if t := p.f.argument(first.size); t != nil && t.Sort() == 64 {
		return t
	}
	return nil
}

// restricted are the parameters of a kernel that its source declares __restrict__.
func (h *HostCode) restricted(f *ptx.Func) (parts []Part) {
	stub := h.stubs[f.Name]
	places, ok := place(stub, f)
	for i, p := range places {
		if ok && stub[i].restrict {
			parts = append(parts, p)
		}
	}
	return parts
}

// distinct reports two pointer parameters that point to different arrays: those
// of two allocations, one that is __restrict__ and any other (what is written is
// not accessed beside it: C11, 6.7.3.1), or any two where the user says so.
func (l Launch) distinct(a, b Part) bool {
	if a == b {
		return false
	}
	x, y := l.arrays[a], l.arrays[b]
	return l.AssumeDistinct || slices.Contains(l.restricted, a) || slices.Contains(l.restricted, b) || x > 0 && y > 0 && x != y
}

// differentArrays reports two accesses through parameters that point to different
// arrays.
func (c *raceCheck) differentArrays(a, b *Access) bool {
	parameter := func(x *Access) (Part, bool) {
		if x.Root == nil || x.Root.Op != ssa.Param {
			return Part{}, false
		}
		p := Part{c.paramIndex(x.Root.Name), int(x.Root.Const)}
		return p, p.Param >= 0
	}
	p, ok1 := parameter(a)
	q, ok2 := parameter(b)
	return ok1 && ok2 && c.shape.launch.distinct(p, q)
}
