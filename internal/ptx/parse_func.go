package ptx

import "math"

// function parses .entry or .func with or without a body (PTX ISA, "Kernel
// and Function Directives").
func (p *parser) function(pos Pos, linkage Linkage) {
	f := &Func{Pos: pos, Linkage: linkage, Entry: p.text() == ".entry"}
	p.next()
	outer := p.scope
	p.scope = &scope{outer: outer}
	p.labels, p.uses, p.paramBytes = map[string]bool{}, nil, 0
	p.headerDirectives(f)
	if p.tok.kind == '(' {
		f.Ret = p.params()
		p.headerDirectives(f)
	}
	f.Name = p.ident("a function name")
	p.declareFunc(f)
	p.in = f.Name
	if p.tok.kind == '(' {
		f.Params = p.params()
	}
	p.headerDirectives(f)
	if p.tok.kind == '{' {
		f.Body = p.block(false)
	} else {
		p.expect(';')
	}
	p.scope = outer
	p.resolveUses()
	p.addItem(f)
	if old := p.mod.funcs[f.Name]; old == nil || old.Body == nil {
		p.mod.funcs[f.Name] = f
	}
}

func (p *parser) declareFunc(f *Func) {
	if old := p.mod.funcs[f.Name]; p.err == nil && f.Name == "_" || old != nil && old.Entry != f.Entry {
		p.errorf(f.Pos, "%s cannot be a function here", clip(f.Name))
	}
	p.global.declare(f.Name, funcDecl)
}

// resolveUses drops the symbols of the function that are its labels and
// keeps the others for the end of the module.
func (p *parser) resolveUses() {
	for _, u := range p.uses {
		if !p.labels[u.name] {
			p.pending = append(p.pending, u)
		}
	}
	p.uses = nil
}

// params parses (param, param, ...).
func (p *parser) params() []*Variable {
	var vs []*Variable
	p.expect('(')
	for p.err == nil && p.tok.kind != ')' {
		vs = append(vs, p.param())
		if !p.accept(',') {
			break
		}
	}
	p.expect(')')
	return vs
}

func (p *parser) param() *Variable {
	v := &Variable{Pos: p.tok.pos}
	if s := p.text(); p.tok.kind != tDot || s != ".param" && s != ".reg" {
		p.unexpected(".param or .reg")
		return v
	}
	p.decl().varPrefix(v)
	p.decl().declarator(v)
	if v.Space == Reg {
		p.scope.declareReg(v.Name, v.Count, &Variable{Space: Reg, Type: v.Type, Vec: v.Vec})
	} else if v.Name != "_" {
		p.scope.declareVar(v)
	}
	return v
}

// headerDirectiveNames are the directives between a header and its body
// (PTX ISA, "Performance-Tuning Directives", "Cluster Dimension Directives",
// "Miscellaneous Directives").
var headerDirectiveNames = map[string]bool{
	"maxnreg": true, "maxntid": true, "reqntid": true, "minnctapersm": true, "maxnctapersm": true,
	"noreturn": true, "pragma": true, "abi_preserve": true, "abi_preserve_control": true,
	"reqnctapercluster": true, "explicitcluster": true, "maxclusterrank": true, "blocksareclusters": true,
}

func (p *parser) headerDirectives(f *Func) {
	for p.tok.kind == tDot {
		word := p.text()[1:]
		switch {
		case word == "attribute":
			p.next()
			f.Attrs = append(f.Attrs, p.decl().attributes()...)
		case word == "loc":
			p.addItem(p.statements().loc())
		case headerDirectiveNames[word]:
			f.Directives = append(f.Directives, p.headerDirective())
		case word == "param" && f.Entry && f.Name != "":
			f.Params = append(f.Params, p.param()) // PTX ISA 1.x, without parentheses
			p.accept(';')
		default:
			p.errorf(p.tok.pos, "unknown directive %s", clip(p.text()))
		}
	}
}

// headerDirective parses .name and its integers or strings.
func (p *parser) headerDirective() FuncDirective {
	d := FuncDirective{Name: p.text()[1:]}
	p.next()
	switch p.tok.kind {
	case tString:
		d.Text = append(d.Text, p.stringLit())
		for p.accept(',') {
			d.Text = append(d.Text, p.stringLit())
		}
		p.accept(';')
	case tNumber, '(':
		d.Args = append(d.Args, p.integer("argument", 0, math.MaxUint32))
		for p.accept(',') {
			d.Args = append(d.Args, p.integer("argument", 0, math.MaxUint32))
		}
	}
	return d
}

// block parses { statements }. A function's outermost block shares the scope
// of its parameters.
func (p *parser) block(nested bool) *Block {
	b := &Block{Pos: p.tok.pos}
	if !p.enter() {
		return b
	}
	defer p.leave()
	p.expect('{')
	if nested {
		p.scope = &scope{outer: p.scope}
		defer func() { p.scope = p.scope.outer }()
	}
	for p.err == nil && p.tok.kind != '}' {
		p.statement(b)
	}
	b.End = p.tok.pos
	p.expect('}')
	return b
}

