; ModuleID = 'shared-addresses.cu'
source_filename = "shared-addresses.cu"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.Span = type { ptr, i32 }

@_ZZ1kvE1s = internal addrspace(3) global [32 x float] undef, align 4, !dbg !0
@__const._Z1kv.a = private unnamed_addr constant %struct.Span { ptr addrspacecast (ptr addrspace(3) @_ZZ1kvE1s to ptr), i32 32 }, align 8

; Function Attrs: convergent norecurse nounwind null_pointer_is_valid
define dso_local void @_Z1kv() #0 !dbg !2 {
entry:
  %a = alloca %struct.Span, align 8
  call void @llvm.lifetime.start.p0(i64 16, ptr %a) #4, !dbg !964
    #dbg_declare(ptr %a, !948, !DIExpression(), !965)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %a, ptr align 8 @__const._Z1kv.a, i64 16, i1 false), !dbg !965
  call void @_Z3useP4Span(ptr %a) #5, !dbg !966
  call void @llvm.lifetime.end.p0(i64 16, ptr %a) #4, !dbg !967
  ret void, !dbg !967
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg) #2

; Function Attrs: convergent nounwind null_pointer_is_valid
define dso_local void @_Z3useP4Span(ptr %a) #3 !dbg !968 {
entry:
  %a.addr = alloca ptr, align 8
  store ptr %a, ptr %a.addr, align 8
    #dbg_declare(ptr %a.addr, !973, !DIExpression(), !978)
  %0 = load ptr, ptr %a.addr, align 8, !dbg !979
  %n = getelementptr inbounds %struct.Span, ptr %0, i32 0, i32 1, !dbg !980
  %1 = load i32, ptr %n, align 8, !dbg !980
  %conv = sitofp i32 %1 to float, !dbg !979
  %2 = load ptr, ptr %a.addr, align 8, !dbg !984
  %p = getelementptr inbounds %struct.Span, ptr %2, i32 0, i32 0, !dbg !985
  %3 = load ptr, ptr %p, align 8, !dbg !985
  %arrayidx = getelementptr inbounds float, ptr %3, i64 0, !dbg !984
  store float %conv, ptr %arrayidx, align 4, !dbg !987
  ret void, !dbg !990
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

attributes #0 = { convergent norecurse nounwind null_pointer_is_valid "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx75,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { convergent nounwind null_pointer_is_valid "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx75,+sm_80" }
attributes #4 = { nounwind }
attributes #5 = { convergent nounwind }

!llvm.module.flags = !{!956, !957, !958, !959, !960, !961}
!llvm.dbg.cu = !{!6}
!nvvm.annotations = !{!962}
!llvm.ident = !{!963}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression(DW_OP_constu, 8, DW_OP_swap, DW_OP_xderef))
!1 = distinct !DIGlobalVariable(name: "s", scope: !2, file: !3, line: 7, type: !953, isLocal: true, isDefinition: true)
!2 = distinct !DISubprogram(name: "k", linkageName: "_Z1kv", scope: !3, file: !3, line: 6, type: !4, scopeLine: 6, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !6, retainedNodes: !947)
!3 = !DIFile(filename: "shared-addresses.cu", directory: "/src")
!4 = !DISubroutineType(types: !5)
!5 = !{null}
!6 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !3, producer: "Debian clang version 19.1.7 (3~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, globals: !7, splitDebugInlining: false, debugInfoForProfiling: true, nameTableKind: None)
!7 = !{!0}
!20 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!25 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!156 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !25, size: 64)
!947 = !{!948}
!948 = !DILocalVariable(name: "a", scope: !2, file: !3, line: 8, type: !949)
!949 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "Span", file: !3, line: 1, size: 128, flags: DIFlagTypePassByValue, elements: !950, identifier: "_ZTS4Span")
!950 = !{!951, !952}
!951 = !DIDerivedType(tag: DW_TAG_member, name: "p", scope: !949, file: !3, line: 2, baseType: !156, size: 64)
!952 = !DIDerivedType(tag: DW_TAG_member, name: "n", scope: !949, file: !3, line: 3, baseType: !20, size: 32, offset: 64)
!953 = !DICompositeType(tag: DW_TAG_array_type, baseType: !25, size: 1024, elements: !954)
!954 = !{!955}
!955 = !DISubrange(count: 32)
!956 = !{i32 2, !"SDK Version", [2 x i32] [i32 12, i32 3]}
!957 = !{i32 7, !"Dwarf Version", i32 2}
!958 = !{i32 2, !"Debug Info Version", i32 3}
!959 = !{i32 1, !"wchar_size", i32 4}
!960 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!961 = !{i32 7, !"frame-pointer", i32 2}
!962 = !{ptr @_Z1kv, !"kernel", i32 1}
!963 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!964 = !DILocation(line: 8, column: 1, scope: !2)
!965 = !DILocation(line: 8, column: 6, scope: !2)
!966 = !DILocation(line: 9, column: 1, scope: !2)
!967 = !DILocation(line: 10, column: 1, scope: !2)
!968 = distinct !DISubprogram(name: "use", linkageName: "_Z3useP4Span", scope: !3, file: !3, line: 11, type: !969, scopeLine: 11, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !6, retainedNodes: !972)
!969 = !DISubroutineType(types: !970)
!970 = !{null, !971}
!971 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !949, size: 64)
!972 = !{!973}
!973 = !DILocalVariable(name: "a", arg: 1, scope: !968, file: !3, line: 11, type: !971)
!978 = !DILocation(line: 11, column: 27, scope: !968)
!979 = !DILocation(line: 12, column: 11, scope: !968)
!980 = !DILocation(line: 12, column: 14, scope: !968)
!984 = !DILocation(line: 12, column: 1, scope: !968)
!985 = !DILocation(line: 12, column: 4, scope: !968)
!987 = !DILocation(line: 12, column: 9, scope: !968)
!990 = !DILocation(line: 13, column: 1, scope: !968)
