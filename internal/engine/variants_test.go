package engine_test

import (
	"encoding/binary"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/ptx/isa"
	"github.com/warpgrind/warpgrind/internal/warp/alu/aluref"
)

// memOp is a variant of ld, st, atom or red taken apart.
type memOp struct {
	text, op, space, typ string
	n, size              int // elements, and bytes of each
}

// executedVariants lists what the engine runs of a row.
func executedVariants(op string) []memOp {
	var list []memOp
	d := isa.Lookup(op)
	for i := range d.Forms {
		if !d.Forms[i].Executed {
			continue
		}
		for v := range d.Variants(&d.Forms[i]) {
			list = append(list, parseMemOp(v))
		}
	}
	return list
}

func parseMemOp(v string) memOp {
	words := strings.Split(v, ".")
	m := memOp{text: v, n: 1}
	for _, w := range words[1:] {
		base, _, _ := strings.Cut(w, "::")
		switch t := isa.ParseType(w); {
		case t != isa.TypeNone:
			m.typ, m.size = w, t.Size()
		case w == "v2" || w == "v4" || w == "v8":
			m.n = int(w[1] - '0')
		case base == "global" || base == "shared" || base == "local" || base == "param" || base == "const":
			m.space = base
		case w != "noftz":
			m.op = w
		}
	}
	return m
}

// lane is the bytes that a lane has in each space of these tests.
const lane = 32

// pointer makes %d0 the address of the lane's bytes in the space: global
// memory at parameter k_in, or an array of the space.
func (m memOp) pointer() string {
	at := map[string]string{"": "ld.param.u64 %d0, [k_in];", "global": "ld.param.u64 %d0, [k_in];", "const": "ld.param.u64 %d0, [k_in];",
		"shared": "mov.u64 %d0, sh;", "local": "mov.u64 %d0, loc;", "param": "mov.u64 %d0, k_s;"}[m.space]
	if m.space == "local" {
		return at
	}
	return at + " mul.wide.u32 %d1, %t, 32; add.u64 %d0, %d0, %d1;"
}

// copyBytes copies the lane's bytes between global memory at %d2 and the space.
func copyBytes(space string, in bool) string {
	var b strings.Builder
	for i := 0; i < lane; i += 8 {
		if in {
			fmt.Fprintf(&b, "ld.global.u64 %%d3, [%%d2+%d]; st.%s.u64 [%%d0+%d], %%d3;\n", i, space, i)
		} else {
			fmt.Fprintf(&b, "ld.%s.u64 %%d3, [%%d0+%d]; st.global.u64 [%%d2+%d], %%d3;\n", space, i, i)
		}
	}
	return b.String()
}

// registers are the operands of a load or store: for integers as wide as can
// be, which shows how they are extended.
func (m memOp) registers() (list []string, operand string) {
	class := "%d1"
	switch m.typ {
	case "f32":
		class = "%f"
	case "f64":
		class = "%g"
	case "f16", "bf16":
		class = "%h"
	case "b128":
		return []string{"%q"}, "%q"
	}
	for i := range m.n {
		list = append(list, fmt.Sprintf("%s%d", class, i))
	}
	if m.n == 1 {
		return list, list[0]
	}
	return list, "{" + strings.Join(list, ", ") + "}"
}

// toWide moves a register of the list into a .b64 register, fromWide back.
func toWide(r, d string) string {
	switch r[1] {
	case 'f':
		return fmt.Sprintf("mov.b32 %%r9, %s; cvt.u64.u32 %s, %%r9;", r, d)
	case 'g':
		return fmt.Sprintf("mov.b64 %s, %s;", d, r)
	case 'h':
		return fmt.Sprintf("cvt.u64.u16 %s, %s;", d, r)
	}
	return fmt.Sprintf("mov.b64 %s, %s;", d, r)
}

func fromWide(r, d string) string {
	switch r[1] {
	case 'f':
		return fmt.Sprintf("cvt.u32.u64 %%r9, %s; mov.b32 %s, %%r9;", d, r)
	case 'h':
		return fmt.Sprintf("cvt.u16.u64 %s, %s;", r, d)
	}
	return fmt.Sprintf("mov.b64 %s, %s;", r, d)
}

const variantDecls = ".shared .align 32 .b8 sh[1024];"
const variantRegs = ".reg .b128 %q; .reg .b64 %w<8>; .local .align 32 .b8 loc[32];\n"

