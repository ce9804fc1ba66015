package warp

import (
	"fmt"
	"math"
	"strings"

	"github.com/warpgrind/warpgrind/internal/warp/alu"
)

// Conditions describes what the loop's exits compare, with the values that
// lane l of w has: "at a.cu:5:20: 7 < 9". Only values that are certain are
// told.
func (x *Loop) Conditions(w *Warp, l int) []string {
	var out []string
	for _, b := range x.blocks {
		from, to := x.of.span(b)
		last := &x.p.Code[to-1]
		for i := to - 1; i >= from; i-- {
			if x.p.Code[i].Op == OpBranch {
				last = &x.p.Code[i]
				break
			}
		}
		if last.Op != OpBranch || !x.exits(b) {
			continue
		}
		if text, ok := x.comparison(w, last, from, to, l); ok {
			if s := x.p.Branches[last.X].Site; s != nil && s.Loc.IsValid() {
				text = "at " + s.Loc.Pos.String() + ": " + text
			}
			out = append(out, text)
		}
	}
	return out
}

// exits reports that block b has a way out of the loop.
func (x *Loop) exits(b int32) bool {
	out := false
	x.of.edges(b, func(to int32) { out = out || !x.in[to] })
	return out
}

// comparison finds what set the branch's predicate in its block.
func (x *Loop) comparison(w *Warp, br *Instr, from, to int32, l int) (string, bool) {
	for i := to - 1; i >= from; i-- {
		in := &x.p.Code[i]
		if in.D != br.A || in.ALU == nil || len(in.ALU.Args) != 2 || !strings.HasPrefix(in.ALU.Name, "setp.") {
			continue
		}
		a, ok := x.value(w, in, in.A, in.ALU.Args[0], l)
		b, ok2 := x.value(w, in, in.B, in.ALU.Args[1], l)
		parts := strings.Split(in.ALU.Name, ".")
		typ := parts[len(parts)-1]
		return fmt.Sprintf("%s %s %s", number(a, typ), operator(parts[1]), number(b, typ)), ok && ok2
	}
	return "", false
}

// value reads an operand. It is certain if at most one step of the loop writes
// its place.
func (x *Loop) value(w *Warp, in *Instr, slot int32, width alu.Width, l int) (uint64, bool) {
	writes := 0
	x.each(func(s *Instr) {
		if x.p.writes(s, map[int32]bool{slot: true}) {
			writes++
		}
	})
	if in.Op != OpScalar {
		return w.laneValue(slot, width, l), writes <= 1
	}
	v := *w.s64(slot)
	if width == alu.W32 {
		v = uint64(uint32(v))
	}
	return v, writes <= 1
}

var operators = map[string]string{
	"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "lo": "<", "ls": "<=", "hi": ">", "hs": ">=",
	"equ": "==", "neu": "!=", "ltu": "<", "leu": "<=", "gtu": ">", "geu": ">=",
}

func operator(name string) string {
	if op := operators[name]; op != "" {
		return op
	}
	return name
}

// number writes a value of a PTX type.
func number(v uint64, typ string) string {
	switch typ {
	case "s16":
		return fmt.Sprint(int16(v))
	case "s32":
		return fmt.Sprint(int32(v))
	case "s64":
		return fmt.Sprint(int64(v))
	case "f32":
		return fmt.Sprint(math.Float32frombits(uint32(v)))
	case "f64":
		return fmt.Sprint(math.Float64frombits(v))
	}
	return fmt.Sprint(v)
}
