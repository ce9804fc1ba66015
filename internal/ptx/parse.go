package ptx

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"

	"github.com/warpgrind/warpgrind/internal/ptx/isa"
)

// Limits that keep hostile input from using unbounded stack or memory.
const (
	maxNesting = 200     // braces, brackets and parentheses
	maxCount   = 1 << 24 // of name<Count>
	maxBytes   = 1 << 47 // of one variable
	maxText    = 1 << 28 // bytes of a module
	maxParam   = 1 << 16 // bytes of a parameter: a kernel's have 32,764 together
	maxParams  = 1 << 24 // bytes of all parameters that one function declares
)

// Parse reads a PTX module. The name is for messages. The error is an *Error,
// or an *Unknown for an instruction that the table lacks.
//
// Instr.Loc holds the .loc directive in force with file names from .file,
// function names from the .debug_str section and the chain of inlined calls;
// Instr.Desc is the row of the instruction table, against which modifiers and
// operands were checked. Slices and strings of the tree are shared between
// nodes: treat the tree as read-only.
func Parse(name string, src []byte) (*Module, error) {
	if len(src) > maxText {
		return nil, &Error{name, Pos{1, 1}, "file too big"}
	}
	p := &parser{mod: &Module{Name: name, Files: map[int]string{}, AddressSize: 32}}
	p.mod.funcs, p.mod.vars = map[string]*Func{}, map[string]*Variable{}
	p.opcodes = map[string]*opcode{}
	p.global = &scope{}
	p.scope = p.global
	p.lex = lexer{src: string(src), line: 1, fail: func(pos Pos, msg string) { p.errorf(pos, "%s", msg) }}
	p.next()
	p.module()
	if p.err == nil {
		p.checkSymbols()
	}
	if p.err != nil {
		return nil, p.err
	}
	resolveLocs(p.mod)
	p.mod.producer = sync.OnceValue(p.mod.readProducer)
	return p.mod, nil
}

// parser is a recursive-descent parser with one token of lookahead. After the
// first error every token is the end of the file, so all loops end.
type parser struct {
	lex   lexer
	tok   token
	err   error
	depth int
	mod   *Module

	global, scope *scope
	// labels are those of the function at hand; uses its symbols that no
	// declaration in scope explains.
	labels  map[string]bool
	uses    []symbolUse
	pending []symbolUse // uses that only the whole module can explain

	// in is the name of the function at hand, statics are the names of variables that
	// functions declare and that exist once.
	in      string
	statics map[string]bool
	// paramBytes are those of the parameters that the function at hand declares.
	paramBytes int64

	opcodes map[string]*opcode
	scratch []Operand
	// arrayAddrs are the name[n] operands of the instruction at hand.
	arrayAddrs []*Address

	instrs    slab[Instr]
	regs      slab[RegRef]
	imms      slab[Imm]
	floats    slab[FloatImm]
	symbols   slab[SymbolRef]
	addresses slab[Address]
	vectors   slab[Vector]
	locs      slab[Loc]
	operands  slab[Operand]
}

// symbolUse is a name that has to be found later.
type symbolUse struct {
	name string
	pos  Pos
}

func (p *parser) next() {
	if p.err != nil {
		p.tok = token{kind: tEOF, off: len(p.lex.src), end: len(p.lex.src), pos: p.tok.pos}
		return
	}
	p.tok = p.lex.next()
	if p.err != nil {
		p.tok.kind = tEOF
	}
}

// text is the token's text.
func (p *parser) text() string { return p.lex.src[p.tok.off:p.tok.end] }

func (p *parser) errorf(pos Pos, format string, args ...any) {
	if p.err == nil {
		p.fail(&Error{p.mod.Name, pos, fmt.Sprintf(format, args...)})
	}
}

func (p *parser) fail(err error) {
	if p.err == nil {
		p.err = err
		p.tok.kind = tEOF
	}
}

