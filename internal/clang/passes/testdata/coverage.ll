; ModuleID = 'g.cu'

$__covrec_44B51BAC69C0C90Fu = comdat any

@__profn__Z1kPiiPb = private constant [9 x i8] c"_Z1kPiiPb"
@__covrec_44B51BAC69C0C90Fu = linkonce_odr hidden constant <{ i64, i32, i64, i64, [184 x i8] }> <{ i64 4950893792686295311, i32 184, i64 -1500902597911623935, i64 227525178857370166, [184 x i8] c"\01\01\0B\01\05\05\09\01\11\11\15\0D\19\0D\19\01!!%\01%\1D)\1D)\1A\01\02+\0D\02\01\01\0A\00\0F \05\02\00\0A\00\0F\05\00\13\00\1B \09\06\00\13\00\1B\01\01\07\00\0C\01\00\07\00\19 \0A\11\00\07\00\0C\11\00\10\00\19 \0E\15\00\10\00\19\0D\00\1A\01\85\80\80\80\08\0D\01\05\00\19\0D\00\0C\00\11 \19\16\00\0C\00\11\19\00\13\00\94\80\80\80\08\19\00\14\00\15\16\00\18\00\19\00\01\0E\04\8D\80\80\80\08!\01\03\03\0D !\1A\00\03\00\09\1F\02\03\01\0D %\22\00\03\00\0A\1D\03\03\03\02+\01\05\00\0B+\01\0A\00\0E )\1D\00\0A\00\0E" }>, section "__llvm_covfun", comdat, align 8
@__llvm_coverage_mapping = private constant { { i32, i32, i32, i32 }, [21 x i8] } { { i32, i32, i32, i32 } { i32 0, i32 21, i32 0, i32 6 }, [21 x i8] c"\02\0A\12x\DAc\D1/.JfI\D7K.\05\00\0EV\02\ED" }, section "__llvm_covmap", align 8
@llvm.used = appending global [2 x ptr] [ptr @__covrec_44B51BAC69C0C90Fu, ptr @__llvm_coverage_mapping], section "llvm.metadata"

