; ModuleID = 'unset.cu'
source_filename = "unset.cu"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.Empty = type { i8 }
%"class.Pair<Empty>" = type { %struct.Empty, %struct.Empty }
%struct.Char = type { i8 }
%struct.Bits = type { i8 }
%union.Byte = type { i8 }

; Function Attrs: convergent norecurse nounwind null_pointer_is_valid
define dso_local void @_Z1kiPf(i32 %n, ptr %o) #0 !dbg !951 {
entry:
  %wg.k.1 = addrspacecast ptr %o to ptr addrspace(1)
  %wg.g.2 = addrspacecast ptr addrspace(1) %wg.k.1 to ptr
  %n.addr = alloca i32, align 4
  %o.addr = alloca ptr, align 8
  %x = alloca float, align 4
  %y = alloca i32, align 4
  store i32 %n, ptr %n.addr, align 4
  store ptr %wg.g.2, ptr %o.addr, align 8
  call void @llvm.lifetime.start.p0(i64 4, ptr %x) #2, !dbg !967
  %0 = load i32, ptr %n.addr, align 4, !dbg !969
  %cmp = icmp sgt i32 %0, 0, !dbg !971
  br i1 %cmp, label %if.then, label %if.end, !dbg !972

if.then:                                          ; preds = %entry
  store float 1.000000e+00, ptr %x, align 4, !dbg !973
  br label %if.end, !dbg !976

if.end:                                           ; preds = %if.then, %entry
  %1 = load float, ptr %x, align 4, !dbg !977
  %2 = load ptr, ptr %o.addr, align 8, !dbg !978
  %arrayidx = getelementptr inbounds float, ptr %2, i64 0, !dbg !978
  store atomic float %1, ptr %arrayidx syncscope("wg") monotonic, align 4, !dbg !979
  call void @llvm.lifetime.start.p0(i64 4, ptr %y) #2, !dbg !980
  store i32 2, ptr %y, align 4, !dbg !981
  %3 = load i32, ptr %y, align 4, !dbg !982
  %conv = sitofp i32 %3 to float, !dbg !982
  %4 = load ptr, ptr %o.addr, align 8, !dbg !983
  %arrayidx1 = getelementptr inbounds float, ptr %4, i64 1, !dbg !983
  store atomic float %conv, ptr %arrayidx1 syncscope("wg") monotonic, align 4, !dbg !984
  call void @llvm.lifetime.end.p0(i64 4, ptr %y) #2, !dbg !985
  call void @llvm.lifetime.end.p0(i64 4, ptr %x) #2, !dbg !985
  ret void, !dbg !985
}

; A structured binding has no name.
define dso_local void @_Z7bindingPf(ptr %o) #0 !dbg !951 {
entry:
  %0 = alloca float, align 4
  call void @llvm.lifetime.start.p0(i64 4, ptr %0) #2, !dbg !967
  %1 = load float, ptr %0, align 4, !dbg !977
  store atomic float %1, ptr %o syncscope("wg") monotonic, align 4, !dbg !979
  call void @llvm.lifetime.end.p0(i64 4, ptr %0) #2, !dbg !985
  ret void, !dbg !985
}

; Empty classes have no value; a char, a bit-field and a union have one.
define internal %struct.Empty @_Z5emptyv() #0 !dbg !951 {
entry:
  %retval = alloca %struct.Empty, align 1
  %pair = alloca %"class.Pair<Empty>", align 1
  %first = getelementptr inbounds nuw %"class.Pair<Empty>", ptr %pair, i32 0, i32 0, !dbg !977
  call void @use(ptr %first), !dbg !977
  call void @use(ptr %pair), !dbg !977
  %0 = load %struct.Empty, ptr %retval, align 1, !dbg !985
  ret %struct.Empty %0, !dbg !985
}

define internal i32 @_Z5bytesv() #0 !dbg !951 {
entry:
  %c = alloca %struct.Char, align 1
  %b = alloca %struct.Bits, align 1
  %u = alloca %union.Byte, align 1
  %m = getelementptr inbounds nuw %struct.Char, ptr %c, i32 0, i32 0, !dbg !977
  %0 = load i8, ptr %m, align 1, !dbg !977
  %1 = load i8, ptr %b, align 1, !dbg !977
  call void @use(ptr %u), !dbg !977
  %2 = add i8 %0, %1, !dbg !977
  %3 = zext i8 %2 to i32, !dbg !977
  ret i32 %3, !dbg !985
}

