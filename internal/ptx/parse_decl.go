package ptx

import (
	"strconv"

	"github.com/warpgrind/warpgrind/internal/ptx/isa"
)

var linkages = map[string]Linkage{"extern": Extern, "visible": Visible, "weak": Weak, "common": Common}

var spaces = map[string]Space{
	"reg": Reg, "sreg": SReg, "const": Const, "global": Global, "local": Local,
	"param": Param, "shared": Shared, "tex": Tex,
}

// declaration parses a function or variable at module scope.
func (p declParser) declaration() {
	pos := p.tok.pos
	linkage := Internal
	for p.tok.kind == tDot {
		l, ok := linkages[p.text()[1:]]
		if !ok {
			break
		}
		linkage = l
		p.next()
	}
	switch {
	case p.tok.kind != tDot:
		p.unexpected("a function or variable")
	case p.text() == ".func" || p.text() == ".entry":
		p.function(pos, linkage)
	case p.text() == ".reg":
		p.addItem(p.regDecl())
	case spaces[p.text()[1:]] != NoSpace:
		for _, v := range p.variables(pos, linkage) {
			p.addItem(v)
			if old := p.mod.vars[v.Name]; old == nil || old.Linkage == Extern {
				p.mod.vars[v.Name] = v
			}
		}
	default:
		p.errorf(p.tok.pos, "unknown directive %s", clip(p.text()))
	}
}

// regDecl parses .reg .type name, name<N>; and declares the registers.
func (p declParser) regDecl() *RegDecl {
	d := &RegDecl{Pos: p.tok.pos, Vec: 1}
	p.next()
	for p.tok.kind == tDot {
		if n := vecWidth(p.text()); n > 0 {
			d.Vec = n
		} else if t := p.typeWord(); t != isa.TypeNone {
			d.Type = t
		} else if p.text() == ".align" {
			p.next()
			p.integer("alignment", 1, 1<<20)
			continue
		} else {
			p.errorf(p.tok.pos, "%s is not a register type", clip(p.text()))
		}
		p.next()
	}
	if d.Type == isa.TypeNone {
		p.unexpected("a register type")
	}
	of := &Variable{Space: Reg, Type: d.Type, Vec: d.Vec}
	for p.err == nil {
		r := RegName{Name: p.ident("a register name")}
		r.Count = p.count()
		p.scope.declareReg(r.Name, r.Count, of)
		d.Regs = append(d.Regs, r)
		if !p.accept(',') {
			break
		}
	}
	p.expect(';')
	return d
}

// count parses <N>, 0 if there is none.
func (p declParser) count() int {
	if !p.accept('<') {
		return 0
	}
	if p.tok.kind != tNumber {
		p.unexpected("a count")
	}
	pos := p.tok.pos
	v := p.literal()
	p.expect('>')
	if p.err == nil && (v.isFloat() || v.bits == 0 || v.bits > maxCount) {
		p.errorf(pos, "count out of range, at most %d", maxCount)
	}
	return int(v.bits)
}

func vecWidth(word string) int {
	switch word {
	case ".v2":
		return 2
	case ".v4":
		return 4
	case ".v8":
		return 8
	}
	return 0
}

// variables parses a declaration of one or several variables up to its
// semicolon and declares them in the scope at hand.
func (p declParser) variables(pos Pos, linkage Linkage) []*Variable {
	proto := Variable{Pos: pos, Linkage: linkage}
	p.varPrefix(&proto)
	var vs []*Variable
	for p.err == nil {
		v := proto
		p.declarator(&v)
		if p.accept('=') {
			v.Init = p.init()
			fitFlexible(&v)
		}
		p.scope.declareVar(&v)
		vs = append(vs, &v)
		if !p.accept(',') {
			break
		}
	}
	p.expect(';')
	return vs
}