define dso_local void @_Z1kPiiPb(ptr noundef %a, i32 noundef %n, ptr noundef %b) {
entry:
  %a.addr = alloca ptr, align 8
  %n.addr = alloca i32, align 4
  %b.addr = alloca ptr, align 8
  store ptr %a, ptr %a.addr, align 8
  store i32 %n, ptr %n.addr, align 4
  store ptr %b, ptr %b.addr, align 8
  call void @llvm.instrprof.increment(ptr @__profn__Z1kPiiPb, i64 -1500902597911623935, i32 11, i32 0)
  %0 = load i32, ptr %n.addr, align 4
  %cmp = icmp sgt i32 %0, 3
  br i1 %cmp, label %land.rhs, label %land.end

land.rhs:                                         ; preds = %entry
  call void @llvm.instrprof.increment(ptr @__profn__Z1kPiiPb, i64 -1500902597911623935, i32 11, i32 1)
  %1 = load ptr, ptr %a.addr, align 8
  %arrayidx = getelementptr inbounds i32, ptr %1, i64 0
  %2 = load i32, ptr %arrayidx, align 4
  %cmp1 = icmp sgt i32 %2, 4
  br i1 %cmp1, label %land.rhscnt, label %land.end

land.rhscnt:                                      ; preds = %land.rhs
  call void @llvm.instrprof.increment(ptr @__profn__Z1kPiiPb, i64 -1500902597911623935, i32 11, i32 2)
  br label %land.end

land.end:                                         ; preds = %land.rhscnt, %land.rhs, %entry
  %3 = phi i1 [ false, %entry ], [ %cmp1, %land.rhscnt ], [ %cmp1, %land.rhs ]
  %4 = load ptr, ptr %b.addr, align 8
  %arrayidx2 = getelementptr inbounds i8, ptr %4, i64 0
  %storedv = zext i1 %3 to i8
  store i8 %storedv, ptr %arrayidx2, align 1
  %5 = load i32, ptr %n.addr, align 4
  %cmp3 = icmp slt i32 %5, 0
  br i1 %cmp3, label %if.then, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %land.end
  call void @llvm.instrprof.increment(ptr @__profn__Z1kPiiPb, i64 -1500902597911623935, i32 11, i32 4)
  %6 = load ptr, ptr %a.addr, align 8
  %arrayidx4 = getelementptr inbounds i32, ptr %6, i64 1
  %7 = load i32, ptr %arrayidx4, align 4
  %cmp5 = icmp eq i32 %7, 7
  br i1 %cmp5, label %if.then, label %lop.rhscnt

lop.rhscnt:                                       ; preds = %lor.lhs.false
  call void @llvm.instrprof.increment(ptr @__profn__Z1kPiiPb, i64 -1500902597911623935, i32 11, i32 5)
  br label %if.end

if.then:                                          ; preds = %lor.lhs.false, %land.end
  call void @llvm.instrprof.increment(ptr @__profn__Z1kPiiPb, i64 -1500902597911623935, i32 11, i32 3)
  %8 = load i32, ptr %n.addr, align 4
  %cmp6 = icmp sgt i32 %8, 5
  %9 = zext i1 %cmp6 to i64
  call void @llvm.instrprof.increment.step(ptr @__profn__Z1kPiiPb, i64 -1500902597911623935, i32 11, i32 6, i64 %9)
  %cond = select i1 %cmp6, i32 1, i32 2
  %10 = load ptr, ptr %a.addr, align 8
  %arrayidx7 = getelementptr inbounds i32, ptr %10, i64 2
  store i32 %cond, ptr %arrayidx7, align 4
  br label %if.end

if.end:                                           ; preds = %if.then, %lop.rhscnt
  %11 = load i32, ptr %n.addr, align 4
  switch i32 %11, label %sw.default [
    i32 1, label %sw.bb
  ]

sw.bb:                                            ; preds = %if.end
  call void @llvm.instrprof.increment(ptr @__profn__Z1kPiiPb, i64 -1500902597911623935, i32 11, i32 8)
  %12 = load ptr, ptr %a.addr, align 8
  %arrayidx8 = getelementptr inbounds i32, ptr %12, i64 3
  store i32 1, ptr %arrayidx8, align 4
  br label %skipcount

sw.default:                                       ; preds = %if.end
  call void @llvm.instrprof.increment(ptr @__profn__Z1kPiiPb, i64 -1500902597911623935, i32 11, i32 9)
  br label %skipcount

skipcount:                                        ; preds = %sw.default, %sw.bb
  %13 = load ptr, ptr %a.addr, align 8
  %arrayidx9 = getelementptr inbounds i32, ptr %13, i64 4
  store i32 1, ptr %arrayidx9, align 4
  br label %sw.epilog

sw.epilog:                                        ; preds = %skipcount
  call void @llvm.instrprof.increment(ptr @__profn__Z1kPiiPb, i64 -1500902597911623935, i32 11, i32 7)
  br label %skipcount10

do.body:                                          ; preds = %do.cond
  call void @llvm.instrprof.increment(ptr @__profn__Z1kPiiPb, i64 -1500902597911623935, i32 11, i32 10)
  br label %skipcount10

skipcount10:                                      ; preds = %do.body, %sw.epilog
  %14 = load ptr, ptr %a.addr, align 8
  %arrayidx11 = getelementptr inbounds i32, ptr %14, i64 5
  %15 = load i32, ptr %arrayidx11, align 4
  %inc = add nsw i32 %15, 1
  store i32 %inc, ptr %arrayidx11, align 4
  br label %do.cond

do.cond:                                          ; preds = %skipcount10
  %16 = load ptr, ptr %a.addr, align 8
  %arrayidx12 = getelementptr inbounds i32, ptr %16, i64 6
  %17 = load i32, ptr %arrayidx12, align 4
  %tobool = icmp ne i32 %17, 0
  br i1 %tobool, label %do.body, label %do.end

do.end:                                           ; preds = %do.cond
  ret void
}

declare void @llvm.instrprof.increment(ptr, i64, i32, i32)

declare void @llvm.instrprof.increment.step(ptr, i64, i32, i32, i64)



