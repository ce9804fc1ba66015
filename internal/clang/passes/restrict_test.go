package passes

import (
	"testing"

	"github.com/warpgrind/warpgrind/internal/clang/irtext"
)

const restrictIR = `define dso_local ptx_kernel void @_Z1kPKiPiS0_(ptr noalias noundef %a, ptr noalias noundef %b, i32 noundef %n) #0 !dbg !3 {
define dso_local ptx_kernel void @plain(ptr noundef %a) #0 !dbg !4 {
define dso_local void @_Z1fPKi(ptr noalias noundef %a) #0 !dbg !5 {
!3 = distinct !DISubprogram(name: "k", linkageName: "_Z1kPKiPiS0_", scope: !1)
!6 = !DILocalVariable(name: "a", arg: 1, scope: !3, file: !2, line: 1, type: !20)
!7 = !DILocalVariable(name: "b", arg: 2, scope: !3, file: !2, line: 1, type: !23)
!8 = !DILocalVariable(name: "n", arg: 3, scope: !3, file: !2, line: 1, type: !30)
!9 = !DILocalVariable(name: "i", scope: !3, file: !2, line: 2, type: !22)
!10 = !DILocalVariable(name: "a", arg: 1, scope: !4, file: !2, line: 1, type: !26)
!11 = !DILocalVariable(name: "a", arg: 1, scope: !5, file: !2, line: 1, type: !20)
!20 = !DIDerivedType(tag: DW_TAG_restrict_type, baseType: !21)
!21 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !25, size: 64)
!22 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!23 = !DIDerivedType(tag: DW_TAG_restrict_type, baseType: !24)
!24 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !22, size: 64)
!25 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !22)
!26 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !25, size: 64)
!30 = !DIDerivedType(tag: DW_TAG_typedef, name: "size", baseType: !22)
`

func TestRestrictedParams(t *testing.T) {
	const want = `.pragma "warpgrind.params _Z1kPKiPiS0_ rpn";` + "\n"
	s := &State{}
	restrictedParams(irtext.Parse([]byte(restrictIR)), s)
	if got := s.directives.String(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
