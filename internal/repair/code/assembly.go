package code

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/ptx"
)

// Assembly is an asm statement whose text is known: its instructions, and where each byte of the text stands in the file.
type Assembly struct {
	S *Statement
	// text is what the string literals are together, with %0 for %[name]; byte i of it stands at from[i] to to[i] of the file.
	Text         string
	From, to     []int
	Instructions []ptx.Inline
	// operands are the expressions, the outputs first.
	operands []*syntax.Node
}

// AssemblyOf reads an asm statement. It is nil for other statements, and where a macro makes a part of the text.
func AssemblyOf(s *Statement) *Assembly {
	if s.Node.Kind != "GCCAsmStmt" || s.Node.Begin.Macro || s.Node.End.Macro {
		return nil
	}
	r := asmReader{text: s.File.Text[:s.To], at: s.From}
	if !r.open() || !r.literals() {
		return nil
	}
	a := &Assembly{S: s}
	for _, n := range s.Node.Inner {
		if n != nil && n.Kind != "StringLiteral" {
			a.operands = append(a.operands, n)
		}
	}
	if !a.expand(&r, r.names()) {
		return nil
	}
	a.Instructions = ptx.InlineInstructions(a.Text)
	return a
}

// AssembliesIn are those of a statement and of the statements in it.
func AssembliesIn(s *Statement) (out []*Assembly) {
	if a := AssemblyOf(s); a != nil {
		out = append(out, a)
	}
	for _, in := range s.Inner {
		out = append(out, AssembliesIn(in)...)
	}
	return out
}

// expand makes the text of an assembly of that of its literals: %% is %, %[name] is %0 and %= a number.
func (a *Assembly) expand(r *asmReader, names map[string]int) bool {
	var b strings.Builder
	add := func(text string, from, to int) {
		for i := range text {
			b.WriteByte(text[i])
			a.From, a.to = append(a.From, r.from[from]), append(a.to, r.to[to-1])
		}
	}
	for i := 0; i < len(r.value); i++ {
		if r.value[i] != '%' || i+1 == len(r.value) {
			add(string(r.value[i:i+1]), i, i+1)
			continue
		}
		switch next := r.value[i+1]; next {
		case '%':
			add("%", i, i+2)
			i++
		case '=':
			add("0", i, i+2)
			i++
		case '[':
			n := strings.IndexByte(string(r.value[i:]), ']')
			operand, ok := 0, false
			if n > 0 {
				operand, ok = names[string(r.value[i+2:i+n])]
			}
			if !ok {
				return false
			}
			add("%"+strconv.Itoa(operand), i, i+n+1)
			i += n
		default:
			add("%", i, i+1)
		}
	}
	a.Text = b.String()
	return true
}

// Operand is the expression that an operand of an instruction is, "%0" or "[%0]"; nil for others.
func (a *Assembly) Operand(arg ptx.Span) *syntax.Node {
	text := strings.Trim(arg.Of(a.Text), "[ \t]")
	number, ok := strings.CutPrefix(text, "%")
	n, err := strconv.Atoi(number)
	if !ok || err != nil || n >= len(a.operands) {
		return nil
	}
	return a.operands[n]
}

// Number is an operand of an instruction that is a constant.
func (a *Assembly) Number(arg ptx.Span) (int, bool) {
	n, err := strconv.ParseInt(strings.TrimSuffix(arg.Of(a.Text), "U"), 0, 32)
	return int(n), err == nil
}

// replace writes another text for a part of the assembly's. What stands between its bytes in the file stays: the quotes of two
// literals, and lines that are joined.
func (a *Assembly) replace(part ptx.Span, text string) []Edit {
	var out []Edit
	for i := part.From; i < part.To; i++ {
		if n := len(out); n > 0 && (a.From[i] <= out[n-1].To) {
			out[n-1].To = max(out[n-1].To, a.to[i])
			continue
		}
		out = append(out, Edit{File: a.S.File.Name, From: a.From[i], To: a.to[i]})
	}
	if len(out) > 0 {
		out[0].Text = text
	}
	return out
}

