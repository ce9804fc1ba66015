package ptx

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// Print writes a module as PTX text that parses to an equal module. The error
// is that of the writer.
func Print(w io.Writer, m *Module) error {
	p := newPrinter(w)
	p.module(m)
	return p.w.Flush()
}

// String returns the instruction as PTX text with its guard and semicolon.
func (i *Instr) String() string {
	var s strings.Builder
	p := newPrinter(&s)
	p.instr(i)
	p.w.Flush()
	return s.String()
}

// FormatOperand returns an operand as PTX text.
func FormatOperand(op Operand) string {
	var s strings.Builder
	p := newPrinter(&s)
	p.operand(op)
	p.w.Flush()
	return s.String()
}

type printer struct {
	w      *bufio.Writer
	indent int
}

func newPrinter(w io.Writer) *printer { return &printer{w: bufio.NewWriter(w)} }

func (p *printer) str(s string) { p.w.WriteString(s) }

func (p *printer) num(n int64) {
	p.w.Write(strconv.AppendInt(p.w.AvailableBuffer(), n, 10))
}

func (p *printer) printf(format string, args ...any) { fmt.Fprintf(p.w, format, args...) }

// line begins a line with its indentation.
func (p *printer) line() {
	p.str("\n")
	for range p.indent {
		p.str("\t")
	}
}

func (p *printer) module(m *Module) {
	p.printf(".version %d.%d\n", m.Version[0], m.Version[1])
	if len(m.Target) > 0 {
		p.printf(".target %s\n", strings.Join(m.Target, ", "))
	}
	p.printf(".address_size %d\n", m.AddressSize)
	for _, it := range m.Items {
		p.line()
		p.item(it)
	}
	p.str("\n")
}

func (p *printer) item(it Item) {
	switch it := it.(type) {
	case *Func:
		p.function(it)
	case *Variable:
		p.variable(it)
		p.str(";")
	case *FileDirective:
		p.printf(".file %d %s", it.Index, Quote(it.Name))
		for _, n := range it.Stamp {
			p.printf(", %d", n)
		}
	case *Section:
		p.section(it)
	case *Raw:
		p.raw(it)
	case *Alias:
		p.printf(".alias %s, %s;", it.Name, it.Target)
	case *RegDecl:
		p.regDecl(it)
	case *Loc:
		p.loc(it)
	}
}

func (p *printer) raw(r *Raw) {
	p.str(r.Text)
	if !strings.HasPrefix(r.Text, "@@") {
		p.str(";")
	}
}

func (p *printer) section(s *Section) {
	p.printf(".section %s\n{", s.Name)
	for _, l := range s.Lines {
		p.str("\n\t")
		p.str(l)
	}
	p.str("\n}")
}

var linkageNames = [...]string{Internal: "", Extern: ".extern ", Visible: ".visible ", Weak: ".weak ", Common: ".common "}

// String names the space without the dot, "" for NoSpace.
func (s Space) String() string {
	names := [...]string{"", "reg", "sreg", "const", "global", "local", "param", "shared", "tex"}
	if int(s) < len(names) {
		return names[s]
	}
	return "space" + strconv.Itoa(int(s))
}

// variable prints a declaration without its semicolon.
func (p *printer) variable(v *Variable) {
	p.str(linkageNames[v.Linkage])
	p.str("." + v.Space.String())
	attrs := v.Attrs
	if len(attrs) >= 2 && attrs[0] == "bank" {
		p.printf("[%s]", attrs[1])
		attrs = attrs[2:]
	}
	isPtr := len(attrs) > 0 && attrs[0] == "ptr"
	if len(attrs) > 0 && !isPtr {
		p.attributes(attrs)
	}
	if v.Align > 0 {
		p.printf(" .align %d", v.Align)
	}
	p.vec(v.Vec)
	p.printf(" .%v", v.Type)
	if isPtr {
		p.ptr(attrs)
	}
	p.str(" " + v.Name)
	p.count(v.Count)
	for _, d := range v.Dims {
		if d == 0 {
			p.str("[]")
		} else {
			p.printf("[%d]", d)
		}
	}
	if v.Init != nil {
		p.str(" = ")
		p.init(v.Init)
	}
}

