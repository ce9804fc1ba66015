// Package isa is the table of PTX instructions: one row per opcode, from which
// the parser's checks, the printer and the coverage page are made. Reference:
// "Parallel Thread Execution ISA", chapter "Instruction Set", by section title.
package isa

//go:generate go test ../../engine -count=1 -update

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/warpgrind/warpgrind/internal/inst"
)

// Class is the family of an instruction.
type Class uint8

// The classes, in the order of the ISA's sections.
const (
	Arith   Class = iota // integer arithmetic
	Float                // floating point, half and mixed precision
	Compare              // comparison and selection
	Logic                // logic and shift
	Move                 // moves, conversions and permutation
	Memory               // loads, stores, prefetches and address tests
	Copy                 // asynchronous copies and tensor maps
	Texture              // textures and surfaces
	Control              // control flow
	Sync                 // barriers and fences
	Atomic               // atomic operations and reductions in memory
	Warp                 // votes, shuffles and other exchanges within a warp
	Matrix               // wmma, mma, wgmma
	Tensor5              // tcgen05
	Video                // video instructions
	Stack                // stack manipulation
	Misc
	// NumClasses is the number of classes.
	NumClasses
)

var classNames = [NumClasses]string{
	"integer arithmetic", "floating point", "comparison", "logic and shift", "moves and conversion", "memory",
	"asynchronous copy", "texture and surface", "control flow", "synchronization", "atomics", "warp", "matrix",
	"tensor core generation 5", "video", "stack", "miscellaneous",
}

// String names the class.
func (c Class) String() string { return classNames[c] }

// Desc is a row of the table: an opcode with all its forms.
type Desc struct {
	// Op is the opcode's leading words, joined by dots, that tell it from
	// others: "add", "cp.async.bulk", "bar.warp.sync".
	Op    string
	Class Class
	// Kind is what the instruction does; a modifier may refine it, see Describe.
	Kind inst.Kind
	// Flow is how the result comes from the operands.
	Flow inst.Flow
	// Section is the title of the instruction's section in the PTX ISA.
	Section string
	// PTX and SM are the PTX ISA version (major, minor) and the compute
	// capability that introduced the instruction: {7, 0} and 80.
	PTX [2]int
	SM  int
	// Executed is set if the engine runs it. Other rows parse and print only.
	Executed bool
	Forms    []Form
}

// Form is one combination of modifiers and operands that an opcode allows.
type Form struct {
	Mods []Group
	Args []Arg
	// Executed is set if the engine runs the form.
	Executed bool
}

// Group is a choice of modifiers, of which from Min to Max appear. Only the
// order of types is checked.
type Group struct {
	Words    []string
	Min, Max int
	any      bool
	// order marks words that say how memory is accessed and not what is
	// computed.
	order bool
}

// Kind is a set of operand shapes.
type Kind uint16

// Operand shapes. A tree's node has exactly one of them.
const (
	KReg    Kind = 1 << iota
	KImm         // integer constant
	KFloat       // floating-point constant
	KSymbol      // variable, function or label
	KAddress
	KVector
	KPair
	KSink
	KList
)

// Arg is the place of an operand.
type Arg struct {
	Kinds Kind
	// Optional may be left out; Rest stands for any number of operands.
	Optional, Rest bool
	// Dest is set if the instruction writes the operand. Only the first one
	// can be.
	Dest bool
}

// kinds by letter in the table.
var kindLetters = map[byte]Kind{
	'd': KReg | KSink | KVector,                   // destination
	'D': KReg | KSink | KVector | KPair,           // destination with a predicate
	's': KReg | KImm | KFloat | KSymbol | KVector, // source
	'i': KReg | KImm,
	'm': KAddress,
	'v': KVector | KReg,
	'l': KSymbol | KReg,
	'c': KSymbol | KReg | KImm | KList, // parts of a call
	'x': 1<<9 - 1,
	'w': KVector | KReg, // destination fragment
}

// isDest reports whether letter is one of the letters of destinations.
func isDest(letter byte) bool { return letter == 'd' || letter == 'D' || letter == 'w' }

var kindNames = []string{"register", "integer", "floating-point constant", "symbol", "address", "vector", "pair", "_", "list"}

