; ModuleID = 'align.cu'
source_filename = "align.cu"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.__cuda_builtin_threadIdx_t = type { i8 }
%struct.float4 = type { float, float, float, float }

$_ZN26__cuda_builtin_threadIdx_t17__fetch_builtin_xEv = comdat any

@_ZZ1kPK6float4E1s = internal addrspace(3) global [512 x float] undef, align 4, !dbg !0
@threadIdx = extern_weak dso_local addrspace(1) global %struct.__cuda_builtin_threadIdx_t, align 1

; Function Attrs: convergent norecurse nounwind null_pointer_is_valid
define dso_local void @_Z1kPK6float4(ptr %in) #0 !dbg !2 {
entry:
  %in.addr = alloca ptr, align 8
  store ptr %in, ptr %in.addr, align 8, !tbaa !974
    #dbg_declare(ptr %in.addr, !962, !DIExpression(), !978)
  %0 = load ptr, ptr %in.addr, align 8, !dbg !979, !tbaa !974
  %arrayidx = getelementptr inbounds %struct.float4, ptr %0, i64 0, !dbg !979
  %call = call i32 @_ZN26__cuda_builtin_threadIdx_t17__fetch_builtin_xEv() #4, !dbg !980
  %idxprom = zext i32 %call to i64, !dbg !981
  %arrayidx1 = getelementptr inbounds %struct.float4, ptr addrspacecast (ptr addrspace(3) @_ZZ1kPK6float4E1s to ptr), i64 %idxprom, !dbg !981
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %arrayidx1, ptr align 16 %arrayidx, i64 16, i1 false), !dbg !982, !tbaa.struct !983
  ret void, !dbg !986
}

; Function Attrs: alwaysinline convergent nounwind null_pointer_is_valid
define linkonce_odr dso_local i32 @_ZN26__cuda_builtin_threadIdx_t17__fetch_builtin_xEv() #1 comdat align 2 !dbg !987 {
entry:
  %0 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !1043
  ret i32 %0, !dbg !1043
}

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg) #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #3

attributes #0 = { convergent norecurse nounwind null_pointer_is_valid "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx75,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { alwaysinline convergent nounwind null_pointer_is_valid "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx75,+sm_80" }
attributes #2 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { convergent nounwind }

