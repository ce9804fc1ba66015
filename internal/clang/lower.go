package clang

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// lowerer rewrites optimised IR for llc: marked accesses become volatile or
// inline assembly, and debug locations become numbers (see locate.go).
type lowerer struct {
	out bytes.Buffer
	// relaxed says that the target has ld.relaxed and its kin (sm_70).
	relaxed bool
	local   map[string]bool
	// constant are generic pointers into constant memory.
	constant map[string]bool
	// casts maps the results of bitcasts in the function to source type and
	// operand.
	casts map[string][2]string
	// unsetValues are the values of variables without an initializer.
	unsetValues map[string]bool
	// hidden are the values that LLVM could not see through.
	hidden map[string]bool
	// bounds are the variables of the module that stand for arrays whose indexes may be
	// too big.
	bounds map[string]bool
	// types are the definitions of the module's types.
	types map[string]string
	fresh int
}

// lowerIR rewrites opt's output for llc, and returns with it the locations
// that the numbers in its debug information stand for.
func lowerIR(ir []byte, sm int) ([]byte, *locations) {
	l := &lowerer{relaxed: sm >= 70, types: map[string]string{}, bounds: boundsLeft(ir)}
	l.out.Grow(len(ir) + len(ir)/4)
	locs := parseLocations(ir)
	for len(ir) > 0 {
		var line []byte
		line, ir, _ = bytes.Cut(ir, []byte("\n"))
		l.line(string(line), locs)
	}
	return l.out.Bytes(), locs
}

func (l *lowerer) line(s string, locs *locations) {
	switch {
	case strings.HasPrefix(s, "define "):
		l.constant = map[string]bool{}
		l.local, l.casts, l.unsetValues, l.hidden = map[string]bool{}, map[string][2]string{}, map[string]bool{}, map[string]bool{}
	case strings.HasPrefix(s, "  "):
		s = l.constantWrite(s)
		if a, ok := parseAccess(s); ok && a.atomic {
			l.access(a)
			return
		}
		if l.unset(s) || l.bound(s) || l.dropped(s) {
			return
		}
		l.beginBlock(s)
		if s = l.rejoin(relaxedAtomic(s)); l.byteAtomic(s) {
			return
		}
		l.define(s)
		if p := l.localPragma(s); p != "" {
			s += "\n" + strings.TrimSuffix(p, "\n")
		}
	case strings.HasPrefix(s, "%"):
		l.defineType(s)
	case strings.HasPrefix(s, "!"):
		s = locs.rewrite(s)
	}
	l.out.WriteString(s)
	l.out.WriteByte('\n')
}

// beginBlock puts an empty statement of assembly in front of a copy or a fill, which llc
// turns into a loop without positions: its .loc is the one in force there.
func (l *lowerer) beginBlock(s string) {
	name, _, _ := callee(s)
	if hasAnyPrefix(name, []string{"llvm.memcpy.", "llvm.memmove.", "llvm.memset."}) && debugOf(s) != "" {
		l.out.WriteString("  call void asm sideeffect \"\", \"\"()" + debugOf(s) + "\n")
	}
}

