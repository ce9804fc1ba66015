package isa

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestOperandTypes holds the types of operands against what ptxas 12.9 takes: testdata/ptxas.txt has for each opcode and
// operand the types of the registers that it accepts there.
func TestOperandTypes(t *testing.T) {
	text, err := os.ReadFile("testdata/ptxas.txt")
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Fields("pred b16 u16 s16 f16 b32 u32 s32 f32 b64 u64 s64 f64")
	n := 0
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		d, _, err := Check(fields[0])
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		mods := strings.Split(fields[0], ".")[1:]
		types, i := Operands(d, mods), mustInt(fields[1])-1
		if types == nil {
			t.Errorf("%s: nothing is known of its operands", fields[0])
			continue
		}
		o := types[min(i, len(types)-1)]
		if !o.Checked {
			continue
		}
		vector := slices.Contains(mods, "v2")
		for _, name := range all {
			if want := slices.Contains(fields[2:], name); o.Takes(ParseType(name), vector) != want {
				t.Errorf("%s: operand %s, a register of type .%s: ptxas %s", fields[0], fields[1], name, strconv.FormatBool(want))
			}
			n++
		}
	}
	t.Logf("%d operands", n)
}
