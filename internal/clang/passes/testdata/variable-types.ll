; ModuleID = 'variable-types.cu'
source_filename = "variable-types.cu"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.P = type { i32, [2 x float] }
%struct.__cuda_builtin_threadIdx_t = type { i8 }

$_ZN26__cuda_builtin_threadIdx_t17__fetch_builtin_xEv = comdat any

@tab = dso_local addrspace(4) externally_initialized global [4 x [5 x float]] zeroinitializer, align 4, !dbg !0
@_ZZ1kPfE1s = internal addrspace(3) global [8 x %struct.P] undef, align 4, !dbg !5
@threadIdx = extern_weak dso_local addrspace(1) global %struct.__cuda_builtin_threadIdx_t, align 1
@llvm.compiler.used = appending global [1 x ptr] [ptr addrspacecast (ptr addrspace(4) @tab to ptr)], section "llvm.metadata"

; Function Attrs: convergent norecurse nounwind null_pointer_is_valid
define dso_local void @_Z1kPf(ptr %o) #0 !dbg !7 {
entry:
  %o.addr = alloca ptr, align 8
  store ptr %o, ptr %o.addr, align 8, !tbaa !975
    #dbg_declare(ptr %o.addr, !13, !DIExpression(), !979)
  %call = call i32 @_ZN26__cuda_builtin_threadIdx_t17__fetch_builtin_xEv() #3, !dbg !980
  %idxprom = zext i32 %call to i64, !dbg !981
  %arrayidx = getelementptr inbounds [8 x %struct.P], ptr addrspacecast (ptr addrspace(3) @_ZZ1kPfE1s to ptr), i64 0, i64 %idxprom, !dbg !981
  %a = getelementptr inbounds %struct.P, ptr %arrayidx, i32 0, i32 0, !dbg !982
  store i32 1, ptr %a, align 4, !dbg !983, !tbaa !984
  %0 = load float, ptr getelementptr inbounds ([2 x float], ptr getelementptr inbounds (%struct.P, ptr addrspacecast (ptr addrspace(3) @_ZZ1kPfE1s to ptr), i32 0, i32 1), i64 0, i64 1), align 4, !dbg !987, !tbaa !988
  %1 = load float, ptr getelementptr inbounds ([5 x float], ptr getelementptr inbounds ([4 x [5 x float]], ptr addrspacecast (ptr addrspace(4) @tab to ptr), i64 0, i64 1), i64 0, i64 2), align 4, !dbg !990, !tbaa !988
  %add = fadd contract float %0, %1, !dbg !991
  %2 = load ptr, ptr %o.addr, align 8, !dbg !992, !tbaa !975
  %arrayidx1 = getelementptr inbounds float, ptr %2, i64 0, !dbg !992
  store float %add, ptr %arrayidx1, align 4, !dbg !993, !tbaa !988
  ret void, !dbg !994
}

; Function Attrs: alwaysinline convergent nounwind null_pointer_is_valid
define linkonce_odr dso_local i32 @_ZN26__cuda_builtin_threadIdx_t17__fetch_builtin_xEv() #1 comdat align 2 !dbg !995 {
entry:
  %0 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !1052
  ret i32 %0, !dbg !1052
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

attributes #0 = { convergent norecurse nounwind null_pointer_is_valid "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx75,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { alwaysinline convergent nounwind null_pointer_is_valid "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx75,+sm_80" }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { convergent nounwind }

