package warp

import (
	"fmt"
	"math"
	"strings"

	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// Conditions describes what a loop's exits compare, with the values that
// lane l of w has: "at a.cu:5:20: 7 < 9". Only values that are certain are
// included.
func (w *Warp) Conditions(x *program.Loop, l int) []string {
	var out []string
	for _, e := range x.Exits() {
		if !e.Certain {
			continue
		}
		in := e.Compare
		typ := in.ALU.Name[strings.LastIndexByte(in.ALU.Name, '.')+1:]
		rel := strings.Split(in.ALU.Name, ".")[1]
		text := fmt.Sprintf("%s %s %s", number(w.compared(in, in.A, in.ALU.Args[0], l), typ), operator(rel), number(w.compared(in, in.B, in.ALU.Args[1], l), typ))
		if s := e.Site; s != nil && s.Loc.IsValid() {
			text = "at " + s.Loc.Pos.String() + ": " + text
		}
		out = append(out, text)
	}
	return out
}

// compared reads an operand of a comparison.
func (w *Warp) compared(in *program.Instr, slot int32, width alu.Width, l int) uint64 {
	if in.Op != program.OpScalar {
		return w.LaneValue(slot, width, l)
	}
	v := *w.S64(slot)
	if width == alu.W32 {
		v = uint64(uint32(v))
	}
	return v
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
