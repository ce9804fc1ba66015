; ModuleID = 'b.cu'
source_filename = "b.cu"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.P = type { [4 x i32], i32 }

$_Z1sIiEvT_Pi = comdat any

@.str = private unnamed_addr constant [24 x i8] c"warpgrind.grid_constant\00", section "llvm.metadata"
@.str1 = private unnamed_addr constant [5 x i8] c"b.cu\00", section "llvm.metadata"

; Function Attrs: convergent mustprogress noinline nounwind
define dso_local void @_Z4bumpP1P(ptr noundef %0) #0 !dbg !11 {
  %2 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8, !tbaa !14
  %3 = load ptr, ptr %2, align 8, !dbg !18, !tbaa !14
  %4 = getelementptr inbounds %struct.P, ptr %3, i32 0, i32 1, !dbg !19
  %5 = load i32, ptr %4, align 4, !dbg !20, !tbaa !21
  %6 = add nsw i32 %5, 1, !dbg !20
  store i32 %6, ptr %4, align 4, !dbg !20, !tbaa !21
  ret void, !dbg !24
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z1k1PPi(ptr noundef byval(%struct.P) align 4 %0, ptr noundef %1) #1 !dbg !25 {
  %3 = alloca ptr, align 8
  call void @llvm.var.annotation.p0.p0(ptr %0, ptr @.str, ptr @.str1, i32 6, ptr null)
  store ptr %1, ptr %3, align 8, !tbaa !14
  %4 = getelementptr inbounds %struct.P, ptr %0, i32 0, i32 0, !dbg !26
  %5 = load ptr, ptr %3, align 8, !dbg !27, !tbaa !14
  %6 = getelementptr inbounds i32, ptr %5, i64 3, !dbg !27
  %7 = load i32, ptr %6, align 4, !dbg !27, !tbaa !28
  %8 = and i32 %7, 3, !dbg !29
  %9 = sext i32 %8 to i64, !dbg !30
  %10 = getelementptr inbounds [4 x i32], ptr %4, i64 0, i64 %9, !dbg !30
  %11 = load i32, ptr %10, align 4, !dbg !30, !tbaa !28
  %12 = getelementptr inbounds %struct.P, ptr %0, i32 0, i32 1, !dbg !31
  %13 = load i32, ptr %12, align 4, !dbg !31, !tbaa !21
  %14 = add nsw i32 %11, %13, !dbg !32
  %15 = load ptr, ptr %3, align 8, !dbg !33, !tbaa !14
  %16 = getelementptr inbounds i32, ptr %15, i64 0, !dbg !33
  store i32 %14, ptr %16, align 4, !dbg !34, !tbaa !28
  ret void, !dbg !35
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
declare void @llvm.var.annotation.p0.p0(ptr, ptr, ptr, i32, ptr) #2

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z1w1PPi(ptr noundef byval(%struct.P) align 4 %0, ptr noundef %1) #1 !dbg !36 {
  %3 = alloca ptr, align 8
  call void @llvm.var.annotation.p0.p0(ptr %0, ptr @.str, ptr @.str1, i32 9, ptr null)
  store ptr %1, ptr %3, align 8, !tbaa !14
  call void @_Z4bumpP1P(ptr noundef %0) #3, !dbg !37
  %4 = getelementptr inbounds %struct.P, ptr %0, i32 0, i32 1, !dbg !38
  %5 = load i32, ptr %4, align 4, !dbg !38, !tbaa !21
  %6 = load ptr, ptr %3, align 8, !dbg !39, !tbaa !14
  %7 = getelementptr inbounds i32, ptr %6, i64 1, !dbg !39
  store i32 %5, ptr %7, align 4, !dbg !40, !tbaa !28
  ret void, !dbg !41
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z1sIiEvT_Pi(i32 noundef %0, ptr noundef %1) #1 comdat !dbg !42 {
  %3 = alloca i32, align 4
  %4 = alloca ptr, align 8
  store i32 %0, ptr %3, align 4, !tbaa !28
  call void @llvm.var.annotation.p0.p0(ptr %3, ptr @.str, ptr @.str1, i32 13, ptr null)
  store ptr %1, ptr %4, align 8, !tbaa !14
  %5 = load i32, ptr %3, align 4, !dbg !43, !tbaa !28
  %6 = add nsw i32 %5, 1, !dbg !43
  store i32 %6, ptr %3, align 4, !dbg !43, !tbaa !28
  %7 = load i32, ptr %3, align 4, !dbg !44, !tbaa !28
  %8 = load ptr, ptr %4, align 8, !dbg !45, !tbaa !14
  %9 = getelementptr inbounds i32, ptr %8, i64 1, !dbg !45
  store i32 %7, ptr %9, align 4, !dbg !46, !tbaa !28
  ret void, !dbg !47
}

