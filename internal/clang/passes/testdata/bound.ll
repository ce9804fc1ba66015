; ModuleID = 'bound.cu'
source_filename = "bound.cu"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.S = type { [4 x i32], i32 }

; Function Attrs: convergent norecurse nounwind null_pointer_is_valid
define dso_local void @_Z1kP1SiPi(ptr %s, i32 %i, ptr %o) #0 !dbg !951 {
entry:
  %s.addr = alloca ptr, align 8
  %i.addr = alloca i32, align 4
  %o.addr = alloca ptr, align 8
  %m = alloca [2 x [3 x i32]], align 4
  store ptr %s, ptr %s.addr, align 8
  store i32 %i, ptr %i.addr, align 4
  store ptr %o, ptr %o.addr, align 8
  call void @llvm.lifetime.start.p0(i64 24, ptr %m) #2, !dbg !980
  %arrayidx = getelementptr inbounds [2 x [3 x i32]], ptr %m, i64 0, i64 0, !dbg !982
  %0 = load i32, ptr %i.addr, align 4, !dbg !983
  %idxprom = sext i32 %0 to i64, !dbg !982
  %arrayidx1 = getelementptr inbounds [3 x i32], ptr %arrayidx, i64 0, i64 %idxprom, !dbg !982
  store i32 1, ptr %arrayidx1, align 4, !dbg !984
  %arrayidx2 = getelementptr inbounds [2 x [3 x i32]], ptr %m, i64 0, i64 1, !dbg !985
  %arrayidx3 = getelementptr inbounds [3 x i32], ptr %arrayidx2, i64 0, i64 2, !dbg !985
  %1 = load i32, ptr %arrayidx3, align 4, !dbg !985
  %2 = load ptr, ptr %s.addr, align 8, !dbg !986
  %a = getelementptr inbounds %struct.S, ptr %2, i32 0, i32 0, !dbg !987
  %3 = load i32, ptr %i.addr, align 4, !dbg !988
  %idxprom4 = sext i32 %3 to i64, !dbg !986
  %arrayidx5 = getelementptr inbounds [4 x i32], ptr %a, i64 0, i64 %idxprom4, !dbg !986
  store i32 %1, ptr %arrayidx5, align 4, !dbg !989
  call void @llvm.lifetime.end.p0(i64 24, ptr %m) #2, !dbg !990
  ret void, !dbg !990
}

; Parameters by value, and no variable.
define dso_local i32 @_Z5valueP1Sl(ptr byval(%struct.S) align 4 %s, i64 %i) #0 !dbg !951 {
entry:
  %a = getelementptr inbounds %struct.S, ptr %s, i32 0, i32 0, !dbg !987
  %arrayidx = getelementptr inbounds [4 x i32], ptr %a, i64 0, i64 %i, !dbg !986
  %0 = load i32, ptr %arrayidx, align 4, !dbg !989
  ret i32 %0, !dbg !990
}

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
!7 = !DIFile(filename: "bound.cu", directory: "/src")
!20 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!84 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !20, size: 64)
!949 = !{ptr @_Z1kP1SiPi, !"kernel", i32 1}
!950 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!951 = distinct !DISubprogram(name: "k", linkageName: "_Z1kP1SiPi", scope: !7, file: !7, line: 5, type: !952, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !6, retainedNodes: !962)
!952 = !DISubroutineType(types: !953)
!953 = !{null, !954, !20, !84}
!954 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !955, size: 64)
!955 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "S", file: !7, line: 1, size: 160, flags: DIFlagTypePassByValue, elements: !956, identifier: "_ZTS1S")
!956 = !{!957, !961}
!957 = !DIDerivedType(tag: DW_TAG_member, name: "a", scope: !955, file: !7, line: 2, baseType: !958, size: 128)
!958 = !DICompositeType(tag: DW_TAG_array_type, baseType: !20, size: 128, elements: !959)
!959 = !{!960}
!960 = !DISubrange(count: 4)
!961 = !DIDerivedType(tag: DW_TAG_member, name: "b", scope: !955, file: !7, line: 3, baseType: !20, size: 32, offset: 128)
!962 = !{!963, !964, !965, !966}
!963 = !DILocalVariable(name: "s", arg: 1, scope: !951, file: !7, line: 5, type: !954)
!964 = !DILocalVariable(name: "i", arg: 2, scope: !951, file: !7, line: 5, type: !20)
!965 = !DILocalVariable(name: "o", arg: 3, scope: !951, file: !7, line: 5, type: !84)
!966 = !DILocalVariable(name: "m", scope: !951, file: !7, line: 6, type: !967)
!967 = !DICompositeType(tag: DW_TAG_array_type, baseType: !20, size: 192, elements: !968)
!968 = !{!969, !970}
!969 = !DISubrange(count: 2)
!970 = !DISubrange(count: 3)
!980 = !DILocation(line: 6, column: 1, scope: !951)
!982 = !DILocation(line: 7, column: 1, scope: !951)
!983 = !DILocation(line: 7, column: 6, scope: !951)
!984 = !DILocation(line: 7, column: 9, scope: !951)
!985 = !DILocation(line: 8, column: 11, scope: !951)
!986 = !DILocation(line: 8, column: 1, scope: !951)
!987 = !DILocation(line: 8, column: 4, scope: !951)
!988 = !DILocation(line: 8, column: 6, scope: !951)
!989 = !DILocation(line: 8, column: 9, scope: !951)
!990 = !DILocation(line: 9, column: 1, scope: !951)
