package llvm

import (
	"fmt"
	"strings"
)

// irType is a type of LLVM IR: so many elements of a kind, or one.
type irType struct {
	elem string
	n    int
}

func (t irType) String() string {
	if t.n == 1 {
		return t.elem
	}
	return fmt.Sprintf("<%d x %s>", t.n, t.elem)
}

// of is the type of as many elements of another kind.
func (t irType) of(elem string) irType { return irType{elem, t.n} }

// bits is the size of an element.
func (t irType) bits() int {
	switch t.elem {
	case "i1":
		return 1
	case "i8":
		return 8
	case "i16":
		return 16
	case "i32", "float":
		return 32
	}
	return 64
}

var (
	i1Type, i32Type, i64Type, ptrType = irType{"i1", 1}, irType{"i32", 1}, irType{"i64", 1}, irType{"ptr", 1}
	row32Type, row64Type              = irType{"i32", 32}, irType{"i64", 32}
	lanesType                         = irType{"i1", 32}
)

// irValue is a value of LLVM IR: its name or a constant, and its type.
type irValue struct {
	name string
	t    irType
}

func (v irValue) String() string { return v.t.String() + " " + v.name }

// irText collects instructions of a function of LLVM IR, in basic blocks.
type irText struct {
	strings.Builder
	values, labels int
	// block is the label of the basic block at work.
	block string
	// declared are the intrinsic functions that are called, by their declarations.
	declared map[string]bool
}

// value emits an instruction with a result. Arguments are irValues, types or strings.
func (x *irText) value(t irType, format string, args ...any) irValue {
	x.values++
	v := irValue{fmt.Sprintf("%%v%d", x.values), t}
	fmt.Fprintf(x, "  %s = ", v.name)
	fmt.Fprintf(x, format+"\n", args...)
	return v
}

// do emits an instruction without a result.
func (x *irText) do(format string, args ...any) { fmt.Fprintf(x, "  "+format+"\n", args...) }

// newLabel returns a label that no block has.
func (x *irText) newLabel() string {
	x.labels++
	return fmt.Sprintf("b%d", x.labels)
}

// begin begins the block of a label.
func (x *irText) begin(label string) {
	fmt.Fprintf(x, "%s:\n", label)
	x.block = label
}

func (x *irText) jump(label string) { x.do("br label %%%s", label) }

// branch continues at one of two labels. With rarely, the first is off the usual way.
func (x *irText) branch(cond irValue, yes, no string, rarely bool) {
	hint := ""
	if rarely {
		hint = ", !prof !0"
	}
	x.do("br %s, label %%%s, label %%%s%s", cond, yes, no, hint)
}

// isZero and differs compare with a number.
func (x *irText) isZero(v irValue) irValue { return x.compare("icmp eq", v, constantOf(v.t, 0)) }
func (x *irText) differs(v irValue, n uint64) irValue {
	return x.compare("icmp ne", v, constantOf(v.t, n))
}

// unless continues in a new block, but where a condition holds at a label off
// the usual way.
func (x *irText) unless(cond irValue, label string) {
	on := x.newLabel()
	x.branch(cond, label, on, true)
	x.begin(on)
}

// constantOf is a number in all elements of a type of integers.
func constantOf(t irType, v uint64) irValue {
	s := fmt.Sprint(int64(v<<(64-t.bits())) >> (64 - t.bits()))
	if t.elem == "i1" {
		s = map[bool]string{false: "false", true: "true"}[v&1 != 0]
	}
	if t.n == 1 {
		return irValue{s, t}
	}
	one := t.elem + " " + s
	return irValue{"<" + strings.TrimSuffix(strings.Repeat(one+", ", t.n), ", ") + ">", t}
}

// listOf is a vector of integers.
func listOf(elem string, list []int) irValue {
	parts := make([]string, len(list))
	for i, v := range list {
		parts[i] = fmt.Sprintf("%s %d", elem, v)
	}
	return irValue{"<" + strings.Join(parts, ", ") + ">", irType{elem, len(list)}}
}

