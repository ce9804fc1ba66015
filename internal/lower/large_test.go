package lower

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// largeKernel wraps a body into a kernel with n registers of 32 bits.
func largeKernel(n int, body func(b *strings.Builder)) string {
	var b strings.Builder
	b.WriteString(header + ".visible .entry k(.param .u64 k_p)\n{\n")
	fmt.Fprintf(&b, ".reg .pred %%p<4>; .reg .b32 %%r<%d>; .reg .b64 %%d<4>;\n", n)
	b.WriteString("ld.param.u64 %d0, [k_p]; mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x;\n")
	body(&b)
	b.WriteString("ret;\n}\n")
	return b.String()
}

// TestLarge lowers kernels that are larger than any that a person writes, in
// little time and with few places: every other one, in the long tests each.
func TestLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("very large programs; not in short mode")
	}
	for i, c := range []struct {
		name string
		src  string
		slab int32  // most bytes
		want string // of the error
	}{
		{"200000 registers", largeKernel(200000, func(b *strings.Builder) {
			for i := 2; i < 200000; i++ {
				fmt.Fprintf(b, "add.u32 %%r%d, %%r%d, %%r%d;\n", i, i-1, i-2)
			}
			b.WriteString("st.global.u32 [%d0], %r199999;\n")
		}), 4096, ""},
		{"more than a thread can hold", largeKernel(150000, func(b *strings.Builder) {
			for i := 2; i < 150000; i++ {
				fmt.Fprintf(b, "add.u32 %%r%d, %%r0, %%r%d;\n", i, i-1)
			}
			for i := 2; i < 150000; i++ {
				fmt.Fprintf(b, "st.global.u32 [%%d0], %%r%d;\n", i)
			}
		}), 0, "KiB of registers a thread at once, at most 512"},
		{"100000 constants", largeKernel(4, func(b *strings.Builder) {
			for i := range 100000 {
				fmt.Fprintf(b, "mad.lo.u32 %%r0, %%r0, %d, %d;\n", 7*i+3, 11*i+5)
			}
			b.WriteString("st.global.u32 [%d0], %r0;\n")
		}), 1 << 20, ""},
		{"100000 branches one after the other", largeKernel(1000, func(b *strings.Builder) {
			for i := range 50000 {
				fmt.Fprintf(b, "setp.eq.u32 %%p0, %%r%d, %%r0; @%%p0 bra L%d; add.u32 %%r%d, %%r%d, 1; L%d:\n",
					i%1000, i, (i+1)%1000, i%1000, i)
			}
		}), 1 << 20, ""},
		{"5000 nested branches", largeKernel(4, func(b *strings.Builder) {
			for i := range 5000 {
				fmt.Fprintf(b, "setp.eq.u32 %%p0, %%r0, %d; @%%p0 bra L%d; add.u32 %%r0, %%r0, 1;\n", i, i)
			}
			for i := range 5000 {
				fmt.Fprintf(b, "L%d: add.u32 %%r0, %%r0, 2;\n", i)
			}
		}), 1 << 20, ""},
		{"300 nested loops", largeKernel(1000, func(b *strings.Builder) {
			for i := range 300 {
				fmt.Fprintf(b, "mov.u32 %%r%d, 0; L%d: add.u32 %%r%d, %%r%d, %%r0;\n", i+2, i, i+400, i+399)
			}
			for i := 299; i >= 0; i-- {
				fmt.Fprintf(b, "add.u32 %%r%d, %%r%d, 1; setp.lt.u32 %%p0, %%r%d, %%r1; @%%p0 bra L%d;\n", i+2, i+2, i+2, i)
			}
		}), 1 << 20, ""},
		{"a jump table with 5000 targets", largeKernel(4, func(b *strings.Builder) {
			b.WriteString("T: .branchtargets L0")
			for i := 1; i < 5000; i++ {
				fmt.Fprintf(b, ", L%d", i)
			}
			b.WriteString(";\nbrx.idx %r0, T;\n")
			for i := range 5000 {
				fmt.Fprintf(b, "L%d: add.u32 %%r1, %%r1, %d;\n", i, i)
			}
		}), 1 << 22, ""},
	} {
		if !tooltest.Sampled(i, 2) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			m, err := ptx.Parse("test.ptx", []byte(c.src))
			if err != nil {
				t.Fatal(err)
			}
			before := tooltest.CPUTime()
			p, err := Kernel(m, "k", nil)
			if d := tooltest.CPUTime() - before; d > time.Minute {
				t.Errorf("took %v of processor time", d)
			} else {
				t.Logf("%v", d)
			}
			var le *Error
			switch {
			case c.want != "":
				if !errors.As(err, &le) || !strings.Contains(le.Msg, c.want) || le.Pos.Line == 0 {
					t.Fatalf("error %v, want %q with a position", err, c.want)
				}
			case err != nil:
				t.Fatal(err)
			case p.Slab > c.slab:
				t.Errorf("slab of %d bytes, at most %d expected", p.Slab, c.slab)
			}
		})
	}
}