attributes #0 = { convergent mustprogress noinline nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx42,+sm_80" }
attributes #1 = { convergent mustprogress norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx42,+sm_80" "uniform-work-group-size"="true" }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }
attributes #3 = { convergent nounwind }

!llvm.dbg.cu = !{!0}
!nvvm.annotations = !{!2, !3, !4}
!llvm.module.flags = !{!5, !6, !7, !8, !9}
!llvm.ident = !{!10}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "Debian clang version 19.1.7 (3~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "b.cu", directory: "/tmp/b/gc")
!2 = !{ptr @_Z1k1PPi, !"kernel", i32 1}
!3 = !{ptr @_Z1w1PPi, !"kernel", i32 1}
!4 = !{ptr @_Z1sIiEvT_Pi, !"kernel", i32 1}
!5 = !{i32 7, !"Dwarf Version", i32 2}
!6 = !{i32 2, !"Debug Info Version", i32 3}
!7 = !{i32 1, !"wchar_size", i32 4}
!8 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!9 = !{i32 7, !"frame-pointer", i32 2}
!10 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!11 = distinct !DISubprogram(name: "bump", scope: !1, file: !1, line: 5, type: !12, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!12 = !DISubroutineType(types: !13)
!13 = !{}
!14 = !{!15, !15, i64 0}
!15 = !{!"any pointer", !16, i64 0}
!16 = !{!"omnipotent char", !17, i64 0}
!17 = !{!"Simple C++ TBAA"}
!18 = !DILocation(line: 5, column: 56, scope: !11)
!19 = !DILocation(line: 5, column: 59, scope: !11)
!20 = !DILocation(line: 5, column: 60, scope: !11)
!21 = !{!22, !23, i64 16}
!22 = !{!"_ZTS1P", !16, i64 0, !23, i64 16}
!23 = !{!"int", !16, i64 0}
!24 = !DILocation(line: 5, column: 64, scope: !11)
!25 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 6, type: !12, scopeLine: 6, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!26 = !DILocation(line: 7, column: 14, scope: !25)
!27 = !DILocation(line: 7, column: 16, scope: !25)
!28 = !{!23, !23, i64 0}
!29 = !DILocation(line: 7, column: 21, scope: !25)
!30 = !DILocation(line: 7, column: 12, scope: !25)
!31 = !DILocation(line: 7, column: 30, scope: !25)
!32 = !DILocation(line: 7, column: 26, scope: !25)
!33 = !DILocation(line: 7, column: 5, scope: !25)
!34 = !DILocation(line: 7, column: 10, scope: !25)
!35 = !DILocation(line: 8, column: 1, scope: !25)
!36 = distinct !DISubprogram(name: "w", scope: !1, file: !1, line: 9, type: !12, scopeLine: 9, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!37 = !DILocation(line: 10, column: 5, scope: !36)
!38 = !DILocation(line: 11, column: 14, scope: !36)
!39 = !DILocation(line: 11, column: 5, scope: !36)
!40 = !DILocation(line: 11, column: 10, scope: !36)
!41 = !DILocation(line: 12, column: 1, scope: !36)
!42 = distinct !DISubprogram(name: "s<int>", scope: !1, file: !1, line: 13, type: !12, scopeLine: 13, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!43 = !DILocation(line: 14, column: 23, scope: !42)
!44 = !DILocation(line: 15, column: 12, scope: !42)
!45 = !DILocation(line: 15, column: 5, scope: !42)
!46 = !DILocation(line: 15, column: 10, scope: !42)
!47 = !DILocation(line: 16, column: 1, scope: !42)