func (b *Block) add(s Stmt) { b.Stmts = append(b.Stmts, s) }

// statement parses a statement; a declaration of several variables becomes
// several.
func (p *parser) statement(b *Block) {
	switch p.tok.kind {
	case tIdent:
		p.labelOrInstr(b)
	case '@':
		if p.lex.off < len(p.lex.src) && p.lex.src[p.lex.off] == '@' {
			b.add(p.dwarfLine())
			return
		}
		b.add(p.statements().guarded())
	case '{':
		b.add(p.block(true))
	case ';':
		p.next()
	case tDot:
		p.bodyDirective(b)
	default:
		p.unexpected("an instruction")
	}
}

func (p *parser) bodyDirective(b *Block) {
	pos := p.tok.pos
	switch word := p.text()[1:]; {
	case word == "reg":
		b.add(p.decl().regDecl())
	case word == "loc":
		if p.tok.inAsm {
			p.statements().loc() // the compiler's is the one before the assembly
		} else {
			b.add(p.statements().loc())
		}
	case word == "pragma":
		b.add(p.rawPragma())
	case spaces[word] != NoSpace || linkages[word] != Internal:
		linkage := linkages[word]
		if linkage != Internal {
			p.next()
		}
		if p.tok.kind != tDot || spaces[p.text()[1:]] == NoSpace {
			p.unexpected("a state space")
			return
		}
		for _, v := range p.decl().variables(pos, linkage) {
			if !p.static(v) {
				b.add(v)
			}
		}
	default:
		p.dotLabel(b)
	}
}

// dotLabel parses a label that begins with a dot.
func (p *parser) dotLabel(b *Block) {
	pos, name := p.tok.pos, p.text()
	p.next()
	if p.tok.kind != ':' {
		p.errorf(pos, "unknown directive %s", clip(name))
		return
	}
	p.label(b, pos, name)
}

func (p *parser) labelOrInstr(b *Block) {
	t := p.tok
	if c := p.peekByte(); c == ':' {
		p.next()
		p.label(b, t.pos, p.lex.src[t.off:t.end])
		return
	}
	b.add(p.statements().instr(t.pos, nil))
}

// peekByte returns the first byte after layout after the token at hand, 0 at
// the end.
func (p *parser) peekByte() byte {
	if p.lex.off < len(p.lex.src) && p.lex.src[p.lex.off] == '.' {
		return '.' // the usual case: no layout in an opcode
	}
	p.lex.skipLayout()
	if p.lex.off < len(p.lex.src) {
		return p.lex.src[p.lex.off]
	}
	return 0
}

// label parses what follows a label's name: its colon and, for the targets of
// indirect branches and calls, a directive.
func (p *parser) label(b *Block, pos Pos, name string) {
	p.expect(':')
	if !p.scope.declareLabel(name) {
		p.errorf(pos, "label %s is defined twice", clip(name))
	}
	p.labels[name] = true
	switch {
	case p.acceptWord("branchtargets"):
		b.add(&BranchTargets{Pos: pos, Name: name, Labels: p.nameList()})
	case p.acceptWord("calltargets"):
		b.add(&CallTargets{Pos: pos, Name: name, Funcs: p.nameList()})
	case p.acceptWord("callprototype"):
		b.add(p.callPrototype(pos, name))
	default:
		b.add(&Label{Pos: pos, Name: name})
	}
}

// nameList parses a, b, c;
func (p *parser) nameList() []string {
	var list []string
	for p.err == nil {
		pos := p.tok.pos
		name := p.labelName()
		p.decl().use(name, pos)
		list = append(list, name)
		if !p.accept(',') {
			break
		}
	}
	p.expect(';')
	return list
}

// labelName parses a label or function name.
func (p *parser) labelName() string {
	if p.tok.kind == tDot {
		s := p.text()
		p.next()
		return s
	}
	return p.ident("a name")
}

// callPrototype parses (ret) _ (params) directives; (PTX ISA, "Control Flow
// Directives: .callprototype").
func (p *parser) callPrototype(pos Pos, name string) *CallPrototype {
	c := &CallPrototype{Pos: pos, Name: name}
	outer := p.scope
	p.scope = &scope{outer: outer}
	defer func() { p.scope = outer }()
	if p.tok.kind == '(' {
		c.Ret = p.params()
	}
	p.ident("_")
	if p.tok.kind == '(' {
		c.Params = p.params()
	}
	for p.tok.kind == tDot {
		switch p.text() {
		case ".noreturn":
			c.NoReturn = true
			p.next()
		case ".abi_preserve", ".abi_preserve_control":
			c.Directives = append(c.Directives, p.headerDirective())
		default:
			p.unexpected("a semicolon")
		}
	}
	p.expect(';')
	return c
}