; A loop with a variable, a continue and a return: each way to the end sets the result.
define internal i32 @_Z8returnedi(i32 %n) #0 !dbg !951 {
entry:
  %retval = alloca i32, align 4
  %n.addr = alloca i32, align 4
  %a = alloca i32, align 4
  %cleanup.dest.slot = alloca i32, align 4
  store i32 %n, ptr %n.addr, align 4
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %entry
  %0 = load i32, ptr %n.addr, align 4, !dbg !977
  %cmp = icmp sgt i32 %0, 0, !dbg !971
  br i1 %cmp, label %for.body, label %for.end, !dbg !972

for.body:                                         ; preds = %for.cond
  call void @llvm.lifetime.start.p0(i64 4, ptr %a) #2, !dbg !967
  store i32 7, ptr %a, align 4, !dbg !973
  %1 = load i32, ptr %a, align 4, !dbg !977
  %odd = trunc i32 %1 to i1, !dbg !971
  br i1 %odd, label %if.then, label %if.else, !dbg !972

if.then:                                          ; preds = %for.body
  store i32 %1, ptr %retval, align 4, !dbg !973
  store i32 1, ptr %cleanup.dest.slot, align 4
  br label %cleanup

if.else:                                          ; preds = %for.body
  store i32 4, ptr %cleanup.dest.slot, align 4
  br label %cleanup

cleanup:                                          ; preds = %if.else, %if.then
  call void @llvm.lifetime.end.p0(i64 4, ptr %a) #2, !dbg !985
  %cleanup.dest = load i32, ptr %cleanup.dest.slot, align 4
  switch i32 %cleanup.dest, label %unreachable [
    i32 4, label %for.inc
    i32 1, label %return
  ]

for.inc:                                          ; preds = %cleanup
  br label %for.cond, !dbg !972

for.end:                                          ; preds = %for.cond
  store i32 0, ptr %retval, align 4, !dbg !973
  br label %return

return:                                           ; preds = %for.end, %cleanup
  %2 = load i32, ptr %retval, align 4, !dbg !985
  ret i32 %2, !dbg !985

unreachable:                                      ; preds = %cleanup
  unreachable
}

; A way to the end that does not set it.
define internal i32 @_Z6missedi(i32 %n) #0 !dbg !951 {
entry:
  %retval = alloca i32, align 4
  %n.addr = alloca i32, align 4
  %a = alloca i32, align 4
  %cleanup.dest.slot = alloca i32, align 4
  store i32 %n, ptr %n.addr, align 4
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %entry
  %0 = load i32, ptr %n.addr, align 4, !dbg !977
  %cmp = icmp sgt i32 %0, 0, !dbg !971
  br i1 %cmp, label %for.body, label %for.end, !dbg !972

for.body:                                         ; preds = %for.cond
  call void @llvm.lifetime.start.p0(i64 4, ptr %a) #2, !dbg !967
  store i32 7, ptr %a, align 4, !dbg !973
  %1 = load i32, ptr %a, align 4, !dbg !977
  %odd = trunc i32 %1 to i1, !dbg !971
  br i1 %odd, label %if.then, label %if.else, !dbg !972

if.then:                                          ; preds = %for.body
  store i32 %1, ptr %retval, align 4, !dbg !973
  store i32 1, ptr %cleanup.dest.slot, align 4
  br label %cleanup

if.else:                                          ; preds = %for.body
  store i32 1, ptr %cleanup.dest.slot, align 4
  br label %cleanup

cleanup:                                          ; preds = %if.else, %if.then
  call void @llvm.lifetime.end.p0(i64 4, ptr %a) #2, !dbg !985
  %cleanup.dest = load i32, ptr %cleanup.dest.slot, align 4
  switch i32 %cleanup.dest, label %unreachable [
    i32 4, label %for.inc
    i32 1, label %return
  ]

for.inc:                                          ; preds = %cleanup
  br label %for.cond, !dbg !972

for.end:                                          ; preds = %for.cond
  store i32 0, ptr %retval, align 4, !dbg !973
  br label %return

return:                                           ; preds = %for.end, %cleanup
  %2 = load i32, ptr %retval, align 4, !dbg !985
  ret i32 %2, !dbg !985

unreachable:                                      ; preds = %cleanup
  unreachable
}

; A number that is not constant may be any.
define internal i32 @_Z5otheri(i32 %n) #0 !dbg !951 {
entry:
  %retval = alloca i32, align 4
  %n.addr = alloca i32, align 4
  %a = alloca i32, align 4
  %cleanup.dest.slot = alloca i32, align 4
  store i32 %n, ptr %n.addr, align 4
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %entry
  %0 = load i32, ptr %n.addr, align 4, !dbg !977
  %cmp = icmp sgt i32 %0, 0, !dbg !971
  br i1 %cmp, label %for.body, label %for.end, !dbg !972