// fitFlexible gives [] = {a, b, c} its extent.
func fitFlexible(v *Variable) {
	if len(v.Dims) == 0 || v.Dims[0] != 0 || v.Init == nil || !v.Init.Braces || isOpaque(v.Type) {
		return
	}
	n, row := int64(len(v.Init.List)), int64(1)
	if n > 0 && !v.Init.List[0].Braces {
		for _, d := range v.Dims[1:] {
			row *= max(1, d)
		}
	}
	v.Dims[0] = (n + row - 1) / row
}

// isOpaque reports whether t is one of the texture, sampler and surface types.
func isOpaque(t isa.Type) bool { return t >= isa.TexRef && t <= isa.SurfRef }

// varPrefix parses what precedes the name: space, alignment, type, attributes.
func (p declParser) varPrefix(v *Variable) {
	v.Vec = 1
	v.Space = spaces[p.text()[1:]]
	p.next()
	if v.Space == Const && p.accept('[') {
		n := p.integer("constant bank", 0, 10)
		p.expect(']')
		v.Attrs = append(v.Attrs, "bank", strconv.FormatInt(n, 10))
	}
	for p.tok.kind == tDot {
		p.varWord(v)
	}
	switch {
	case v.Type == isa.TypeNone:
		p.unexpected("a type")
	case v.Type == isa.Pred && v.Space != Reg:
		p.errorf(v.Pos, "a predicate cannot be in memory")
	}
}

func (p declParser) varWord(v *Variable) {
	switch word := p.text(); {
	case word == ".align":
		p.next()
		v.Align = p.alignment()
	case word == ".ptr":
		p.next()
		p.ptrAttribute(v)
	case word == ".attribute":
		p.next()
		v.Attrs = append(v.Attrs, p.attributes()...)
	case vecWidth(word) > 0:
		v.Vec = vecWidth(word)
		p.next()
	case p.typeWord() != isa.TypeNone:
		v.Type = p.typeWord()
		p.next()
	default:
		p.errorf(p.tok.pos, "%s is not a type or attribute of a variable", clip(word))
	}
}

func (p declParser) alignment() int {
	pos := p.tok.pos
	n := p.integer("alignment", 1, 1<<20)
	if n&(n-1) != 0 {
		p.errorf(pos, "alignment must be a power of two")
	}
	return int(n)
}

// ptrAttribute parses what follows .ptr (PTX ISA, "Kernel Parameter
// Attribute: .ptr").
func (p declParser) ptrAttribute(v *Variable) {
	v.Attrs = append(v.Attrs, "ptr")
	for p.tok.kind == tDot {
		word := p.text()[1:]
		switch {
		case word == "align":
			p.next()
			v.Attrs = append(v.Attrs, "align", strconv.Itoa(p.alignment()))
		case spaces[word] != NoSpace:
			v.Attrs = append(v.Attrs, word)
			p.next()
		default:
			return
		}
	}
}

// attributes parses (.managed) or (.unified(a, b)) after .attribute.
func (p declParser) attributes() []string {
	var list []string
	p.expect('(')
	for p.err == nil {
		if p.tok.kind != tDot {
			p.unexpected("an attribute")
		}
		word := p.text()[min(1, len(p.text())):]
		p.next()
		if p.accept('(') {
			a := p.constExpr()
			p.expect(',')
			b := p.constExpr()
			p.expect(')')
			word += "(" + strconv.FormatUint(a.bits, 10) + "," + strconv.FormatUint(b.bits, 10) + ")"
		}
		list = append(list, word)
		if !p.accept(',') {
			break
		}
	}
	p.expect(')')
	return list
}

// declarator parses name, <Count> and [dims].
func (p declParser) declarator(v *Variable) {
	pos := p.tok.pos
	v.Name = p.ident("a variable name")
	v.Count = p.count()
	size := int64(max(1, v.Type.Size()) * v.Vec * max(1, v.Count))
	for p.accept('[') {
		if p.accept(']') {
			v.Dims = append(v.Dims, 0)
			continue
		}
		n := p.integer("array extent", 0, maxBytes)
		if n > 0 && size > maxBytes/n {
			p.errorf(pos, "variable %s is too big", clip(v.Name))
			return
		}
		size *= max(n, 1)
		v.Dims = append(v.Dims, n)
		p.expect(']')
	}
	if v.Space == Param {
		p.boundParam(v, pos, size)
	}
}

