package isa

// whyNot has, for each row with forms that are not executed, which forms these are and why.
var whyNot = map[string][][2]string{
	"add": {{"`.u8x4`, `.s8x4`", laterPacked}},
	"sub": {{"`.u8x4`, `.s8x4`", laterPacked}},
	"min": {{"`.u8x4`, `.s8x4`", laterPacked}},
	"max": {{"`.u8x4`, `.s8x4`", laterPacked}},
	"mov": {{"`.b8`, `.u8`, `.s8`", "PTX 9: moves between registers of eight bits"}},
	"cvt": {
		{"`.rs`", "stochastic rounding: the text of the PTX ISA leaves open which random bits each of four elements gets, and how they round to subnormal numbers"},
		{"`.scaled::n2::ue8m0`, `.s2f6x2`", "PTX 9: conversions with scales"},
	},
	"tex":                           {{"`.2dms`, `.a2dms`", "multi-sample textures, which CUDA cannot create"}},
	"suld":                          {{"`.p`", "formatted loads, which targets from sm_20 on do not have"}},
	"multimem.cp.async.bulk":        {{"all", "PTX 9: bulk copies to multicast memory, which takes several devices"}},
	"multimem.cp.reduce.async.bulk": {{"all", "PTX 9: bulk reductions in multicast memory, which takes several devices"}},
}

const laterPacked = "PTX 9: arithmetic on four bytes in a register"

// WhyNot lists the forms of an instruction that are not executed, each with the reason; nil for
// an instruction all of whose forms are.
func WhyNot(op string) [][2]string { return whyNot[op] }