// unexpected reports that the token at hand is not what was wanted.
func (p *parser) unexpected(want string) {
	switch p.tok.kind {
	case tEOF:
		p.errorf(p.tok.pos, "unexpected end of file, expected %s", want)
	default:
		p.errorf(p.tok.pos, "unexpected %s, expected %s", clip(p.text()), want)
	}
}

func clip(s string) string {
	if len(s) > 60 {
		s = s[:60] + "..."
	}
	return strconv.QuoteToASCII(s)
}

func quoteByte(c byte) string { return strconv.QuoteToASCII(string([]byte{c})) }

// accept skips the token if it is of kind k.
func (p *parser) accept(k tokKind) bool {
	if p.tok.kind != k {
		return false
	}
	p.next()
	return true
}

func (p *parser) expect(k tokKind) {
	if !p.accept(k) {
		p.unexpected(strconv.Quote(string(rune(k))))
	}
}

// acceptWord skips the directive or modifier .w if it is at hand.
func (p *parser) acceptWord(w string) bool {
	if p.tok.kind != tDot || p.text()[1:] != w {
		return false
	}
	p.next()
	return true
}

// ident parses an identifier.
func (p *parser) ident(what string) string {
	if p.tok.kind != tIdent {
		p.unexpected(what)
		return ""
	}
	s := p.text()
	p.next()
	return s
}

// enter counts nesting; it reports false once there is too much.
func (p *parser) enter() bool {
	p.depth++
	if p.depth > maxNesting {
		p.errorf(p.tok.pos, "nested too deeply")
	}
	return p.err == nil
}

func (p *parser) leave() { p.depth-- }

// integer parses a constant expression that must be an integer from lo to hi.
func (p *parser) integer(what string, lo, hi int64) int64 {
	pos := p.tok.pos
	v := p.decl().constExpr()
	n := int64(v.bits)
	if p.err == nil && (v.isFloat() || v.kind == vU64 && n < 0 || n < lo || n > hi) {
		p.errorf(pos, "%s out of range", what)
		return lo
	}
	return n
}

