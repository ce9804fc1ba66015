package ptx

import (
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
)

// Span is bytes of a text, the last one excluded.
type Span struct{ From, To int }

// Of is the text of the span.
func (s Span) Of(text string) string { return text[s.From:s.To] }

// Inline is an instruction in a text of inline assembly, whose operands may be those of the assembly.
type Inline struct {
	// Begin is where the statement begins, with its guard.
	Begin int
	// Opcode is the dotted opcode, Words are its parts without their dots.
	Opcode string
	Words  []Span
	// Desc is the row of the instruction table; nil for an opcode that it does not allow.
	Desc *isa.Desc
	// Args are the operands.
	Args []Span
}

// InlineInstructions finds the instructions in a text of inline assembly. It knows no declarations, so it takes any name, and a text that
// is no PTX has the instructions that can be told: what follows a mistake up to the next semicolon is left out.
func InlineInstructions(text string) []Inline {
	r := inlineReader{lex: lexer{src: text, line: 1, fail: func(Pos, string) {}}}
	r.next()
	for r.tok.kind != tEOF {
		r.statement()
	}
	return r.out
}

// inlineReader reads statements of inline assembly with one token of lookahead.
type inlineReader struct {
	lex lexer
	tok token
	out []Inline
}

func (r *inlineReader) next() { r.tok = r.lex.next() }

func (r *inlineReader) span() Span { return Span{r.tok.off, r.tok.end} }

// statement reads a brace, a label, a directive, or an instruction with its guard.
func (r *inlineReader) statement() {
	begin := r.tok.off
	switch r.tok.kind {
	case '{', '}', ';':
		r.next()
		return
	case '@':
		r.next()
		if r.tok.kind == '!' {
			r.next()
		}
		r.next()
	}
	if r.tok.kind != tIdent {
		r.skip()
		return
	}
	in := Inline{Begin: begin, Words: []Span{r.span()}}
	if r.next(); r.tok.kind == ':' { // a label
		r.next()
		return
	}
	for r.tok.kind == tDot && !isDotLabel(r.span().Of(r.lex.src)) {
		in.Words = append(in.Words, Span{r.tok.off + 1, r.tok.end})
		r.next()
	}
	words := make([]string, len(in.Words))
	for i, w := range in.Words {
		words[i] = w.Of(r.lex.src)
	}
	in.Opcode = strings.Join(words, ".")
	if d, _, err := isa.Check(in.Opcode); err == nil {
		in.Desc = d
	}
	in.Args = r.args()
	r.out = append(r.out, in)
}

// args reads operands up to the end of the statement.
func (r *inlineReader) args() (out []Span) {
	var arg Span
	end := func() {
		if arg.To > 0 {
			out = append(out, arg)
		}
		arg = Span{}
	}
	for depth := 0; r.tok.kind != tEOF && r.tok.kind != ';'; r.next() {
		switch r.tok.kind {
		case '{', '[', '(':
			depth++
		case '}', ']', ')':
			if depth--; depth < 0 { // the end of a scope: the semicolon before it is missing
				end()
				return out
			}
		case ',':
			if depth == 0 {
				end()
				continue
			}
		}
		if arg.To == 0 {
			arg.From = r.tok.off
		}
		arg.To = r.tok.end
	}
	end()
	return out
}

// skip skips the rest of a statement.
func (r *inlineReader) skip() {
	for r.tok.kind != tEOF && r.tok.kind != ';' {
		r.next()
	}
}

// Kind is what the instruction does; that of a call for an unknown one.
func (in *Inline) Kind() inst.Kind { return in.what().Kind }

func (in *Inline) what() inst.Op {
	if in.Desc == nil {
		return inst.Op{Kind: inst.Call}
	}
	op, _ := isa.What(in.Opcode)
	return op
}

// Has reports whether the opcode has a modifier.
func (in *Inline) Has(mod string) bool {
	return slices.Contains(strings.Split(in.Opcode, ".")[1:], mod)
}

// Threads is the operand with the number of threads that a barrier is for; ok is false for other instructions, and where the barrier is
// for all threads (PTX ISA, "bar, barrier").
func (in *Inline) Threads() (at int, ok bool) {
	switch n := len(in.Args); in.Kind() {
	case inst.Barrier, inst.BarrierArrive:
		return 1, n == 2
	case inst.BarrierReduce: // the result, the barrier, the threads, the predicate
		return 2, n == 4
	}
	return 0, false
}

// BarrierID is the operand with the number of a barrier.
func (in *Inline) BarrierID() (at int, ok bool) {
	switch in.Kind() {
	case inst.Barrier, inst.BarrierArrive:
		return 0, len(in.Args) > 0
	case inst.BarrierReduce:
		return 1, len(in.Args) > 1
	}
	return 0, false
}

// Parity is the operand with the parity of the phase that an mbarrier is tested for (PTX ISA, "mbarrier.test_wait / mbarrier.try_wait").
func (in *Inline) Parity() (at int, ok bool) {
	return 2, in.Kind() == inst.MBarrierTest && in.Has("parity") && len(in.Args) > 2
}

// MBarrier is the operand with the address of the mbarrier that an instruction tests.
func (in *Inline) MBarrier() (at int, ok bool) {
	return 1, in.Kind() == inst.MBarrierTest && len(in.Args) > 2
}
