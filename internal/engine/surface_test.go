package engine_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// TestSurfaceVariants stores bytes with each variant and loads them again with
// the load of the same form.
func TestSurfaceVariants(t *testing.T) {
	for _, m := range executedVariants("sust") {
		words := strings.Split(m.text, ".")
		if words[1] == "p" {
			continue
		}
		geom := words[2]
		im := newImage(t, geom, mem.TexelUnsigned, true)
		before := im.u32()
		regs, class := make([]string, m.n), map[int]string{1: "%h", 2: "%h", 4: "%r1", 8: "%d1"}[m.size]
		var set strings.Builder
		for i := range regs {
			regs[i] = fmt.Sprintf("%s%d", class, i)
			fmt.Fprintf(&set, "mov.b%d %s, %d;\n", max(16, 8*m.size), regs[i], 0x21+16*i)
		}
		value := regs[0]
		if m.n > 1 {
			value = "{" + strings.Join(regs, ", ") + "}"
		}
		where := fmt.Sprintf("[%%d5, %s]", vector(geom, ""))
		load := strings.Replace(m.text, "sust", "suld", 1)
		at := func(l int) []uint32 {
			c := coordinates(geom, l, 0, true)
			c[strings.Count(geom[:1], "a")] *= 16 // bytes
			return c
		}
		body := set.String() + m.text + " " + where + ", " + value + ";\n" + strings.ReplaceAll(set.String(), "0x", "0") + load + " " + value + ", " + where + ";\n"
		body += map[int]string{1: "cvt.u32.u16 %r4, %h0;", 2: "cvt.u32.u16 %r4, %h0;", 4: "mov.u32 %r4, %r10;", 8: "cvt.u32.u64 %r4, %d10;"}[m.size]
		got := runTex(t, im, at, body)
		for l := range 32 {
			x, y, s := spot(geom, l)
			b := im.bytes()[16*(16*s+4*y+x):]
			for i := range m.n {
				if b[i*m.size] != byte(0x21+16*i) {
					t.Fatalf("%s: lane %d element %d: % x", m.text, l, i, b[:16])
				}
			}
			if rest := binary.LittleEndian.Uint32(b[12:]); m.n*m.size <= 12 && rest != before[4*(16*s+4*y+x)+3] {
				t.Fatalf("%s: lane %d wrote more: % x", m.text, l, b[:16])
			}
			if got[4*l] != 0x21 {
				t.Fatalf("%s: lane %d read %#x", load, l, got[4*l])
			}
		}
	}
}

func TestSurfaceFormatted(t *testing.T) {
	for _, m := range executedVariants("sust") {
		words := strings.Split(m.text, ".")
		if words[1] != "p" {
			continue
		}
		im := newImage(t, words[2], mem.TexelUnsigned, true)
		im.tex.Format = mem.TexelFormat{Channels: m.n, Bits: 16, Kind: mem.TexelUnsigned}
		regs := []string{"%r10", "%r11", "%r12", "%r13"}[:m.n]
		value := regs[0]
		if m.n > 1 {
			value = "{" + strings.Join(regs, ", ") + "}"
		}
		at := func(l int) []uint32 { return coordinates(words[2], l, 0, true) }
		runTex(t, im, at, fmt.Sprintf("mov.u32 %%r10, 70000; mov.u32 %%r11, 2; mov.u32 %%r12, 3; mov.u32 %%r13, 4;\n%s [%%d5, %s], %s;",
			m.text, vector(words[2], ""), value))
		for l := range 32 {
			x, y, s := spot(words[2], l)
			b := im.bytes()[256*s+64*y+2*m.n*x:]
			for i, want := range []uint16{65535, 2, 3, 4}[:m.n] {
				if g := binary.LittleEndian.Uint16(b[2*i:]); g != want {
					t.Fatalf("%s: lane %d channel %d: %d, want %d", m.text, l, i, g, want)
				}
			}
		}
	}
}

