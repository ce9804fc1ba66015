; ModuleID = 'cluster-dims.cu'
source_filename = "cluster-dims.cu"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@.str = private unnamed_addr constant [18 x i8] c"warpgrind.cluster\00", section "llvm.metadata"
@.str1 = private unnamed_addr constant [16 x i8] c"cluster-dims.cu\00", section "llvm.metadata"
@.args = private unnamed_addr constant { i32, i32, i32 } { i32 2, i32 1, i32 1 }, section "llvm.metadata"
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr @k, ptr @.str, ptr @.str1, i32 1, ptr @.args }], section "llvm.metadata"

; Function Attrs: convergent norecurse nounwind null_pointer_is_valid
define dso_local void @k() #0 !dbg !951 {
entry:
  ret void, !dbg !952
}

attributes #0 = { convergent norecurse nounwind null_pointer_is_valid "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx78,+sm_90" "uniform-work-group-size"="true" }

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
!6 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !7, producer: "Debian clang version 19.1.7 (3~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, splitDebugInlining: false, debugInfoForProfiling: true, nameTableKind: None)
!7 = !DIFile(filename: "cluster-dims.cu", directory: "/src")
!536 = !DISubroutineType(types: !537)
!537 = !{null}
!949 = !{ptr @k, !"kernel", i32 1}
!950 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!951 = distinct !DISubprogram(name: "k", scope: !7, file: !7, line: 1, type: !536, scopeLine: 1, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !6)
!952 = !DILocation(line: 1, column: 59, scope: !951)
