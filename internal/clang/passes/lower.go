package passes

import (
	"fmt"
	"github.com/warpgrind/warpgrind/internal/clang/irtext"
	"strconv"
	"strings"
)

// lowerer rewrites optimized IR for llc: marked accesses become volatile or
// inline assembly, and debug locations become numbers (see irtext, locations.go).
type lowerer struct {
	out irtext.Builder
	// relaxed is set if the target has ld.relaxed and its kin (sm_70).
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
	types *irtext.Types
	fresh int
}

// lower rewrites opt's output for llc, and notes the locations that the numbers in its
// debug information stand for.
func lower(m *irtext.Module, s *State) {
	l := &lowerer{relaxed: s.SM >= 70, types: m.Types(), bounds: boundsLeft(m)}
	s.Locations = m.Locations()
	for _, line := range m.Lines {
		l.line(line, s.Locations)
	}
	m.Replace(&l.out)
}

func (l *lowerer) line(line *irtext.Line, locs *irtext.Locations) {
	switch {
	case line.Defines():
		l.constant = map[string]bool{}
		l.local, l.casts, l.unsetValues, l.hidden = map[string]bool{}, map[string][2]string{}, map[string]bool{}, map[string]bool{}
	case line.IsInstruction():
		l.instruction(l.constantWrite(line))
		return
	case line.HasPrefix("!"):
		if id, n, ok := line.Node(); ok && n.Kind == "!DILocation" {
			if text, ok := locs.Numbered(id); ok {
				l.out.Line(line, text)
				return
			}
		}
	}
	l.out.Keep(line)
}

func (l *lowerer) instruction(line *irtext.Line) {
	if a, ok := line.Access(); ok && a.Atomic {
		l.access(a)
		return
	}
	if l.unset(line) || l.bound(line) || l.dropped(line) {
		return
	}
	l.beginBlock(line)
	line = l.rejoin(relaxedAtomic(line))
	if l.byteAtomic(line) {
		return
	}
	l.define(line)
	l.out.Keep(line)
	l.out.WriteString(l.localPragma(line))
}

// beginBlock puts an empty statement of assembly in front of a copy or a fill, which llc
// turns into a loop without positions: its .loc is the one in force there.
func (l *lowerer) beginBlock(line *irtext.Line) {
	name, _, _ := line.Call()
	if hasAnyPrefix(name, []string{"llvm.memcpy.", "llvm.memmove.", "llvm.memset."}) && line.Debug() != "" {
		l.out.WriteString("  call void asm sideeffect \"\", \"\"()" + line.Debug() + "\n")
	}
}

// rejoin undoes what hides values from LLVM before it is optimized (see defined.go): a
// hidden value is the value itself, and so is what is chosen between the two. Addresses
// are taken for such in their objects again: llc draws no conclusion from that, but
// splits constant offsets off.
func (l *lowerer) rejoin(line *irtext.Line) *irtext.Line {
	name, def, ok := line.Definition()
	switch {
	case !ok:
	case strings.Contains(def, hiddenMark):
		p, _ := irtext.CutArgument(def[strings.LastIndex(def, "\"(")+2:])
		l.hidden[name] = true
		if !strings.HasPrefix(p.Type, "ptr") { // llc concludes from a division, too
			return &irtext.Line{Text: strings.Replace(line.Text, "; "+hiddenMark, ";", 1)}
		}
		return same(name, p.Type, p.Op, def)
	case strings.HasPrefix(def, "select i1 "):
		_, rest := irtext.CutOperand(def[len("select i1 "):])
		typ, rest := irtext.CutType(strings.TrimPrefix(rest, ", "))
		a, rest := irtext.CutOperand(strings.TrimPrefix(rest, " "))
		_, rest = irtext.CutType(strings.TrimPrefix(rest, ", "))
		b, _ := irtext.CutOperand(strings.TrimPrefix(rest, " "))
		if l.hidden[a] {
			return same(name, typ, a, def)
		} else if l.hidden[b] {
			return same(name, typ, b, def)
		}
	case strings.HasPrefix(def, "getelementptr ") && !strings.HasPrefix(def, "getelementptr inbounds "):
		return &irtext.Line{Text: "  " + name + " = getelementptr inbounds " + withoutFlags(def[len("getelementptr"):])[1:]}
	case strings.HasPrefix(def, "call ") && strings.Contains(def, " @llvm.fpto") && strings.Contains(def, "i.sat."):
		return saturated(line)
	}
	return line
}