// String lists the shapes: "register or integer".
func (k Kind) String() string {
	var list []string
	for i, n := range kindNames {
		if k&(1<<i) != 0 {
			list = append(list, n)
		}
	}
	return strings.Join(list, " or ")
}

var table = sync.OnceValue(func() map[string]*Desc {
	m := make(map[string]*Desc, len(rows))
	for i := range rows {
		d := rows[i].desc()
		if m[d.Op] != nil {
			panic("isa: two rows for " + d.Op)
		}
		m[d.Op] = d
	}
	return m
})

// Lookup returns the row of an opcode, given in full ("cp.async.ca.shared.global")
// or as its leading words; nil if there is none. The longest match counts.
func Lookup(op string) *Desc {
	t, full := table(), op
	op = firstWords(op, maxWords)
	for {
		if d := t[op]; d != nil {
			return synced(t, d, full)
		}
		i := strings.LastIndexByte(op, '.')
		if i < 0 {
			return nil
		}
		op = op[:i]
	}
}

// synced returns the row of d's instruction with .sync where that word stands
// among the modifiers: NVIDIA's tools take vote.ballot.sync as vote.sync.ballot.
func synced(t map[string]*Desc, d *Desc, op string) *Desc {
	if s := t[d.Op+".sync"]; s != nil && slices.Contains(strings.Split(op[len(d.Op):], "."), "sync") {
		return s
	}
	return d
}

// maxWords is at least the number of words of the longest row.
const maxWords = 6

// firstWords returns op up to its n-th dot.
func firstWords(op string, n int) string {
	for i := range len(op) {
		if op[i] == '.' {
			if n--; n == 0 {
				return op[:i]
			}
		}
	}
	return op
}

// All returns the rows in the order of the ISA.
func All() []*Desc {
	t := table()
	list := make([]*Desc, len(rows))
	for i := range rows {
		list[i] = t[rows[i].op]
	}
	return list
}

// Check looks an opcode up by its dotted text and returns its row and the
// forms that allow its modifiers. The error says what is wrong.
func Check(op string) (*Desc, []*Form, error) {
	d := Lookup(op)
	if d == nil {
		return nil, nil, fmt.Errorf("unknown instruction %q", op)
	}
	mods := modifiers(d, op)
	var forms []*Form
	best, bestAt := "", -1
	for i := range d.Forms {
		msg, at := d.Forms[i].match(mods)
		if msg == "" {
			forms = append(forms, &d.Forms[i])
		} else if at > bestAt {
			best, bestAt = msg, at
		}
	}
	if len(forms) == 0 {
		return nil, nil, fmt.Errorf("%s: %s", op, best)
	}
	return d, forms, nil
}

// modifiers returns the words of op after those of the row.
func modifiers(d *Desc, op string) []string {
	if len(op) == len(d.Op) {
		return nil
	}
	if strings.HasPrefix(op, d.Op+".") {
		return strings.Split(op[len(d.Op)+1:], ".")
	}
	words := strings.Split(op, ".")[1:]
	i := slices.Index(words, "sync")
	return slices.Delete(words, i, i+1)
}

// match returns "" if the form allows the modifiers; else what is wrong, and
// how many modifiers fitted.
func (f *Form) match(mods []string) (string, int) {
	var used [16]int
	from := 0 // types are in the order of their groups
	for i, m := range mods {
		first, isType := 0, ParseType(m) != TypeNone
		if isType {
			first = from
		}
		g := f.place(m, first, used[:])
		if g < 0 {
			return fmt.Sprintf("modifier .%s does not fit", m), i
		}
		if isType {
			from = g
		}
	}
	for i, g := range f.Mods {
		if used[i] < g.Min {
			return "missing modifier: one of ." + strings.Join(g.Words, " ."), len(mods)
		}
	}
	return "", len(mods)
}

// place counts a modifier in the first group with room for it, from the given
// one on, and returns its index, -1 if there is none.
func (f *Form) place(m string, first int, used []int) int {
	for i := first; i < len(f.Mods); i++ {
		g := &f.Mods[i]
		if used[i] < g.Max && (g.any || contains(g.Words, m)) {
			used[i]++
			return i
		}
	}
	return -1
}

func contains(list []string, s string) bool {
	for _, w := range list {
		if w == s {
			return true
		}
	}
	return false
}
