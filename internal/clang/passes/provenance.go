package passes

import (
	"strings"

	"github.com/warpgrind/warpgrind/internal/clang/irtext"
)

// provenance has the objects that a function's pointers lead to, from its unoptimized
// IR alone.
type provenance struct {
	d *definer
	// objects are the pointers into an object whose size is known, and how many bytes
	// are left of it behind each; -1 for a place in it that is not constant.
	objects map[string]int64
	// outside are the pointers that lead to no local variable and no constant.
	outside map[string]bool
	// slots are the local variables that are pointers.
	slots map[string]*slot
}

// slot is a local variable that is a pointer.
type slot struct {
	values []string
	// escaped is set if it may be assigned to elsewhere.
	escaped bool
}

// traceProvenance follows the pointers of a function.
func traceProvenance(lines []*irtext.Line, d *definer) *provenance {
	p := &provenance{d: d, objects: map[string]int64{}, outside: map[string]bool{}, slots: map[string]*slot{}}
	if len(lines) == 0 {
		return p
	}
	p.parameters(lines[0])
	for _, l := range lines {
		p.findSlot(l)
	}
	for changed := true; changed; { // what a slot holds may come from another
		n := len(p.outside) + len(p.objects)
		for _, l := range lines {
			p.derive(l)
		}
		changed = len(p.outside)+len(p.objects) > n
	}
	return p
}

// parameters notes those of the definition that are references, whose object is whole.
func (p *provenance) parameters(define *irtext.Line) {
	_, args, _ := define.Call()
	for args != "" {
		var param string
		param, args = irtext.CutItem(args)
		at := strings.LastIndexByte(param, '%')
		if at < 0 {
			continue
		}
		for _, w := range []string{" dereferenceable(", " dereferenceable_or_null("} {
			if i := strings.Index(param, w); i >= 0 {
				p.objects[param[at:]] = int64(irtext.LeadingInt(param[i+len(w):]))
			}
		}
		if i := strings.Index(param, " byval("); i >= 0 {
			typ, _ := irtext.CutType(param[i+len(" byval("):])
			if t := p.d.types.Of(typ); t != nil {
				p.objects[param[at:]] = t.Size
			}
		}
	}
}

// findSlot notes variables, and what is assigned to those that are pointers.
func (p *provenance) findSlot(l *irtext.Line) {
	if !l.IsInstruction() || l.Contains("@llvm.lifetime.") {
		return
	}
	name, def, ok := l.Definition()
	if typ, isAlloca := strings.CutPrefix(def, "alloca "); ok && isAlloca {
		if typ, _ = irtext.CutType(typ); typ == "ptr" {
			p.slots[name] = &slot{}
		}
		if t := p.d.types.Of(typ); t != nil {
			p.objects[name] = t.Size
		}
		return
	}
	a, ok := l.Access()
	for _, v := range l.Values() {
		s := p.slots[v]
		switch {
		case s == nil:
		case ok && v == a.Ptr && v != a.Value:
			if a.Store {
				s.values = append(s.values, a.Value)
			}
		default:
			s.escaped = true
		}
	}
}

// derive notes the pointer that a line computes.
func (p *provenance) derive(l *irtext.Line) {
	if !l.HasPrefix("  %") {
		return
	}
	if a, ok := l.Access(); ok {
		if s := p.slots[a.Ptr]; s != nil && !a.Store && a.Type == "ptr" {
			p.load(a.Name(), s)
		}
		return
	}
	name, op, rest := l.Op()
	switch op {
	case "addrspacecast":
		typ, rest := irtext.CutType(rest)
		from, _ := irtext.CutOperand(strings.TrimPrefix(rest, " "))
		if s := irtext.AddrSpace(typ); s != irtext.SpaceGeneric && s != irtext.SpaceLocal {
			p.outside[name] = true
		} else {
			p.copy(name, from)
		}
	case "getelementptr":
		p.element(name, rest)
	}
}

// load notes what a slot's value is, if it is the same whenever it is read.
func (p *provenance) load(name string, s *slot) {
	if s.escaped || len(s.values) == 0 {
		return
	}
	for _, v := range s.values {
		if !p.leadsOut(v) {
			if len(s.values) == 1 {
				p.copy(name, v)
			}
			return
		}
	}
	p.outside[name] = true
}

func (p *provenance) copy(name, from string) {
	if p.outside[from] {
		p.outside[name] = true
	} else if n, ok := p.objects[from]; ok {
		p.objects[name] = n
	}
}

// element notes the address that a getelementptr computes.
func (p *provenance) element(name, rest string) {
	typ, rest := irtext.CutType(withoutFlags(" " + rest)[1:])
	base, rest, _ := irtext.CutPointer(strings.TrimPrefix(rest, ", "))
	if p.leadsOut(base) {
		p.outside[name] = true
		return
	}
	left, ok := p.objects[base]
	if !ok {
		return
	}
	if i := strings.Index(rest, ", !"); i >= 0 {
		rest = rest[:i]
	}
	off, constant := p.d.types.ConstantOffset(typ, rest)
	if !constant || left < 0 || off < 0 || off > left {
		off = left + 1
	}
	p.objects[name] = left - off
}

// leadsOut reports whether an operand leads to no local variable and no constant.
func (p *provenance) leadsOut(operand string) bool {
	if strings.HasPrefix(operand, "%") {
		return p.outside[operand]
	}
	return strings.Contains(operand, "@") && !p.namesConstant(operand)
}

func (p *provenance) namesConstant(operand string) bool {
	for rest := operand; ; {
		i := strings.IndexByte(rest, '@')
		if i < 0 {
			return false
		}
		n := irtext.NameEnd(rest[i:])
		if _, ok := p.d.constants[rest[i:i+n]]; ok {
			return true
		}
		rest = rest[i+n:]
	}
}

// within reports whether size bytes at a pointer surely lie in one object, or in memory
// of which LLVM concludes nothing.
func (p *provenance) within(ptr string, size int64) bool {
	if p.leadsOut(ptr) {
		return true
	}
	if n, ok := p.d.constants[strings.TrimSuffix(strings.TrimPrefix(ptr, "addrspacecast (ptr addrspace(4) "), " to ptr)")]; ok {
		return size <= n
	}
	left, ok := p.objects[ptr]
	return ok && size <= left
}
