package ptx

import (
	"strings"

	"github.com/warpgrind/warpgrind/internal/ptx/isa"
)

// opcode is an opcode's text split and checked once.
type opcode struct {
	op    string
	mods  []string
	desc  *isa.Desc
	forms []*isa.Form
	types []isa.OperandType
	vec   int // elements of its vector, 0 for none
}

// guarded parses @p or @!p and its instruction.
func (p instrParser) guarded() *Instr {
	pos := p.tok.pos
	p.next()
	g := &Guard{Not: p.accept('!')}
	gpos := p.tok.pos
	g.Reg = p.ident("a predicate register")
	switch v, ok := p.scope.lookup(g.Reg); {
	case p.err != nil || isa.IsSpecial(g.Reg):
	case !ok || !isReg(v):
		p.errorf(gpos, "predicate %s is not declared", clip(g.Reg))
	case v.Type != isa.Pred:
		p.errorf(gpos, "%s is a register of type .%s, no predicate", clip(g.Reg), v.Type)
	}
	if p.tok.kind != tIdent {
		p.unexpected("an instruction")
	}
	return p.instr(pos, g)
}

// instr parses an instruction from its opcode, the token at hand.
func (p instrParser) instr(pos Pos, g *Guard) *Instr {
	in := p.instrs.new()
	in.Pos, in.Guard = pos, g
	opPos := p.tok.pos
	oc := p.opcode(opPos)
	if oc == nil {
		return in
	}
	in.Op, in.Mods, in.Desc = oc.op, oc.mods, oc.desc
	uses := len(p.uses)
	if oc.op == "call" {
		in.Args = p.callArgs()
	} else if p.tok.kind != ';' {
		in.Args = p.args()
	}
	p.addressesAsValues(in)
	p.checkArgs(opPos, in, oc.forms, p.uses[uses:])
	p.checkTypes(opPos, in, oc)
	p.expect(';')
	return in
}

// checkArgs checks the operands against the forms. The likeliest mistake in
// an instruction with a name that nothing declares so far is that name.
func (p instrParser) checkArgs(pos Pos, in *Instr, forms []*isa.Form, uses []symbolUse) {
	if p.err != nil {
		return
	}
	msg := checkOperands(forms, in.Args)
	switch {
	case msg == "":
	case len(uses) > 0:
		p.errorf(uses[0].pos, "%s is not declared", clip(uses[0].name))
	default:
		p.errorf(pos, "%s: %s", in.Opcode(), msg)
	}
}

// checkTypes checks the types of the operands.
func (p instrParser) checkTypes(pos Pos, in *Instr, oc *opcode) {
	if p.err != nil || oc.types == nil {
		return
	}
	for i, a := range in.Args {
		t := oc.types[min(i, len(oc.types)-1)]
		if !t.Checked {
			continue
		}
		if msg := oc.misfit(a, t); msg != "" {
			p.errorf(pos, "%s: operand %d: %s", in.Opcode(), i+1, msg)
			return
		}
	}
}

// opcode reads the modifiers that follow the identifier at hand and looks the
// instruction up. It returns nil after an error.
func (p instrParser) opcode(pos Pos) *opcode {
	start, end := p.tok.off, p.tok.end
	for end < len(p.lex.src) && p.lex.src[end] == '.' {
		n := p.lex.scanDotWord(end + 1)
		if n == end+1 {
			break
		}
		end = n
	}
	p.lex.off = end
	text := p.lex.src[start:end]
	if strings.HasSuffix(text, ".const") && strings.HasPrefix(p.lex.src[end:], "[") {
		text = p.bankedOpcode(text)
	}
	p.next()
	if p.tok.kind == tDot { // layout within the opcode
		text = p.spacedOpcode(text)
	}
	if oc := p.opcodes[text]; oc != nil {
		return oc
	}
	if p.err != nil {
		return nil
	}
	words := strings.Split(text, ".")
	oc := &opcode{op: words[0], mods: words[1:]}
	if len(oc.mods) == 0 {
		oc.mods = nil
	}
	var err error
	oc.desc, oc.forms, err = isa.Check(text)
	if err != nil {
		p.fail(&Unknown{&Error{p.mod.Name, pos, err.Error()}, text})
		return nil
	}
	oc.types, oc.vec = isa.Operands(oc.desc, oc.mods), vectorOf(oc)
	p.opcodes[text] = oc
	return oc
}

// bankedOpcode reads on after ld.const: [bank] and modifiers (PTX ISA,
// "Banked Constant State Space (deprecated)"). All banks are one space here.
func (p instrParser) bankedOpcode(text string) string {
	p.next()
	p.expect('[')
	p.integer("constant bank", 0, 10)
	if p.tok.kind != ']' {
		p.unexpected(`"]"`)
	}
	return text
}

