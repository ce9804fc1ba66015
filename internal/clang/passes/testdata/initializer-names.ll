; ModuleID = '<stdin>'
source_filename = "initializer-names.cu"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@__const._Z1kiPi.table = private unnamed_addr constant [5 x i32] [i32 3, i32 1, i32 4, i32 1, i32 5], align 4

; Function Attrs: convergent norecurse nounwind null_pointer_is_valid
define dso_local void @_Z1kiPi(i32 %i, ptr %o) #0 !dbg !10 {
entry:
  %wg.k.1 = addrspacecast ptr %o to ptr addrspace(1)
  %idxprom = sext i32 %i to i64, !dbg !23
  %arrayidx = getelementptr [5 x i32], ptr @__const._Z1kiPi.table, i64 0, i64 %idxprom, !dbg !23
  %0 = load i32, ptr %arrayidx, align 4, !dbg !23
  store atomic i32 %0, ptr addrspace(1) %wg.k.1 syncscope("wg") monotonic, align 4, !dbg !24
  ret void, !dbg !25
}

attributes #0 = { convergent norecurse nounwind null_pointer_is_valid "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx75,+sm_80" "uniform-work-group-size"="true" }

!llvm.module.flags = !{!0, !1, !2, !3, !4, !5}
!llvm.dbg.cu = !{!6}
!nvvm.annotations = !{!8}
!llvm.ident = !{!9}

!0 = !{i32 2, !"SDK Version", [2 x i32] [i32 12, i32 3]}
!1 = !{i32 7, !"Dwarf Version", i32 2}
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 1, !"wchar_size", i32 4}
!4 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!5 = !{i32 7, !"frame-pointer", i32 2}
!6 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !7, producer: "Debian clang version 19.1.7 (3~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, debugInfoForProfiling: true, nameTableKind: None)
!7 = !DIFile(filename: "initializer-names.cu", directory: "/src")
!8 = !{ptr @_Z1kiPi, !"kernel", i32 1}
!9 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!10 = distinct !DISubprogram(name: "k", linkageName: "_Z1kiPi", scope: !7, file: !7, line: 1, type: !11, scopeLine: 1, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !6, retainedNodes: !15)
!11 = !DISubroutineType(types: !12)
!12 = !{null, !13, !14}
!13 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!14 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !13, size: 64)
!15 = !{!16, !17, !18}
!16 = !DILocalVariable(name: "i", arg: 1, scope: !10, file: !7, line: 1, type: !13)
!17 = !DILocalVariable(name: "o", arg: 2, scope: !10, file: !7, line: 1, type: !14)
!18 = !DILocalVariable(name: "table", scope: !10, file: !7, line: 2, type: !19)
!19 = !DICompositeType(tag: DW_TAG_array_type, baseType: !20, size: 160, elements: !21)
!20 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !13)
!21 = !{!22}
!22 = !DISubrange(count: 5)
!23 = !DILocation(line: 3, column: 8, scope: !10)
!24 = !DILocation(line: 3, column: 6, scope: !10)
!25 = !DILocation(line: 4, column: 1, scope: !10)
