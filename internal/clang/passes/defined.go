package passes

import (
	"fmt"
	"github.com/warpgrind/warpgrind/internal/clang/irtext"
	"strconv"
	"strings"
)

// What is undefined stays
//
// LLVM deletes what it can prove to have no defined behavior, and all that can only be
// reached through it. The source-keeping build must show it instead. So before anything
// is optimized
//
//   - the promises of no overflow (but in indexes), of pointers within their object, of values that are
//     set and of pointers that are not null are taken off (nsw, inbounds, noundef ...);
//   - a shift is frozen: shifted too far, it has some value, and PTX says which;
//   - assumptions are dropped, and where the program declares code unreachable, it traps;
//   - where clang itself knows that a jump out of a scope has one of some targets, there is
//     no further one, which would trap: else lanes would have it in common with no other
//     that they continue at one place, and they would meet at the end of the kernel alone;
//   - what is defined for some operands only gets these as they are, and others through
//     an instruction that LLVM cannot see through:
//
//	%z = icmp eq i32 %n, 0
//	%h = call i32 asm "mov.b32 $0, $1;", "=r,r"(i32 %n)
//	%d = select i1 %z, i32 %h, i32 %n     ; equal in any case
//	%q = sdiv i32 %x, %d
//
// That is done with divisors, and with the address of an access that may lead beyond a
// local variable or a constant table, where the condition is llvm.objectsize. If LLVM
// finds the operand to be a good one, the way around goes; if it finds a bad one, the
// operation stays, and a variable that is accessed beyond its end stays in memory. Where
// it finds out neither, the two ways are joined again after optimization (see
// lowerer.rejoin), so that code without such defects is as fast as before.

// hiddenMark is a comment in the inline assembly that hides a value from LLVM.
const hiddenMark = "// wg.hidden"

// definer takes from one module what LLVM would conclude from undefined behavior.
type definer struct {
	types *irtext.Types
	pure  string
	// bodies are the functions that the module defines, constants the sizes of the variables that are never written.
	bodies    map[string]bool
	constants map[string]int64
	fresh     int
	out       irtext.Builder
	where     *provenance
	// indexes are the results that are computed for an index alone.
	indexes map[string]bool
	// last is the previous instruction.
	last *irtext.Line
}

// define makes all that marked IR does defined.
func define(m *irtext.Module, s *State) {
	d := &definer{types: m.Types(), pure: pureAttributes(s.Major), bodies: map[string]bool{}, constants: map[string]int64{}}
	for _, l := range m.Lines {
		d.declare(l)
	}
	for i, l := range m.Lines {
		switch {
		case l.Defines():
			d.last = &irtext.Line{}
			body := m.Body(i)
			d.where, d.indexes = traceProvenance(body, d), indexArithmetic(body)
			d.out.Line(l, dropPromises(l.Text))
		case l.HasPrefix("  switch i32 %cleanup.dest"):
			d.out.Line(l, leaveScope(l.Text, m.Lines[i+1].Text))
			d.last = l
		case l.IsInstruction():
			d.out.Line(l, d.instruction(l))
			d.last = l
		default:
			d.out.Keep(l)
		}
	}
	d.declarations(m)
	m.Replace(&d.out)
}

// declare notes the functions and constants of the module.
func (d *definer) declare(l *irtext.Line) {
	switch {
	case l.Defines():
		name, _, _ := l.Call()
		d.bodies[name] = true
	case l.HasPrefix("@"):
		s := l.Text
		i := strings.Index(s, " constant ")
		if i < 0 || strings.Contains(s[:i], "\"") && s[1] != '"' {
			return
		}
		typ, _ := irtext.CutType(s[i+len(" constant "):])
		if t := d.types.Of(typ); t != nil {
			d.constants[s[:irtext.NameEnd(s)]] = t.Size
		}
	}
}

// declarations adds those of the intrinsics that are called and not declared yet.
func (d *definer) declarations(m *irtext.Module) {
	for _, decl := range []string{"declare i64 @llvm.objectsize.i64.p0(ptr, i1 immarg, i1 immarg, i1 immarg)", "declare void @llvm.trap()"} {
		if name := decl[strings.IndexByte(decl, '@') : strings.IndexByte(decl, '(')+1]; !m.Contains(name) {
			d.out.WriteString("\n" + decl + "\n")
		}
	}
}

// instruction returns an instruction, which may have become several lines.
func (d *definer) instruction(l *irtext.Line) string {
	if a, ok := l.Access(); ok {
		return d.access(a)
	}
	name, op, rest := l.Op()
	switch op {
	case "":
		return d.statement(l)
	case "getelementptr":
		return dropFlags(l.Text)
	case "add", "sub", "mul", "trunc", "zext":
		if d.indexes[name] {
			return l.Text
		}
		return dropFlags(l.Text)
	case "shl", "lshr", "ashr":
		return d.shift(name, op, rest)
	case "sdiv", "udiv", "srem", "urem":
		return d.divide(name, op, rest)
	}
	return d.call(l)
}