// Reword is a patch that writes another text for a part of the assembly's.
func (a *Assembly) Reword(in *ptx.Inline, part ptx.Span, text string) *Patch {
	edits := a.replace(part, text)
	what := fmt.Sprintf("write %s for %s in %s in line %d", text, part.Of(a.Text), in.Opcode, a.S.File.Line(edits[0].From))
	if text == "" {
		what = fmt.Sprintf("write %s without %s in line %d", in.Opcode, strings.TrimLeft(part.Of(a.Text), ", \t"), a.S.File.Line(edits[0].From))
	}
	return &Patch{Edits: edits, Inline: edits, What: what}
}

// asmReader reads the head of an asm statement: its literals, and the names of its operands.
type asmReader struct {
	text []byte
	at   int
	// value is what the literals are together; byte i of it stands at from[i] to to[i].
	value    []byte
	from, to []int
}

// open reads up to the parenthesis.
func (r *asmReader) open() bool {
	for {
		r.at = syntax.SkipBlank(r.text, r.at)
		word := syntax.WordAt(r.text, r.at)
		switch word {
		case "":
			if r.at >= len(r.text) || r.text[r.at] != '(' {
				return false
			}
			r.at++
			return true
		case "asm", "__asm", "__asm__", "volatile", "__volatile__", "__volatile", "inline", "__inline__", "goto":
			r.at += len(word)
		default:
			return false
		}
	}
}

// literals reads the string literals. ok is false where something else stands among them.
func (r *asmReader) literals() (ok bool) {
	for {
		r.at = syntax.SkipBlank(r.text, r.at)
		if r.at >= len(r.text) {
			return false
		}
		end := syntax.SkipToken(r.text, r.at)
		switch c := r.text[r.at]; {
		case c == '"':
			if !r.literal(r.at+1, end-1) {
				return false
			}
		case c == 'R' && end > r.at+1: // a raw literal, R"x(text)x"
			tag := strings.IndexByte(string(r.text[r.at:end]), '(') - 2
			for i := r.at + 3 + tag; i < end-2-tag; i++ {
				r.add(r.text[i], i, i+1)
			}
		default:
			return c == ':' || c == ')'
		}
		r.at = end
	}
}

func (r *asmReader) add(c byte, from, to int) {
	r.value, r.from, r.to = append(r.value, c), append(r.from, from), append(r.to, to)
}

// escapes are the characters that a letter after a backslash is.
var escapes = map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', 'a': '\a', 'b': '\b', 'f': '\f', 'v': '\v', '\\': '\\', '"': '"', '\'': '\'', '?': '?'}

// literal reads what stands between the quotes of a literal.
func (r *asmReader) literal(at, end int) bool {
	for at < end {
		c, from := r.text[at], at
		at++
		if c != '\\' {
			r.add(c, from, at)
			continue
		}
		c = r.text[at]
		at++
		switch value, known := escapes[c]; {
		case c == '\n': // joined lines
		case known:
			r.add(value, from, at)
		case c == 'x' || c >= '0' && c <= '7':
			base, digits := 8, at-1
			most := digits + 3
			if c == 'x' {
				base, digits, most = 16, at, end
			}
			for at = digits; at < min(most, end) && isDigit(r.text[at], base); at++ {
			}
			n, err := strconv.ParseUint(string(r.text[digits:at]), base, 8)
			if err != nil {
				return false
			}
			r.add(byte(n), from, at)
		default:
			return false
		}
	}
	return true
}

func isDigit(c byte, base int) bool {
	if base == 16 {
		return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
	}
	return c >= '0' && c <= '7'
}

// names are the names of operands, [name] "r"(value), with their numbers. The reader is behind the literals.
func (r *asmReader) names() map[string]int {
	out := map[string]int{}
	for depth, section, n, empty := 0, 0, 0, true; r.at < len(r.text) && section < 3; {
		r.at = syntax.SkipBlank(r.text, r.at)
		if r.at >= len(r.text) {
			break
		}
		c := r.text[r.at]
		if depth == 0 && (c == ',' || c == ':' || c == ')') {
			if !empty {
				n++
			}
			empty = true
			if c == ')' {
				break
			}
			if c == ':' {
				section++
			}
			r.at++
			continue
		}
		if depth == 0 && c == '[' && empty {
			at := syntax.SkipBlank(r.text, r.at+1)
			out[syntax.WordAt(r.text, at)] = n
		}
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
		empty = false
		r.at = syntax.SkipToken(r.text, r.at)
	}
	return out
}
