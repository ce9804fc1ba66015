package passes

import (
	"fmt"
	"github.com/warpgrind/warpgrind/internal/clang/irtext"
	"github.com/warpgrind/warpgrind/internal/pragma"
	"regexp"
	"strconv"
	"strings"
)

// Parts of dynamic shared memory
//
// A block has one dynamic shared array, which kernels divide themselves:
//
//	float *a = shared, *b = a + n;
//
// In optimized code nothing is left of a and b. So the pointer that a variable is
// given passes through an instruction that only copies it, behind a directive that
// names the variable, the numbers that it points to, and its line:
//
//	.pragma "warpgrind.part NAME KINDS LINE";
//	mov.b64 %rd2, %rd1;
//
// Marked are pointers, and members of structures that are pointers, to which a function
// assigns once, an address that is computed from the dynamic array. A pointer that
// walks has no part of its own, and one that is copied from another is the same
// part.

// dynamicArray matches a dynamic shared array of a module.
var dynamicArray = regexp.MustCompile(`^(@[^ ]+) = external .*addrspace\(3\) global \[0 x `)

// subarrays marks the parts of dynamic shared arrays in unoptimized IR with all its
// debug information.
func subarrays(m *irtext.Module, _ *State) {
	var arrays []string
	for _, l := range m.Lines {
		if l.HasPrefix("@") {
			if f := dynamicArray.FindStringSubmatch(l.Text); f != nil {
				arrays = append(arrays, f[1])
			}
		}
	}
	if len(arrays) == 0 {
		return
	}
	c := &carver{arrays: arrays, nodes: m.Nodes()}
	m.Functions(&c.out, c.function)
	m.Replace(&c.out)
}

// carver marks the parts of one module.
type carver struct {
	arrays []string
	nodes  irtext.Nodes
	out    irtext.Builder
	// fresh numbers what is inserted.
	fresh int
}

// carved has the facts about a function's local pointers.
type carved struct {
	c *carver
	// slots are the places of pointers: "%a" for a variable, "%t#1" for member 1 of one.
	slots map[string]*pointerSlot
	// at has the slot that a value is the address of, structs the types of the local
	// structures.
	at      map[string]*pointerSlot
	structs map[string]string
	// escaped are the structures whose address goes elsewhere.
	escaped map[string]bool
	// declared has the number of the debug information of each alloca.
	declared map[string]int
	// derived are the values computed from a dynamic array, copies those of them that
	// are the pointer of another part.
	derived, copies map[string]bool
}

// pointerSlot is a local variable that is a pointer, or a member of one.
type pointerSlot struct {
	alloca string
	member int // -1 for none
	// stores are the lines that assign to it; escaped that others may.
	stores  []int
	escaped bool
	// shared is set if it holds addresses in dynamic arrays only.
	shared bool
}

// function marks the parts in a function's lines.
func (c *carver) function(lines []*irtext.Line) {
	f := &carved{c: c, slots: map[string]*pointerSlot{}, at: map[string]*pointerSlot{}, structs: map[string]string{}, escaped: map[string]bool{}, declared: map[string]int{}}
	if c.mentions(lines) {
		for i, l := range lines {
			f.declare(i, l)
		}
		f.settle(lines)
	}
	for _, l := range lines {
		if a, ok := l.Access(); ok && a.Store {
			if s := f.at[a.Ptr]; s != nil && len(s.stores) == 1 && f.isDerived(a.Value) && !f.copies[a.Value] {
				for _, mark := range f.mark(s, &a) {
					c.out.WriteString(mark + "\n")
				}
				c.out.Line(l, a.String())
				continue
			}
		}
		c.out.Keep(l)
	}
}

// mentions reports whether a function names a dynamic array.
func (c *carver) mentions(lines []*irtext.Line) bool {
	for _, l := range lines {
		if c.names(l.Text) {
			return true
		}
	}
	return false
}

// names reports whether a text names a dynamic array.
func (c *carver) names(s string) bool {
	for _, a := range c.arrays {
		for rest := s; ; {
			i := strings.Index(rest, a)
			if i < 0 {
				break
			}
			if rest = rest[i+len(a):]; rest == "" || !irtext.IsNameByte(rest[0]) {
				return true
			}
		}
	}
	return false
}

// dbgDeclare finds which debug information a local variable has.
var dbgDeclare = regexp.MustCompile(`(?:#dbg_declare\(|@llvm\.dbg\.declare\(metadata )ptr (%[^,]+), (?:metadata )?!(\d+),`)

// declare notes the slots of line i, and what is assigned to them. A slot whose address
// goes elsewhere is none.
func (f *carved) declare(i int, line *irtext.Line) {
	if m := dbgDeclare.FindStringSubmatch(line.Text); m != nil {
		f.declared[m[1]], _ = strconv.Atoi(m[2])
		return
	}
	if line.Contains("@llvm.lifetime.") {
		return
	}
	if callee, args, _ := line.Call(); strings.HasPrefix(callee, "llvm.memcpy.") { // reads its second operand
		to, _ := irtext.CutItem(args)
		for _, v := range irtext.Values(to) {
			f.escapes(v)
		}
		return
	}
	switch name, op, rest := line.Op(); {
	case op == "alloca":
		f.alloca(name, rest)
		return
	case op == "getelementptr" && f.member(name, rest):
		return
	}
	a, ok := line.Access()
	if ok {
		if s := f.at[a.Ptr]; s != nil && a.Store {
			s.stores = append(s.stores, i)
		}
	}
	for _, v := range line.Values() {
		if ok && v == a.Ptr && v != a.Value {
			continue
		}
		f.escapes(v)
	}
}

