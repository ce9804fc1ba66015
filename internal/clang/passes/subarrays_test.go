package passes

import (
	"regexp"
	"strings"
	"testing"
)

const subarrayTypes = `
!1 = !DILocalVariable(name: "a", line: 7, type: !11)
!2 = !DILocalVariable(name: "b", line: 8, type: !12)
!3 = !DILocalVariable(name: "t", line: 9, type: !13)
!10 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!11 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !10, size: 64)
!12 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !15, size: 64)
!13 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "T", size: 128, elements: !14)
!14 = !{!16, !17}
!15 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!16 = !DIDerivedType(tag: DW_TAG_member, name: "x", baseType: !11, size: 64)
!17 = !DIDerivedType(tag: DW_TAG_member, name: "y", baseType: !12, size: 64, offset: 64)
`

// TestSubarrays has bodies of a function with pointers %a and %b and the structure %t,
// and the parts that are marked in them.
func TestSubarrays(t *testing.T) {
	const base = "ptr addrspacecast (ptr addrspace(3) @s to ptr)"
	for _, tc := range []struct{ name, body, want string }{
		{"the array", "store " + base + ", ptr %a", "a f4 7"},
		{"behind a part", "store " + base + ", ptr %a\n%v = load ptr, ptr %a\n%w = getelementptr inbounds float, ptr %v, i64 %n\nstore ptr %w, ptr %b", "a f4 7;b i4 8"},
		{"constant", "store ptr getelementptr inbounds (float, " + base + ", i64 8), ptr %b", "b i4 8"},
		{"rounded up", "%v = ptrtoint " + base + " to i64\n%w = add i64 %v, 15\n%x = and i64 %w, -16\n%y = inttoptr i64 %x to ptr\nstore ptr %y, ptr %b", "b i4 8"},
		{"a copy is not a part", "store " + base + ", ptr %a\n%v = load ptr, ptr %a\nstore ptr %v, ptr %b", "a f4 7"},
		{"of a pointer that walks", "store " + base + ", ptr %a\n%v = load ptr, ptr %a\n%w = getelementptr inbounds i8, ptr %v, i64 %n\nstore ptr %w, ptr %a\n%x = load ptr, ptr %a\nstore ptr %x, ptr %b", "b i4 8"},
		{"set elsewhere too", "store " + base + ", ptr %a\ncall void @f(ptr %a)\n%v = load ptr, ptr %a\nstore ptr %v, ptr %b", "a f4 7"},
		{"another pointer", "store ptr %p, ptr %a\n%v = load ptr, ptr %a\nstore ptr %v, ptr %b\nstore float 0.0, " + base, ""},
		{"one of two", "store " + base + ", ptr %a\nstore ptr %p, ptr %a\n%v = load ptr, ptr %a\nstore ptr %v, ptr %b", ""},
		{"another array", "store ptr addrspacecast (ptr addrspace(3) @s2 to ptr), ptr %a\nstore float 0.0, " + base, ""},
		{"members", "%x = getelementptr inbounds %struct.T, ptr %t, i32 0, i32 0\nstore " + base + ", ptr %x\n%v = load ptr, ptr %x\n%w = getelementptr inbounds float, ptr %v, i64 %n\n" +
			"%y = getelementptr inbounds %struct.T, ptr %t, i32 0, i32 1\nstore ptr %w, ptr %y", "t.x f4 9;t.y i4 9"},
		{"no variable", "%v = alloca ptr\nstore " + base + ", ptr %v", ""},
	} {
		ir := "@s = external dso_local addrspace(3) global [0 x float], align 4\ndefine void @k(ptr %p, i64 %n) {\n  %a = alloca ptr, align 8\n  %b = alloca ptr, align 8\n  %t = alloca %struct.T, align 8\n" +
			"    #dbg_declare(ptr %a, !1, !DIExpression(), !4)\n    #dbg_declare(ptr %b, !2, !DIExpression(), !4)\n  call void @llvm.dbg.declare(metadata ptr %t, metadata !3, metadata !DIExpression())\n" +
			"  " + strings.ReplaceAll(tc.body, "\n", "\n  ") + "\n  ret void\n}\n" + subarrayTypes
		var got []string
		for _, m := range regexp.MustCompile(`warpgrind\.part ([^\\]*)\\22`).FindAllStringSubmatch(after(subarrays, ir), -1) {
			got = append(got, m[1])
		}
		if strings.Join(got, ";") != tc.want {
			t.Errorf("%s: marked %q, want %q", tc.name, got, tc.want)
		}
	}
}

func TestSubarraysLeavesOthers(t *testing.T) {
	ir := "@s = internal addrspace(3) global [8 x float] undef\ndefine void @k() {\n  %a = alloca ptr\n  store ptr addrspacecast (ptr addrspace(3) @s to ptr), ptr %a\n  ret void\n}\n"
	if got := after(subarrays, ir); got != ir {
		t.Errorf("changed:\n%s", got)
	}
}
