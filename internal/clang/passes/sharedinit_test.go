package passes

import "testing"

func TestStoreSharedAddresses(t *testing.T) {
	const constants = `@__const.k.span = private unnamed_addr constant %struct.Span { ptr getelementptr (i8, ptr addrspacecast (ptr addrspace(3) @s to ptr), i64 8), i32 32 }, align 8
@__const.k.plain = private unnamed_addr constant [2 x i32] [i32 1, i32 2], align 4
@__const.k.table = private unnamed_addr constant [2 x ptr] [ptr addrspacecast (ptr addrspace(1) @g to ptr), ptr null], align 8
`
	for _, c := range []struct{ name, line, want string }{
		{"the address of a shared variable",
			"  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %sp, ptr align 8 @__const.k.span, i64 16, i1 false), !dbg !29\n",
			"  store %struct.Span { ptr getelementptr (i8, ptr addrspacecast (ptr addrspace(3) @s to ptr), i64 8), i32 32 }, ptr %sp, align 8, !dbg !29\n"},
		{"numbers", "  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %a, ptr align 4 @__const.k.plain, i64 8, i1 false)\n", ""},
		{"the address of a global variable", "  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %a, ptr align 8 @__const.k.table, i64 16, i1 false)\n", ""},
		{"another copy", "  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %a, ptr align 8 %b, i64 16, i1 false)\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := c.want
			if want == "" {
				want = c.line
			}
			if got := after(storeSharedAddresses, constants+c.line); got != constants+want {
				t.Errorf("got\n%s", got[len(constants):])
			}
		})
	}
}