// variantKernel wraps a body with the input in k_in, the same bytes in k_s,
// and 64 bytes of output for each lane at %d2.
func variantKernel(body string) string {
	start := "ld.param.u64 %d2, [k_in]; mul.wide.u32 %d1, %t, 32; add.u64 %d2, %d2, %d1;\n"
	end := "ld.param.u64 %d4, [k_out]; mul.wide.u32 %d1, %t, 64; add.u64 %d4, %d4, %d1;\n"
	return withParams(simple(variantDecls, variantRegs+start+strings.Replace(body, "OUT", end, 1)), ".param .u64 k_in, .param .align 32 .b8 k_s[1024]")
}

// TestLoadVariants loads by each variant and compares with the bytes.
func TestLoadVariants(t *testing.T) {
	in, out := newBuffer(t, 32*lane), newBuffer(t, 32*64)
	rand.New(rand.NewSource(1)).Read(in.bytes())
	for _, m := range append(executedVariants("ld"), executedVariants("ldu")...) {
		regs, operand := m.registers()
		body := m.pointer()
		if m.space == "shared" || m.space == "local" {
			body += copyBytes(m.space, true)
		}
		body += fmt.Sprintf("%s %s, [%%d0];\nOUT", m.text, operand)
		if m.typ == "b128" {
			body += "mov.b128 {%w0, %w1}, %q; st.global.v2.b64 [%d4], {%w0, %w1};"
		} else {
			for i, r := range regs {
				body += fmt.Sprintf("%s st.global.b64 [%%d4+%d], %%w0;\n", toWide(r, "%w0"), 8*i)
			}
		}
		clear(out.bytes())
		mustRun(t, launch{src: variantKernel(body), params: []any{out, in, append([]byte(nil), in.bytes()...)}})
		for l := range 32 {
			if got, want := out.u64()[8*l:8*l+8], m.loaded(in.bytes()[lane*l:]); !slicesEqual(got, want) {
				t.Errorf("%s, lane %d: got %#x, want %#x", m.text, l, got, want)
				break
			}
		}
	}
}

// loaded is what a load leaves in eight registers of 64 bits.
func (m memOp) loaded(b []byte) []uint64 {
	out := make([]uint64, 8)
	if m.typ == "b128" {
		out[0], out[1] = binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
		return out
	}
	for i := range m.n {
		var v uint64
		for k := m.size - 1; k >= 0; k-- {
			v = v<<8 | uint64(b[i*m.size+k])
		}
		if s := uint(64 - 8*m.size); m.typ[0] == 's' {
			v = uint64(int64(v<<s) >> s)
		}
		out[i] = v
	}
	return out
}

func slicesEqual(a, b []uint64) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

const identity = `
.func (.param .align 32 .b8 r[32]) same(.param .align 32 .b8 s[32])
{
	.reg .b64 %a;
	ld.param.b64 %a, [s]; st.param.b64 [r], %a; ld.param.b64 %a, [s+8]; st.param.b64 [r+8], %a;
	ld.param.b64 %a, [s+16]; st.param.b64 [r+16], %a; ld.param.b64 %a, [s+24]; st.param.b64 [r+24], %a; ret;
}`

// TestStoreVariants stores by each variant and compares the bytes.
func TestStoreVariants(t *testing.T) {
	in, out := newBuffer(t, 32*64), newBuffer(t, 32*64)
	rand.New(rand.NewSource(2)).Read(in.bytes())
	for _, m := range executedVariants("st") {
		regs, operand := m.registers()
		body := "ld.param.u64 %d3, [k_in]; mul.wide.u32 %d1, %t, 64; add.u64 %d3, %d3, %d1;\n"
		for i := range 8 {
			body += fmt.Sprintf("ld.global.u64 %%w%d, [%%d3+%d];\n", i, 8*i)
		}
		if m.typ == "b128" {
			body += "mov.b128 %q, {%w0, %w1};\n"
		} else {
			for i, r := range regs {
				body += fromWide(r, fmt.Sprintf("%%w%d", i)) + "\n"
			}
		}
		body += "OUT" + m.storeAndShow(operand)
		clear(out.bytes())
		src := strings.Replace(variantKernel(body), "\n.visible", identity+"\n.visible", 1)
		mustRun(t, launch{src: src, params: []any{out, in, make([]byte, 1024)}})
		for l := range 32 {
			if got, want := out.bytes()[64*l:64*l+32], m.stored(in.u64()[8*l:]); string(got) != string(want) {
				t.Errorf("%s, lane %d: got %x, want %x", m.text, l, got, want)
				break
			}
		}
	}
}