func TestSurfaceReductions(t *testing.T) {
	for _, m := range executedVariants("sured") {
		words := strings.Split(m.text, ".")
		op, geom := words[2], words[3]
		im := newImage(t, geom, mem.TexelSigned, true)
		operand := "%r10"
		var want func(v uint64) uint64
		signed := words[1] == "p" || m.typ[0] == 's'
		b := uint64(0x8000_0000)
		if m.size == 8 {
			operand, b = "%d10", 1<<63
		}
		switch {
		case op == "add":
			want = func(v uint64) uint64 { return v + b }
		case op == "and":
			want = func(v uint64) uint64 { return v & b }
		case op == "or":
			want = func(v uint64) uint64 { return v | b }
		case (op == "min") == signed:
			want = func(uint64) uint64 { return b }
		default:
			want = func(v uint64) uint64 { return v }
		}
		at := func(l int) []uint32 {
			c := coordinates(geom, l, 0, true)
			if words[1] == "b" {
				c[0] *= 16
			}
			return c
		}
		before := append([]byte(nil), im.bytes()...)
		body := fmt.Sprintf("setp.lt.u32 %%p1, %%t, 4; mov.b%d %s, %d; @%%p1 %s [%%d5, %s], %s;", 8*m.size, operand, b, m.text, vector(geom, ""), operand)
		runTex(t, im, at, body)
		for l := range 4 {
			x, y, s := spot(geom, l)
			i := 16 * (16*s + 4*y + x)
			read := func(b []byte) uint64 {
				if m.size == 8 {
					return binary.LittleEndian.Uint64(b)
				}
				return uint64(binary.LittleEndian.Uint32(b))
			}
			if g, w := read(im.bytes()[i:]), want(read(before[i:])); g != w {
				t.Errorf("%s: lane %d: %#x, want %#x", m.text, l, g, w)
			}
		}
	}
}

// TestSurfaceModes goes beyond a surface: .zero reads 0 and writes nothing,
// .clamp takes the nearest place, .trap is a fault.
func TestSurfaceModes(t *testing.T) {
	at := func(l int) []uint32 { return []uint32{uint32(int32(16 * (l - 2))), 1} }
	for _, c := range []struct {
		mode string
		want func(x int) uint32
	}{
		{"zero", func(x int) uint32 {
			if x < 0 || x >= texSide {
				return 0
			}
			return texelValue(x, 1, 0, 0)
		}},
		{"clamp", func(x int) uint32 { return texelValue(min(max(x, 0), texSide-1), 1, 0, 0) }},
	} {
		im := newImage(t, "2d", mem.TexelUnsigned, true)
		got := runTex(t, im, at, "suld.b.2d.v4.b32."+c.mode+" {%r4, %r5, %r6, %r7}, [%d5, {%r0, %r1}];")
		for l := range 32 {
			if w := c.want(l - 2); got[4*l] != w {
				t.Errorf("suld.%s at %d: %d, want %d", c.mode, l-2, got[4*l], w)
			}
		}
		runTex(t, im, at, "mov.u32 %r4, 5; sust.b.2d.b32."+c.mode+" [%d5, {%r0, %r1}], %r4;")
	}
	for _, in := range []string{"suld.b.2d.b32.trap %r4, [%d5, {%r0, %r1}]", "sust.b.2d.b32.trap [%d5, {%r0, %r1}], %r4",
		"sust.p.2d.b32.trap [%d5, {%r0, %r1}], %r4", "sured.b.add.2d.u32.trap [%d5, {%r0, %r1}], %r4"} {
		f := texFault(t, newImage(t, "2d", mem.TexelUnsigned, true), at, in+";", trace.FaultOutOfBounds)
		if f.Lane != 0 || f.Mask&0x3f == 0x3f || !strings.Contains(f.Message, "(x -32, y 1)") {
			t.Errorf("%s: lane %d mask %#x: %s", in, f.Lane, f.Mask, f.Message)
		}
	}
	texFault(t, newImage(t, "2d", mem.TexelUnsigned, true), func(int) []uint32 { return []uint32{2, 0} },
		"suld.b.2d.b32.trap %r4, [%d5, {%r0, %r1}];", trace.FaultMisaligned)
}
