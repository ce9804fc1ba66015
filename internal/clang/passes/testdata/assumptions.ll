declare void @llvm.assume(i1 noundef)

define void @k(i32 %n, ptr %p) {
entry:
  %cmp = icmp sgt i32 %n, 0, !dbg !10
  call void @llvm.assume(i1 %cmp), !dbg !10
  call void @llvm.assume(i1 true) [ "align"(ptr %p, i64 16) ]
  %odd = icmp eq i32 %n, 3
  br i1 %odd, label %never, label %end

never:
  unreachable, !dbg !11

end:
  ret void
}
