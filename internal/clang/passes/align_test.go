package passes

import (
	"strings"
	"testing"
)

// TestAlign rewrites single instructions of a function that has an array s,
// a packed structure p, a vector w and an opaque pointer q.
func TestAlign(t *testing.T) {
	const s = "ptr addrspacecast (ptr addrspace(3) @s to ptr)"
	head := strings.Join([]string{
		`%struct.float4 = type { float, float, float, float }`,
		`%struct.P = type <{ i8, %struct.float4 }>`,
		`%struct.Q = type { i32, %struct.P }`,
		`@s = internal addrspace(3) global [512 x float] undef, align 4`,
		`@p = internal addrspace(3) global %struct.Q undef, align 4`,
		`define void @k() {`,
		`  %w = alloca %struct.float4, align 16`,
		`  %r = alloca [4 x float], align 4`,
		`  %q = load ptr, ptr %q.addr, align 8, !tbaa !1`,
		`  %i = getelementptr inbounds [512 x float], ` + s + `, i64 0, i64 %n, !dbg !7`,
		`  %f = getelementptr inbounds %struct.Q, ptr addrspacecast (ptr addrspace(3) @p to ptr), i32 0, i32 1, i32 1`,
		"",
	}, "\n")
	const tail = "\n}\n!1 = !{!2, !2, i64 0}\n!3 = !{!4, !2, i64 1}\n!9 = !{i64 0, i64 4, !1}\n"
	copyOf := func(dst, src, attached string) string {
		return "  call void @llvm.memcpy.p0.p0.i64(ptr " + dst + ", ptr " + src + ", i64 16, i1 false), !dbg !8" + attached
	}
	for _, tc := range []struct {
		name, in, want string
		align          string // of @s
	}{
		{"a copy of a vector", copyOf("align 16 %w", "align 4 %i", ", !tbaa.struct !9"), copyOf("align 16 %w", "align 16 %i", ""), "16"},
		{"a copy from an unknown place", copyOf("align 4 %i", "align 16 %q", ", !tbaa.struct !9"), copyOf("align 16 %i", "align 16 %q", ""), "16"},
		{"a copy into a local array", copyOf("align 4 %r", "align 16 %q", ", !tbaa.struct !9"), copyOf("align 16 %r", "align 16 %q", ""), "4"},
		{"a small structure", copyOf("align 4 %i", "align 4 %q", ", !tbaa.struct !9"), copyOf("align 4 %i", "align 4 %q", ""), "4"},
		{"memcpy", copyOf("align 16 %w", "align 4 %i", ""), copyOf("align 16 %w", "align 4 %i", ""), "4"},
		{"a packed member", copyOf("align 1 %f", "align 16 %w", ", !tbaa.struct !9"), copyOf("align 1 %f", "align 16 %w", ""), "4"},
		{"a wider scalar", "  store double 1.0, ptr %i, align 4, !dbg !8, !tbaa !1", "  store double 1.0, ptr %i, align 8, !dbg !8", "8"},
		{"a scalar", "  store float 1.0, ptr %i, align 4, !dbg !8, !tbaa !1", "  store float 1.0, ptr %i, align 4, !dbg !8", "4"},
		{"a member of a packed structure", "  %x = load i64, ptr %i, align 1, !tbaa !3", "  %x = load i64, ptr %i, align 1", "4"},
		{"a constant place", "  %x = load i64, ptr getelementptr inbounds ([512 x float], " + s + ", i64 0, i64 2), align 4, !tbaa !1",
			"  %x = load i64, ptr getelementptr inbounds ([512 x float], " + s + ", i64 0, i64 2), align 8", "8"},
	} {
		got := after(align, head+tc.in+tail)
		if !strings.Contains(got, "\n"+tc.want+"\n") {
			t.Errorf("%s: no\n%s\nin\n%s", tc.name, tc.want, got)
		}
		if local := strings.Contains(tc.want, "align 16 %r"); local != strings.Contains(got, "%r = alloca [4 x float], align 16\n") {
			t.Errorf("%s: the alignment of the local array is wrong in\n%s", tc.name, got)
		}
		if !strings.Contains(got, "@s = internal addrspace(3) global [512 x float] undef, align "+tc.align+"\n") {
			t.Errorf("%s: the array is not aligned to %s in\n%s", tc.name, tc.align, got)
		}
	}
}
