; ModuleID = 'child-grids.cu'
source_filename = "child-grids.cu"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.dim3 = type { i32, i32, i32 }

$_ZN4dim3C1Ejjj = comdat any

$_ZN4dim3C2Ejjj = comdat any

@llvm.compiler.used = appending global [1 x ptr] [ptr @_Z5childPii], section "llvm.metadata"

; Function Attrs: convergent nounwind null_pointer_is_valid
define dso_local void @_Z5childPii(ptr %p, i32 %n) #0 section "warpgrind.kernel" !dbg !951 {
entry:
  %p.addr = alloca ptr, align 8
  %n.addr = alloca i32, align 4
  store ptr %p, ptr %p.addr, align 8
  store i32 %n, ptr %n.addr, align 4
  %0 = load ptr, ptr %p.addr, align 8, !dbg !965
  %1 = load i32, ptr %n.addr, align 4, !dbg !966
  %idxprom = sext i32 %1 to i64, !dbg !965
  %arrayidx = getelementptr inbounds i32, ptr %0, i64 %idxprom, !dbg !965
  store i32 1, ptr %arrayidx, align 4, !dbg !967
  ret void, !dbg !968
}

; Function Attrs: convergent norecurse nounwind null_pointer_is_valid
define dso_local void @_Z1kPi(ptr %p) #1 !dbg !969 {
entry:
  %p.addr = alloca ptr, align 8
  %agg.tmp = alloca %struct.dim3, align 4
  %agg.tmp1 = alloca %struct.dim3, align 4
  store ptr %p, ptr %p.addr, align 8
  %0 = load ptr, ptr %p.addr, align 8, !dbg !975
  call void @_Z5childPii(ptr %0, i32 3) #2, !dbg !976
  call void @_ZN4dim3C1Ejjj(ptr align 4 dereferenceable_or_null(12) %agg.tmp, i32 1, i32 1, i32 1) #2, !dbg !977
  call void @_ZN4dim3C1Ejjj(ptr align 4 dereferenceable_or_null(12) %agg.tmp1, i32 32, i32 1, i32 1) #2, !dbg !978
  call void @__warpgrind_launch(ptr byval(%struct.dim3) align 4 %agg.tmp, ptr byval(%struct.dim3) align 4 %agg.tmp1, i64 0, ptr null) #2, !dbg !979
  ret void, !dbg !980
}

; Function Attrs: convergent nounwind null_pointer_is_valid
declare dso_local void @__warpgrind_launch(ptr byval(%struct.dim3) align 4, ptr byval(%struct.dim3) align 4, i64, ptr) #0

; Function Attrs: convergent nounwind null_pointer_is_valid
define linkonce_odr dso_local void @_ZN4dim3C1Ejjj(ptr align 4 dereferenceable_or_null(12) %this, i32 %vx, i32 %vy, i32 %vz) unnamed_addr #0 comdat align 2 !dbg !981 {
entry:
  %this.addr = alloca ptr, align 8
  %vx.addr = alloca i32, align 4
  %vy.addr = alloca i32, align 4
  %vz.addr = alloca i32, align 4
  store ptr %this, ptr %this.addr, align 8
  store i32 %vx, ptr %vx.addr, align 4
  store i32 %vy, ptr %vy.addr, align 4
  store i32 %vz, ptr %vz.addr, align 4
  %this1 = load ptr, ptr %this.addr, align 8
  %0 = load i32, ptr %vx.addr, align 4, !dbg !1016
  %1 = load i32, ptr %vy.addr, align 4, !dbg !1016
  %2 = load i32, ptr %vz.addr, align 4, !dbg !1016
  call void @_ZN4dim3C2Ejjj(ptr align 4 dereferenceable_or_null(12) %this1, i32 %0, i32 %1, i32 %2) #2, !dbg !1016
  ret void, !dbg !1017
}

