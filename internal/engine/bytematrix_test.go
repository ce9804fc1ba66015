package engine_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestByteMatrices checks ldmatrix and stmatrix of bytes, and of elements that become bytes: rows of 16 bytes
// at addresses in no order.
func TestByteMatrices(t *testing.T) {
	r := newRand(9)
	for _, format := range []string{"b8", "b8x16.b6x16_p32", "b8x16.b4x16_p64"} {
		for _, shape := range []string{"m16n16", "m8n16", "m16n8"} {
			for num := 1; num <= 4; num *= 2 {
				store := shape == "m16n8"
				if shape == "m16n16" && num == 4 || shape == "m8n16" && format == "b8" || store && format != "b8" {
					continue
				}
				for _, space := range []string{".shared", ".shared::cta", ""} {
					t.Run(fmt.Sprint(shape, ".x", num, space, ".", format), func(t *testing.T) {
						regs := num * either(shape == "m16n16", 2, 1)
						mem := make([]byte, 512)
						r.Read(mem)
						order := r.Perm(32)
						values := make([]uint32, 32*regs)
						for i := range values {
							values[i] = r.Uint32()
						}
						in, out, results := newBuffer(t, 512), newBuffer(t, 512), newBuffer(t, 128*regs+128*regs+128)
						copy(in.bytes(), mem)
						for i, v := range append(append([]uint32{}, values...), toU32(order)...) {
							putU32(results.bytes()[4*i:], v)
						}
						mustRun(t, launch{src: byteMatrixSource(shape, num, regs, space, format, store), params: []any{in, out, results}, arch: "sm_100"})
						element := func(row, i int) byte { // of the row that lane row gives the address of
							b := mem[16*order[row]:][:16]
							width := map[string]int{"b8": 8, "b8x16.b6x16_p32": 6, "b8x16.b4x16_p64": 4}[format]
							v := 0
							for bit := range width {
								at := i*width + bit
								v |= int(b[at/8]>>(at%8)&1) << bit
							}
							return byte(v)
						}
						if store {
							for m := range num { // column j of a matrix is row j in memory
								for l := range 32 {
									for e := range 4 {
										i, j := l/4+8*(e/2), l%4*2+e%2
										mem[16*order[8*m+j]+i] = byte(values[l*regs+m] >> (8 * e))
									}
								}
							}
							if got := out.bytes(); string(got) != string(mem) {
								t.Errorf("got %x\nwant %x", got, mem)
							}
							return
						}
						for l := range 32 {
							for g := range regs {
								var want uint32
								for e := range 4 {
									v := element(8*g+l/4, l%4*4+e)
									if shape == "m16n16" {
										v = element(g/2*16+l%4*4+e, l/4+g%2*8)
									}
									want |= uint32(v) << (8 * e)
								}
								if got := results.u32()[l*regs+g]; got != want {
									t.Fatalf("lane %d, register %d: got %#x, want %#x", l, g, got, want)
								}
							}
						}
					})
				}
			}
		}
	}
}

func toU32(list []int) (out []uint32) {
	for _, v := range list {
		out = append(out, uint32(v))
	}
	return out
}

func putU32(b []byte, v uint32) {
	b[0], b[1], b[2], b[3] = byte(v), byte(v>>8), byte(v>>16), byte(v>>24)
}

func byteMatrixSource(shape string, num, regs int, space, format string, store bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, `%s.visible .entry k(.param .u64 in, .param .u64 out, .param .u64 res) {
.shared .align 16 .b8 s[512]; .reg .b32 %%l, %%i, %%a, %%v, %%r<8>; .reg .b64 %%in, %%out, %%res, %%x, %%y; .reg .pred %%p;
ld.param.u64 %%in, [in]; ld.param.u64 %%out, [out]; ld.param.u64 %%res, [res]; mov.u32 %%l, %%laneid;
shl.b32 %%i, %%l, 4; cvt.u64.u32 %%x, %%i; add.u64 %%in, %%in, %%x; add.u64 %%out, %%out, %%x; mov.u32 %%a, s; add.u32 %%i, %%a, %%i;
`, header100)
	for k := range 4 {
		fmt.Fprintf(&b, "ld.global.b32 %%v, [%%in+%d]; st.shared.b32 [%%i+%d], %%v;\n", 4*k, 4*k)
	}
	fmt.Fprintf(&b, "mul.wide.u32 %%y, %%l, 4; add.u64 %%y, %%res, %%y; ld.global.b32 %%v, [%%y+%d]; mad.lo.u32 %%a, %%v, 16, %%a; mul.wide.u32 %%x, %%l, %d; add.u64 %%res, %%res, %%x;\n", 128*regs, 4*regs)
	var list []string
	for k := range regs {
		list = append(list, fmt.Sprintf("%%r%d", k))
		fmt.Fprintf(&b, "ld.global.b32 %%r%d, [%%res+%d];\n", k, 4*k)
	}
	vector := "{" + strings.Join(list, ", ") + "}"
	b.WriteString("bar.sync 0;\n")
	trans := either(shape == "m8n16", 0, 1)
	mods := fmt.Sprintf("sync.aligned.%s.x%d%s%s.%s", shape, num, strings.Repeat(".trans", trans), space, format)
	address := "[%a]"
	if space == "" {
		b.WriteString("cvt.u64.u32 %x, %a; cvta.shared.u64 %x, %x;\n")
		address = "[%x]"
	}
	if store {
		fmt.Fprintf(&b, "stmatrix.%s %s, %s;\n", mods, address, vector)
	} else {
		fmt.Fprintf(&b, "ldmatrix.%s %s, %s;\n", mods, vector, address)
	}
	b.WriteString("bar.sync 0;\n")
	for k := range regs {
		fmt.Fprintf(&b, "st.global.b32 [%%res+%d], %%r%d;\n", 4*k, k)
	}
	for k := range 4 {
		fmt.Fprintf(&b, "ld.shared.b32 %%v, [%%i+%d]; st.global.b32 [%%out+%d], %%v;\n", 4*k, 4*k)
	}
	return b.String() + "ret; }\n"
}
