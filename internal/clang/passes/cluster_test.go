package passes

import (
	"testing"

	"github.com/warpgrind/warpgrind/internal/clang/irtext"
)

// TestClusters: dimensions from clang's annotations to PTX's directive.
func TestClusters(t *testing.T) {
	const ir = `@.str = private unnamed_addr constant [18 x i8] c"warpgrind.cluster\00", section "llvm.metadata"
@.str1 = private unnamed_addr constant [6 x i8] c"c2.cu\00", section "llvm.metadata"
@.args = private unnamed_addr constant { i32, i32, i32 } { i32 2, i32 1, i32 1 }, section "llvm.metadata"
@.args2 = private unnamed_addr constant { i32 } { i32 4 }, section "llvm.metadata"
@llvm.global.annotations = appending global [2 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr @_Z1kPi, ptr @.str, ptr @.str1, i32 1, ptr @.args }, { ptr, ptr, ptr, i32, ptr } { ptr @_Z1tILi4EEvPi, ptr @.str, ptr @.str1, i32 2, ptr @.args2 }], section "llvm.metadata"
`
	const ptx = ".visible .entry _Z1kPi(\n\t.param .u64 p\n)\n{\n}\n.weak .entry _Z1tILi4EEvPi()\n{\n}\n.visible .entry other()\n{\n}\n"
	const want = ".visible .entry _Z1kPi(\n\t.param .u64 p\n)\n.reqnctapercluster 2, 1, 1\n{\n}\n" +
		".weak .entry _Z1tILi4EEvPi()\n.reqnctapercluster 4\n{\n}\n.visible .entry other()\n{\n}\n"
	s := &State{}
	clusterDims(irtext.Parse([]byte(ir)), s)
	if got := string(s.Annotate([]byte(ptx))); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
