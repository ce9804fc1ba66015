package engine_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/ptx/isa"
)

// TestMultimem checks multimem on the memory of one device, which is then that of an ordinary address:
// a load that reduces gets what is there.
func TestMultimem(t *testing.T) {
	for _, op := range []string{"multimem.ld_reduce", "multimem.st", "multimem.red"} {
		d := isa.Lookup(op)
		seen := map[string]bool{}
		for i := range d.Forms {
			for v := range d.Variants(&d.Forms[i]) {
				if d.Forms[i].Executed && !seen[v] {
					seen[v] = true
					t.Run(v, func(t *testing.T) { multimemCase(t, op, v) })
				}
			}
		}
	}
}

func multimemCase(t *testing.T, op, variant string) {
	words := strings.Split(variant, ".")
	typ := isa.ParseType(words[len(words)-1])
	n := 1
	for i, w := range []string{"v2", "v4", "v8"} {
		if strings.Contains(variant, "."+w+".") {
			n = 2 << i
		}
	}
	size := typ.Size()
	reg, letter := fmt.Sprintf("b%d", max(16, 8*size)), map[bool]string{true: "d", false: "r"}[size == 8]
	if size <= 2 {
		letter = "h"
	}
	reg = map[string]string{"d": "b64", "r": "b32", "h": "b16"}[letter]
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf("%%%s%d", letter, i))
	}
	vector := list[0]
	if n > 1 {
		vector = "{" + strings.Join(list, ", ") + "}"
	}
	var body strings.Builder
	move := func(load bool, base string) {
		for i, r := range list {
			mod, at := reg, fmt.Sprintf("[%s+%d]", base, i*size)
			if size == 1 {
				mod = "u8"
			}
			if load {
				fmt.Fprintf(&body, "ld.global.%s %s, %s;\n", mod, r, at)
			} else {
				fmt.Fprintf(&body, "st.global.%s %s, %s;\n", mod, at, r)
			}
		}
	}
	switch op {
	case "multimem.ld_reduce":
		fmt.Fprintf(&body, "%s %s, [%%a];\n", variant, vector)
		move(false, "%b")
	default:
		move(true, "%b")
		fmt.Fprintf(&body, "%s [%%a], %s;\n", variant, vector)
	}
	a, b := newBuffer(t, 32), newBuffer(t, 32)
	for i := range 32 {
		a.bytes()[i], b.bytes()[i] = byte(7*i+1)&0x3f, byte(5*i+2)&0x3f
	}
	old, operand := append([]byte{}, a.bytes()...), append([]byte{}, b.bytes()...)
	mustRun(t, launch{src: header100 + ".visible .entry k(.param .u64 pa, .param .u64 pb) { .reg .b16 %h<8>; .reg .b32 %r<8>; .reg .b64 %d<8>, %a, %b;\nld.param.u64 %a, [pa]; ld.param.u64 %b, [pb];\n" +
		body.String() + "ret; }", block: 1, params: []any{a, b}, arch: "sm_100"})
	for i := range n * size {
		switch op {
		case "multimem.ld_reduce":
			if b.bytes()[i] != old[i] {
				t.Fatalf("byte %d: got %#x, want %#x", i, b.bytes()[i], old[i])
			}
		case "multimem.st":
			if a.bytes()[i] != operand[i] {
				t.Fatalf("byte %d: got %#x, want %#x", i, a.bytes()[i], operand[i])
			}
		}
	}
	if op == "multimem.red" && typ == isa.U32 && strings.Contains(variant, ".add.") {
		want := binary.LittleEndian.Uint32(old) + binary.LittleEndian.Uint32(operand)
		if got := binary.LittleEndian.Uint32(a.bytes()); got != want {
			t.Errorf("got %#x, want %#x", got, want)
		}
	}
}
