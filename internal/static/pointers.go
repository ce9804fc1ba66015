package static

import (
	"regexp"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// pointers follows the variables of host code that hold pointers to device
// memory: two that are set by allocations alone point to different arrays.
type pointers struct {
	// declared are the pointer variables of the function at hand, and those of the
	// file that no other file sees.
	declared map[string]bool
	// allocated are those that an allocation sets, others those that something
	// else may set.
	allocated, others map[string]bool
	// loaded has the variable that each value was read from.
	loaded map[string]string
}

// The lines of LLVM's language that set or read pointers.
var (
	pointerVariable = regexp.MustCompile(`^([%@][\w.$]+) = (?:alloca ptr|internal (?:unnamed_addr )?global ptr null)`)
	pointerLoad     = regexp.MustCompile(`^(%[\w.]+) = load ptr, ptr ([%@][\w.$]+)`)
	pointerCleared  = regexp.MustCompile(`^store ptr null, |@llvm\.lifetime\.(?:start|end)`)
	allocation      = regexp.MustCompile(`@(?:_ZL?\d+)?(?:cudaMalloc|cudaHostAlloc|cuMemAlloc)\w*\(ptr [^%@,]*([%@][\w.$]+)[,)]`)
	anyName         = regexp.MustCompile(`[%@][\w.$]+`)
)

func newPointers() *pointers {
	return &pointers{declared: map[string]bool{}, allocated: map[string]bool{}, others: map[string]bool{}, loaded: map[string]string{}}
}

// function begins a function, which has its own names, with these lines.
func (p *pointers) function(lines []string) {
	clear(p.loaded)
	for _, set := range []map[string]bool{p.declared, p.allocated, p.others} {
		for name := range set {
			if name[0] == '%' {
				delete(set, name)
			}
		}
	}
	for _, l := range lines {
		p.line(l)
	}
}

func (p *pointers) line(text string) {
	set := ""
	if m := pointerLoad.FindStringSubmatch(text); m != nil {
		p.loaded[m[1]] = m[2]
		return
	} else if m := pointerVariable.FindStringSubmatch(text); m != nil {
		p.declared[m[1]] = true
		return
	} else if m := allocation.FindStringSubmatch(text); m != nil {
		set = m[1]
		p.allocated[set] = true
	} else if pointerCleared.MatchString(text) {
		return
	}
	for _, name := range anyName.FindAllString(text, -1) {
		if name != set {
			p.others[name] = true
		}
	}
}

// array is the variable that an argument was read from, if only allocations set
// it; else "".
func (p *pointers) array(arg string) string {
	words := strings.Fields(arg)
	if len(words) < 2 || words[0] != "ptr" {
		return ""
	}
	v := p.loaded[words[len(words)-1]]
	if !p.declared[v] || !p.allocated[v] || p.others[v] {
		return ""
	}
	return v
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