func (f *carved) alloca(name, typ string) {
	t, _ := irtext.CutType(typ)
	switch {
	case t == "ptr":
		s := &pointerSlot{alloca: name, member: -1}
		f.slots[name], f.at[name] = s, s
	case strings.HasPrefix(t, "%"):
		f.structs[name] = t
	}
}

// memberAddress finds the address of a structure's member.
var memberAddress = regexp.MustCompile(`^inbounds (?:nuw )?(%[^,]+), ptr (%[^,]+), i32 0, i32 (\d+)(?:,|$)`)

// member notes the address of a local structure's member.
func (f *carved) member(name, def string) bool {
	m := memberAddress.FindStringSubmatch(def)
	if m == nil || f.structs[m[2]] == "" {
		return false
	}
	key := m[2] + "#" + m[3]
	s := f.slots[key]
	if s == nil {
		s = &pointerSlot{alloca: m[2]}
		s.member, _ = strconv.Atoi(m[3])
		f.slots[key] = s
	}
	f.at[name] = s
	return true
}

// escapes notes a use of a value that is neither a load nor a store: what it is the
// address of may be written elsewhere.
func (f *carved) escapes(v string) {
	if s := f.at[v]; s != nil {
		s.escaped = true
	}
	if f.structs[v] != "" {
		f.escaped[v] = true
	}
}

// settle finds which slots hold nothing but addresses in dynamic arrays, beginning with
// all of them.
func (f *carved) settle(lines []*irtext.Line) {
	for _, s := range f.slots {
		s.shared = len(s.stores) > 0 && !s.escaped && !f.escaped[s.alloca]
	}
	for changed := true; changed; {
		changed = false
		f.derived, f.copies = map[string]bool{}, map[string]bool{}
		for _, l := range lines {
			f.derive(l)
		}
		for _, s := range f.slots {
			for _, i := range s.stores {
				if !s.shared {
					break
				}
				if a, _ := lines[i].Access(); a.Type != "ptr" || !f.isDerived(a.Value) {
					s.shared, changed = false, true
				}
			}
		}
	}
}

func (f *carved) isDerived(operand string) bool {
	if strings.HasPrefix(operand, "%") {
		return f.derived[operand]
	}
	return f.c.names(operand) && !strings.Contains(operand, "ptrtoint")
}

// derive follows addresses through the instruction of a line.
func (f *carved) derive(line *irtext.Line) {
	if a, ok := line.Access(); ok {
		if s := f.at[a.Ptr]; !a.Store && a.Type == "ptr" && s != nil && s.shared {
			f.derived[a.Name()], f.copies[a.Name()] = true, len(s.stores) == 1
		}
		return
	}
	name, op, rest := line.Op()
	switch op {
	case "getelementptr":
		if i := strings.Index(rest, ", ptr "); i >= 0 {
			base, _ := irtext.CutOperand(rest[i+len(", ptr "):])
			f.derived[name] = f.isDerived(base)
		}
	case "ptrtoint", "inttoptr", "bitcast":
		_, rest = irtext.CutType(rest)
		from, _ := irtext.CutOperand(strings.TrimPrefix(rest, " "))
		f.derived[name] = f.isDerived(from)
	case "add", "and", "sub": // rounded up to a multiple
		if i := strings.Index(rest, "i64 "); i >= 0 {
			from, _ := irtext.CutOperand(rest[i+len("i64 "):])
			f.derived[name] = f.isDerived(from)
		}
	}
}

// mark returns the lines that let a pointer pass through an instruction of its own, and
// makes the store take what comes out.
func (f *carved) mark(s *pointerSlot, a *irtext.Access) []string {
	name, kinds, line := f.describe(s)
	if name == "" || kinds == "" {
		return nil
	}
	f.c.fresh++
	v, dbg := fmt.Sprintf("%%wgp.%d", f.c.fresh), irtext.DebugOf(a.Tail)
	lines := []string{
		fmt.Sprintf("  %s.s = addrspacecast ptr %s to ptr addrspace(3)%s", v, a.Value, dbg),
		fmt.Sprintf("  %s.p = call ptr addrspace(3) asm \"%s\\0A\\09mov.b64 $0, $1;\", \"=l,l\"(ptr addrspace(3) %s.s)%s",
			v, pragma.Asm(pragma.Part{Name: name, Kinds: kinds, Line: line}), v, dbg),
		fmt.Sprintf("  %s = addrspacecast ptr addrspace(3) %s.p to ptr%s", v, v, dbg),
	}
	a.Value = v
	return lines
}
