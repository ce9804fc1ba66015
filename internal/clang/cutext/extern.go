package cutext

import (
	"bytes"
	"strconv"
)

// nvcc takes the beginning of dynamic shared memory for a variable of any type, "extern
// __shared__ Tiles t;"; clang wants an array of unknown length there. So such a variable is
// the first element of one:
//
//	extern __shared__ Tiles t__wg_extern[]; auto &t = t__wg_extern[0];
//
// That is done in functions alone, since references of a file are not constants. The array
// gets the variable's name back in LLVM IR, where it is the only one of the two.

const externSuffix = "__wg_extern"

// RestoreNames gives the arrays in LLVM IR the names of the source's variables. The length
// in front of a mangled name becomes shorter with it.
func RestoreNames(ir []byte) []byte {
	if !bytes.Contains(ir, []byte(externSuffix)) {
		return ir
	}
	var out []byte
	for {
		at := bytes.Index(ir, []byte(externSuffix))
		if at < 0 {
			return append(out, ir...)
		}
		name := at
		for name > 0 && isIdent(ir[name-1]) {
			name--
		}
		out = append(append(out, ir[:name]...), shorterName(ir[name:at])...)
		ir = ir[at+len(externSuffix):]
	}
}

// shorterName is a name, mangled or not, that externSuffix followed.
func shorterName(name []byte) []byte {
	for i := range name {
		length := len(name) - i
		digits := strconv.Itoa(length + len(externSuffix))
		if head, ok := bytes.CutSuffix(name[:i], []byte(digits)); ok {
			return append(strconv.AppendInt(bytes.Clone(head), int64(length), 10), name[i:]...)
		}
	}
	return name
}

// externShared makes the arrays.
func externShared(t *Text) (edits []edit) {
	src := t.src
	if !bytes.Contains(src, []byte("extern")) || !bytes.Contains(src, []byte("__shared__")) {
		return nil
	}
	toks := t.tokens(true)
	var functions []bool // whether each open brace is of a function
	for i, tok := range toks {
		switch {
		case tok.is(src, "{"):
			inner := len(functions) > 0 && functions[len(functions)-1]
			functions = append(functions, inner || i > 0 && endsHead(src, toks[i-1]))
		case tok.is(src, "}") && len(functions) > 0:
			functions = functions[:len(functions)-1]
		case tok.is(src, "extern") && len(functions) > 0 && functions[len(functions)-1]:
			if name, ok := scalarShared(src, toks[i:]); ok {
				called := string(src[name.pos:name.end])
				edits = append(edits, edit{name.pos, name.end, called + externSuffix + "[]; auto &" + called + " = " + called + externSuffix + "[0]"})
			}
		}
	}
	return edits
}

// endsHead reports whether a function's body may follow a token.
func endsHead(src []byte, t token) bool {
	return t.is(src, ")") || t.is(src, "const") || t.is(src, "noexcept") || t.is(src, "mutable")
}

// scalarShared returns the name that a statement declares, if it declares one shared variable
// that is not an array.
func scalarShared(src []byte, statement []token) (name token, ok bool) {
	shared, angles := false, 0
	for i := 0; i < len(statement); i++ {
		switch t := statement[i]; {
		case t.is(src, "("): // of an attribute
			end := matching(src, statement, i)
			if end < 0 {
				return name, false
			}
			i = end
		case t.is(src, ";"):
			last := statement[i-1]
			return last, shared && last.kind == tokenIdent
		case t.is(src, "["), t.is(src, "{"), t.is(src, "}"), t.is(src, "="), t.is(src, ",") && angles == 0, t.kind == tokenDirective:
			return name, false
		case t.is(src, "<"):
			angles++
		case t.is(src, ">"):
			angles--
		case t.is(src, "__shared__"):
			shared = true
		}
	}
	return name, false
}