!llvm.module.flags = !{!967, !968, !969, !970, !971, !972}
!llvm.dbg.cu = !{!2}
!nvvm.annotations = !{!973}
!llvm.ident = !{!974}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression(DW_OP_constu, 4, DW_OP_swap, DW_OP_xderef))
!1 = distinct !DIGlobalVariable(name: "tab", scope: !2, file: !3, line: 5, type: !963, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !3, producer: "Debian clang version 19.1.7 (3~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, globals: !4, splitDebugInlining: false, debugInfoForProfiling: true, nameTableKind: None)
!3 = !DIFile(filename: "variable-types.cu", directory: "/src")
!4 = !{!0, !5}
!5 = !DIGlobalVariableExpression(var: !6, expr: !DIExpression(DW_OP_constu, 8, DW_OP_swap, DW_OP_xderef))
!6 = distinct !DIGlobalVariable(name: "s", scope: !7, file: !3, line: 7, type: !14, isLocal: true, isDefinition: true)
!7 = distinct !DISubprogram(name: "k", linkageName: "_Z1kPf", scope: !3, file: !3, line: 6, type: !8, scopeLine: 6, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !12)
!8 = !DISubroutineType(types: !9)
!9 = !{null, !10}
!10 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !11, size: 64)
!11 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!12 = !{!13}
!13 = !DILocalVariable(name: "o", arg: 1, scope: !7, file: !3, line: 6, type: !10)
!14 = !DICompositeType(tag: DW_TAG_array_type, baseType: !15, size: 768, elements: !23)
!15 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "P", file: !3, line: 1, size: 96, flags: DIFlagTypePassByValue, elements: !16, identifier: "_ZTS1P")
!16 = !{!17, !19}
!17 = !DIDerivedType(tag: DW_TAG_member, name: "a", scope: !15, file: !3, line: 2, baseType: !18, size: 32)
!18 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!19 = !DIDerivedType(tag: DW_TAG_member, name: "b", scope: !15, file: !3, line: 3, baseType: !20, size: 64, offset: 32)
!20 = !DICompositeType(tag: DW_TAG_array_type, baseType: !11, size: 64, elements: !21)
!21 = !{!22}
!22 = !DISubrange(count: 2)
!23 = !{!24}
!24 = !DISubrange(count: 8)
!652 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!963 = !DICompositeType(tag: DW_TAG_array_type, baseType: !11, size: 640, elements: !964)
!964 = !{!965, !966}
!965 = !DISubrange(count: 4)
!966 = !DISubrange(count: 5)
!967 = !{i32 2, !"SDK Version", [2 x i32] [i32 12, i32 3]}
!968 = !{i32 7, !"Dwarf Version", i32 2}
!969 = !{i32 2, !"Debug Info Version", i32 3}
!970 = !{i32 1, !"wchar_size", i32 4}
!971 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!972 = !{i32 7, !"frame-pointer", i32 2}
!973 = !{ptr @_Z1kPf, !"kernel", i32 1}
!974 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!975 = !{!976, !976, i64 0}
!976 = !{!"any pointer", !977, i64 0}
!977 = !{!"omnipotent char", !978, i64 0}
!978 = !{!"Simple C++ TBAA"}
!979 = !DILocation(line: 6, column: 26, scope: !7)
!980 = !DILocation(line: 8, column: 3, scope: !7)
!981 = !DILocation(line: 8, column: 1, scope: !7)
!982 = !DILocation(line: 8, column: 16, scope: !7)
!983 = !DILocation(line: 8, column: 18, scope: !7)
!984 = !{!985, !986, i64 0}
!985 = !{!"_ZTS1P", !986, i64 0, !977, i64 4}
!986 = !{!"int", !977, i64 0}
!987 = !DILocation(line: 9, column: 8, scope: !7)
!988 = !{!989, !989, i64 0}
!989 = !{!"float", !977, i64 0}
!990 = !DILocation(line: 9, column: 20, scope: !7)
!991 = !DILocation(line: 9, column: 18, scope: !7)
!992 = !DILocation(line: 9, column: 1, scope: !7)
!993 = !DILocation(line: 9, column: 6, scope: !7)
!994 = !DILocation(line: 10, column: 1, scope: !7)
!995 = distinct !DISubprogram(name: "__fetch_builtin_x", linkageName: "_ZN26__cuda_builtin_threadIdx_t17__fetch_builtin_xEv", scope: !997, file: !996, line: 53, type: !1000, scopeLine: 53, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, declaration: !999)
!996 = !DIFile(filename: "/usr/lib/llvm-19/lib/clang/19/include/__clang_cuda_builtin_vars.h", directory: "")
!997 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "__cuda_builtin_threadIdx_t", file: !996, line: 52, size: 8, flags: DIFlagTypePassByReference, elements: !998, identifier: "_ZTS26__cuda_builtin_threadIdx_t")
!998 = !{!999, !1002, !1003, !1004, !1034, !1037, !1041, !1045, !1048}
!999 = !DISubprogram(name: "__fetch_builtin_x", linkageName: "_ZN26__cuda_builtin_threadIdx_t17__fetch_builtin_xEv", scope: !997, file: !996, line: 53, type: !1000, scopeLine: 53, flags: DIFlagPrototyped | DIFlagStaticMember, spFlags: DISPFlagOptimized)
!1000 = !DISubroutineType(types: !1001)
!1001 = !{!652}
!1002 = !DISubprogram(name: "__fetch_builtin_y", linkageName: "_ZN26__cuda_builtin_threadIdx_t17__fetch_builtin_yEv", scope: !997, file: !996, line: 54, type: !1000, scopeLine: 54, flags: DIFlagPrototyped | DIFlagStaticMember, spFlags: DISPFlagOptimized)
!1003 = !DISubprogram(name: "__fetch_builtin_z", linkageName: "_ZN26__cuda_builtin_threadIdx_t17__fetch_builtin_zEv", scope: !997, file: !996, line: 55, type: !1000, scopeLine: 55, flags: DIFlagPrototyped | DIFlagStaticMember, spFlags: DISPFlagOptimized)
!1004 = !DISubprogram(name: "operator dim3", linkageName: "_ZNK26__cuda_builtin_threadIdx_tcv4dim3Ev", scope: !997, file: !996, line: 58, type: !1005, scopeLine: 58, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!1005 = !DISubroutineType(types: !1006)
!1006 = !{!1007, !1032}
!1007 = !DIDerivedType(tag: DW_TAG_typedef, name: "dim3", file: !1008, line: 143, baseType: !1009)
!1008 = !DIFile(filename: "/shim/include/vector_types.h", directory: "")
!1009 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "dim3", file: !1008, line: 127, size: 96, flags: DIFlagTypePassByValue | DIFlagNonTrivial, elements: !1010, identifier: "_ZTS4dim3")
!1010 = !{!1011, !1012, !1013, !1014, !1018, !1027}
!1011 = !DIDerivedType(tag: DW_TAG_member, name: "x", scope: !1009, file: !1008, line: 128, baseType: !652, size: 32)
!1012 = !DIDerivedType(tag: DW_TAG_member, name: "y", scope: !1009, file: !1008, line: 128, baseType: !652, size: 32, offset: 32)
!1013 = !DIDerivedType(tag: DW_TAG_member, name: "z", scope: !1009, file: !1008, line: 128, baseType: !652, size: 32, offset: 64)
!1014 = !DISubprogram(name: "dim3", scope: !1009, file: !1008, line: 131, type: !1015, scopeLine: 131, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!1015 = !DISubroutineType(types: !1016)
!1016 = !{null, !1017, !652, !652, !652}
!1017 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !1009, size: 64, flags: DIFlagArtificial | DIFlagObjectPointer)
!1018 = !DISubprogram(name: "dim3", scope: !1009, file: !1008, line: 133, type: !1019, scopeLine: 133, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!1019 = !DISubroutineType(types: !1020)
!1020 = !{null, !1017, !1021}
!1021 = !DIDerivedType(tag: DW_TAG_typedef, name: "uint3", file: !1008, line: 53, baseType: !1022)
!1022 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "uint3", file: !1008, line: 52, size: 96, flags: DIFlagTypePassByValue, elements: !1023, identifier: "_ZTS5uint3")
!1023 = !{!1024, !1025, !1026}
!1024 = !DIDerivedType(tag: DW_TAG_member, name: "x", scope: !1022, file: !1008, line: 52, baseType: !652, size: 32)
!1025 = !DIDerivedType(tag: DW_TAG_member, name: "y", scope: !1022, file: !1008, line: 52, baseType: !652, size: 32, offset: 32)
!1026 = !DIDerivedType(tag: DW_TAG_member, name: "z", scope: !1022, file: !1008, line: 52, baseType: !652, size: 32, offset: 64)
!1027 = !DISubprogram(name: "operator uint3", linkageName: "_ZNK4dim3cv5uint3Ev", scope: !1009, file: !1008, line: 134, type: !1028, scopeLine: 134, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!1028 = !DISubroutineType(types: !1029)
!1029 = !{!1021, !1030}
!1030 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !1031, size: 64, flags: DIFlagArtificial | DIFlagObjectPointer)
!1031 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !1009)
!1032 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !1033, size: 64, flags: DIFlagArtificial | DIFlagObjectPointer)
!1033 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !997)
!1034 = !DISubprogram(name: "operator uint3", linkageName: "_ZNK26__cuda_builtin_threadIdx_tcv5uint3Ev", scope: !997, file: !996, line: 59, type: !1035, scopeLine: 59, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!1035 = !DISubroutineType(types: !1036)
!1036 = !{!1021, !1032}
!1037 = !DISubprogram(name: "__cuda_builtin_threadIdx_t", scope: !997, file: !996, line: 62, type: !1038, scopeLine: 62, flags: DIFlagPrivate | DIFlagPrototyped, spFlags: DISPFlagOptimized | DISPFlagDeleted)
!1038 = !DISubroutineType(types: !1039)
!1039 = !{null, !1040}
!1040 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !997, size: 64, flags: DIFlagArtificial | DIFlagObjectPointer)
!1041 = !DISubprogram(name: "__cuda_builtin_threadIdx_t", scope: !997, file: !996, line: 62, type: !1042, scopeLine: 62, flags: DIFlagPrivate | DIFlagPrototyped, spFlags: DISPFlagOptimized | DISPFlagDeleted)
!1042 = !DISubroutineType(types: !1043)
!1043 = !{null, !1040, !1044}
!1044 = !DIDerivedType(tag: DW_TAG_reference_type, baseType: !1033, size: 64)
!1045 = !DISubprogram(name: "operator=", linkageName: "_ZNK26__cuda_builtin_threadIdx_taSERKS_", scope: !997, file: !996, line: 62, type: !1046, scopeLine: 62, flags: DIFlagPrivate | DIFlagPrototyped, spFlags: DISPFlagOptimized | DISPFlagDeleted)
!1046 = !DISubroutineType(types: !1047)
!1047 = !{null, !1032, !1044}
!1048 = !DISubprogram(name: "operator&", linkageName: "_ZNK26__cuda_builtin_threadIdx_tadEv", scope: !997, file: !996, line: 62, type: !1049, scopeLine: 62, flags: DIFlagPrivate | DIFlagPrototyped, spFlags: DISPFlagOptimized | DISPFlagDeleted)
!1049 = !DISubroutineType(types: !1050)
!1050 = !{!1051, !1032}
!1051 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !997, size: 64)
!1052 = !DILocation(line: 53, column: 3, scope: !995)
