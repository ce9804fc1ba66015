package cutext

import (
	"bytes"
	"slices"
)

// nvcc takes a single % in front of a word in inline PTX for itself, "mov.u32
// %0, %laneid;"; clang wants it doubled, since it would be an operand's
// modifier, of which PTX has none ("Inline PTX Assembly in CUDA", "Assembler
// (ASM) Statements").

// It also takes operands without a comma between them, "r"(a) "l"(b), which clang does
// not, and numbers of operands that are not there, in templates that nothing instantiates:
// with their % doubled they are wrong PTX where something does.

var asmWords = []string{"asm", "__asm__", "__asm"}

// plainAsm doubles the single % signs of inline assembly with operands, and puts the
// commas between these.
func plainAsm(t *Text) (edits []edit) {
	src := t.src
	if !bytes.Contains(src, []byte("asm")) || !bytes.Contains(src, []byte("%")) {
		return nil
	}
	toks := t.tokens(false)
	for i := 0; i < len(toks); i++ {
		if toks[i].kind != tokenIdent || !slices.Contains(asmWords, string(src[toks[i].pos:toks[i].end])) {
			continue
		}
		open := i + 1
		for open < len(toks) && toks[open].kind == tokenIdent { // volatile
			open++
		}
		if open >= len(toks) || !toks[open].is(src, "(") {
			continue
		}
		if end := matching(src, toks, open); end >= 0 {
			edits = append(edits, escapeTemplate(src, toks[open:end])...)
			edits = append(edits, separateOperands(src, toks[open:end])...)
		}
	}
	return edits
}

// separateOperands puts a comma between a statement's operands where there is none:
// before a string after an operand's bracket. Before the first colon a bracket is that of a directive, such
// as "#if (A)" between the parts of the template.
func separateOperands(src []byte, statement []token) []edit {
	var edits []edit
	depth, operands := 0, false
	for i, t := range statement {
		operands = operands || t.is(src, ":")
		switch {
		case t.is(src, "("):
			depth++
		case t.is(src, ")"):
			depth--
		case operands && depth == 1 && t.kind == tokenString && statement[i-1].is(src, ")"):
			edits = append(edits, edit{t.pos, t.pos, ", "})
		}
	}
	return edits
}

// escapeTemplate makes the edits for the strings before the first colon of a statement.
// Without a colon a % needs nothing.
func escapeTemplate(src []byte, statement []token) []edit {
	colon := slices.IndexFunc(statement, func(t token) bool { return t.is(src, ":") })
	if colon < 0 {
		return nil
	}
	operands := countOperands(src, statement[colon:])
	var edits []edit
	for _, t := range statement[:colon] {
		if t.kind != tokenString {
			continue
		}
		for i := t.pos; i+1 < t.end; i++ {
			if src[i] != '%' {
				continue
			}
			c := src[i+1]
			switch isDigit := c >= '0' && c <= '9'; {
			case isDigit && operandNumber(src[i+1:t.end]) >= operands, !isDigit && isIdent(c):
				edits = append(edits, edit{i, i, "%"})
			default:
				i++
			}
		}
	}
	return edits
}

// operandNumber is the number that a text begins with.
func operandNumber(text []byte) int {
	n := 0
	for i := 0; i < len(text) && i < 6 && text[i] >= '0' && text[i] <= '9'; i++ {
		n = 10*n + int(text[i]-'0')
	}
	return n
}

// countOperands counts the operands of a statement from its first colon on, those that are
// read and written twice, as clang does. Where a macro stands among them their number is
// not to be had, and more than there can be.
func countOperands(src []byte, rest []token) int {
	const unknown = 1 << 20
	count := 0
	for i := 0; i < len(rest); i++ {
		switch t := rest[i]; {
		case t.is(src, ":"), t.is(src, ","), t.kind == tokenString && !isOperand(src, rest, i): // a clobber
		case t.is(src, "["): // a symbolic name
			end := matching(src, rest, i)
			if end < 0 {
				return unknown
			}
			i = end
		case t.kind == tokenString:
			end := matching(src, rest, i+1)
			if end < 0 {
				return unknown
			}
			if count++; bytes.HasPrefix(src[t.pos:], []byte(`"+`)) {
				count++
			}
			i = end
		default:
			return unknown
		}
	}
	return count
}

func isOperand(src []byte, toks []token, i int) bool {
	return i+1 < len(toks) && toks[i+1].is(src, "(")
}