// rejoin undoes what hides values from LLVM before it is optimized (see defined.go): a
// hidden value is the value itself, and so is what is chosen between the two. Addresses
// are taken for such in their objects again: llc draws no conclusion from that, but
// splits constant offsets off.
func (l *lowerer) rejoin(s string) string {
	name, def, ok := definition(s)
	switch {
	case !ok:
	case strings.Contains(def, hiddenMark):
		p, _ := parsePointer(def[strings.LastIndex(def, "\"(")+2:])
		l.hidden[name] = true
		if !strings.HasPrefix(p.typ, "ptr") { // llc concludes from a division, too
			return strings.Replace(s, "; "+hiddenMark, ";", 1)
		}
		return same(name, p.typ, p.op, def)
	case strings.HasPrefix(def, "select i1 "):
		_, rest := cutOperand(def[len("select i1 "):])
		typ, rest := cutType(strings.TrimPrefix(rest, ", "))
		a, rest := cutOperand(strings.TrimPrefix(rest, " "))
		_, rest = cutType(strings.TrimPrefix(rest, ", "))
		b, _ := cutOperand(strings.TrimPrefix(rest, " "))
		if l.hidden[a] {
			return same(name, typ, a, def)
		} else if l.hidden[b] {
			return same(name, typ, b, def)
		}
	case strings.HasPrefix(def, "getelementptr ") && !strings.HasPrefix(def, "getelementptr inbounds "):
		return "  " + name + " = getelementptr inbounds " + withoutFlags(def[len("getelementptr"):])[1:]
	case strings.HasPrefix(def, "call ") && strings.Contains(def, " @llvm.fpto") && strings.Contains(def, "i.sat."):
		return saturated(s, name, def)
	}
	return s
}

// same is an instruction that gives a value another name.
func same(name, typ, value, def string) string {
	if strings.HasPrefix(typ, "ptr") {
		return fmt.Sprintf("  %s = getelementptr i8, %s %s, i64 0%s", name, typ, value, debugOf(def))
	}
	return fmt.Sprintf("  %s = bitcast %s %s to %s%s", name, typ, value, typ, debugOf(def))
}

// saturated makes a saturating conversion to an integer a plain one, which saturates in PTX.
func saturated(s, name, def string) string {
	callee, args, _ := callee(def)
	to, _ := cutType(strings.TrimPrefix(def, "call "))
	from, rest := cutType(args)
	value, _ := cutOperand(strings.TrimPrefix(rest, " "))
	op := "fptosi"
	if strings.HasPrefix(callee, "llvm.fptoui") {
		op = "fptoui"
	}
	return fmt.Sprintf("  %s = %s %s %s to %s%s", name, op, from, value, to, debugOf(def))
}

// unset reports whether a line stores the value that a variable begins with to the
// variable's own place: the bytes there are uninitialized without it.
func (l *lowerer) unset(s string) bool {
	a, ok := parseAccess(s)
	return ok && a.store && l.local[a.ptr] && l.unsetValues[a.value]
}

// dropped reports whether a line is only about variables that were added: what twins
// hold stays as it is, and arrays whose indexes are all good need nothing to stand for them.
func (l *lowerer) dropped(s string) bool {
	if strings.Contains(s, "@llvm.lifetime.") {
		return strings.Contains(s, unsetSuffix) || strings.Contains(s, boundName)
	}
	name, def, ok := definition(s)
	return ok && strings.HasPrefix(name, `%"`+boundName) && strings.HasPrefix(def, "alloca ") && !l.bounds[name]
}

// relaxedAtomic gives the read-modify-write operations of CUDA's atomic
// functions the meaning that they have there: relaxed, at device scope ("CUDA
// C++ Programming Guide", "Atomic Functions"). clang makes them seq_cst, which
// newer versions of llc turn into acquire at system scope.
func relaxedAtomic(s string) string {
	if !strings.Contains(s, " seq_cst") || strings.Contains(s, " syncscope(") {
		return s
	}
	switch {
	case strings.Contains(s, " = cmpxchg "):
		return strings.Replace(s, " seq_cst seq_cst", ` syncscope("device") monotonic monotonic`, 1)
	case strings.Contains(s, " = atomicrmw "):
		return strings.Replace(s, " seq_cst", ` syncscope("device") monotonic`, 1)
	}
	return s
}