// boundParam keeps parameters within what can be passed: each lane holds them in
// registers.
func (p declParser) boundParam(v *Variable, pos Pos, size int64) {
	if p.paramBytes += size; size > maxParam {
		p.errorf(pos, "parameter %s has %d bytes, at most %d", clip(v.Name), size, maxParam)
	} else if p.paramBytes > maxParams {
		p.errorf(pos, "more than %d bytes of parameters in a function", maxParams)
	}
}

// init parses an initializer (PTX ISA, "Initializers").
func (p declParser) init() *Init {
	if !p.enter() {
		return nil
	}
	defer p.leave()
	in := &Init{}
	if !p.accept('{') {
		in.Value = p.initValue()
		return in
	}
	in.Braces = true
	for p.err == nil && p.tok.kind != '}' {
		e := p.initElement()
		in.List = append(in.List, e)
		if !p.accept(',') {
			break
		}
	}
	p.expect('}')
	return in
}

// initElement parses an element of a braced list, which for opaque types is
// field = value.
func (p declParser) initElement() *Init {
	if p.tok.kind != tIdent || p.text() == "WARP_SZ" {
		return p.init()
	}
	pos, name := p.tok.pos, p.text()
	p.next()
	if !p.accept('=') {
		return &Init{Value: p.initSymbol(pos, name)}
	}
	in := &Init{Field: name}
	if p.tok.kind == tIdent {
		s := p.symbols.new()
		s.Name = p.text()
		p.next()
		in.Value = s
		return in
	}
	in.Value = p.constExpr().operand(p.parser)
	return in
}

// initValue parses a constant, or a symbol with an offset, generic() or a
// byte mask.
func (p declParser) initValue() Operand {
	if p.tok.kind == tIdent && p.text() != "WARP_SZ" {
		pos, name := p.tok.pos, p.text()
		p.next()
		return p.initSymbol(pos, name)
	}
	pos := p.tok.pos
	v := p.constExpr()
	if p.tok.kind != '(' {
		return v.operand(p.parser)
	}
	p.next()
	if v.isFloat() || v.bits == 0 {
		p.errorf(pos, "a mask must be a positive integer")
	}
	spos, name := p.tok.pos, p.ident("a symbol")
	s := p.initSymbol(spos, name)
	p.expect(')')
	s.Mask = v.bits
	return s
}

func (p declParser) initSymbol(pos Pos, name string) *SymbolRef {
	s := p.symbols.new()
	if name == "generic" && p.tok.kind == '(' {
		p.next()
		s.Generic = true
		pos, name = p.tok.pos, p.ident("a symbol")
		s.Offset = p.offset()
		p.expect(')')
	}
	v, _ := p.scope.lookup(name)
	if isReg(v) {
		v = nil
	}
	s.Name = named(name, v)
	s.Offset += p.offset()
	p.use(name, pos)
	return s
}

// offset parses {+ constant | - constant}, 0 if there is none.
func (p declParser) offset() int64 {
	var n uint64
	for p.tok.kind == '+' || p.tok.kind == '-' {
		minus := p.tok.kind == '-'
		pos := p.tok.pos
		p.next()
		v := p.constBinary(precedence('*'))
		if v.isFloat() {
			p.errorf(pos, "an offset must be an integer")
		}
		if minus {
			v.bits = -v.bits
		}
		n += v.bits
	}
	return int64(n)
}

// use notes a symbol that has to be declared somewhere.
func (p declParser) use(name string, pos Pos) {
	if p.err != nil {
		return
	}
	if _, ok := p.scope.lookup(name); !ok {
		p.uses = append(p.uses, symbolUse{name, pos})
	}
}