// storeAndShow stores into zeroed bytes of the space and copies them to %d4.
func (m memOp) storeAndShow(operand string) string {
	show := "mov.u64 %d2, %d4;\n"
	zero := func(space string) (s string) {
		for i := 0; i < lane; i += 8 {
			s += fmt.Sprintf("st.%s.u64 [%%d0+%d], 0;\n", space, i)
		}
		return s
	}
	switch m.space {
	case "param":
		return fmt.Sprintf(`{ .param .align 32 .b8 a[32]; .param .align 32 .b8 y[32]; st.param.v4.b32 [a], {0, 0, 0, 0}; st.param.v4.b32 [a+16], {0, 0, 0, 0};
			%s [a], %s; call (y), same, (a); ld.param.v2.b64 {%%d5, %%d6}, [y]; st.global.v2.b64 [%%d4], {%%d5, %%d6}; ld.param.v2.b64 {%%d5, %%d6}, [y+16]; st.global.v2.b64 [%%d4+16], {%%d5, %%d6}; }`,
			m.text, operand)
	case "", "global":
		return fmt.Sprintf("%s [%%d4], %s;", m.text, operand)
	}
	return m.pointer() + zero(m.space) + fmt.Sprintf("%s [%%d0], %s;\n", m.text, operand) + show + copyBytes(m.space, false)
}

// stored is the bytes that a store leaves.
func (m memOp) stored(v []uint64) []byte {
	out := make([]byte, lane)
	size := m.size
	n := m.n
	if m.typ == "b128" {
		size, n = 8, 2
	}
	for i := range n {
		for k := range size {
			out[i*size+k] = byte(v[i] >> (8 * k))
		}
	}
	return out
}

// TestAtomicVariants lets all lanes work on one place, by each variant, and
// compares with the same operations one after the other.
func TestAtomicVariants(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	in, out, place := newBuffer(t, 32*64), newBuffer(t, 32*64), newBuffer(t, 64)
	for _, m := range append(executedVariants("atom"), executedVariants("red")...) {
		if m.typ == "b128" {
			m.size, m.n = 8, 2
		}
		fillOperands(m, r, in, place)
		want, olds := m.sequential(place.bytes(), in.u64())
		clear(out.bytes())
		mustRun(t, launch{src: m.atomicKernel(), params: []any{out, in, make([]byte, 1024), place}})
		if got := place.bytes()[:m.n*m.size]; string(got) != string(want) {
			t.Errorf("%s: memory %x, want %x", m.text, got, want)
		}
		if !strings.HasPrefix(m.text, "atom") {
			continue
		}
		for i, w := range olds {
			if got := out.u64()[i]; got != w {
				t.Errorf("%s, lane %d: got %#x, want %#x", m.text, i/8, got, w)
				break
			}
		}
	}
}

// arithmetic is the instruction on registers that an atomic performs.
func (m memOp) arithmetic() string {
	if m.op == "add" && (m.typ[0] == 'f' || m.typ[0] == 'b' && m.typ[1] == 'f') {
		return "add.rn." + m.typ
	}
	return m.op + "." + m.typ
}

// fillOperands draws numbers that are not subnormals or NaNs.
func fillOperands(m memOp, r *rand.Rand, in, place *buffer) {
	ref := aluref.Parse(m.arithmetic())
	draw := func() uint64 {
		if m.typ[0] == 'f' || m.typ[:2] == "bf" {
			return aluref.Small(m.typ, r)
		}
		if m.op == "cas" || m.op == "exch" || m.op == "inc" || m.op == "dec" {
			return uint64(r.Intn(4))
		}
		return ref.Operand(0, 0, r)
	}
	for i := range 32 * 8 {
		binary.LittleEndian.PutUint64(in.bytes()[8*i:], draw())
	}
	clear(place.bytes())
	for i := range m.n {
		putElem(place.bytes()[i*m.size:], m.size, draw())
	}
}

func putElem(b []byte, size int, v uint64) {
	for k := range size {
		b[k] = byte(v >> (8 * k))
	}
}

func getElem(b []byte, size int) (v uint64) {
	for k := size - 1; k >= 0; k-- {
		v = v<<8 | uint64(b[k])
	}
	return v
}

// sequential does the operations of all lanes and returns the memory after
// them and the old values, eight for each lane.
func (m memOp) sequential(start []byte, in []uint64) (mem []byte, olds []uint64) {
	mem, olds = append(mem, start[:m.n*m.size]...), make([]uint64, 32*8)
	ref := aluref.Parse(m.arithmetic())
	for l := range 32 {
		if m.typ == "b128" {
			old := [2]uint64{getElem(mem, 8), getElem(mem[8:], 8)}
			b, c := [2]uint64(in[8*l:]), [2]uint64{in[8*l+7], in[8*l+6]}
			next := b
			if m.op == "cas" {
				if next = old; old == b {
					next = c
				}
			}
			copy(olds[8*l:], old[:])
			putElem(mem, 8, next[0])
			putElem(mem[8:], 8, next[1])
			continue
		}
		for i := range m.n {
			old := getElem(mem[i*m.size:], m.size)
			olds[8*l+i] = old
			putElem(mem[i*m.size:], m.size, m.next(ref, old, in[8*l+i], in[8*l+7]))
		}
	}
	return mem, olds
}