// define notes allocas, pointers into them, and bitcasts.
func (l *lowerer) define(s string) {
	name, def, ok := strings.Cut(s[2:], " = ")
	if !ok || name == "" || name[0] != '%' {
		return
	}
	op, rest, _ := strings.Cut(def, " ")
	switch op {
	case "alloca":
		l.local[name] = true
	case "load":
		l.unsetValues[name] = strings.HasPrefix(name, unsetName)
	case "getelementptr":
		if i := strings.Index(rest, ", ptr"); i >= 0 {
			typ, r := cutType(rest[i+2:])
			base, _ := cutOperand(strings.TrimPrefix(r, " "))
			l.local[name] = l.local[base]
			l.constant[name] = l.isConstant(typ, base)
		}
	case "addrspacecast":
		typ, r := cutType(rest)
		val, _ := cutOperand(strings.TrimPrefix(r, " "))
		l.constant[name] = l.isConstant(typ, val)
	case "bitcast":
		typ, r := cutType(rest)
		val, _ := cutOperand(strings.TrimPrefix(r, " "))
		l.casts[name] = [2]string{typ, val}
	}
}

// access lowers one atomic access.
func (l *lowerer) access(a memAccess) {
	if a.store && addrSpace(a.ptrType) == spaceConst {
		l.genericConstant(&a)
	}
	space := addrSpace(a.ptrType)
	local := l.local[a.ptr] || space == spaceLocal || space == spaceParam
	switch {
	case a.scope == scopeKept:
		l.kept(a, local)
	case a.scope == scopeVolatile && local:
		l.kept(a, true)
	case a.scope == scopeVolatile:
		l.assembly(a, ".volatile"+spaceName(space))
	case a.scope == scopeReadOnly:
		l.assembly(a, ".global.nc")
	case local:
		l.print(a)
	default:
		l.sourceAtomic(a, space)
	}
}

// genericConstant lets a store to constant memory, which PTX does not have, go there by a
// generic address: the engine reports it.
func (l *lowerer) genericConstant(a *memAccess) {
	l.fresh++
	v, dbg := fmt.Sprintf("%%wgl.%d", l.fresh), debugOf(a.tail)
	fmt.Fprintf(&l.out, "  %s.g = addrspacecast %s %s to ptr%s\n  %s = call ptr asm \"mov.b64 $0, $1;\", \"=l,l\"(ptr %s.g)%s\n",
		v, a.ptrType, a.ptr, dbg, v, v, dbg)
	a.ptr, a.ptrType = v, "ptr"
}

func (l *lowerer) print(a memAccess) {
	l.out.WriteString(a.String())
	l.out.WriteByte('\n')
}

// kept prints an ordinary access: volatile unless it is local.
func (l *lowerer) kept(a memAccess, local bool) {
	a.atomic, a.scope, a.order, a.volatile = false, "", "", !local
	if a.store {
		l.keptStore(a)
		return
	}
	vec, tagged := taggedVector(a.name())
	if bits := typeBits(a.typ); !tagged || typeBits(vec) != bits {
		if bits != 128 {
			l.print(a)
			return
		}
		vec = "<4 x i32>"
	}
	result, typ := a.result, a.typ
	l.fresh++
	a.typ, a.result = vec, fmt.Sprintf("%%wgl.%d = ", l.fresh)
	l.print(a)
	fmt.Fprintf(&l.out, "  %sbitcast %s %s to %s%s\n", result, vec, a.name(), typ, debugOf(a.tail))
}

// keptStore prints a store, of a vector where the value is a vector's bits.
func (l *lowerer) keptStore(a memAccess) {
	if c, ok := l.casts[a.value]; ok && strings.HasPrefix(c[0], "<") && typeBits(c[0]) >= 64 {
		a.typ, a.value = c[0], c[1]
	} else if typeBits(a.typ) == 128 {
		l.fresh++
		v := fmt.Sprintf("%%wgl.%d", l.fresh)
		fmt.Fprintf(&l.out, "  %s = bitcast %s %s to <4 x i32>%s\n", v, a.typ, a.value, debugOf(a.tail))
		a.typ, a.value = "<4 x i32>", v
	}
	l.print(a)
}

// spaceName returns ".shared" and its like, "" for generic.
func spaceName(space int) string {
	switch space {
	case spaceGlobal:
		return ".global"
	case spaceShared:
		return ".shared"
	case spaceConst:
		return ".const"
	case spaceLocal:
		return ".local"
	}
	return ""
}