// same is an instruction that gives a value another name.
func same(name, typ, value, def string) *irtext.Line {
	if strings.HasPrefix(typ, "ptr") {
		return &irtext.Line{Text: fmt.Sprintf("  %s = getelementptr i8, %s %s, i64 0%s", name, typ, value, irtext.DebugOf(def))}
	}
	return &irtext.Line{Text: fmt.Sprintf("  %s = bitcast %s %s to %s%s", name, typ, value, typ, irtext.DebugOf(def))}
}

// saturated makes a saturating conversion to an integer a plain one, which saturates in PTX.
func saturated(line *irtext.Line) *irtext.Line {
	name, def, _ := line.Definition()
	callee, args, _ := line.Call()
	to, _ := irtext.CutType(strings.TrimPrefix(def, "call "))
	from, rest := irtext.CutType(args)
	value, _ := irtext.CutOperand(strings.TrimPrefix(rest, " "))
	op := "fptosi"
	if strings.HasPrefix(callee, "llvm.fptoui") {
		op = "fptoui"
	}
	return &irtext.Line{Text: fmt.Sprintf("  %s = %s %s %s to %s%s", name, op, from, value, to, irtext.DebugOf(def))}
}

// unset reports whether a line stores the value that a variable begins with to the
// variable's own place: the bytes there are uninitialized without it.
func (l *lowerer) unset(line *irtext.Line) bool {
	a, ok := line.Access()
	return ok && a.Store && l.local[a.Ptr] && l.unsetValues[a.Value]
}

// dropped reports whether a line is only about variables that were added: what twins
// hold stays as it is, and arrays whose indexes are all good need nothing to stand for them.
func (l *lowerer) dropped(line *irtext.Line) bool {
	if line.Contains("@llvm.lifetime.") {
		return line.Contains(unsetSuffix) || line.Contains(boundName)
	}
	name, def, ok := line.Definition()
	return ok && strings.HasPrefix(name, `%"`+boundName) && strings.HasPrefix(def, "alloca ") && !l.bounds[name]
}

// relaxedAtomic gives the read-modify-write operations of CUDA's atomic
// functions the meaning that they have there: relaxed, at device scope ("CUDA
// C++ Programming Guide", "Atomic Functions"). clang makes them seq_cst, which
// newer versions of llc turn into acquire at system scope.
func relaxedAtomic(l *irtext.Line) *irtext.Line {
	if !l.Contains(" seq_cst") || l.Contains(" syncscope(") {
		return l
	}
	switch {
	case l.Contains(" = cmpxchg "):
		return &irtext.Line{Text: strings.Replace(l.Text, " seq_cst seq_cst", ` syncscope("device") monotonic monotonic`, 1)}
	case l.Contains(" = atomicrmw "):
		return &irtext.Line{Text: strings.Replace(l.Text, " seq_cst", ` syncscope("device") monotonic`, 1)}
	}
	return l
}

// define notes allocas, pointers into them, and bitcasts.
func (l *lowerer) define(line *irtext.Line) {
	switch name, op, rest := line.Op(); op {
	case "alloca":
		l.local[name] = true
	case "load":
		l.unsetValues[name] = strings.HasPrefix(name, unsetName)
	case "getelementptr":
		if i := strings.Index(rest, ", ptr"); i >= 0 {
			typ, r := irtext.CutType(rest[i+2:])
			base, _ := irtext.CutOperand(strings.TrimPrefix(r, " "))
			l.local[name] = l.local[base]
			l.constant[name] = l.isConstant(typ, base)
		}
	case "addrspacecast":
		typ, r := irtext.CutType(rest)
		val, _ := irtext.CutOperand(strings.TrimPrefix(r, " "))
		l.constant[name] = l.isConstant(typ, val)
	case "bitcast":
		typ, r := irtext.CutType(rest)
		val, _ := irtext.CutOperand(strings.TrimPrefix(r, " "))
		l.casts[name] = [2]string{typ, val}
	}
}

// access lowers one atomic access.
func (l *lowerer) access(a irtext.Access) {
	if a.Store && irtext.AddrSpace(a.PtrType) == irtext.SpaceConst {
		l.genericConstant(&a)
	}
	space := irtext.AddrSpace(a.PtrType)
	local := l.local[a.Ptr] || space == irtext.SpaceLocal || space == irtext.SpaceParam
	switch {
	case a.Scope == scopeKept:
		l.kept(a, local)
	case a.Scope == scopeVolatile && local:
		l.kept(a, true)
	case a.Scope == scopeVolatile:
		l.assembly(a, ".volatile"+spaceName(space))
	case a.Scope == scopeReadOnly:
		l.assembly(a, ".global.nc")
	case local:
		l.print(a)
	default:
		l.sourceAtomic(a, space)
	}
}

