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

define i32 @enumeration(ptr %p, ptr %q) {
  %mode = load i32, ptr %p, align 4, !dbg !10, !tbaa !20, !range !21, !noundef !22
  %sign = load i32, ptr %q, align 4, !range !23
  %flag = load i8, ptr %q, align 1, !range !24
  %sum = add i32 %mode, %sign
  ret i32 %sum
}

!20 = !{!"Mode"}
!21 = !{i32 0, i32 4}
!22 = !{}
!23 = !{i32 -4, i32 8}
!24 = !{i8 0, i8 2}