// arithmeticFlags are promises about the results of arithmetic.
var arithmeticFlags = []string{" nuw", " nsw", " exact", " nneg", " inbounds", " nusw"}

// dropFlags takes the promises off an instruction "%x = op nuw nsw ...".
func dropFlags(l string) string {
	i := strings.Index(l, " = ")
	j := strings.IndexByte(l[i+3:], ' ')
	head, rest := l[:i+3+j], l[i+3+j:]
	return strings.ReplaceAll(head+withoutFlags(rest), "getelementptr inbounds (", "getelementptr (")
}

func withoutFlags(rest string) string {
	for cut := true; cut; {
		cut = false
		for _, f := range arithmeticFlags {
			if strings.HasPrefix(rest, f+" ") {
				rest, cut = rest[len(f):], true
			}
		}
	}
	return rest
}

// operands splits "nsw i32 %a, %b, !dbg !1" up.
func operands(rest string) (typ, a, b, dbg string) {
	rest = withoutFlags(" " + rest)[1:]
	typ, rest = irtext.CutType(rest)
	a, rest = irtext.CutOperand(strings.TrimPrefix(rest, " "))
	b, rest = irtext.CutOperand(strings.TrimPrefix(rest, ", "))
	return typ, a, b, irtext.DebugOf(rest)
}

// shift freezes the result of a shift that may go too far.
func (d *definer) shift(name, op, rest string) string {
	typ, a, b, dbg := operands(rest)
	if n, err := strconv.Atoi(b); err == nil && n >= 0 && n < scalarBits(typ) {
		return fmt.Sprintf("  %s = %s %s %s, %s%s", name, op, typ, a, b, dbg)
	}
	v := d.value("shift")
	return fmt.Sprintf("  %s = %s %s %s, %s%s\n  %s = freeze %s %s%s", v, op, typ, a, b, dbg, name, typ, v, dbg)
}

// divide hides a divisor that may be zero, or minus one.
func (d *definer) divide(name, op, rest string) string {
	typ, a, b, dbg := operands(rest)
	plain := func(b string) string { return fmt.Sprintf("  %s = %s %s %s, %s%s", name, op, typ, a, b, dbg) }
	t, ok := asmTypeOf(typ)
	if n, err := strconv.ParseInt(b, 10, 64); err == nil && n != 0 && n != -1 || !ok || t.reg != typ {
		return plain(b)
	}
	z, v := d.value("bad"), d.value("by")
	before := fmt.Sprintf("  %s = icmp eq %s %s, 0%s\n", z, typ, b, dbg)
	if op[0] == 's' { // the smallest number by -1 overflows
		before = fmt.Sprintf("  %s.n = add %s %s, 1%s\n  %s = icmp ult %s %s.n, 2%s\n", z, typ, b, dbg, z, typ, z, dbg)
	}
	return before + d.detour(v, z, typ, b, t, dbg) + plain(v)
}

// detour makes v of a value, which is hidden where bad is true.
func (d *definer) detour(v, bad, typ, value string, t asmType, dbg string) string {
	h := d.value("hidden")
	return d.hide(h, typ, value, t, dbg) + fmt.Sprintf("  %s = select i1 %s, %s %s, %s %s%s\n", v, bad, typ, h, typ, value, dbg)
}

// hide makes v of a value, unseen by LLVM.
func (d *definer) hide(v, typ, value string, t asmType, dbg string) string {
	return fmt.Sprintf("  %s = call %s asm \"mov.b%d $0, $1; %s\", \"=%s,%s\"(%s %s) %s%s\n",
		v, typ, irtext.TypeBits(t.reg), hiddenMark, t.constraint, t.constraint, typ, value, d.pure, dbg)
}

func (d *definer) value(tag string) string {
	d.fresh++
	return "%wg." + tag + "." + strconv.Itoa(d.fresh)
}

// scalarBits is the width of an integer type or of a vector's elements.
func scalarBits(typ string) int {
	if _, elem, ok := strings.Cut(strings.Trim(typ, "<>"), " x "); ok {
		typ = elem
	}
	n, _ := strconv.Atoi(strings.TrimPrefix(typ, "i"))
	return n
}

// leaveScope returns the jump to where code continues behind a scope, by the number that
// clang has stored in a variable of its own, with the first case as the default:
//
//	switch i32 %cleanup.dest, label %unreachable [
//	  i32 0, label %cleanup.cont
func leaveScope(text, first string) string {
	head, tail, ok := strings.Cut(text, ", label %unreachable")
	end := strings.IndexByte(tail, ' ')
	_, label, isCase := strings.Cut(first, ", label ")
	if !ok || end < 0 || !isCase {
		return text
	}
	label = strings.TrimRight(label, "\n")
	if i := strings.IndexByte(label, ','); i >= 0 {
		label = label[:i]
	}
	return head + ", label " + label + tail[end:]
}