func (p *printer) attributes(attrs []string) {
	p.str(" .attribute(")
	for i, a := range attrs {
		if i > 0 {
			p.str(", ")
		}
		p.str("." + a)
	}
	p.str(")")
}

func (p *printer) ptr(attrs []string) {
	for i, a := range attrs {
		if i > 0 && attrs[i-1] == "align" {
			p.str(" " + a)
		} else {
			p.str(" ." + a)
		}
	}
}

func (p *printer) vec(n int) {
	if n > 1 {
		p.printf(" .v%d", n)
	}
}

func (p *printer) count(n int) {
	if n > 0 {
		p.printf("<%d>", n)
	}
}

func (p *printer) init(in *Init) {
	if in.Field != "" {
		p.str(in.Field + " = ")
	}
	if !in.Braces {
		p.operand(in.Value)
		return
	}
	p.str("{")
	for i, e := range in.List {
		if i > 0 {
			p.str(", ")
		}
		p.init(e)
	}
	p.str("}")
}

func (p *printer) function(f *Func) {
	p.str(linkageNames[f.Linkage])
	if f.Entry {
		p.str(".entry")
	} else {
		p.str(".func")
	}
	if len(f.Attrs) > 0 {
		p.attributes(f.Attrs)
	}
	if f.Ret != nil {
		p.str(" ")
		p.params(f.Ret)
	}
	p.str(" " + f.Name)
	if f.Params != nil {
		p.params(f.Params)
	}
	for _, d := range f.Directives {
		p.str("\n")
		p.directive(d)
	}
	if f.Body == nil {
		p.str(";")
		return
	}
	p.str("\n")
	p.block(f.Body)
}

func (p *printer) directive(d FuncDirective) {
	p.str("." + d.Name)
	for i, a := range d.Args {
		if i > 0 {
			p.str(",")
		}
		p.printf(" %d", a)
	}
	for i, s := range d.Text {
		if i > 0 {
			p.str(",")
		}
		p.str(" " + Quote(s))
	}
	if len(d.Text) > 0 {
		p.str(";")
	}
}

func (p *printer) params(vs []*Variable) {
	p.str("(")
	for i, v := range vs {
		if i > 0 {
			p.str(", ")
		}
		p.variable(v)
	}
	p.str(")")
}

func (p *printer) block(b *Block) {
	p.str("{")
	p.indent++
	for _, s := range b.Stmts {
		p.line()
		p.stmt(s)
	}
	p.indent--
	p.line()
	p.str("}")
}

func (p *printer) stmt(s Stmt) {
	switch s := s.(type) {
	case *Instr:
		p.instr(s)
	case *Label:
		p.str(s.Name + ":")
	case *RegDecl:
		p.regDecl(s)
	case *Variable:
		p.variable(s)
		p.str(";")
	case *Loc:
		p.loc(s)
	case *Block:
		p.block(s)
	case *BranchTargets:
		p.printf("%s: .branchtargets %s;", s.Name, strings.Join(s.Labels, ", "))
	case *CallTargets:
		p.printf("%s: .calltargets %s;", s.Name, strings.Join(s.Funcs, ", "))
	case *CallPrototype:
		p.callPrototype(s)
	case *Raw:
		p.raw(s)
	}
}

func (p *printer) callPrototype(c *CallPrototype) {
	p.str(c.Name + ": .callprototype ")
	if c.Ret != nil {
		p.params(c.Ret)
		p.str(" ")
	}
	p.str("_")
	if c.Params != nil {
		p.str(" ")
		p.params(c.Params)
	}
	if c.NoReturn {
		p.str(" .noreturn")
	}
	for _, d := range c.Directives {
		p.str(" ")
		p.directive(d)
	}
	p.str(";")
}