// sourceAtomic prints an atomic load or store of the source, with the
// semantics and scope of the PTX memory model. On targets before that model
// it is a volatile access, as llc has it.
func (l *lowerer) sourceAtomic(a memAccess, space int) {
	if !l.relaxed {
		l.assembly(a, ".volatile"+spaceName(space))
		return
	}
	scope := ".sys"
	switch a.scope {
	case "device", "agent":
		scope = ".gpu"
	case "block", "workgroup", "wavefront", "singlethread":
		scope = ".cta"
	}
	sem := ".relaxed"
	switch {
	case a.order == "acquire" || a.order == "seq_cst" && !a.store:
		sem = ".acquire"
	case a.order == "release" || a.order == "seq_cst":
		sem = ".release"
	}
	if a.order == "seq_cst" {
		fmt.Fprintf(&l.out, "  call void asm sideeffect \"fence.sc%s;\", \"~{memory}\"()%s\n", scope, debugOf(a.tail))
	}
	l.assembly(a, sem+scope+spaceName(space))
}

// asmType describes how a value of some width passes through inline assembly:
// register type in IR, constraint, PTX type.
type asmType struct{ reg, constraint, ptx string }

func asmTypeOf(typ string) (t asmType, ok bool) {
	switch typ {
	case "float":
		return asmType{"float", "f", ".f32"}, true
	case "double":
		return asmType{"double", "d", ".f64"}, true
	}
	switch typeBits(typ) {
	case 8:
		return asmType{"i16", "h", ".u8"}, true
	case 16:
		return asmType{"i16", "h", ".u16"}, true
	case 32:
		return asmType{"i32", "r", ".u32"}, true
	case 64:
		return asmType{"i64", "l", ".u64"}, true
	}
	return t, false
}

// assembly prints an access as inline PTX: ld or st with mods.
func (l *lowerer) assembly(a memAccess, mods string) {
	if vec, ok := l.wide(a); ok {
		l.vectorAssembly(a, mods, vec)
		return
	}
	t, ok := asmTypeOf(a.typ)
	if !ok {
		l.print(a)
		return
	}
	dbg := debugOf(a.tail)
	if a.store {
		v := l.convert(a.typ, a.value, t.reg, dbg)
		fmt.Fprintf(&l.out, "  call void asm sideeffect \"st%s%s [$0], $1;\", \"l,%s,~{memory}\"(%s %s, %s %s)%s\n",
			mods, t.ptx, t.constraint, a.ptrType, a.ptr, t.reg, v, dbg)
		return
	}
	name := a.name()
	if t.reg != a.typ {
		l.fresh++
		name = fmt.Sprintf("%%wgl.%d", l.fresh)
	}
	fmt.Fprintf(&l.out, "  %s = call %s asm sideeffect \"ld%s%s $0, [$1];\", \"=%s,l,~{memory}\"(%s %s)%s\n",
		name, t.reg, mods, t.ptx, t.constraint, a.ptrType, a.ptr, dbg)
	if t.reg != a.typ {
		fmt.Fprintf(&l.out, "  %s%s %s %s to %s%s\n", a.result, conversion(t.reg, a.typ), t.reg, name, a.typ, dbg)
	}
}

// wide returns the vector type to access by inline assembly, if any.
func (l *lowerer) wide(a memAccess) (vec string, ok bool) {
	if a.store {
		c, found := l.casts[a.value]
		if found && strings.HasPrefix(c[0], "<") && typeBits(c[0]) >= 64 {
			return c[0], true
		}
	} else if vec, found := taggedVector(a.name()); found && typeBits(vec) == typeBits(a.typ) && typeBits(vec) >= 64 {
		return vec, true
	}
	return "<4 x i32>", typeBits(a.typ) == 128
}