// genericConstant lets a store to constant memory, which PTX does not have, go there by a
// generic address: the engine reports it.
func (l *lowerer) genericConstant(a *irtext.Access) {
	l.fresh++
	v, dbg := fmt.Sprintf("%%wgl.%d", l.fresh), irtext.DebugOf(a.Tail)
	l.out.Printf("  %s.g = addrspacecast %s %s to ptr%s\n  %s = call ptr asm \"mov.b64 $0, $1;\", \"=l,l\"(ptr %s.g)%s\n",
		v, a.PtrType, a.Ptr, dbg, v, v, dbg)
	a.Ptr, a.PtrType = v, "ptr"
}

func (l *lowerer) print(a irtext.Access) {
	l.out.WriteString(a.String() + "\n")
}

// kept prints an ordinary access: volatile unless it is local.
func (l *lowerer) kept(a irtext.Access, local bool) {
	a.Atomic, a.Scope, a.Order, a.Volatile = false, "", "", !local
	if a.Store {
		l.keptStore(a)
		return
	}
	vec, tagged := taggedVector(a.Name())
	if bits := irtext.TypeBits(a.Type); !tagged || irtext.TypeBits(vec) != bits {
		if bits != 128 {
			l.print(a)
			return
		}
		vec = "<4 x i32>"
	}
	result, typ := a.Result, a.Type
	l.fresh++
	a.Type, a.Result = vec, fmt.Sprintf("%%wgl.%d = ", l.fresh)
	l.print(a)
	l.out.Printf("  %sbitcast %s %s to %s%s\n", result, vec, a.Name(), typ, irtext.DebugOf(a.Tail))
}

// keptStore prints a store, of a vector where the value is a vector's bits.
func (l *lowerer) keptStore(a irtext.Access) {
	if c, ok := l.casts[a.Value]; ok && strings.HasPrefix(c[0], "<") && irtext.TypeBits(c[0]) >= 64 {
		a.Type, a.Value = c[0], c[1]
	} else if irtext.TypeBits(a.Type) == 128 {
		l.fresh++
		v := fmt.Sprintf("%%wgl.%d", l.fresh)
		l.out.Printf("  %s = bitcast %s %s to <4 x i32>%s\n", v, a.Type, a.Value, irtext.DebugOf(a.Tail))
		a.Type, a.Value = "<4 x i32>", v
	}
	l.print(a)
}

// spaceName returns ".shared" and its like, "" for generic.
func spaceName(space int) string {
	switch space {
	case irtext.SpaceGlobal:
		return ".global"
	case irtext.SpaceShared:
		return ".shared"
	case irtext.SpaceConst:
		return ".const"
	case irtext.SpaceLocal:
		return ".local"
	}
	return ""
}