// spacedOpcode reads modifiers with layout before them, as in
// "cp.async.bulk .L2::cache_hint".
func (p instrParser) spacedOpcode(text string) string {
	var b strings.Builder
	b.WriteString(text)
	for p.tok.kind == tDot && !isDotLabel(p.text()) {
		b.WriteString(p.text())
		p.next()
	}
	return b.String()
}

// isDotLabel reports whether word is an operand that is a label of compilers, such as .L2;
// .L2::evict_last is a modifier.
func isDotLabel(word string) bool {
	return strings.HasPrefix(word, ".L") && !strings.Contains(word, "::")
}

// args parses operand, operand, ...
func (p instrParser) args() []Operand {
	mark := len(p.scratch)
	for p.err == nil {
		p.scratch = append(p.scratch, p.operand())
		if !p.accept(',') {
			break
		}
	}
	list := p.operands.copy(p.scratch[mark:])
	p.scratch = p.scratch[:mark]
	return list
}

// callArgs parses {(ret),} callee {, (args)} {, targets or prototype}.
func (p instrParser) callArgs() []Operand {
	mark := len(p.scratch)
	for p.err == nil {
		if p.tok.kind == '(' {
			p.scratch = append(p.scratch, p.list())
		} else {
			p.scratch = append(p.scratch, p.operand())
		}
		if !p.accept(',') {
			break
		}
	}
	list := p.operands.copy(p.scratch[mark:])
	p.scratch = p.scratch[:mark]
	return list
}

// list parses (a, b).
func (p instrParser) list() *List {
	l := &List{}
	p.expect('(')
	if p.tok.kind != ')' {
		l.Elems = p.args()
	}
	p.expect(')')
	return l
}

// operand parses an operand (PTX ISA, "Instruction Operands").
func (p instrParser) operand() Operand {
	switch p.tok.kind {
	case tIdent:
		if p.text() != "WARP_SZ" {
			return p.pair(p.name())
		}
	case '[':
		return p.address()
	case '{':
		return p.pair(p.vector())
	case '!', '-':
		if op := p.signedReg(); op != nil {
			return op
		}
	case tDot:
		if c := p.lex.src[p.tok.off+1]; class[c]&cDigit == 0 {
			s := p.symbols.new()
			pos := p.tok.pos
			s.Name = p.labelName()
			s.Offset = p.decl().offset()
			p.decl().use(s.Name, pos)
			return s
		}
	}
	return p.decl().constExpr().operand(p.parser)
}

// signedReg parses !p or -a for a register; nil if the sign begins a constant.
func (p instrParser) signedReg() Operand {
	c := p.peekByte()
	if class[c]&cStart == 0 || strings.HasPrefix(p.lex.src[p.lex.off:], "WARP_SZ") {
		return nil
	}
	not := p.tok.kind == '!'
	p.next()
	pos := p.tok.pos
	r, ok := p.name().(*RegRef)
	if !ok {
		p.errorf(pos, "a sign needs a register or a constant")
		return r
	}
	r.Not, r.Neg = not, !not
	return p.pair(r)
}

// pair parses |b after an operand.
func (p instrParser) pair(a Operand) Operand {
	if p.tok.kind != '|' {
		return a
	}
	p.next()
	if p.tok.kind != tIdent {
		p.unexpected("a predicate register")
		return a
	}
	return &Pair{a, p.name()}
}

// name parses a register, a symbol with offset or index, or the sink _.
func (p instrParser) name() Operand {
	pos, name := p.tok.pos, p.text()
	p.next()
	if name == "_" {
		return &Sink{}
	}
	v, declared := p.scope.lookup(name)
	switch {
	case isReg(v):
		return p.register(name, v)
	case !declared && name[0] == '%' && isa.IsSpecial(name):
		return p.special(name)
	case p.tok.kind == '[':
		return p.indexed(pos, name, v)
	}
	s := p.symbols.new()
	s.Name = named(name, v)
	s.Offset = p.decl().offset()
	if !declared {
		p.uses = append(p.uses, symbolUse{name, pos})
	}
	return s
}

func (p instrParser) register(name string, v *Variable) Operand {
	r := p.regs.new()
	r.Name, r.of = name, v
	if p.tok.kind == tDot {
		r.Elem = p.text()[1:]
		if !isElem(r.Elem) {
			p.errorf(p.tok.pos, "%s is not a component of a register", clip(p.text()))
		}
		p.next()
	}
	return r
}

// isElem reports whether s is a vector component, or a byte or half selector.
func isElem(s string) bool {
	if len(s) == 1 {
		return strings.Contains("xyzwrgba", s)
	}
	return len(s) > 1 && len(s) < 6 && (s[0] == 'b' || s[0] == 'h') && strings.Trim(s[1:], "0123456789") == ""
}

// special parses the component of a special register, which stays in the name.
func (p instrParser) special(name string) Operand {
	r := p.regs.new()
	r.Name = name
	if p.tok.kind == tDot {
		if sr := isa.Special(name + p.text()); sr == nil {
			p.errorf(p.tok.pos, "%s has no component %s", name, clip(p.text()))
		}
		if p.tok.off == p.specialEnd(name) {
			r.Name = p.lex.src[p.tok.off-len(name) : p.tok.end]
		} else {
			r.Name += p.text()
		}
		p.next()
	}
	return r
}