// statement rewrites an instruction without a result.
func (d *definer) statement(l *irtext.Line) string {
	switch {
	case l.HasPrefix("  unreachable"):
		if name, _, _ := d.last.Call(); !d.last.Contains("call ") || d.bodies[name] {
			return "  call void @llvm.trap()" + l.Debug() + "\n" + l.Text
		}
	case l.Contains("call void @llvm.assume("):
		return ""
	}
	return d.call(l)
}

// call rewrites calls, and leaves what is none.
func (d *definer) call(line *irtext.Line) string {
	l := line.Text
	i := strings.Index(l, "call ")
	if i < 0 {
		return strings.ReplaceAll(l, "getelementptr inbounds (", "getelementptr (")
	}
	name, _, _ := line.Call()
	switch {
	case hasAnyPrefix(name, []string{"llvm.ctlz.", "llvm.cttz.", "llvm.abs."}):
		return strings.Replace(l, ", i1 true)", ", i1 false)", 1)
	case strings.HasPrefix(name, "llvm.memcpy."), strings.HasPrefix(name, "llvm.memmove."), strings.HasPrefix(name, "llvm.memset."):
		return d.block(line)
	case strings.HasPrefix(name, "llvm."):
		return l
	}
	return l[:i] + dropPromises(l[i:])
}

// dropPromises takes the promises about parameters and results off a line.
func dropPromises(l string) string {
	for _, w := range []string{" noundef", " nonnull"} {
		l = strings.ReplaceAll(l, w+" ", " ")
	}
	for _, w := range []string{" dereferenceable(", " dereferenceable_or_null("} {
		for i := strings.Index(l, w); i >= 0; i = strings.Index(l, w) {
			l = l[:i] + l[i+strings.IndexByte(l[i:], ')')+1:]
		}
	}
	return l
}

// access rewrites a load or store: without promises about its value, and at an address
// that is hidden where it leads out of its object.
func (d *definer) access(a irtext.Access) string {
	for _, kind := range []string{"!range", "!noundef", "!nonnull", "!align", "!dereferenceable", "!dereferenceable_or_null"} {
		if strings.Contains(a.Tail, ", "+kind+" ") {
			a.Tail = irtext.DropMetadata(a.Tail, kind)
		}
	}
	t := d.types.Of(a.Type)
	if t == nil || a.PtrType != "ptr" || d.where.within(a.Ptr, t.Size) {
		return strings.ReplaceAll(a.String(), "getelementptr inbounds (", "getelementptr (")
	}
	before, at := d.checked(a.Ptr, t.Size, irtext.DebugOf(a.Tail))
	a.Ptr = at
	return before + a.String()
}

// checked returns the lines that make an address of ptr, which is hidden where size
// bytes from there do not lie in the object that LLVM finds it to be in.
func (d *definer) checked(ptr string, size int64, dbg string) (before, at string) {
	left, bad, at := d.value("left"), d.value("bad"), d.value("at")
	ptr = strings.ReplaceAll(ptr, "getelementptr inbounds (", "getelementptr (")
	return fmt.Sprintf("  %s = call i64 @llvm.objectsize.i64.p0(ptr %s, i1 false, i1 true, i1 false)%s\n  %s = icmp ult i64 %s, %d%s\n",
		left, ptr, dbg, bad, left, size, dbg) + d.detour(at, bad, "ptr", ptr, asmType{"i64", "l", ".u64"}, dbg), at
}

// block checks the addresses of a memset, memcpy or memmove of a known size. The size is
// hidden as well where it is too big for a variable: LLVM takes what accesses more than
// the variable has for an access to something else.
func (d *definer) block(line *irtext.Line) string {
	l := line.Text
	_, args, _ := line.Call()
	at := strings.LastIndex(args, "i64 ")
	size := int64(irtext.LeadingInt(args[at+len("i64 "):]))
	if at < 0 || size == 0 {
		return l
	}
	before, dbg, beyond := "", line.Debug(), false
	for rest := args; ; {
		var p irtext.Pointer
		p, rest = irtext.CutArgument(rest)
		if p.Type != "ptr" {
			break
		}
		if p.Op[0] == '%' && !d.where.within(p.Op, size) {
			lines, to := d.checked(p.Op, size, dbg)
			before += lines
			l = strings.Replace(l, " "+p.Op+",", " "+to+",", 1)
			left, known := d.where.objects[p.Op]
			beyond = beyond || known && left >= 0
		}
	}
	if beyond {
		n := d.value("size")
		before += d.hide(n, "i64", strconv.FormatInt(size, 10), asmType{"i64", "l", ".u64"}, dbg)
		l = strings.Replace(l, fmt.Sprintf("i64 %d,", size), "i64 "+n+",", 1)
	}
	return before + l
}