// stringLit parses a string and returns what it stands for. A backslash is
// itself unless \, " or three octal digits follow it.
func (p *parser) stringLit() string {
	if p.tok.kind != tString {
		p.unexpected("a string")
		return ""
	}
	s := p.text()
	p.next()
	if p.err != nil {
		return ""
	}
	s = s[1 : len(s)-1]
	if !strings.Contains(s, `\`) {
		return s
	}
	return unescape(s)
}

// controls are the escapes of one letter, which LLVM writes.
var controls = map[byte]byte{'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			if s[i+1] == '\\' || s[i+1] == '"' {
				i++
			} else if c, ok := controls[s[i+1]]; ok {
				b.WriteByte(c)
				i++
				continue
			} else if n, err := strconv.ParseUint(s[i+1:min(i+4, len(s))], 8, 8); err == nil && i+4 <= len(s) {
				b.WriteByte(byte(n))
				i += 3
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// Quote returns a string as PTX has it: what is not printable ASCII, in octal.
func Quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' || c == '"':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c > '~':
			fmt.Fprintf(&b, "\\%03o", c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// module parses the whole file.
func (p *parser) module() {
	for p.tok.kind != tEOF {
		switch p.tok.kind {
		case tDot:
			p.moduleDirective()
		case ';':
			p.next()
		case '@':
			p.addItem(p.dwarfLine())
		default:
			p.unexpected("a directive")
		}
	}
	if p.err == nil && p.mod.Version == [2]int{} {
		p.errorf(Pos{1, 1}, "no .version directive: this is not PTX")
	}
}

func (p *parser) addItem(it Item) { p.mod.Items = append(p.mod.Items, it) }

func (p *parser) moduleDirective() {
	pos := p.tok.pos
	switch word := p.text()[1:]; word {
	case "version":
		p.version()
	case "target":
		p.target()
	case "address_size":
		p.next()
		p.mod.AddressSize = int(p.integer("address size", 32, 64))
		if n := p.mod.AddressSize; n != 32 && n != 64 {
			p.errorf(pos, "address size must be 32 or 64")
		}
	case "file":
		p.addItem(p.fileDirective())
	case "section":
		p.addItem(p.decl().section())
	case "loc":
		p.addItem(p.statements().loc())
	case "pragma":
		p.addItem(p.rawPragma())
	case "alias":
		p.addItem(p.alias())
	default:
		p.decl().declaration()
	}
}

// version parses .version major.minor.
func (p *parser) version() {
	p.next()
	major, minor, ok := strings.Cut(p.text(), ".")
	a, err1 := strconv.ParseUint(major, 10, 16)
	b, err2 := strconv.ParseUint(minor, 10, 16)
	if p.tok.kind != tNumber || !ok || err1 != nil || err2 != nil || a == 0 {
		p.unexpected("a version such as 7.8")
		return
	}
	p.mod.Version = [2]int{int(a), int(b)}
	p.next()
}

// target parses .target word, word.
func (p *parser) target() {
	p.next()
	p.mod.Target = append(p.mod.Target, p.ident("a target such as sm_80"))
	for p.accept(',') {
		p.mod.Target = append(p.mod.Target, p.ident("a target option"))
	}
}

// fileDirective parses .file index "name" [, timestamp, size].
func (p *parser) fileDirective() *FileDirective {
	f := &FileDirective{Pos: p.tok.pos}
	p.next()
	f.Index = int(p.integer("file index", 0, math.MaxInt32))
	f.Name = p.stringLit()
	for p.accept(',') {
		f.Stamp = append(f.Stamp, p.integer("file stamp", 0, math.MaxInt64))
	}
	p.mod.Files[f.Index] = f.Name
	return f
}

// alias parses .alias name, target; (PTX ISA, ".alias").
func (p *parser) alias() *Alias {
	a := &Alias{Pos: p.tok.pos}
	p.next()
	a.Name = p.ident("a function")
	p.expect(',')
	a.Target = p.ident("a function")
	p.expect(';')
	p.global.declare(a.Name, funcDecl)
	return a
}

// rawPragma parses .pragma "text", "text"; and keeps it as text.
func (p *parser) rawPragma() *Raw {
	r := &Raw{Pos: p.tok.pos}
	p.next()
	list := []string{Quote(p.stringLit())}
	for p.accept(',') {
		list = append(list, Quote(p.stringLit()))
	}
	p.expect(';')
	r.Text = ".pragma " + strings.Join(list, ", ")
	return r
}

// dwarfLine keeps a line of the old @@dwarf directive (PTX ISA, "@@dwarf").
func (p *parser) dwarfLine() *Raw {
	r := &Raw{Pos: p.tok.pos}
	if !strings.HasPrefix(p.lex.src[p.tok.off:], "@@") {
		p.unexpected("a directive")
		return r
	}
	p.lex.off = p.tok.off
	p.lex.skipLine()
	r.Text = strings.TrimRight(p.lex.src[p.tok.off:p.lex.off], " \t\r")
	p.next()
	return r
}

// checkSymbols reports the first name that nothing in the module declares.
func (p *parser) checkSymbols() {
	for _, u := range p.pending {
		if _, ok := p.global.lookup(u.name); !ok {
			p.errorf(u.pos, "%s is not declared", clip(u.name))
			return
		}
	}
}

// typeWord returns the type that the token .word names, TypeNone if it is none.
func (p *parser) typeWord() isa.Type {
	if p.tok.kind != tDot {
		return isa.TypeNone
	}
	return isa.ParseType(p.text()[1:])
}

// What a parser reads falls into units; each is the parser, seen from that side.
type (
	// declParser reads declarations of variables, their initializers, and sections.
	declParser struct{ *parser }
	// instrParser reads instructions and their operands.
	instrParser struct{ *parser }
)

func (p *parser) decl() declParser        { return declParser{p} }
func (p *parser) statements() instrParser { return instrParser{p} }