for.body:                                         ; preds = %for.cond
  call void @llvm.lifetime.start.p0(i64 4, ptr %a) #2, !dbg !967
  store i32 7, ptr %a, align 4, !dbg !973
  %1 = load i32, ptr %a, align 4, !dbg !977
  %odd = trunc i32 %1 to i1, !dbg !971
  br i1 %odd, label %if.then, label %if.else, !dbg !972

if.then:                                          ; preds = %for.body
  store i32 %1, ptr %retval, align 4, !dbg !973
  store i32 1, ptr %cleanup.dest.slot, align 4
  br label %cleanup

if.else:                                          ; preds = %for.body
  store i32 %0, ptr %cleanup.dest.slot, align 4
  br label %cleanup

cleanup:                                          ; preds = %if.else, %if.then
  call void @llvm.lifetime.end.p0(i64 4, ptr %a) #2, !dbg !985
  %cleanup.dest = load i32, ptr %cleanup.dest.slot, align 4
  switch i32 %cleanup.dest, label %unreachable [
    i32 4, label %for.inc
    i32 1, label %return
  ]

for.inc:                                          ; preds = %cleanup
  br label %for.cond, !dbg !972

for.end:                                          ; preds = %for.cond
  store i32 0, ptr %retval, align 4, !dbg !973
  br label %return

return:                                           ; preds = %for.end, %cleanup
  %2 = load i32, ptr %retval, align 4, !dbg !985
  ret i32 %2, !dbg !985

unreachable:                                      ; preds = %cleanup
  unreachable
}

declare void @use(ptr)

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

attributes #0 = { convergent norecurse nounwind null_pointer_is_valid "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx75,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nounwind }

!llvm.module.flags = !{!0, !1, !2, !3, !4, !5}
!llvm.dbg.cu = !{!6}
!nvvm.annotations = !{!949}
!llvm.ident = !{!950}

!0 = !{i32 2, !"SDK Version", [2 x i32] [i32 12, i32 3]}
!1 = !{i32 7, !"Dwarf Version", i32 2}
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 1, !"wchar_size", i32 4}
!4 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!5 = !{i32 7, !"frame-pointer", i32 2}
!6 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !7, producer: "Debian clang version 19.1.7 (3~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, debugInfoForProfiling: true, nameTableKind: None)
!7 = !DIFile(filename: "unset.cu", directory: "/src")
!20 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!25 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!156 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !25, size: 64)
!949 = !{ptr @_Z1kiPf, !"kernel", i32 1}
!950 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!951 = distinct !DISubprogram(name: "k", linkageName: "_Z1kiPf", scope: !7, file: !7, line: 1, type: !952, scopeLine: 1, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !6, retainedNodes: !954)
!952 = !DISubroutineType(types: !953)
!953 = !{null, !20, !156}
!954 = !{!955, !956, !957, !958}
!955 = !DILocalVariable(name: "n", arg: 1, scope: !951, file: !7, line: 1, type: !20)
!956 = !DILocalVariable(name: "o", arg: 2, scope: !951, file: !7, line: 1, type: !156)
!957 = !DILocalVariable(name: "x", scope: !951, file: !7, line: 2, type: !25)
!958 = !DILocalVariable(name: "y", scope: !951, file: !7, line: 5, type: !20)
!967 = !DILocation(line: 2, column: 1, scope: !951)
!969 = !DILocation(line: 3, column: 5, scope: !970)
!970 = distinct !DILexicalBlock(scope: !951, file: !7, line: 3, column: 5)
!971 = !DILocation(line: 3, column: 7, scope: !970)
!972 = !DILocation(line: 3, column: 5, scope: !951)
!973 = !DILocation(line: 3, column: 14, scope: !970)
!976 = !DILocation(line: 3, column: 12, scope: !970)
!977 = !DILocation(line: 4, column: 8, scope: !951)
!978 = !DILocation(line: 4, column: 1, scope: !951)
!979 = !DILocation(line: 4, column: 6, scope: !951)
!980 = !DILocation(line: 5, column: 1, scope: !951)
!981 = !DILocation(line: 5, column: 5, scope: !951)
!982 = !DILocation(line: 6, column: 8, scope: !951)
!983 = !DILocation(line: 6, column: 1, scope: !951)
!984 = !DILocation(line: 6, column: 6, scope: !951)
!985 = !DILocation(line: 7, column: 1, scope: !951)
