package passes

import (
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/clang/irtext"
)

const typesIR = `@tab = dso_local addrspace(1) externally_initialized global [4 x [5 x float]] zeroinitializer, align 4, !dbg !0
@"odd$name" = internal addrspace(3) global [8 x %struct.P] undef, align 4, !dbg !5
@"with space" = internal addrspace(3) global [8 x %struct.P] undef, align 4, !dbg !5
@n = dso_local addrspace(1) global i32 0, align 4, !dbg !20
@host = global i32 0, align 4, !dbg !20
@dyn = external dso_local addrspace(3) global [0 x float], align 16
!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "tab", scope: !2, file: !3, line: 4, type: !7, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !3, emissionKind: FullDebug, globals: !4, imports: !48, splitDebugInlining: false)
!5 = !DIGlobalVariableExpression(var: !6, expr: !DIExpression())
!6 = distinct !DIGlobalVariable(name: "p", scope: !2, type: !12)
!7 = !DICompositeType(tag: DW_TAG_array_type, baseType: !8, size: 640, elements: !9)
!8 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!9 = !{!10, !11}
!10 = !DISubrange(count: 4)
!11 = !DISubrange(count: 5)
!12 = !DICompositeType(tag: DW_TAG_array_type, baseType: !14, size: 1024, elements: !13)
!13 = !{!15}
!14 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "P", size: 128, elements: !16, identifier: "_ZTS1P")
!15 = !DISubrange(count: 8)
!16 = !{!17, !18, !19, !22, !25}
!17 = !DIDerivedType(tag: DW_TAG_inheritance, scope: !14, baseType: !23, extraData: i32 0)
!18 = !DIDerivedType(tag: DW_TAG_member, name: "next", scope: !14, baseType: !21, size: 64, offset: 64)
!19 = !DIDerivedType(tag: DW_TAG_member, name: "limit", scope: !14, baseType: !8, flags: DIFlagStaticMember)
!20 = !DIGlobalVariableExpression(var: !26, expr: !DIExpression())
!21 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !14, size: 64)
!22 = !DISubprogram(name: "f", scope: !14)
!23 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "B", size: 32, elements: !24)
!24 = !{!27}
!25 = !DIDerivedType(tag: DW_TAG_member, name: "bits", scope: !14, baseType: !8, size: 3, offset: 40, flags: DIFlagBitField)
!26 = distinct !DIGlobalVariable(name: "n", type: !28)
!27 = !DIDerivedType(tag: DW_TAG_member, name: "w", scope: !23, baseType: !28, size: 32)
!28 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
`

func TestVariableTypes(t *testing.T) {
	const want = `.pragma "warpgrind.type tab a4a5s4";
.pragma "warpgrind.type odd$name a8{16;:0:{4;w:0:s4;};next:8:s8;}";
`
	s := &State{}
	variableTypes(irtext.Parse([]byte(typesIR)), s)
	if got := s.directives.String(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestPlainDebug(t *testing.T) {
	ir := "define void @f() !dbg !3 {\n    #dbg_declare(ptr %a, !20, !DIExpression(), !21)\n  call void @llvm.dbg.value(metadata i32 0), !dbg !9\n  ret void, !dbg !9\n}\n" + typesIR
	got := after(plainDebug, ir)
	for _, s := range []string{"#dbg_", "llvm.dbg", "FullDebug", "imports:", "zeroinitializer, align 4, !dbg"} {
		if strings.Contains(got, s) {
			t.Errorf("%s is left:\n%s", s, got)
		}
	}
	if !strings.Contains(got, "  ret void, !dbg !9\n") || !strings.Contains(got, "emissionKind: DebugDirectivesOnly") {
		t.Errorf("positions are gone:\n%s", got)
	}
}

func TestLocalPragma(t *testing.T) {
	m := irtext.Parse([]byte("%struct.P = type { i8, double, i16 }\n%struct.Q = type <{ i8, double }>\n"))
	l := &lowerer{types: m.Types()}
	for line, want := range map[string]string{
		"  %a = alloca [8 x i32], align 4":                    "a a8s4",
		"  %a.i = alloca [4 x [2 x float]], align 4":          "a a4a2s4",
		"  %p = alloca [2 x %struct.P], align 8":              "p a2s24",
		"  %q.sroa.0 = alloca %struct.Q, align 1":             "q s9",
		"  %3 = alloca [2 x ptr], align 8":                    "- a2s8",
		"  %v = alloca [8 x i32], align 4, addrspace(5)":      "v a8s4",
		"  %n = alloca i32, align 4":                          "n s4",
		"  %vla = alloca i32, i64 %k, align 4":                "",
		"  %vla = alloca [2 x i32], i64 %k, align 4":          "",
		"  %u = alloca %struct.Unknown, align 4":              "",
		"  store i32 0, ptr %a, align 4":                      "",
		"  %x = load [2 x i32], ptr %a, align 4":              "",
		"  %w = alloca [0 x i32], align 4":                    "",
		"  %m = alloca { i32, [3 x i8], <4 x float> }, align": "m s32",
	} {
		got := l.localPragma(&irtext.Line{Text: line})
		if (want == "") != (got == "") || !strings.Contains(got, "warpgrind.local "+want+" $0") && want != "" {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}
