package ptx

import (
	"fmt"
	"strings"
	"testing"
)

// bigModule makes a module of about n bytes in the style of a compiler.
func bigModule(n int) []byte {
	var b strings.Builder
	b.WriteString(".version 7.8\n.target sm_80\n.address_size 64\n.file 1 \"a.cu\"\n")
	for f := 0; b.Len() < n; f++ {
		fmt.Fprintf(&b, ".visible .entry k%d(\n\t.param .u64 k%d_param_0,\n\t.param .u32 k%d_param_1\n)\n{\n", f, f, f)
		b.WriteString("\t.reg .pred %p<9>;\n\t.reg .b32 %r<99>;\n\t.reg .f32 %f<99>;\n\t.reg .b64 %rd<99>;\n")
		for i := range 90 {
			fmt.Fprintf(&b, "\t.loc\t1 %d 7                          // a.cu:%d:7\n", i+f, i+f)
			fmt.Fprintf(&b, "\tmad.lo.s32 \t%%r%d, %%r%d, 17, %%r%d;\n\tmul.wide.s32 \t%%rd%d, %%r%d, 4;\n", i+1, i, i, i+1, i)
			fmt.Fprintf(&b, "\tld.global.nc.f32 \t%%f%d, [%%rd%d+%d];\n\tfma.rn.f32 \t%%f%d, %%f%d, 0f3F800000, %%f%d;\n", i, i, i*4, i+1, i, i)
			fmt.Fprintf(&b, "\tsetp.lt.s32 \t%%p%d, %%r%d, 0;\n\t@%%p%d bra \t$L__BB%d_%d;\n$L__BB%d_%d:\n", i%9, i, i%9, f, i, f, i)
		}
		b.WriteString("\tret;\n}\n")
	}
	return []byte(b.String())
}

func BenchmarkParse(b *testing.B) {
	src := bigModule(5 << 20)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse("big.ptx", src); err != nil {
			b.Fatal(err)
		}
	}
}