// bin is an instruction of two operands of one type.
func (x *irText) bin(op string, a, b irValue) irValue {
	return x.value(a.t, "%s %s, %s", op, a, b.name)
}

// with is bin with a number.
func (x *irText) with(op string, a irValue, v uint64) irValue {
	return x.bin(op, a, constantOf(a.t, v))
}

// cast is a conversion; one to its own type is left out.
func (x *irText) cast(op string, a irValue, elem string) irValue {
	if a.t.elem == elem {
		return a
	}
	t := a.t.of(elem)
	return x.value(t, "%s %s to %s", op, a, t)
}

// compare is icmp or fcmp.
func (x *irText) compare(op string, a, b irValue) irValue {
	return x.value(a.t.of("i1"), "%s %s, %s", op, a, b.name)
}

// choose is a where the condition holds, else b.
func (x *irText) choose(cond, a, b irValue) irValue {
	return x.value(a.t, "select %s, %s, %s", cond, a, b)
}

// call calls an intrinsic function, whose name ends with its type.
func (x *irText) call(name string, t irType, args ...irValue) irValue {
	suffix := map[string]string{"float": "f32", "double": "f64"}[t.elem]
	if suffix == "" {
		suffix = t.elem
	}
	if t.n > 1 {
		suffix = fmt.Sprintf("v%d%s", t.n, suffix)
	}
	return x.callNamed("llvm."+name+"."+suffix, t, args...)
}

// callNamed calls an intrinsic function by its whole name.
func (x *irText) callNamed(name string, t irType, args ...irValue) irValue {
	types, values := make([]string, len(args)), make([]string, len(args))
	for i, a := range args {
		types[i], values[i] = a.t.String(), a.String()
	}
	x.declared[fmt.Sprintf("declare %s @%s(%s)", t, name, strings.Join(types, ", "))] = true
	return x.value(t, "call %s @%s(%s)", t, name, strings.Join(values, ", "))
}

// splat repeats a value.
func (x *irText) splat(v irValue, n int) irValue {
	t := irType{v.t.elem, n}
	one := x.value(t, "insertelement %s poison, %s, i64 0", t, v)
	return x.value(t, "shufflevector %s, %s poison, <%d x i32> zeroinitializer", one, t, n)
}

// pick is a vector of elements of one or two others, by their numbers.
func (x *irText) pick(a irValue, b *irValue, list []int) irValue {
	second := irValue{"poison", a.t}
	if b != nil {
		second = *b
	}
	return x.value(irType{a.t.elem, len(list)}, "shufflevector %s, %s, %s", a, second, listOf("i32", list))
}

// element is an element of a vector.
func (x *irText) element(v irValue, i int) irValue {
	return x.value(irType{v.t.elem, 1}, "extractelement %s, i64 %d", v, i)
}

// at is a pointer some bytes further.
func (x *irText) at(p irValue, off irValue) irValue {
	t := irType{"ptr", off.t.n}
	return x.value(t, "getelementptr i8, %s, %s", p, off)
}

// load and store access memory that is aligned to so many bytes.
func (x *irText) load(t irType, p irValue, align int) irValue {
	return x.value(t, "load %s, %s, align %d", t, p, align)
}

func (x *irText) store(v, p irValue, align int) { x.do("store %s, %s, align %d", v, p, align) }

// lanesOf makes a vector of bits from a mask, maskOf a mask from a vector of bits.
func (x *irText) lanesOf(mask irValue) irValue {
	return x.value(lanesType, "bitcast %s to %s", mask, lanesType)
}

func (x *irText) maskOf(bits irValue) irValue {
	if bits.t.n == 1 {
		return x.cast("sext", bits, "i32")
	}
	return x.value(i32Type, "bitcast %s to i32", bits)
}

// sequence are n numbers from first on.
func sequence(first, n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = first + i
	}
	return list
}
