package clang

import (
	"bytes"
	"slices"
)

// nvcc takes a single % in front of a word in inline PTX for itself, "mov.u32
// %0, %laneid;"; clang wants it doubled, since it would be an operand's
// modifier, of which PTX has none ("Inline PTX Assembly in CUDA", "Assembler
// (ASM) Statements").

var asmWords = []string{"asm", "__asm__", "__asm"}

// escapePercents doubles the single % signs of inline assembly with operands.
func escapePercents(src []byte) []byte {
	if !bytes.Contains(src, []byte("asm")) || !bytes.Contains(src, []byte("%")) {
		return src
	}
	toks := tokens(src, false)
	var edits []edit
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
		edits = append(edits, escapeTemplate(src, toks, open)...)
	}
	return apply(src, edits)
}

// escapeTemplate makes the edits for the strings before the first colon of the
// statement whose bracket is at toks[open]. Without a colon a % needs nothing.
func escapeTemplate(src []byte, toks []token, open int) []edit {
	end := matching(src, toks, open)
	if end < 0 {
		return nil
	}
	colon := slices.IndexFunc(toks[open:end], func(t token) bool { return t.is(src, ":") })
	if colon < 0 {
		return nil
	}
	var edits []edit
	for _, t := range toks[open : open+colon] {
		if t.kind != tokenString {
			continue
		}
		for i := t.pos; i+1 < t.end; i++ {
			if src[i] != '%' {
				continue
			}
			if c := src[i+1]; isIdent(c) && (c < '0' || c > '9') {
				edits = append(edits, edit{i, i, "%"})
			} else {
				i++
			}
		}
	}
	return edits
}