func (m memOp) next(ref *aluref.Inst, old, b, c uint64) uint64 {
	low := ^uint64(0) >> uint(64-8*m.size)
	b, c = b&low, c&low
	switch m.op {
	case "exch":
		return b
	case "cas":
		return pick64(old == b, c, old)
	case "inc":
		return pick64(old >= b, 0, old+1)
	case "dec":
		return pick64(old == 0 || old > b, b, old-1)
	}
	v, _ := aluref.Eval(ref, aluref.Args{old, b})
	return v.R
}

func pick64(b bool, x, y uint64) uint64 {
	if b {
		return x
	}
	return y
}

// atomicKernel works on the memory at k_place, or on a copy of it in shared memory.
func (m memOp) atomicKernel() string {
	regs, operand := m.atomicRegisters("1")
	olds, result := m.atomicRegisters("2")
	body := "ld.param.u64 %d3, [k_in]; mul.wide.u32 %d1, %t, 64; add.u64 %d3, %d3, %d1; ld.param.u64 %d5, [k_place]; mov.u64 %d0, %d5;\n"
	if m.space == "shared" {
		body += "mov.u64 %d0, sh; ld.global.v2.b64 {%w0, %w1}, [%d5]; st.shared.v2.b64 [%d0], {%w0, %w1}; bar.warp.sync -1;\n"
	}
	for i, r := range regs {
		body += fmt.Sprintf("ld.global.u64 %%w0, [%%d3+%d]; %s\n", 8*i, narrowTo(r, "%w0"))
	}
	last, _ := m.atomicRegisters("3")
	body += fmt.Sprintf("ld.global.u64 %%w0, [%%d3+56]; %s\n", narrowTo(last[0], "%w0"))
	text := m.text + " " + result + ", [%d0], " + operand
	if strings.HasPrefix(m.text, "red") {
		text = m.text + " [%d0], " + operand
	}
	if m.op == "cas" {
		text += ", " + last[0]
	}
	if m.typ == "b128" {
		text = fmt.Sprintf("ld.global.u64 %s, [%%d3+48]; mov.b128 %%qq1, %s; mov.b128 %%qq3, {%s, %s}; %s %%qq2, [%%d0], %%qq1", last[1], operand, last[0], last[1], m.text)
		if m.op == "cas" {
			text += ", %qq3"
		}
		text += "; mov.b128 " + result + ", %qq2"
	}
	body += text + ";\nOUT"
	if strings.HasPrefix(m.text, "atom") {
		for i, r := range olds {
			body += fmt.Sprintf("%s st.global.b64 [%%d4+%d], %%w0;\n", widenTo(r, "%w0"), 8*i)
		}
	}
	if m.space == "shared" {
		body += "bar.warp.sync -1; ld.shared.v2.b64 {%w0, %w1}, [%d0]; st.global.v2.b64 [%d5], {%w0, %w1};\n"
	}
	return strings.Replace(variantKernel(atomicRegs+body), "k_s[1024]", "k_s[1024], .param .u64 k_place", 1)
}

const atomicRegs = ".reg .b16 %hh<40>; .reg .b32 %rr<40>; .reg .b64 %dd<40>; .reg .b128 %qq<4>;\n"

// atomicRegisters are bit-size registers, numbered from 10*group on.
func (m memOp) atomicRegisters(group string) (list []string, operand string) {
	class := map[int]string{2: "%hh", 4: "%rr", 8: "%dd"}[m.size]
	for i := range m.n {
		list = append(list, class+group+fmt.Sprint(i))
	}
	if m.n == 1 {
		return list, list[0]
	}
	return list, "{" + strings.Join(list, ", ") + "}"
}

func narrowTo(r, d string) string {
	return map[byte]string{'h': "cvt.u16.u64 ", 'r': "cvt.u32.u64 ", 'd': "mov.b64 "}[r[1]] + r + ", " + d + ";"
}

func widenTo(r, d string) string {
	return map[byte]string{'h': "cvt.u64.u16 ", 'r': "cvt.u64.u32 ", 'd': "mov.b64 "}[r[1]] + d + ", " + r + ";"
}