; Function Attrs: convergent nounwind null_pointer_is_valid
define linkonce_odr dso_local void @_ZN4dim3C2Ejjj(ptr align 4 dereferenceable_or_null(12) %this, i32 %vx, i32 %vy, i32 %vz) unnamed_addr #0 comdat align 2 !dbg !1018 {
entry:
  %this.addr = alloca ptr, align 8
  %vx.addr = alloca i32, align 4
  %vy.addr = alloca i32, align 4
  %vz.addr = alloca i32, align 4
  store ptr %this, ptr %this.addr, align 8
  store i32 %vx, ptr %vx.addr, align 4
  store i32 %vy, ptr %vy.addr, align 4
  store i32 %vz, ptr %vz.addr, align 4
  %this1 = load ptr, ptr %this.addr, align 8
  %x = getelementptr inbounds %struct.dim3, ptr %this1, i32 0, i32 0, !dbg !1028
  %0 = load i32, ptr %vx.addr, align 4, !dbg !1029
  store i32 %0, ptr %x, align 4, !dbg !1028
  %y = getelementptr inbounds %struct.dim3, ptr %this1, i32 0, i32 1, !dbg !1032
  %1 = load i32, ptr %vy.addr, align 4, !dbg !1033
  store i32 %1, ptr %y, align 4, !dbg !1032
  %z = getelementptr inbounds %struct.dim3, ptr %this1, i32 0, i32 2, !dbg !1035
  %2 = load i32, ptr %vz.addr, align 4, !dbg !1036
  store i32 %2, ptr %z, align 4, !dbg !1035
  ret void, !dbg !1038
}

