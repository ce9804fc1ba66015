package isa

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/inst"
)

// row is a line of the table as written: opcode, class, what it does, section,
// "PTX version sm", whether it is executed, and its forms.
//
// A form is "modifiers ; operands". Modifiers are groups a|b|c, of which one
// must be there; a ? after makes it optional, a * any number, a + one or more.
// $name stands for a list of groups. A lone * allows every modifier. A group
// that begins with ~ does not change what is computed (memory order, scope,
// caching): its words make no variants. A form that begins with "- " is not
// executed even if the row is. Operands are letters of kindLetters, with ? if
// optional or * for any number.
type row struct {
	op      string
	class   Class
	kind    inst.Kind
	section string
	since   string
	run     bool
	forms   []string
}

const (
	run   = true
	parse = false
)

func (r *row) desc() *Desc {
	d := &Desc{Op: r.op, Class: r.class, Kind: r.kind, Flow: flows[r.op], Section: r.section, Executed: r.run}
	version, sm, _ := strings.Cut(r.since, " ")
	major, minor, _ := strings.Cut(version, ".")
	d.PTX = [2]int{mustInt(major), mustInt(minor)}
	d.SM = mustInt(sm)
	for _, text := range r.forms {
		text, off := strings.CutPrefix(text, "- ")
		f := parseForm(text)
		f.Executed = r.run && !off
		d.Forms = append(d.Forms, f)
	}
	return d
}

// mustInt converts a number of the table.
func mustInt(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic("isa: bad number in table: " + s)
	}
	return n
}

func parseForm(s string) Form {
	mods, args, ok := strings.Cut(s, ";")
	if !ok {
		panic("isa: form without semicolon: " + s)
	}
	var f Form
	for _, w := range strings.Fields(mods) {
		f.Mods = append(f.Mods, parseGroup(w))
	}
	if len(f.Mods) > 16 {
		panic("isa: too many groups: " + s)
	}
	for _, w := range strings.Fields(args) {
		k, ok := kindLetters[w[0]]
		if !ok {
			panic("isa: bad operand in form: " + s)
		}
		f.Args = append(f.Args, Arg{
			Kinds: k, Optional: w[1:] == "?" || w[1:] == "*", Rest: w[1:] == "*", Dest: isDest(w[0]),
		})
	}
	return f
}

func parseGroup(text string) Group {
	g := Group{Min: 1, Max: 1}
	w, order := strings.CutPrefix(text, "~")
	g.order = order
	switch w[len(w)-1] {
	case '?':
		g.Min = 0
	case '*':
		g.Min, g.Max = 0, 99
	case '+':
		g.Max = 99
	}
	w = strings.TrimRight(w, "?*+")
	if w == "" {
		g.any = true
		return g
	}
	for _, a := range strings.Split(w, "|") {
		if !strings.HasPrefix(a, "$") {
			g.Words = append(g.Words, a)
			continue
		}
		list, ok := groups[a[1:]]
		if !ok {
			panic("isa: no group " + a)
		}
		g.Words = append(g.Words, strings.Split(list, "|")...)
	}
	return g
}

// groups are the named lists of modifiers.
var groups = map[string]string{
	"int":    "u16|u32|u64|s16|s32|s64",
	"int32":  "u32|s32",
	"rnd":    "rn|rz|rm|rp",
	"bits":   "b16|b32|b64",
	"half":   "f16|f16x2|bf16|bf16x2",
	"scalar": "b8|b16|b32|b64|u8|u16|u32|u64|s8|s16|s32|s64|f16|bf16|f32|f64",
	"cmp":    "eq|ne|lt|le|gt|ge",
	"fcmp":   "eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan",
	"irnd":   "rni|rzi|rmi|rpi",
	"bool":   "and|or|xor",
	"scope":  "cta|cluster|gpu|sys",
	"vec":    "v2|v4|v8",
	"ldss":   "const|global|local|param|param::entry|param::func|shared|shared::cta|shared::cluster",
	"stss":   "global|local|param|param::func|shared|shared::cta|shared::cluster",
	"ss":     "global|shared|shared::cta|shared::cluster",
	"l1":     "L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate",
	"l2":     "L2::evict_last|L2::evict_normal|L2::evict_first|L2::evict_unchanged",
	"pre":    "L2::64B|L2::128B|L2::256B",
	"hint":   "L2::cache_hint",
	"alltypes": "b8|b16|b32|b64|b128|u8|u16|u32|u64|s8|s16|s32|s64|f16|f16x2|bf16|bf16x2|tf32|f32|f32x2|f64|" +
		"e4m3|e5m2|e4m3x2|e5m2x2|u16x2|s16x2|u8x4|s8x4|pred",
	"video": "u32|s32",
	"vop2":  "add|min|max",
	"geom":  "1d|2d|3d|a1d|a2d|cube|acube|2dms|a2dms",
	"tex":   "s32|u32|f32|f16|f16x2",
	"clamp": "trap|clamp|zero",
	"cop":   "ca|cg|cs|lu|cv|wb|wt",

	"pair":     "cta_group::1|cta_group::2",
	"x32":      "x1|x2|x4|x8|x16|x32",
	"x64":      "x1|x2|x4|x8|x16|x32|x64",
	"x128":     "x1|x2|x4|x8|x16|x32|x64|x128",
	"x2to128":  "x2|x4|x8|x16|x32|x64|x128",
	"f8f6f4":   "e4m3|e5m2|e3m2|e2m3|e2m1",
	"dense":    "kind::f16|kind::tf32|kind::f8f6f4|kind::i8",
	"collectA": "collector::a::fill|collector::a::use|collector::a::lastuse|collector::a::discard",
	"collectB": collectors("b0", "b1", "b2", "b3"),

	"m64k8": warpgroupShapes(8, false), "m64k16": warpgroupShapes(16, false), "m64k32": warpgroupShapes(32, false), "m64k64": warpgroupShapes(64, false),
	"m64k32i": warpgroupShapes(32, true), "m64k64i": warpgroupShapes(64, true), "m64k256i": warpgroupShapes(256, true),
}

// collectors are the uses of the collector buffers of tcgen05.mma.ws.
func collectors(buffers ...string) string {
	var list []string
	for _, b := range buffers {
		for _, use := range []string{"fill", "use", "lastuse", "discard"} {
			list = append(list, "collector::"+b+"::"+use)
		}
	}
	return strings.Join(list, "|")
}

// warpgroupShapes are the shapes of wgmma with an extent k. Integers have fewer of them.
func warpgroupShapes(k int, integer bool) string {
	var list []string
	for n := 8; n <= 256; n += 8 {
		if !integer || n <= 32 || n%16 == 0 {
			list = append(list, fmt.Sprintf("m64n%dk%d", n, k))
		}
	}
	return strings.Join(list, "|")
}