!llvm.module.flags = !{!966, !967, !968, !969, !970, !971}
!llvm.dbg.cu = !{!17}
!nvvm.annotations = !{!972}
!llvm.ident = !{!973}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression(DW_OP_constu, 8, DW_OP_swap, DW_OP_xderef))
!1 = distinct !DIGlobalVariable(name: "s", scope: !2, file: !3, line: 2, type: !963, isLocal: true, isDefinition: true)
!2 = distinct !DISubprogram(name: "k", linkageName: "_Z1kPK6float4", scope: !3, file: !3, line: 1, type: !4, scopeLine: 1, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !17, retainedNodes: !961)
!3 = !DIFile(filename: "align.cu", directory: "/src")
!4 = !DISubroutineType(types: !5)
!5 = !{null, !6}
!6 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !7, size: 64)
!7 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !8)
!8 = !DIDerivedType(tag: DW_TAG_typedef, name: "float4", file: !9, line: 95, baseType: !10)
!9 = !DIFile(filename: "/shim/include/vector_types.h", directory: "")
!10 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "float4", file: !9, line: 94, size: 128, align: 128, flags: DIFlagTypePassByValue, elements: !11, identifier: "_ZTS6float4")
!11 = !{!12, !14, !15, !16}
!12 = !DIDerivedType(tag: DW_TAG_member, name: "x", scope: !10, file: !9, line: 94, baseType: !13, size: 32)
!13 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!14 = !DIDerivedType(tag: DW_TAG_member, name: "y", scope: !10, file: !9, line: 94, baseType: !13, size: 32, offset: 32)
!15 = !DIDerivedType(tag: DW_TAG_member, name: "z", scope: !10, file: !9, line: 94, baseType: !13, size: 32, offset: 64)
!16 = !DIDerivedType(tag: DW_TAG_member, name: "w", scope: !10, file: !9, line: 94, baseType: !13, size: 32, offset: 96)
!17 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !3, producer: "Debian clang version 19.1.7 (3~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, globals: !20, splitDebugInlining: false, debugInfoForProfiling: true, nameTableKind: None)
!20 = !{!0}
!650 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!961 = !{!962}
!962 = !DILocalVariable(name: "in", arg: 1, scope: !2, file: !3, line: 1, type: !6)
!963 = !DICompositeType(tag: DW_TAG_array_type, baseType: !13, size: 16384, elements: !964)
!964 = !{!965}
!965 = !DISubrange(count: 512)
!966 = !{i32 2, !"SDK Version", [2 x i32] [i32 12, i32 3]}
!967 = !{i32 7, !"Dwarf Version", i32 2}
!968 = !{i32 2, !"Debug Info Version", i32 3}
!969 = !{i32 1, !"wchar_size", i32 4}
!970 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!971 = !{i32 7, !"frame-pointer", i32 2}
!972 = !{ptr @_Z1kPK6float4, !"kernel", i32 1}
!973 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!974 = !{!975, !975, i64 0}
!975 = !{!"any pointer", !976, i64 0}
!976 = !{!"omnipotent char", !977, i64 0}
!977 = !{!"Simple C++ TBAA"}
!978 = !DILocation(line: 1, column: 33, scope: !2)
!979 = !DILocation(line: 3, column: 46, scope: !2)
!980 = !DILocation(line: 3, column: 31, scope: !2)
!981 = !DILocation(line: 3, column: 1, scope: !2)
!982 = !DILocation(line: 3, column: 44, scope: !2)
!983 = !{i64 0, i64 4, !984, i64 4, i64 4, !984, i64 8, i64 4, !984, i64 12, i64 4, !984}
!984 = !{!985, !985, i64 0}
!985 = !{!"float", !976, i64 0}
!986 = !DILocation(line: 4, column: 1, scope: !2)
!987 = distinct !DISubprogram(name: "__fetch_builtin_x", linkageName: "_ZN26__cuda_builtin_threadIdx_t17__fetch_builtin_xEv", scope: !989, file: !988, line: 53, type: !992, scopeLine: 53, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !17, declaration: !991)
!988 = !DIFile(filename: "/usr/lib/llvm-19/lib/clang/19/include/__clang_cuda_builtin_vars.h", directory: "")
!989 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "__cuda_builtin_threadIdx_t", file: !988, line: 52, size: 8, flags: DIFlagTypePassByReference, elements: !990, identifier: "_ZTS26__cuda_builtin_threadIdx_t")
!990 = !{!991, !994, !995, !996, !1025, !1028, !1032, !1036, !1039}
!991 = !DISubprogram(name: "__fetch_builtin_x", linkageName: "_ZN26__cuda_builtin_threadIdx_t17__fetch_builtin_xEv", scope: !989, file: !988, line: 53, type: !992, scopeLine: 53, flags: DIFlagPrototyped | DIFlagStaticMember, spFlags: DISPFlagOptimized)
!992 = !DISubroutineType(types: !993)
!993 = !{!650}
!994 = !DISubprogram(name: "__fetch_builtin_y", linkageName: "_ZN26__cuda_builtin_threadIdx_t17__fetch_builtin_yEv", scope: !989, file: !988, line: 54, type: !992, scopeLine: 54, flags: DIFlagPrototyped | DIFlagStaticMember, spFlags: DISPFlagOptimized)
!995 = !DISubprogram(name: "__fetch_builtin_z", linkageName: "_ZN26__cuda_builtin_threadIdx_t17__fetch_builtin_zEv", scope: !989, file: !988, line: 55, type: !992, scopeLine: 55, flags: DIFlagPrototyped | DIFlagStaticMember, spFlags: DISPFlagOptimized)
!996 = !DISubprogram(name: "operator dim3", linkageName: "_ZNK26__cuda_builtin_threadIdx_tcv4dim3Ev", scope: !989, file: !988, line: 58, type: !997, scopeLine: 58, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!997 = !DISubroutineType(types: !998)
!998 = !{!999, !1023}
!999 = !DIDerivedType(tag: DW_TAG_typedef, name: "dim3", file: !9, line: 143, baseType: !1000)
!1000 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "dim3", file: !9, line: 127, size: 96, flags: DIFlagTypePassByValue | DIFlagNonTrivial, elements: !1001, identifier: "_ZTS4dim3")
!1001 = !{!1002, !1003, !1004, !1005, !1009, !1018}
!1002 = !DIDerivedType(tag: DW_TAG_member, name: "x", scope: !1000, file: !9, line: 128, baseType: !650, size: 32)
!1003 = !DIDerivedType(tag: DW_TAG_member, name: "y", scope: !1000, file: !9, line: 128, baseType: !650, size: 32, offset: 32)
!1004 = !DIDerivedType(tag: DW_TAG_member, name: "z", scope: !1000, file: !9, line: 128, baseType: !650, size: 32, offset: 64)
!1005 = !DISubprogram(name: "dim3", scope: !1000, file: !9, line: 131, type: !1006, scopeLine: 131, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!1006 = !DISubroutineType(types: !1007)
!1007 = !{null, !1008, !650, !650, !650}
!1008 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !1000, size: 64, flags: DIFlagArtificial | DIFlagObjectPointer)
!1009 = !DISubprogram(name: "dim3", scope: !1000, file: !9, line: 133, type: !1010, scopeLine: 133, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!1010 = !DISubroutineType(types: !1011)
!1011 = !{null, !1008, !1012}
!1012 = !DIDerivedType(tag: DW_TAG_typedef, name: "uint3", file: !9, line: 53, baseType: !1013)
!1013 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "uint3", file: !9, line: 52, size: 96, flags: DIFlagTypePassByValue, elements: !1014, identifier: "_ZTS5uint3")
!1014 = !{!1015, !1016, !1017}
!1015 = !DIDerivedType(tag: DW_TAG_member, name: "x", scope: !1013, file: !9, line: 52, baseType: !650, size: 32)
!1016 = !DIDerivedType(tag: DW_TAG_member, name: "y", scope: !1013, file: !9, line: 52, baseType: !650, size: 32, offset: 32)
!1017 = !DIDerivedType(tag: DW_TAG_member, name: "z", scope: !1013, file: !9, line: 52, baseType: !650, size: 32, offset: 64)
!1018 = !DISubprogram(name: "operator uint3", linkageName: "_ZNK4dim3cv5uint3Ev", scope: !1000, file: !9, line: 134, type: !1019, scopeLine: 134, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!1019 = !DISubroutineType(types: !1020)
!1020 = !{!1012, !1021}
!1021 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !1022, size: 64, flags: DIFlagArtificial | DIFlagObjectPointer)
!1022 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !1000)
!1023 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !1024, size: 64, flags: DIFlagArtificial | DIFlagObjectPointer)
!1024 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !989)
!1025 = !DISubprogram(name: "operator uint3", linkageName: "_ZNK26__cuda_builtin_threadIdx_tcv5uint3Ev", scope: !989, file: !988, line: 59, type: !1026, scopeLine: 59, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!1026 = !DISubroutineType(types: !1027)
!1027 = !{!1012, !1023}
!1028 = !DISubprogram(name: "__cuda_builtin_threadIdx_t", scope: !989, file: !988, line: 62, type: !1029, scopeLine: 62, flags: DIFlagPrivate | DIFlagPrototyped, spFlags: DISPFlagOptimized | DISPFlagDeleted)
!1029 = !DISubroutineType(types: !1030)
!1030 = !{null, !1031}
!1031 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !989, size: 64, flags: DIFlagArtificial | DIFlagObjectPointer)
!1032 = !DISubprogram(name: "__cuda_builtin_threadIdx_t", scope: !989, file: !988, line: 62, type: !1033, scopeLine: 62, flags: DIFlagPrivate | DIFlagPrototyped, spFlags: DISPFlagOptimized | DISPFlagDeleted)
!1033 = !DISubroutineType(types: !1034)
!1034 = !{null, !1031, !1035}
!1035 = !DIDerivedType(tag: DW_TAG_reference_type, baseType: !1024, size: 64)
!1036 = !DISubprogram(name: "operator=", linkageName: "_ZNK26__cuda_builtin_threadIdx_taSERKS_", scope: !989, file: !988, line: 62, type: !1037, scopeLine: 62, flags: DIFlagPrivate | DIFlagPrototyped, spFlags: DISPFlagOptimized | DISPFlagDeleted)
!1037 = !DISubroutineType(types: !1038)
!1038 = !{null, !1023, !1035}
!1039 = !DISubprogram(name: "operator&", linkageName: "_ZNK26__cuda_builtin_threadIdx_tadEv", scope: !989, file: !988, line: 62, type: !1040, scopeLine: 62, flags: DIFlagPrivate | DIFlagPrototyped, spFlags: DISPFlagOptimized | DISPFlagDeleted)
!1040 = !DISubroutineType(types: !1041)
!1041 = !{!1042, !1023}
!1042 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !989, size: 64)
!1043 = !DILocation(line: 53, column: 3, scope: !987)