attributes #0 = { convergent nounwind null_pointer_is_valid "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx75,+sm_80" }
attributes #1 = { convergent norecurse nounwind null_pointer_is_valid "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx75,+sm_80" "uniform-work-group-size"="true" }
attributes #2 = { convergent nounwind }

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
!7 = !DIFile(filename: "child-grids.cu", directory: "/src")
!20 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!84 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !20, size: 64)
!638 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!949 = !{ptr @_Z1kPi, !"kernel", i32 1}
!950 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!951 = distinct !DISubprogram(name: "child", linkageName: "_Z5childPii", scope: !7, file: !7, line: 1, type: !952, scopeLine: 1, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !6, retainedNodes: !954)
!952 = !DISubroutineType(types: !953)
!953 = !{null, !84, !20}
!954 = !{!955, !956}
!955 = !DILocalVariable(name: "p", arg: 1, scope: !951, file: !7, line: 1, type: !84)
!956 = !DILocalVariable(name: "n", arg: 2, scope: !951, file: !7, line: 1, type: !20)
!965 = !DILocation(line: 2, column: 1, scope: !951)
!966 = !DILocation(line: 2, column: 3, scope: !951)
!967 = !DILocation(line: 2, column: 6, scope: !951)
!968 = !DILocation(line: 3, column: 1, scope: !951)
!969 = distinct !DISubprogram(name: "k", linkageName: "_Z1kPi", scope: !7, file: !7, line: 4, type: !970, scopeLine: 4, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !6, retainedNodes: !972)
!970 = !DISubroutineType(types: !971)
!971 = !{null, !84}
!972 = !{!973}
!973 = !DILocalVariable(name: "p", arg: 1, scope: !969, file: !7, line: 4, type: !84)
!975 = !DILocation(line: 5, column: 7, scope: !969)
!976 = !DILocation(line: 5, column: 1, scope: !969)
!977 = !DILocation(line: 5, column: 35, scope: !969)
!978 = !DILocation(line: 5, column: 38, scope: !969)
!979 = !DILocation(line: 5, column: 14, scope: !969)
!980 = !DILocation(line: 6, column: 1, scope: !969)
!981 = distinct !DISubprogram(name: "dim3", linkageName: "_ZN4dim3C1Ejjj", scope: !983, file: !982, line: 131, type: !989, scopeLine: 132, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !6, declaration: !988, retainedNodes: !1006)
!982 = !DIFile(filename: "/shim/include/vector_types.h", directory: "")
!983 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "dim3", file: !982, line: 127, size: 96, flags: DIFlagTypePassByValue | DIFlagNonTrivial, elements: !984, identifier: "_ZTS4dim3")
!984 = !{!985, !986, !987, !988, !992, !1001}
!985 = !DIDerivedType(tag: DW_TAG_member, name: "x", scope: !983, file: !982, line: 128, baseType: !638, size: 32)
!986 = !DIDerivedType(tag: DW_TAG_member, name: "y", scope: !983, file: !982, line: 128, baseType: !638, size: 32, offset: 32)
!987 = !DIDerivedType(tag: DW_TAG_member, name: "z", scope: !983, file: !982, line: 128, baseType: !638, size: 32, offset: 64)
!988 = !DISubprogram(name: "dim3", scope: !983, file: !982, line: 131, type: !989, scopeLine: 131, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!989 = !DISubroutineType(types: !990)
!990 = !{null, !991, !638, !638, !638}
!991 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !983, size: 64, flags: DIFlagArtificial | DIFlagObjectPointer)
!992 = !DISubprogram(name: "dim3", scope: !983, file: !982, line: 133, type: !993, scopeLine: 133, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!993 = !DISubroutineType(types: !994)
!994 = !{null, !991, !995}
!995 = !DIDerivedType(tag: DW_TAG_typedef, name: "uint3", file: !982, line: 53, baseType: !996)
!996 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "uint3", file: !982, line: 52, size: 96, flags: DIFlagTypePassByValue, elements: !997, identifier: "_ZTS5uint3")
!997 = !{!998, !999, !1000}
!998 = !DIDerivedType(tag: DW_TAG_member, name: "x", scope: !996, file: !982, line: 52, baseType: !638, size: 32)
!999 = !DIDerivedType(tag: DW_TAG_member, name: "y", scope: !996, file: !982, line: 52, baseType: !638, size: 32, offset: 32)
!1000 = !DIDerivedType(tag: DW_TAG_member, name: "z", scope: !996, file: !982, line: 52, baseType: !638, size: 32, offset: 64)
!1001 = !DISubprogram(name: "operator uint3", linkageName: "_ZNK4dim3cv5uint3Ev", scope: !983, file: !982, line: 134, type: !1002, scopeLine: 134, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!1002 = !DISubroutineType(types: !1003)
!1003 = !{!995, !1004}
!1004 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !1005, size: 64, flags: DIFlagArtificial | DIFlagObjectPointer)
!1005 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !983)
!1006 = !{!1007, !1009, !1010, !1011}
!1007 = !DILocalVariable(name: "this", arg: 1, scope: !981, type: !1008, flags: DIFlagArtificial | DIFlagObjectPointer)
!1008 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !983, size: 64)
!1009 = !DILocalVariable(name: "vx", arg: 2, scope: !981, file: !982, line: 131, type: !638)
!1010 = !DILocalVariable(name: "vy", arg: 3, scope: !981, file: !982, line: 131, type: !638)
!1011 = !DILocalVariable(name: "vz", arg: 4, scope: !981, file: !982, line: 131, type: !638)
!1016 = !DILocation(line: 132, column: 29, scope: !981)
!1017 = !DILocation(line: 132, column: 30, scope: !981)
!1018 = distinct !DISubprogram(name: "dim3", linkageName: "_ZN4dim3C2Ejjj", scope: !983, file: !982, line: 131, type: !989, scopeLine: 132, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !6, declaration: !988, retainedNodes: !1019)
!1019 = !{!1020, !1021, !1022, !1023}
!1020 = !DILocalVariable(name: "this", arg: 1, scope: !1018, type: !1008, flags: DIFlagArtificial | DIFlagObjectPointer)
!1021 = !DILocalVariable(name: "vx", arg: 2, scope: !1018, file: !982, line: 131, type: !638)
!1022 = !DILocalVariable(name: "vy", arg: 3, scope: !1018, file: !982, line: 131, type: !638)
!1023 = !DILocalVariable(name: "vz", arg: 4, scope: !1018, file: !982, line: 131, type: !638)
!1028 = !DILocation(line: 132, column: 9, scope: !1018)
!1029 = !DILocation(line: 132, column: 11, scope: !1018)
!1032 = !DILocation(line: 132, column: 16, scope: !1018)
!1033 = !DILocation(line: 132, column: 18, scope: !1018)
!1035 = !DILocation(line: 132, column: 23, scope: !1018)
!1036 = !DILocation(line: 132, column: 25, scope: !1018)
!1038 = !DILocation(line: 132, column: 30, scope: !1018)