// vectorAssembly prints a vector access as inline PTX. The value passes as
// 32- or 64-bit integers.
func (l *lowerer) vectorAssembly(a memAccess, mods, vec string) {
	_, elem, _ := strings.Cut(strings.Trim(vec, "<>"), " x ")
	t, _ := asmTypeOf("i" + strconv.Itoa(max(32, typeBits(elem))))
	count := typeBits(vec) / typeBits(t.reg)
	ivec := fmt.Sprintf("<%d x %s>", count, t.reg)
	dbg := debugOf(a.tail)
	if a.store {
		l.vectorStore(a, mods, ivec, count, t, dbg)
		return
	}
	l.vectorLoad(a, mods, ivec, count, t, dbg)
}

func (l *lowerer) vectorLoad(a memAccess, mods, ivec string, count int, t asmType, dbg string) {
	l.fresh++
	base := fmt.Sprintf("%%wgl.%d", l.fresh)
	regs := strings.TrimSuffix(strings.Repeat(t.reg+", ", count), ", ")
	fmt.Fprintf(&l.out, "  %s = call { %s } asm sideeffect \"ld%s.v%d%s {%s}, [$%d];\", \"%sl,~{memory}\"(%s %s)%s\n",
		base, regs, mods, count, t.ptx, placeholders(0, count), count,
		strings.Repeat("="+t.constraint+",", count), a.ptrType, a.ptr, dbg)
	prev := "poison"
	for i := range count {
		fmt.Fprintf(&l.out, "  %s.e%d = extractvalue { %s } %s, %d%s\n", base, i, regs, base, i, dbg)
		fmt.Fprintf(&l.out, "  %s.v%d = insertelement %s %s, %s %s.e%d, i32 %d%s\n", base, i, ivec, prev, t.reg, base, i, i, dbg)
		prev = fmt.Sprintf("%s.v%d", base, i)
	}
	fmt.Fprintf(&l.out, "  %sbitcast %s %s to %s%s\n", a.result, ivec, prev, a.typ, dbg)
}

func (l *lowerer) vectorStore(a memAccess, mods, ivec string, count int, t asmType, dbg string) {
	l.fresh++
	base := fmt.Sprintf("%%wgl.%d", l.fresh)
	fmt.Fprintf(&l.out, "  %s = bitcast %s %s to %s%s\n", base, a.typ, a.value, ivec, dbg)
	args := ""
	for i := range count {
		fmt.Fprintf(&l.out, "  %s.e%d = extractelement %s %s, i32 %d%s\n", base, i, ivec, base, i, dbg)
		args += fmt.Sprintf(", %s %s.e%d", t.reg, base, i)
	}
	fmt.Fprintf(&l.out, "  call void asm sideeffect \"st%s.v%d%s [$0], {%s};\", \"l,%s~{memory}\"(%s %s%s)%s\n",
		mods, count, t.ptx, placeholders(1, count), strings.Repeat(t.constraint+",", count), a.ptrType, a.ptr, args, dbg)
}

// placeholders returns "$first, $first+1, ...".
func placeholders(first, count int) string {
	var p []string
	for i := range count {
		p = append(p, "$"+strconv.Itoa(first+i))
	}
	return strings.Join(p, ", ")
}

// convert emits the conversion of a value to a register type and returns the
// operand.
func (l *lowerer) convert(typ, value, reg, dbg string) string {
	if typ == reg {
		return value
	}
	op := "bitcast"
	switch {
	case strings.HasPrefix(typ, "ptr"):
		op = "ptrtoint"
	case typ == "i8":
		op = "zext"
	}
	l.fresh++
	v := fmt.Sprintf("%%wgl.%d", l.fresh)
	fmt.Fprintf(&l.out, "  %s = %s %s %s to %s%s\n", v, op, typ, value, reg, dbg)
	return v
}

// conversion names the instruction from a register type to the value's.
func conversion(reg, typ string) string {
	switch {
	case strings.HasPrefix(typ, "ptr"):
		return "inttoptr"
	case typ == "i8":
		return "trunc"
	}
	return "bitcast"
}
