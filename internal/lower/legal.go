package lower

import (
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
)

// Old programs leave out modifiers that became mandatory with PTX ISA 1.4.
// They are filled in here, so that package alu knows complete opcodes only.

// approximate are the instructions whose .f32 form means .approx.ftz where it
// has no rounding modifier (their sections, "PTX ISA Notes").
var approximate = map[string]bool{
	"div": true, "rcp": true, "sqrt": true, "rsqrt": true, "sin": true, "cos": true, "lg2": true, "ex2": true,
}

// flushing are the instructions whose .f32 forms flush subnormals on targets
// before sm_20, whether they say so or not (their sections, "Subnormal
// numbers: sm_1x").
var flushing = map[string]bool{
	"add": true, "sub": true, "mul": true, "mad": true, "fma": true, "abs": true, "neg": true, "min": true, "max": true,
	"set": true, "setp": true, "slct": true, "cvt": true, "div": true, "rcp": true, "sqrt": true, "rsqrt": true,
	"sin": true, "cos": true, "lg2": true, "ex2": true,
}

var roundings = []string{"rn", "rz", "rm", "rp", "approx", "full"}

// opcode is the complete dotted opcode of an instruction on registers, with
// its operands' attributes, as package alu wants it. flush tells a target
// before sm_20.
func opcode(in *ptx.Instr, flush bool) string {
	mods := slices.Clone(in.Mods)
	name := in.Op
	rounded := slices.ContainsFunc(mods, func(m string) bool { return slices.Contains(roundings, m) })
	t := lastType(mods)
	switch {
	case rounded:
	case approximate[name] && t == isa.F32:
		mods = slices.Insert(mods, 0, "approx")
		if !slices.Contains(mods, "ftz") {
			mods = slices.Insert(mods, 1, "ftz")
		}
	case name == "rsqrt" && t == isa.F64:
		mods = slices.Insert(mods, 0, "approx")
	case approximate[name] && t == isa.F64 || name == "mad" && (t == isa.F32 || t == isa.F64):
		mods = slices.Insert(mods, 0, "rn")
	case name == "cvt":
		mods = roundCvt(mods)
	}
	if flush && flushing[name] && !slices.Contains(mods, "ftz") && flushes(name, mods) {
		mods = slices.Insert(mods, firstType(mods), "ftz")
	}
	return strings.Join(append([]string{name}, mods...), ".") + operandAttrs(in)
}

// old reports whether u is a module for targets before sm_20.
func (u *unit) old() bool {
	return len(u.mod.Target) > 0 && strings.HasPrefix(u.mod.Target[0], "sm_1") && len(u.mod.Target[0]) == len("sm_1x")
}

// roundCvt adds the rounding that a conversion between unlike types lacks: to
// nearest, or toward zero for an integer (PTX ISA, "cvt").
func roundCvt(mods []string) []string {
	ts := types(mods)
	if len(ts) != 2 || slices.ContainsFunc(mods, func(m string) bool { return len(m) == 3 && m[0] == 'r' }) {
		return mods
	}
	d, s := ts[0], ts[1]
	switch {
	case s.IsFloat() && !d.IsFloat() && d.Size() <= 8 && isInteger(d):
		return slices.Insert(mods, 0, "rzi")
	case d.IsFloat() && (isInteger(s) || d.Size() < s.Size()) && d != isa.TF32:
		return slices.Insert(mods, 0, "rn")
	}
	return mods
}

func isInteger(t isa.Type) bool { return t >= isa.U8 && t <= isa.S64 }

// flushes reports whether an instruction computes with .f32 values. The first
// type of set and slct says no more than how the result looks.
func flushes(name string, mods []string) bool {
	if name == "set" || name == "slct" {
		return lastType(mods) == isa.F32
	}
	return slices.Contains(mods, "f32")
}

func types(mods []string) []isa.Type {
	var list []isa.Type
	for _, m := range mods {
		if t := isa.ParseType(m); t != isa.TypeNone {
			list = append(list, t)
		}
	}
	return list
}

func lastType(mods []string) isa.Type {
	if ts := types(mods); len(ts) > 0 {
		return ts[len(ts)-1]
	}
	return isa.TypeNone
}

// firstType is the index of the first type in mods.
func firstType(mods []string) int {
	i := slices.IndexFunc(mods, func(m string) bool { return isa.ParseType(m) != isa.TypeNone })
	return max(i, 0)
}

// executed reports whether the instruction table has a form with these
// modifiers that the engine runs.
func executed(in *ptx.Instr) bool {
	d := in.Desc
	if d == nil || d.Executed && !slices.ContainsFunc(d.Forms, func(f isa.Form) bool { return !f.Executed }) {
		return true
	}
	_, forms, err := isa.Check(in.Opcode())
	return err == nil && slices.ContainsFunc(forms, func(f *isa.Form) bool { return f.Executed })
}
