package passes

import (
	"github.com/warpgrind/warpgrind/internal/clang/irtext"
	"strings"
)

// flow is what a function of unoptimized IR does with its local variables: where each is
// written and read, on which paths.
type flow struct {
	vars []*flowVar
	// body is the first line behind the allocas.
	body   int
	blocks []flowBlock
	// blockOf has the number of each line's block, number that of each label's.
	blockOf []int
	number  map[string]int
	// selector decides which of a switch's ways a path takes.
	selector *selector
}

// flowVar is a local variable.
type flowVar struct {
	name, text string
	typ        *irtext.Type
	align      int64
	// starts are the lines at which its life begins, -1 for the function's beginning.
	starts []int
	// uses are the lines that do something with it, in order.
	uses []flowUse
}

// flowUse is what one line does with a variable.
type flowUse struct {
	line int
	kind useKind
	// off and size are the bytes of a write.
	off, size int64
}

type useKind uint8

const (
	useRead useKind = iota // or anything that may read
	useWrite
	useStart
	useEnd
)

// flowBlock is a basic block: its lines, and where it goes.
type flowBlock struct {
	first, end int
	succs      []int
}

// pointee is the part of a variable that a value points to; off is -1 where that is
// not constant.
type pointee struct {
	v   *flowVar
	off int64
}

// readFlow reads the lines of a function, the first of which is its definition.
func readFlow(lines []*irtext.Line, types *irtext.Types) *flow {
	f := &flow{number: map[string]int{}, selector: &selector{}}
	points := map[string]pointee{}
	for i, l := range lines {
		if !l.IsInstruction() {
			continue
		}
		if name, op, rest := l.Op(); op == "alloca" {
			if f.alloca(name, rest, types, points) {
				f.body = i + 1
			}
			continue
		}
		f.instruction(i, l, types, points)
	}
	f.findBlocks(lines)
	f.findSelector(lines)
	for _, v := range f.vars {
		if len(v.starts) == 0 {
			v.starts = []int{-1}
		}
	}
	return f
}

// alloca notes a variable of a constant size. It reports whether it is one of those at
// the function's start: others, of a number of elements, are made where they are used.
func (f *flow) alloca(name, def string, types *irtext.Types, points map[string]pointee) bool {
	text, rest := irtext.CutType(def)
	align, rest := irtext.CutAlign(rest)
	if strings.HasPrefix(rest, ", i") || strings.Contains(rest, "addrspace") {
		return !strings.HasPrefix(rest, ", i")
	}
	t := types.Of(text)
	if t == nil || t.Size == 0 || strings.HasPrefix(name, `%"`+boundName) {
		return true
	}
	v := &flowVar{name: name, text: text, typ: t, align: int64(align)}
	f.vars = append(f.vars, v)
	points[name] = pointee{v, 0}
	return true
}

// instruction notes what line i does with variables.
func (f *flow) instruction(i int, l *irtext.Line, types *irtext.Types, points map[string]pointee) {
	if a, ok := l.Access(); ok {
		if p, ok := points[a.Ptr]; ok {
			use := flowUse{line: i}
			if t := types.Of(a.Type); a.Store && t != nil && p.off >= 0 {
				use = flowUse{i, useWrite, p.off, t.Size}
			}
			p.v.uses = append(p.v.uses, use)
		}
		if p, ok := points[a.Value]; a.Store && ok {
			p.v.uses = append(p.v.uses, flowUse{line: i})
		}
		return
	}
	if name, op, rest := l.Op(); op == "getelementptr" && derive(name, rest, types, points) {
		return
	}
	f.names(i, l, points)
}

// derive notes an address in a variable. It reports false where the address is none.
func derive(name, def string, types *irtext.Types, points map[string]pointee) bool {
	typ, rest := cutGEPType(def)
	ptr, rest, ok := irtext.CutPointer(strings.TrimPrefix(rest, ", "))
	p, known := points[ptr]
	if !ok || !known {
		return false
	}
	if i := strings.Index(rest, ", !"); i >= 0 {
		rest = rest[:i]
	}
	off, constant := types.ConstantOffset(typ, rest)
	if !constant || p.off < 0 || p.off+off < 0 {
		off = -1
	} else {
		off += p.off
	}
	points[name] = pointee{p.v, off}
	return true
}

// cutGEPType splits the type off that a getelementptr is about.
func cutGEPType(def string) (typ, rest string) {
	for _, w := range gepFlags {
		def = strings.TrimPrefix(def, w)
	}
	return irtext.CutType(def)
}

// gepFlags are the words between getelementptr and its type.
var gepFlags = []string{"inbounds ", "nusw ", "nuw "}

// names notes the variables that an instruction of another kind names.
func (f *flow) names(i int, line *irtext.Line, points map[string]pointee) {
	l := line.Text
	callee, args, _ := line.Call()
	for at := strings.IndexByte(l, '%'); at >= 0; {
		n := irtext.NameEnd(l[at:])
		if p, ok := points[l[at:at+n]]; ok {
			p.v.note(i, callee, args, l[:at], p.off)
		}
		next := strings.IndexByte(l[at+n:], '%')
		if next < 0 {
			return
		}
		at += n + next
	}
}

