// Package ptx reads and prints NVIDIA's PTX: lexer, parser, syntax tree,
// printer. Reference: "Parallel Thread Execution ISA". Parse and print are
// inverse up to layout: parsing what was printed gives an equal tree.
package ptx

import (
	"slices"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/ptx/isa"
	"github.com/warpgrind/warpgrind/internal/source"
)

// Pos is a place in the PTX text itself. Line and Col count from 1.
type Pos struct{ Line, Col int }

// Module is one PTX file.
type Module struct {
	// Name is the file's name, for messages.
	Name string
	// Version is major and minor of .version.
	Version [2]int
	// Target holds the comma-separated words of .target: "sm_80", "debug".
	Target []string
	// AddressSize is 32 or 64.
	AddressSize int
	// Files maps the index of each .file to its name.
	Files map[int]string
	// Items are the module's directives in order.
	Items []Item

	funcs map[string]*Func
	vars  map[string]*Variable

	producer func() string // see Producer; nil for a module that was not parsed
}

// SM is the number of the .target, 90 for sm_90a; 0 if there is none.
func (m *Module) SM() int {
	for _, t := range m.Target {
		if num, ok := strings.CutPrefix(t, "sm_"); ok {
			n, _ := strconv.Atoi(strings.TrimRight(num, "af"))
			return n
		}
	}
	return 0
}

// Func returns the function or kernel of that name, its definition where
// there is one; nil if there is none.
func (m *Module) Func(name string) *Func { return m.funcs[name] }

// Variable returns the module-scope variable of that name, or nil.
func (m *Module) Variable(name string) *Variable { return m.vars[name] }

// Item is a directive at module scope: *Func, *Variable, *FileDirective,
// *Section, *Raw, *Alias, *RegDecl or *Loc.
type Item interface{ item() }

// FileDirective is .file index "name" [, timestamp, size].
type FileDirective struct {
	Pos   Pos
	Index int
	Name  string
	// Stamp holds timestamp and size if given.
	Stamp []int64
}

// Section is .section name { ... }: debug information, kept as text.
type Section struct {
	Pos  Pos
	Name string
	// Lines are the section's lines without layout.
	Lines []string
}

// Raw is a directive that has no meaning for execution (.pragma at module
// scope, .minnctapersm outside of a header, ...), kept as text.
type Raw struct {
	Pos  Pos
	Text string
	// Loc is the source position in force, in a function's body.
	Loc source.Location
}

// Alias is .alias name, target.
type Alias struct {
	Pos          Pos
	Name, Target string
}

// Linkage of a function or variable.
type Linkage uint8

// Linkages (PTX ISA, "Linking Directives").
const (
	Internal Linkage = iota
	Extern
	Visible
	Weak
	Common
)

// Space is the state space of a declaration or memory instruction.
type Space uint8

// State spaces (PTX ISA, "State Spaces"). NoSpace is generic.
const (
	NoSpace Space = iota
	Reg
	SReg
	Const
	Global
	Local
	Param
	Shared
	Tex
)

// Variable declares a variable or parameter in any space but .reg.
type Variable struct {
	Pos     Pos
	Linkage Linkage
	Space   Space
	// Align in bytes; 0 if not given (then it is the type's size).
	Align int
	// Vec is 2, 4 or 8 for .v2, .v4 and .v8, else 1.
	Vec  int
	Type isa.Type
	Name string
	// Dims are the array extents; nil for a scalar, 0 for a flexible [].
	Dims []int64
	// Init is nil where there is none.
	Init *Init
	// Attrs keeps the words of .attribute(...), and a parameter's .ptr,
	// .space and .align.
	Attrs []string
	// Count is above 0 for name<Count>.
	Count int
}

// Size returns the bytes that the variable occupies, 0 for a flexible array.
func (v *Variable) Size() int64 {
	n := int64(v.Type.Size()) * int64(v.Vec)
	for _, d := range v.Dims {
		n *= d
	}
	return n
}

// Alignment returns Align, or the natural alignment.
func (v *Variable) Alignment() int {
	if v.Align > 0 {
		return v.Align
	}
	return max(1, v.Type.Size()*v.Vec)
}

