package isa

import "github.com/warpgrind/warpgrind/internal/inst"

// rows is the table. It is split by class over several files.
var rows = concat(arithRows, floatRows, compareRows, moveRows, memoryRows, copyRows, textureRows, controlRows,
	syncRows, warpRows, matrixRows, videoRows, miscRows)

func concat(lists ...[]row) []row {
	var all []row
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// Forms of the mixed opcodes, which integers, floats and halves share.
const (
	fAddF32  = "$rnd? ftz? sat? f32 ; d s s"
	fAddF32x = "$rnd? ftz? f32x2 ; d s s"
	fAddF64  = "$rnd? f64 ; d s s"
	fAddHalf = "rn? ftz? sat? f16|f16x2 ; d s s"
	fAddBF   = "rn? bf16|bf16x2 ; d s s"
	fAddMix  = "$rnd? sat? f32 f16|bf16 ; d s s"
	fSign16  = "ftz? f16|f16x2 ; d s"
	fSignBF  = "bf16|bf16x2 ; d s"
	fMin     = "ftz? NaN? f32|f16|f16x2 ; d s s"
	fMinSign = "ftz? NaN? xorsign abs f32|f16|f16x2 ; d s s"
	fMinBF   = "NaN? bf16|bf16x2 ; d s s"
	fMinBFx  = "NaN? xorsign abs bf16|bf16x2 ; d s s"
	fMin3    = "ftz? NaN? abs? f32 ; d s s s"
	packed8  = "- u8x4|s8x4 ; d s s"
)

// addForms are those of add and sub, minForms those of min and max.
var (
	addForms = []string{"$int ; d s s", "sat s32 ; d s s", packed8, fAddF32, fAddF32x, fAddF64, fAddHalf, fAddBF, fAddMix}
	minForms = []string{
		"$int|u16x2|s16x2 ; d s s", "relu s32|s16x2 ; d s s", packed8,
		fMin, fMinSign, fMinBF, fMinBFx, "f64 ; d s s", fMin3}
	absForms = []string{"s16|s32|s64 ; d s", "ftz? f32 ; d s", "f64 ; d s", fSign16, fSignBF}
)

var arithRows = []row{
	{"add", Arith, inst.Compute, "Integer Arithmetic Instructions: add", "1.0 10", run, append(addForms[:len(addForms):len(addForms)], "u16x2|s16x2 ; d s s")},
	{"sub", Arith, inst.Compute, "Integer Arithmetic Instructions: sub", "1.0 10", run, addForms},
	{"mul", Arith, inst.Compute, "Integer Arithmetic Instructions: mul", "1.0 10", run, []string{
		"hi|lo $int ; d s s", "wide u16|s16|u32|s32 ; d s s", fAddF32, fAddF32x, fAddF64, fAddHalf, fAddBF}},
	{"mad", Arith, inst.Compute, "Integer Arithmetic Instructions: mad", "1.0 10", run, []string{
		"hi|lo $int ; d s s s", "wide u16|s16|u32|s32 ; d s s s", "hi sat s32 ; d s s s", "hi|lo cc u32|s32|u64|s64 ; d s s s",
		"$rnd? ftz? sat? f32 ; d s s s", "$rnd? f64 ; d s s s"}},
	{"mul24", Arith, inst.Compute, "Integer Arithmetic Instructions: mul24", "1.0 10", run, []string{"hi|lo $int32 ; d s s"}},
	{"mad24", Arith, inst.Compute, "Integer Arithmetic Instructions: mad24", "1.0 10", run, []string{
		"hi|lo $int32 ; d s s s", "hi sat s32 ; d s s s"}},
	{"sad", Arith, inst.Compute, "Integer Arithmetic Instructions: sad", "1.0 10", run, []string{"$int ; d s s s"}},
	{"div", Arith, inst.Compute, "Integer Arithmetic Instructions: div", "1.0 10", run, []string{
		"$int ; d s s", "approx|full|$rnd ftz? f32 ; d s s", "f32 ; d s s", "$rnd? f64 ; d s s"}},
	{"rem", Arith, inst.Compute, "Integer Arithmetic Instructions: rem", "1.0 10", run, []string{"$int ; d s s"}},
	{"abs", Arith, inst.Compute, "Integer Arithmetic Instructions: abs", "1.0 10", run, absForms},
	{"neg", Arith, inst.Compute, "Integer Arithmetic Instructions: neg", "1.0 10", run, absForms},
	{"min", Arith, inst.Compute, "Integer Arithmetic Instructions: min", "1.0 10", run, minForms},
	{"max", Arith, inst.Compute, "Integer Arithmetic Instructions: max", "1.0 10", run, minForms},
	{"popc", Arith, inst.Compute, "Integer Arithmetic Instructions: popc", "2.0 20", run, []string{"b32|b64 ; d s"}},
	{"clz", Arith, inst.Compute, "Integer Arithmetic Instructions: clz", "2.0 20", run, []string{"b32|b64 ; d s"}},
	{"bfind", Arith, inst.Compute, "Integer Arithmetic Instructions: bfind", "2.0 20", run, []string{"shiftamt? u32|u64|s32|s64 ; d s"}},
	{"fns", Arith, inst.Compute, "Integer Arithmetic Instructions: fns", "6.0 30", run, []string{"b32 ; d s s s"}},
	{"brev", Arith, inst.Compute, "Integer Arithmetic Instructions: brev", "2.0 20", run, []string{"b32|b64 ; d s"}},
	{"bfe", Arith, inst.Compute, "Integer Arithmetic Instructions: bfe", "2.0 20", run, []string{"u32|u64|s32|s64 ; d s s s"}},
	{"bfi", Arith, inst.Compute, "Integer Arithmetic Instructions: bfi", "2.0 20", run, []string{"b32|b64 ; d s s s s"}},
	{"szext", Arith, inst.Compute, "Integer Arithmetic Instructions: szext", "7.6 70", run, []string{"clamp|wrap u32|s32 ; d s s"}},
	{"bmsk", Arith, inst.Compute, "Integer Arithmetic Instructions: bmsk", "7.6 70", run, []string{"clamp|wrap b32 ; d s s"}},
	{"dp4a", Arith, inst.Compute, "Integer Arithmetic Instructions: dp4a", "5.0 61", run, []string{"u32|s32 u32|s32 ; d s s s"}},
	{"dp2a", Arith, inst.Compute, "Integer Arithmetic Instructions: dp2a", "5.0 61", run, []string{"lo|hi u32|s32 u32|s32 ; d s s s"}},
	{"add.cc", Arith, inst.Compute, "Extended-Precision Arithmetic Instructions: add.cc", "1.2 10", run, []string{"u32|s32|u64|s64 ; d s s"}},
	{"addc", Arith, inst.Compute, "Extended-Precision Arithmetic Instructions: addc", "1.2 10", run, []string{"cc? u32|s32|u64|s64 ; d s s"}},
	{"sub.cc", Arith, inst.Compute, "Extended-Precision Arithmetic Instructions: sub.cc", "3.0 10", run, []string{"u32|s32|u64|s64 ; d s s"}},
	{"subc", Arith, inst.Compute, "Extended-Precision Arithmetic Instructions: subc", "3.0 10", run, []string{"cc? u32|s32|u64|s64 ; d s s"}},
	{"madc", Arith, inst.Compute, "Extended-Precision Arithmetic Instructions: madc", "3.0 20", run, []string{
		"hi|lo cc? u32|s32|u64|s64 ; d s s s"}},
}

var floatRows = []row{
	{"testp", Float, inst.Compute, "Floating Point Instructions: testp", "2.0 20", run, []string{
		"finite|infinite|number|notanumber|normal|subnormal f32|f64 ; d s"}},
	{"copysign", Float, inst.Compute, "Floating Point Instructions: copysign", "2.0 20", run, []string{"f32|f64 ; d s s"}},
	{"fma", Float, inst.Compute, "Floating Point Instructions: fma", "1.4 13", run, []string{
		"$rnd ftz? sat? f32 ; d s s s", "$rnd ftz? f32x2 ; d s s s", "$rnd f64 ; d s s s",
		"rn ftz? sat? f16|f16x2 ; d s s s", "rn ftz? relu f16|f16x2 ; d s s s", "rn relu? bf16|bf16x2 ; d s s s",
		"rn oob relu? $half ; d s s s", "$rnd sat? f32 f16|bf16 ; d s s s"}},
	{"rcp", Float, inst.Compute, "Floating Point Instructions: rcp", "1.0 10", run, []string{
		"approx|$rnd ftz? f32 ; d s", "f32 ; d s", "$rnd? f64 ; d s", "approx ftz f64 ; d s"}},
	{"sqrt", Float, inst.Compute, "Floating Point Instructions: sqrt", "1.0 10", run, []string{"approx|$rnd ftz? f32 ; d s", "f32 ; d s", "$rnd? f64 ; d s"}},
	{"rsqrt", Float, inst.Compute, "Floating Point Instructions: rsqrt", "1.0 10", run, []string{"approx ftz? f32 ; d s", "f32 ; d s", "approx? f64 ; d s", "approx ftz f64 ; d s"}},
	{"sin", Float, inst.Compute, "Floating Point Instructions: sin", "1.0 10", run, []string{"approx ftz? f32 ; d s", "f32 ; d s"}},
	{"cos", Float, inst.Compute, "Floating Point Instructions: cos", "1.0 10", run, []string{"approx ftz? f32 ; d s", "f32 ; d s"}},
	{"lg2", Float, inst.Compute, "Floating Point Instructions: lg2", "1.0 10", run, []string{"approx ftz? f32 ; d s", "f32 ; d s"}},
	{"ex2", Float, inst.Compute, "Floating Point Instructions: ex2", "1.0 10", run, []string{
		"approx ftz? f32 ; d s", "f32 ; d s", "approx f16|f16x2 ; d s", "approx ftz bf16|bf16x2 ; d s"}},
	{"tanh", Float, inst.Compute, "Floating Point Instructions: tanh", "7.0 75", run, []string{"approx f32|$half ; d s"}},
}

// Comparisons by the types that have them.
const (
	cmpU = "$cmp|lo|ls|hi|hs $bool? "
	cmpS = "$cmp $bool? "
	cmpB = "eq|ne $bool? "
	cmpF = "$fcmp $bool? "
	setD = "u32|s32|f32 "
	setH = "u16|s16|u32|s32 "
)

var compareRows = []row{
	{"set", Compare, inst.Compute, "Comparison and Selection Instructions: set", "1.0 10", run, []string{
		cmpU + setD + "u16|u32|u64 ; d s s s?", cmpS + setD + "s16|s32|s64 ; d s s s?", cmpB + setD + "$bits ; d s s s?",
		cmpF + "ftz? " + setD + "f32 ; d s s s?", cmpF + setD + "f64 ; d s s s?",
		cmpS + "f16|bf16 $int ; d s s s?", cmpB + "f16|bf16 $bits ; d s s s?", cmpF + "ftz? f16 f16|f32 ; d s s s?", cmpF + "f16 f64 ; d s s s?",
		cmpF + "bf16 bf16|f16|f32|f64 ; d s s s?", cmpF + "ftz? " + setH + "f16 ; d s s s?", cmpF + setH + "bf16 ; d s s s?",
		cmpF + "ftz? f16x2|u32|s32 f16x2 ; d s s s?", cmpF + "bf16x2|u32|s32 bf16x2 ; d s s s?"}},
	{"setp", Compare, inst.Compute, "Comparison and Selection Instructions: setp", "1.0 10", run, []string{
		cmpU + "u16|u32|u64 ; D s s s?", cmpS + "s16|s32|s64 ; D s s s?", cmpB + "$bits ; D s s s?",
		cmpF + "ftz? f32|f16|f16x2 ; D s s s?", cmpF + "f64|bf16|bf16x2 ; D s s s?"}},
	{"selp", Compare, inst.Compute, "Comparison and Selection Instructions: selp", "1.0 10", run, []string{"$bits|$int|f32|f64 ; d s s s"}},
	{"slct", Compare, inst.Compute, "Comparison and Selection Instructions: slct", "1.0 10", run, []string{
		"$bits|$int|f32|f64 s32 ; d s s s", "ftz? $bits|$int|f32|f64 f32 ; d s s s"}},
	{"and", Logic, inst.Compute, "Logic and Shift Instructions: and", "1.0 10", run, []string{"$bits|pred ; d s s"}},
	{"or", Logic, inst.Compute, "Logic and Shift Instructions: or", "1.0 10", run, []string{"$bits|pred ; d s s"}},
	{"xor", Logic, inst.Compute, "Logic and Shift Instructions: xor", "1.0 10", run, []string{"$bits|pred ; d s s"}},
	{"not", Logic, inst.Compute, "Logic and Shift Instructions: not", "1.0 10", run, []string{"$bits|pred ; d s"}},
	{"cnot", Logic, inst.Compute, "Logic and Shift Instructions: cnot", "1.0 10", run, []string{"$bits ; d s"}},
	{"lop3", Logic, inst.Compute, "Logic and Shift Instructions: lop3", "4.3 50", run, []string{"b32 ; d s s s i", "or|and b32 ; D s s s i s"}},
	{"shf", Logic, inst.Compute, "Logic and Shift Instructions: shf", "3.1 32", run, []string{"l|r clamp|wrap b32 ; d s s s"}},
	{"shl", Logic, inst.Compute, "Logic and Shift Instructions: shl", "1.0 10", run, []string{"$bits ; d s s"}},
	{"shr", Logic, inst.Compute, "Logic and Shift Instructions: shr", "1.0 10", run, []string{"$bits|$int ; d s s"}},
}

// anyInt are the integer types of cvt, mini2 its pairs of narrow floats.
const (
	anyInt = "u8|u16|u32|u64|s8|s16|s32|s64"
	mini2  = "e4m3x2|e5m2x2|e2m1x2|e2m3x2|e3m2x2"
	mini4  = "e4m3x4|e5m2x4|e2m1x4|e2m3x4|e3m2x4"
)

var moveRows = []row{
	{"mov", Move, inst.Compute, "Data Movement and Conversion Instructions: mov", "1.0 10", run, []string{
		"pred|$bits|b128|$int|f32|f64|$half ; d s", "v2|v4 $bits|$int|f32|f64 ; d s", "- b8|u8|s8 ; d s"}},
	{"prmt", Move, inst.Compute, "Data Movement and Conversion Instructions: prmt", "2.0 20", run, []string{
		"b32 f4e|b4e|rc8|ecl|ecr|rc16? ; d s s s"}},
	{"cvt", Move, inst.Compute, "Data Movement and Conversion Instructions: cvt", "1.0 10", run, []string{
		"sat? " + anyInt + " " + anyInt + " ; d s",
		"$irnd sat? " + anyInt + " f16|bf16|f64 ; d s", "$irnd ftz? sat? " + anyInt + " f32 ; d s",
		"$rnd ftz? sat? f32 " + anyInt + " ; d s", "$rnd sat? f16|f64 " + anyInt + " ; d s", "$rnd bf16 " + anyInt + " ; d s",
		"ftz? sat? f32 f16|bf16 ; d s", "sat? f64 f16|bf16 ; d s", "ftz? sat? f64 f32 ; d s",
		"$irnd? ftz? sat? f32 f32 ; d s", "$irnd? sat? f16 f16 ; d s", "$irnd? sat? f64 f64 ; d s", "$irnd? bf16 bf16 ; d s",
		"$rnd ftz? sat? f16 f32 ; d s", "$rnd ftz? sat? f32 f64 ; d s", "$rnd sat? f16 f64 ; d s", "$rnd sat? f16 bf16 ; d s", "$rnd bf16 f16|f32|f64 ; d s",
		"rn|rz relu? satfinite? f16|bf16 f32 ; d s", "rn|rz relu? satfinite? f16x2|bf16x2 f32 ; d s s",
		"- rs relu? satfinite? f16x2|bf16x2 f32 ; d s s s",
		"rna satfinite? tf32 f32 ; d s", "rn|rz satfinite? relu? tf32 f32 ; d s",
		"rn satfinite relu? " + mini2 + " f32 ; d s s", "rn satfinite relu? " + mini2 + " f16x2|bf16x2 ; d s",
		"rn relu? f16x2 " + mini2 + " ; d s", "rn relu? satfinite? bf16x2 " + mini2 + " ; d s",
		"- rn relu? satfinite? scaled::n2::ue8m0 bf16x2 " + mini2 + " ; d s s",
		"rz|rp satfinite? ue8m0x2 f32 ; d s s", "rz|rp satfinite? ue8m0x2 bf16x2 ; d s", "rn bf16x2 ue8m0x2 ; d s",
		"- rs relu? satfinite " + mini4 + " f32 ; d s s",
		"- rn|rz satfinite? relu? scaled::n2::ue8m0? s2f6x2 f32|bf16x2 ; d s s? s?",
		"- rn|rz satfinite? relu? scaled::n2::ue8m0? bf16x2 s2f6x2 ; d s s?"}},
	{"cvt.pack", Move, inst.Compute, "Data Movement and Conversion Instructions: cvt.pack", "6.5 72", run, []string{
		"sat u16|s16 s32 ; d s s", "sat u8|s8|u4|s4|u2|s2 s32 b32 ; d s s s"}},
}