// specialEnd is where the name ends if the token at hand follows it directly,
// so that one slice of the source holds both.
func (p instrParser) specialEnd(name string) int {
	if i := p.tok.off - len(name); i >= 0 && p.lex.src[i:p.tok.off] == name {
		return p.tok.off
	}
	return -1
}

// indexed parses name[n], the address of an array's element (PTX ISA,
// "Arrays as Operands").
func (p instrParser) indexed(pos Pos, name string, v *Variable) Operand {
	if v == nil || v == funcDecl {
		p.errorf(pos, "%s is not a declared array", clip(name))
	}
	p.expect('[')
	if p.tok.kind == tIdent && p.text() != "WARP_SZ" {
		p.errorf(p.tok.pos, "an array index must be constant; compute the address before")
	}
	n := p.decl().constExpr()
	p.expect(']')
	if p.err != nil {
		return &Sink{}
	}
	if n.isFloat() {
		p.errorf(pos, "an array index must be an integer")
	}
	size := int64(v.Type.Size() * v.Vec)
	for _, d := range v.Dims[min(1, len(v.Dims)):] {
		size *= d
	}
	a := p.addresses.new()
	a.Base, a.Offset = p.symbol(named(name, v)), int64(n.bits)*size
	p.arrayAddrs = append(p.arrayAddrs, a)
	return a
}

func (p instrParser) symbol(name string) *SymbolRef {
	s := p.symbols.new()
	s.Name = name
	return s
}

// addressesAsValues turns a[n] in an instruction that takes an address as a
// value, such as mov, into the symbol with its offset.
func (p instrParser) addressesAsValues(in *Instr) {
	if len(p.arrayAddrs) == 0 {
		return
	}
	if in.Op == "mov" || in.Op == "cvta" {
		for i, a := range in.Args {
			if a, ok := a.(*Address); ok && a == p.arrayAddrs[0] {
				s := a.Base.(*SymbolRef)
				s.Offset += a.Offset
				in.Args[i] = s
			}
		}
	}
	p.arrayAddrs = p.arrayAddrs[:0]
}

// vector parses {a, b, c}.
func (p instrParser) vector() Operand {
	v := p.vectors.new()
	if !p.enter() {
		return v
	}
	defer p.leave()
	p.expect('{')
	if p.tok.kind != '}' {
		v.Elems = p.args()
	}
	p.expect('}')
	return v
}

// address parses [base], [base+offset], [imm], [base, more, ...].
func (p instrParser) address() Operand {
	a := p.addresses.new()
	if !p.enter() {
		return a
	}
	defer p.leave()
	p.expect('[')
	p.addressBase(a)
	if p.accept(',') {
		a.More = p.args()
	}
	p.expect(']')
	if p.tok.kind == tDot {
		a.Unified = p.acceptWord("unified")
	}
	return a
}

func (p instrParser) addressBase(a *Address) {
	if p.tok.kind != tIdent || p.text() == "WARP_SZ" {
		pos := p.tok.pos
		v := p.decl().constExpr()
		if v.isFloat() {
			p.errorf(pos, "an address must be an integer")
		}
		a.Offset = int64(v.bits)
		return
	}
	pos := p.tok.pos
	switch b := p.name().(type) {
	case *RegRef:
		a.Base, a.Offset = b, p.decl().offset()
	case *SymbolRef:
		a.Offset, b.Offset = b.Offset, 0
		a.Base = b
	case *Address: // [a[1]]
		a.Base, a.Offset = b.Base, b.Offset+p.decl().offset()
	default:
		p.errorf(pos, "_ is not an address")
	}
}

// loc parses .loc file line column {, function_name label {+ n}, inlined_at
// file line column} (PTX ISA, "Debugging Directives: .loc").
func (p instrParser) loc() *Loc {
	l := p.locs.new()
	l.Pos = p.tok.pos
	p.next()
	at := p.locAt()
	l.File, l.Line, l.Col = at.File, at.Line, at.Col
	for p.tok.kind == ',' {
		p.next()
		switch word := p.ident("function_name or inlined_at"); {
		case p.err != nil:
		case word == "function_name":
			l.FuncName = p.labelName()
			l.FuncOffset = p.decl().offset()
		case word == "inlined_at":
			at := p.locAt()
			l.At = &at
		default:
			p.errorf(l.Pos, "unknown attribute %s of .loc", clip(word))
		}
	}
	return l
}

func (p instrParser) locAt() LocAt {
	const maxLine = 1<<31 - 1
	return LocAt{
		int(p.integer("file index", 0, maxLine)),
		int(p.integer("line", 0, maxLine)),
		int(p.integer("column", 0, maxLine)),
	}
}