// Init is an initializer: a list, or one value.
type Init struct {
	List []*Init // braces
	// Value is an *Imm, *FloatImm or *SymbolRef if List is nil.
	Value Operand
	// Braces tells {} from no list.
	Braces bool
	// Field is the member that an element of an opaque variable's list sets,
	// "" elsewhere: {filter_mode = nearest}. Value is then an *Imm, or a
	// *SymbolRef whose name is the enumerator.
	Field string
}

// Func is an .entry or a .func, with or without a body.
type Func struct {
	Pos     Pos
	Linkage Linkage
	Entry   bool
	Name    string
	// Ret and Params are in space Param or Reg.
	Ret    []*Variable
	Params []*Variable
	// Directives are those between header and body, such as
	// {"maxntid", [256 1 1]} or {"noreturn", nil}.
	Directives []FuncDirective
	// Attrs keeps the words of .attribute(...).
	Attrs []string
	// Body is nil for a declaration.
	Body *Block
}

// FuncDirective is a performance-tuning or other header directive.
type FuncDirective struct {
	Name string // without the dot
	Args []int64
	// Text holds arguments that are not integers (.pragma "nounroll").
	Text []string
}

// Block is { ... }: a scope.
type Block struct {
	Pos   Pos
	Stmts []Stmt
	End   Pos
}

// Stmt is a statement of a body: *Instr, *Label, *RegDecl, *Variable, *Loc,
// *Block, *BranchTargets, *CallTargets, *CallPrototype or *Raw.
type Stmt interface{ stmt() }

// RegDecl declares registers: .reg .b32 %r<4>; or .reg .v2 .f32 a, b;
type RegDecl struct {
	Pos  Pos
	Type isa.Type
	Vec  int
	Regs []RegName
}

// RegName is one name, with Count above 0 for name<Count>, which declares
// name0 to name(Count-1).
type RegName struct {
	Name  string
	Count int
}

// Label is name: before a statement.
type Label struct {
	Pos  Pos
	Name string
}

// Loc is a .loc directive. It holds for the instructions that follow it in
// the function's text.
type Loc struct {
	Pos             Pos
	File, Line, Col int
	// FuncName is the label of function_name, "" if absent; FuncOffset an
	// optional +offset.
	FuncName   string
	FuncOffset int64
	// At is the place of inlined_at, nil if absent.
	At *LocAt
}

// LocAt is the file, line and column of inlined_at.
type LocAt struct{ File, Line, Col int }

// BranchTargets is label: .branchtargets a, b, c;
type BranchTargets struct {
	Pos    Pos
	Name   string
	Labels []string
}

// CallTargets is label: .calltargets f, g;
type CallTargets struct {
	Pos   Pos
	Name  string
	Funcs []string
}

// CallPrototype is label: .callprototype (ret) _ (params);
type CallPrototype struct {
	Pos         Pos
	Name        string
	Ret, Params []*Variable
	// NoReturn stands for .noreturn.
	NoReturn bool
	// Directives are .abi_preserve and .abi_preserve_control.
	Directives []FuncDirective
}

// Guard is @p or @!p.
type Guard struct {
	Reg string
	Not bool
}

// MemoryModel is the first target for which the memory consistency model is defined (PTX
// ISA, "Memory Consistency Model": sm_70).
const MemoryModel = 70

// Refetches reports whether in is a load or store that does not go by the L1 cache (.cg, .cv, .wt), in a
// module for a target before the memory model. There such an access is what .volatile is;
// later ones take the operator for a hint on performance.
func (m *Module) Refetches(in *Instr) bool {
	if sm := m.SM(); sm == 0 || sm >= MemoryModel || in.Op != "ld" && in.Op != "st" {
		return false
	}
	return slices.ContainsFunc(in.Mods, func(w string) bool { return w == "cg" || w == "cv" || w == "wt" })
}

// Instr is one instruction.
type Instr struct {
	Pos   Pos
	Guard *Guard
	// Op is the opcode's first word, Mods the rest in order and without
	// dots (shared between instructions, read only): "ld" and {"global", "nc", "v4", "f32"}. A two-colon modifier
	// such as L1::no_allocate is one word.
	Op   string
	Mods []string
	Args []Operand
	// Loc is the source position in force, with the inlined-at chain.
	Loc source.Location
	// Desc is the instruction's row of the table.
	Desc *isa.Desc
}

