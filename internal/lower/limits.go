package lower

import (
	"cmp"
	"slices"

	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// LimitReason is why an instruction is not executed, or how it is.
type LimitReason uint8

// The reasons. The first two are those of instructions that stop a kernel that reaches
// them.
const (
	// NotSupported: the instruction, or this form of it.
	NotSupported LimitReason = iota
	// NotLowered: what its operands are, or what it calls.
	NotLowered
	// WithinError: the ISA bounds the error of the function, and does not say more.
	WithinError
	// OpenSum: the ISA leaves the order and the rounding of the sum open.
	OpenSum
	// FigureOnly: the ISA's text does not say all, its figures do.
	FigureOnly
	numReasons
)

var limitReasons = [numReasons]struct{ name, text string }{
	NotSupported: {"not-supported", "not supported"},
	NotLowered:   {"operands", "not supported with these operands"},
	WithinError:  {"error-bound", "the result is within the error bound of the PTX ISA; the last bits of a GPU's can differ"},
	OpenSum:      {"sum", "products are exact and are summed in 32 bits in the order of k; the PTX ISA leaves order and rounding of a GPU's sum open"},
	FigureOnly:   {"figure", "which rows move is read from examples of its use: the text of the PTX ISA leaves it to a figure"},
}

// String is the reason's name in reports.
func (r LimitReason) String() string { return limitReasons[r].name }

// Text puts the reason into words.
func (r LimitReason) Text() string { return limitReasons[r].text }

// Approximate reports whether the instruction is executed.
func (r LimitReason) Approximate() bool { return r > NotLowered }

// Limit is an instruction of a module that is not executed, or not as each GPU would. Of equal
// instructions at one line of the source, Count are there; PTXLine is the first one's.
type Limit struct {
	// Func is the kernel or function, mangled.
	Func string
	// File and Line are the place in the source, "" and 0 where it is unknown.
	File    string
	Line    int
	PTXLine int
	Opcode  string
	Reason  LimitReason
	// Text is the message of NotLowered, which is known when the kernel is prepared.
	Text  string
	Count int
}

// same reports instructions of one place that one entry stands for.
func (l *Limit) same(o *Limit) bool {
	return l.Func == o.Func && l.Opcode == o.Opcode && l.Reason == o.Reason && l.File == o.File && l.Line == o.Line && (l.File != "" || l.PTXLine == o.PTXLine)
}

// Limits lists the instructions of a module that are not executed, and those that are executed
// approximately, by function and line. What depends on operands is found by Kernel.
func Limits(m *ptx.Module) (list []Limit) {
	known := map[string]isa.Fidelity{}
	for _, it := range m.Items {
		if f, ok := it.(*ptx.Func); ok && f.Body != nil {
			var own []Limit
			limitsOf(f.Body, func(in *ptx.Instr) {
				op := in.Opcode()
				if _, seen := known[op]; !seen {
					known[op] = isa.FidelityOf(op)
				}
				if r, ok := limitOf(in, known[op]); ok {
					own = append(own, Limit{Func: f.Name, File: in.Loc.File, Line: in.Loc.Line, PTXLine: in.Pos.Line, Opcode: op, Reason: r, Count: 1})
				}
			})
			list = append(list, joinLimits(own)...)
		}
	}
	return list
}

func limitsOf(b *ptx.Block, f func(*ptx.Instr)) {
	for _, s := range b.Stmts {
		switch s := s.(type) {
		case *ptx.Block:
			limitsOf(s, f)
		case *ptx.Instr:
			f(s)
		}
	}
}

// joinLimits makes one entry of equal ones.
func joinLimits(list []Limit) (out []Limit) {
	slices.SortStableFunc(list, func(a, b Limit) int {
		return cmp.Or(cmp.Compare(a.File, b.File), a.Line-b.Line, cmp.Compare(a.Opcode, b.Opcode), a.PTXLine-b.PTXLine)
	})
	for _, l := range list {
		if n := len(out) - 1; n >= 0 && out[n].same(&l) {
			out[n].Count++
		} else {
			out = append(out, l)
		}
	}
	return out
}

// limitOf is why an instruction is in the list; ok is false for those that are executed as they
// should.
func limitOf(in *ptx.Instr, f isa.Fidelity) (r LimitReason, ok bool) {
	k := in.Kind()
	switch {
	case f == isa.Exact:
		return 0, false
	case f == isa.Unsupported:
		return NotSupported, in.Desc != nil
	case k == inst.TensorShift || in.Has("ashift"):
		return FigureOnly, true
	case k == inst.MatrixMath || k == inst.ProductAsync || k == inst.TensorProduct:
		return OpenSum, true
	}
	return WithinError, true
}

// Stops lists the instructions of a kernel at which it stops, as they cannot be lowered.
func Stops(p *program.Program) (list []Limit) {
	for i, s := range p.Stops {
		op := s.PTX
		for k := range op {
			if op[k] == ' ' || op[k] == ';' {
				op = op[:k]
				break
			}
		}
		list = append(list, Limit{Func: s.Func, File: s.Loc.File, Line: s.Loc.Line, PTXLine: s.PTXLine, Opcode: op, Reason: NotLowered, Text: p.Messages[i], Count: 1})
	}
	return list
}
