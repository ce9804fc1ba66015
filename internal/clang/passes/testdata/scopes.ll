define dso_local void @_Z4loopPi(ptr addrspace(1) %o) {
entry:
  %x = alloca [4 x i32], align 4
  %y = alloca [2 x i32], align 4
  br label %for.body

for.body:                                         ; preds = %entry, %for.body
  %i = phi i32 [ 0, %entry ], [ %inc, %for.body ]
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %x)
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %y)
  store i32 %i, ptr %x, align 4
  %b = getelementptr i32, ptr %y, i32 %i
  store i32 %i, ptr %b, align 4
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %y)
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %x), !dbg !1
  %inc = add i32 %i, 1
  %done = icmp eq i32 %inc, 3
  br i1 %done, label %end, label %for.body

end:                                              ; preds = %for.body
  %p = getelementptr i32, ptr %x, i64 2
  %v = load i32, ptr %p, align 4
  store i32 %v, ptr addrspace(1) %o, align 4
  ret void
}