// Opcode returns the dotted text: "ld.global.nc.v4.f32".
func (i *Instr) Opcode() string {
	s := i.Op
	for _, m := range i.Mods {
		s += "." + m
	}
	return s
}

// Has reports whether a modifier is present.
func (i *Instr) Has(mod string) bool {
	for _, m := range i.Mods {
		if m == mod {
			return true
		}
	}
	return false
}

// Types returns the type modifiers in order: cvt.rn.f32.s32 gives F32, S32.
func (i *Instr) Types() []isa.Type {
	var ts []isa.Type
	for _, m := range i.Mods {
		if t := isa.ParseType(m); t != isa.TypeNone {
			ts = append(ts, t)
		}
	}
	return ts
}

// Operand is *RegRef, *Imm, *FloatImm, *SymbolRef, *Address, *Vector, *Pair,
// *Sink or *List.
type Operand interface{ operand() }

// RegRef names a register or a special register (%tid.x); Not stands for
// a negated predicate operand !p.
type RegRef struct {
	Name string
	// Elem is "x", "y", "z", "w" (or r, g, b, a) for a component of a vector
	// register; special registers keep the component in Name.
	// The video instructions select bytes and halves: "b0", "h1", "b3210".
	Elem string
	Not  bool
	// Neg stands for -a, which the video instruction vmad takes.
	Neg bool
	// of has the type that it is declared with; nil for special registers.
	of *Variable
}

// Imm is an integer constant, as its 64-bit pattern. Constant expressions are
// evaluated by the parser (PTX ISA, "Constant Expressions").
type Imm struct {
	Value uint64
	// Unsigned is set if the literal has U or is beyond int64.
	Unsigned bool
}

// FloatImm is a floating-point constant: 0f3F800000 (Bits 32), 0d... (64) or
// a decimal literal (64).
type FloatImm struct {
	Bits  int
	Value uint64
}

// SymbolRef is the address of a variable or function, or a label. Generic
// stands for generic(sym); Mask and Shift for 0xFF(sym) style initializers
// with Mask 0 if absent.
type SymbolRef struct {
	Name    string
	Offset  int64
	Generic bool
	Mask    uint64
}

// Address is [base], [base+offset], [imm] or base[offset]. Base is a *RegRef,
// *SymbolRef or nil for an absolute address. A texture operand has Coords:
// [tex, {x, y}] or [tex, sampler, {x, y}].
type Address struct {
	Base   Operand
	Offset int64
	// More holds the further operands inside the brackets.
	More []Operand
	// Unified stands for [a].unified (PTX ISA, "ld").
	Unified bool
}

// Vector is {a, b, c, d}.
type Vector struct{ Elems []Operand }

// Pair is a|b: two predicate results, or shfl's d|p.
type Pair struct{ A, B Operand }

// Sink is _, the bit bucket.
type Sink struct{}

// List is (a, b): the parameters of a call. Empty for ().
type List struct{ Elems []Operand }

func (*Func) item()          {}
func (*Variable) item()      {}
func (*FileDirective) item() {}
func (*Section) item()       {}
func (*Raw) item()           {}
func (*Alias) item()         {}
func (*RegDecl) item()       {}
func (*Loc) item()           {}

func (*Instr) stmt()         {}
func (*Label) stmt()         {}
func (*RegDecl) stmt()       {}
func (*Variable) stmt()      {}
func (*Loc) stmt()           {}
func (*Block) stmt()         {}
func (*BranchTargets) stmt() {}
func (*CallTargets) stmt()   {}
func (*CallPrototype) stmt() {}
func (*Raw) stmt()           {}

func (*RegRef) operand()    {}
func (*Imm) operand()       {}
func (*FloatImm) operand()  {}
func (*SymbolRef) operand() {}
func (*Address) operand()   {}
func (*Vector) operand()    {}
func (*Pair) operand()      {}
func (*Sink) operand()      {}
func (*List) operand()      {}