// sourceAtomic prints an atomic load or store of the source, with the
// semantics and scope of the PTX memory model. On targets before that model
// it is a volatile access, as llc has it.
func (l *lowerer) sourceAtomic(a irtext.Access, space int) {
	if !l.relaxed {
		l.assembly(a, ".volatile"+spaceName(space))
		return
	}
	scope := ".sys"
	switch a.Scope {
	case "device", "agent":
		scope = ".gpu"
	case "block", "workgroup", "wavefront", "singlethread":
		scope = ".cta"
	}
	sem := ".relaxed"
	switch {
	case a.Order == "acquire" || a.Order == "seq_cst" && !a.Store:
		sem = ".acquire"
	case a.Order == "release" || a.Order == "seq_cst":
		sem = ".release"
	}
	if a.Order == "seq_cst" {
		l.out.Printf("  call void asm sideeffect \"fence.sc%s;\", \"~{memory}\"()%s\n", scope, irtext.DebugOf(a.Tail))
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
	switch irtext.TypeBits(typ) {
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
func (l *lowerer) assembly(a irtext.Access, mods string) {
	if vec, ok := l.wide(a); ok {
		l.vectorAssembly(a, mods, vec)
		return
	}
	t, ok := asmTypeOf(a.Type)
	if !ok {
		l.print(a)
		return
	}
	dbg := irtext.DebugOf(a.Tail)
	if a.Store {
		v := l.convert(a.Type, a.Value, t.reg, dbg)
		l.out.Printf("  call void asm sideeffect \"st%s%s [$0], $1;\", \"l,%s,~{memory}\"(%s %s, %s %s)%s\n",
			mods, t.ptx, t.constraint, a.PtrType, a.Ptr, t.reg, v, dbg)
		return
	}
	name := a.Name()
	if t.reg != a.Type {
		l.fresh++
		name = fmt.Sprintf("%%wgl.%d", l.fresh)
	}
	l.out.Printf("  %s = call %s asm sideeffect \"ld%s%s $0, [$1];\", \"=%s,l,~{memory}\"(%s %s)%s\n",
		name, t.reg, mods, t.ptx, t.constraint, a.PtrType, a.Ptr, dbg)
	if t.reg != a.Type {
		l.out.Printf("  %s%s %s %s to %s%s\n", a.Result, conversion(t.reg, a.Type), t.reg, name, a.Type, dbg)
	}
}

// wide returns the vector type to access by inline assembly, if any.
func (l *lowerer) wide(a irtext.Access) (vec string, ok bool) {
	if a.Store {
		c, found := l.casts[a.Value]
		if found && strings.HasPrefix(c[0], "<") && irtext.TypeBits(c[0]) >= 64 {
			return c[0], true
		}
	} else if vec, found := taggedVector(a.Name()); found && irtext.TypeBits(vec) == irtext.TypeBits(a.Type) && irtext.TypeBits(vec) >= 64 {
		return vec, true
	}
	return "<4 x i32>", irtext.TypeBits(a.Type) == 128
}

// vectorAssembly prints a vector access as inline PTX. The value passes as
// 32- or 64-bit integers.
func (l *lowerer) vectorAssembly(a irtext.Access, mods, vec string) {
	_, elem, _ := strings.Cut(strings.Trim(vec, "<>"), " x ")
	t, _ := asmTypeOf("i" + strconv.Itoa(max(32, irtext.TypeBits(elem))))
	count := irtext.TypeBits(vec) / irtext.TypeBits(t.reg)
	ivec := fmt.Sprintf("<%d x %s>", count, t.reg)
	dbg := irtext.DebugOf(a.Tail)
	if a.Store {
		l.vectorStore(a, mods, ivec, count, t, dbg)
		return
	}
	l.vectorLoad(a, mods, ivec, count, t, dbg)
}

func (l *lowerer) vectorLoad(a irtext.Access, mods, ivec string, count int, t asmType, dbg string) {
	l.fresh++
	base := fmt.Sprintf("%%wgl.%d", l.fresh)
	regs := strings.TrimSuffix(strings.Repeat(t.reg+", ", count), ", ")
	l.out.Printf("  %s = call { %s } asm sideeffect \"ld%s.v%d%s {%s}, [$%d];\", \"%sl,~{memory}\"(%s %s)%s\n",
		base, regs, mods, count, t.ptx, placeholders(0, count), count,
		strings.Repeat("="+t.constraint+",", count), a.PtrType, a.Ptr, dbg)
	prev := "poison"
	for i := range count {
		l.out.Printf("  %s.e%d = extractvalue { %s } %s, %d%s\n", base, i, regs, base, i, dbg)
		l.out.Printf("  %s.v%d = insertelement %s %s, %s %s.e%d, i32 %d%s\n", base, i, ivec, prev, t.reg, base, i, i, dbg)
		prev = fmt.Sprintf("%s.v%d", base, i)
	}
	l.out.Printf("  %sbitcast %s %s to %s%s\n", a.Result, ivec, prev, a.Type, dbg)
}

func (l *lowerer) vectorStore(a irtext.Access, mods, ivec string, count int, t asmType, dbg string) {
	l.fresh++
	base := fmt.Sprintf("%%wgl.%d", l.fresh)
	l.out.Printf("  %s = bitcast %s %s to %s%s\n", base, a.Type, a.Value, ivec, dbg)
	args := ""
	for i := range count {
		l.out.Printf("  %s.e%d = extractelement %s %s, i32 %d%s\n", base, i, ivec, base, i, dbg)
		args += fmt.Sprintf(", %s %s.e%d", t.reg, base, i)
	}
	l.out.Printf("  call void asm sideeffect \"st%s.v%d%s [$0], {%s};\", \"l,%s~{memory}\"(%s %s%s)%s\n",
		mods, count, t.ptx, placeholders(1, count), strings.Repeat(t.constraint+",", count), a.PtrType, a.Ptr, args, dbg)
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
	l.out.Printf("  %s = %s %s %s to %s%s\n", v, op, typ, value, reg, dbg)
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