// note adds what a call, or another instruction, does with a variable; before is the
// line's text up to its name.
func (v *flowVar) note(line int, callee, args, before string, off int64) {
	use := flowUse{line: line}
	switch {
	case strings.HasPrefix(callee, "llvm.lifetime.start"):
		v.starts = append(v.starts, line)
		use.kind = useStart
	case strings.HasPrefix(callee, "llvm.lifetime.end"):
		use.kind = useEnd
	case strings.HasPrefix(callee, "llvm.mem") && !strings.Contains(before, ", "):
		_, rest := irtext.CutArgument(args)
		if i := strings.Index(rest, "i64 "); i >= 0 && off >= 0 {
			if n := irtext.LeadingInt(rest[i+4:]); n > 0 {
				use = flowUse{line, useWrite, off, int64(n)}
			}
		}
	case off == 0 && returned(before):
		use = flowUse{line, useWrite, 0, v.typ.Size}
	}
	v.uses = append(v.uses, use)
}

// returned reports whether the argument that before leads up to is the place of a
// function's result.
func returned(before string) bool {
	i := strings.LastIndex(before, " sret(")
	return i >= 0 && !strings.Contains(before[i:], ", ")
}

// findBlocks finds the basic blocks and their successors.
func (f *flow) findBlocks(lines []*irtext.Line) {
	f.blockOf = make([]int, len(lines))
	for i, l := range lines[1:] {
		i++
		if label, ok := blockLabel(l); ok || i == 1 {
			f.number[label] = len(f.blocks)
			f.blocks = append(f.blocks, flowBlock{first: i})
		}
		f.blocks[len(f.blocks)-1].end = i + 1
		f.blockOf[i] = len(f.blocks) - 1
	}
	for i := range f.blocks {
		b := &f.blocks[i]
		for _, l := range lines[b.first:b.end] {
			if !terminates(l) {
				continue
			}
			for rest := l.Text; ; {
				j := strings.Index(rest, "label %")
				if j < 0 {
					break
				}
				rest = rest[j+len("label "):]
				name := rest[:irtext.NameEnd(rest)]
				if n, ok := f.number[strings.Trim(name[1:], `"`)]; ok {
					b.succs = append(b.succs, n)
				}
			}
		}
	}
}

// blockLabel returns the label that a line begins a block with.
func blockLabel(line *irtext.Line) (string, bool) {
	l := line.Text
	if l == "" || l[0] == ' ' || l[0] == ';' {
		return "", false
	}
	label, _, ok := strings.Cut(l, ":")
	return strings.Trim(label, `"`), ok
}

// terminates reports whether a line belongs to the end of a block, where labels stand.
func terminates(l *irtext.Line) bool {
	return l.HasPrefix("  br ") || l.HasPrefix("  switch ") || l.HasPrefix("    i") ||
		l.HasPrefix("  indirectbr ")
}

// readFirst reports whether some path from line leads to a read of v before v is
// written as a whole. A path goes where the selector says.
func (f *flow) readFirst(v *flowVar, line int) bool {
	if line < 0 {
		line = f.body - 1
	}
	byBlock := map[int][]flowUse{}
	for _, u := range v.uses {
		b := f.blockOf[u.line]
		byBlock[b] = append(byBlock[b], u)
	}
	type state struct {
		block int
		chosen
	}
	seen := map[state]bool{}
	type item struct {
		block, line int
		chosen
	}
	for work := []item{{block: f.blockOf[line], line: line + 1}}; len(work) > 0; {
		it := work[len(work)-1]
		work = work[:len(work)-1]
		read, over := scanUses(v, byBlock[it.block], it.line)
		if read {
			return true
		}
		if over {
			continue
		}
		c := f.selector.behind(it.chosen, it.block, it.line)
		for _, s := range f.next(c, it.block) {
			if at := (state{s, c}); !seen[at] {
				seen[at] = true
				work = append(work, item{s, f.blocks[s].first, c})
			}
		}
	}
	return false
}

// scanUses follows a block's uses from a line: read is set if a read comes first, over
// that the variable is written or its life ends.
func scanUses(v *flowVar, uses []flowUse, line int) (read, over bool) {
	var written []flowUse
	for _, u := range uses {
		if u.line < line {
			continue
		}
		switch u.kind {
		case useRead:
			return true, true
		case useEnd, useStart:
			return false, true
		case useWrite:
			if written = append(written, u); covers(written, v.typ) {
				return false, true
			}
		}
	}
	return false, false
}

// covers reports whether writes set all scalars of a type.
func covers(writes []flowUse, t *irtext.Type) bool {
	for _, w := range writes {
		if w.off == 0 && w.size >= t.Size {
			return true
		}
	}
	if len(writes) < 2 || len(writes) > 64 {
		return false
	}
	leaves := t.Leaves(64)
	for _, l := range leaves {
		set := false
		for _, w := range writes {
			set = set || w.off <= l.Off && l.Off+l.Type.Size <= w.off+w.size
		}
		if !set {
			return false
		}
	}
	return len(leaves) > 0
}