func (p *printer) regDecl(d *RegDecl) {
	p.str(".reg")
	p.vec(d.Vec)
	p.printf(" .%v", d.Type)
	for i, r := range d.Regs {
		if i > 0 {
			p.str(",")
		}
		p.str(" " + r.Name)
		p.count(r.Count)
	}
	p.str(";")
}

func (p *printer) loc(l *Loc) {
	p.printf(".loc %d %d %d", l.File, l.Line, l.Col)
	if l.FuncName != "" {
		p.str(", function_name " + l.FuncName)
		p.offset(l.FuncOffset)
	}
	if l.At != nil {
		p.printf(", inlined_at %d %d %d", l.At.File, l.At.Line, l.At.Col)
	}
}

func (p *printer) instr(in *Instr) {
	if in.Guard != nil {
		p.str("@")
		if in.Guard.Not {
			p.str("!")
		}
		p.str(in.Guard.Reg + " ")
	}
	p.str(in.Op)
	for _, m := range in.Mods {
		p.str(".")
		p.str(m)
	}
	for i, a := range in.Args {
		if i > 0 {
			p.str(",")
		}
		p.str(" ")
		p.operand(a)
	}
	p.str(";")
}

func (p *printer) list(open string, list []Operand, end string) {
	p.str(open)
	for i, e := range list {
		if i > 0 {
			p.str(", ")
		}
		p.operand(e)
	}
	p.str(end)
}

func (p *printer) operand(op Operand) {
	switch op := op.(type) {
	case *RegRef:
		p.register(op)
	case *Imm:
		p.imm(op)
	case *FloatImm:
		if op.Bits == 32 {
			p.printf("0f%08X", uint32(op.Value))
		} else {
			p.printf("0d%016X", op.Value)
		}
	case *SymbolRef:
		p.symbol(op)
	case *Address:
		p.address(op)
	case *Vector:
		p.list("{", op.Elems, "}")
	case *Pair:
		p.operand(op.A)
		p.str("|")
		p.operand(op.B)
	case *Sink:
		p.str("_")
	case *List:
		p.list("(", op.Elems, ")")
	}
}

func (p *printer) register(r *RegRef) {
	if r.Not {
		p.str("!")
	}
	if r.Neg {
		p.str("-")
	}
	p.str(r.Name)
	if r.Elem != "" {
		p.str("." + r.Elem)
	}
}

func (p *printer) imm(i *Imm) {
	switch {
	case i.Unsigned:
		p.printf("%dU", i.Value)
	case int64(i.Value) == math.MinInt64:
		p.str("(.s64)0x8000000000000000U")
	default:
		p.num(int64(i.Value))
	}
}

func (p *printer) symbol(s *SymbolRef) {
	if s.Mask != 0 {
		p.printf("0x%XU(", s.Mask)
	}
	if s.Generic {
		p.str("generic(" + s.Name + ")")
	} else {
		p.str(s.Name)
	}
	p.offset(s.Offset)
	if s.Mask != 0 {
		p.str(")")
	}
}

// offset prints +n or -n, and nothing for 0.
func (p *printer) offset(n int64) {
	switch {
	case n > 0:
		p.str("+")
		p.num(n)
	case n == math.MinInt64:
		p.str("+0x8000000000000000U")
	case n < 0:
		p.num(n)
	}
}

func (p *printer) address(a *Address) {
	p.str("[")
	if a.Base == nil {
		p.absolute(a.Offset)
	} else {
		p.operand(a.Base)
		p.offset(a.Offset)
	}
	for _, m := range a.More {
		p.str(", ")
		p.operand(m)
	}
	p.str("]")
	if a.Unified {
		p.str(".unified")
	}
}

// absolute prints the address of [imm].
func (p *printer) absolute(n int64) {
	if n < 0 {
		p.printf("0x%X", uint64(n))
		return
	}
	p.num(n)
}
