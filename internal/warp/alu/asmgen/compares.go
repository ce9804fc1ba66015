package main

import "fmt"

// tests are setp of the integer and floating-point types (PTX ISA 9.7.6.2).
func tests() []test {
	s := intTests(4, true, "s32")
	s = append(s, intTests(4, false, "u32")...)
	s = append(s, intTests(8, true, "s64")...)
	s = append(s, intTests(8, false, "u64")...)
	s = append(s, floatTests(4, "f32", false)...)
	s = append(s, floatTests(4, "ftz.f32", true)...)
	return append(s, floatTests(8, "f64", false)...)
}

// intCompares are the predicates of VPCMPD; AVX2 has only = and >, from which
// the others follow by exchange and complement.
var intCompares = []struct {
	name, unsigned string
	pred           int
	equal          bool // = rather than >
	swap, not      bool
}{
	{"eq", "", 0, true, false, false},
	{"ne", "", 4, true, false, true},
	{"lt", "lo", 1, false, true, false},
	{"le", "ls", 2, false, false, true},
	{"gt", "hi", 6, false, false, false},
	{"ge", "hs", 5, false, true, true},
}

func intTests(w int, signed bool, typ string) (s []test) {
	compare := map[bool]string{true: "VPCMP", false: "VPCMPU"}[signed]
	for _, c := range intCompares {
		t := test{name: c.name + typ, ops: []string{"setp." + c.name + "." + typ}, arg: kindOf(w)}
		if !signed && c.unsigned != "" {
			t.ops = append(t.ops, "setp."+c.unsigned+"."+typ)
		} else if !signed {
			t.ops = append(t.ops, fmt.Sprintf("setp.%s.b%d", c.name, w*8))
		}
		t.not = func(g *gen) bool { return !g.z && c.not }
		t.body = func(g *gen, a, b vec) mask {
			switch {
			case g.z:
				return g.newMask(el(compare, w), imm(c.pred), b, a)
			case c.equal:
				return g.eq(a, b, w)
			}
			a, b = g.order(a, w, signed), g.order(b, w, signed)
			if c.swap {
				a, b = b, a
			}
			return g.gt(a, b, w)
		}
		s = append(s, t)
	}
	return s
}

var floatCompares = map[string]int{
	"eq": eqO, "ne": neO, "lt": ltO, "le": leO, "gt": gtO, "ge": geO, "num": ord,
	"equ": eqU, "neu": neU, "ltu": ltU, "leu": leU, "gtu": gtU, "geu": geU, "nan": unord,
}

func floatTests(w int, typ string, ftz bool) (s []test) {
	for _, n := range sorted(floatCompares) {
		pred := floatCompares[n]
		name := n + typ
		if ftz {
			name = n + "Ftz"
		}
		s = append(s, test{name: name, ops: []string{"setp." + n + "." + typ}, arg: kindOf(w),
			body: func(g *gen, a, b vec) mask {
				if ftz {
					a, b = g.flush(a), g.flush(b)
				}
				return g.cmpF(pred, a, b, w)
			}})
	}
	return s
}
