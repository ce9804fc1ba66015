; ModuleID = '<stdin>'
source_filename = "lower.cu"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: convergent norecurse nounwind null_pointer_is_valid
define dso_local void @_Z1kP6float4PViPhiPi(ptr %p, ptr %q, ptr %c, i32 %a, ptr %o) #0 !dbg !10 {
entry:
  %wg.k.1 = addrspacecast ptr %p to ptr addrspace(1)
  %wg.k.3 = addrspacecast ptr %q to ptr addrspace(1)
  %wg.k.7 = addrspacecast ptr %o to ptr addrspace(1)
  %m = alloca [2 x [3 x i32]], align 4
  %"wgbound.m[].1" = alloca [3 x i32], align 4
  %x.wgunset = alloca float, align 4, !dbg !41
  %wg.home.1.a = addrspacecast ptr %x.wgunset to ptr addrspace(5), !dbg !41
  %wg.home.1 = call ptr addrspace(5) asm "mov.b64 $0, $1;", "=l,l"(ptr addrspace(5) %wg.home.1.a) #3, !dbg !41
  %wg.unset.2 = load float, ptr addrspace(5) %wg.home.1, align 4, !dbg !41, !invariant.load !42
  %m.wgunset = alloca [2 x [3 x i32]], align 4, !dbg !43
  %wg.home.3.a = addrspacecast ptr %m.wgunset to ptr addrspace(5), !dbg !43
  %wg.home.3 = call ptr addrspace(5) asm "mov.b64 $0, $1;", "=l,l"(ptr addrspace(5) %wg.home.3.a) #3, !dbg !43
  %wg.unset.4 = load i32, ptr addrspace(5) %wg.home.3, align 4, !dbg !43, !invariant.load !42
  %wg.unset.5.f = getelementptr i8, ptr addrspace(5) %wg.home.3, i64 4, !dbg !43
  %wg.unset.5 = load i32, ptr addrspace(5) %wg.unset.5.f, align 4, !dbg !43, !invariant.load !42
  %wg.unset.6.f = getelementptr i8, ptr addrspace(5) %wg.home.3, i64 8, !dbg !43
  %wg.unset.6 = load i32, ptr addrspace(5) %wg.unset.6.f, align 4, !dbg !43, !invariant.load !42
  %wg.unset.7.f = getelementptr i8, ptr addrspace(5) %wg.home.3, i64 12, !dbg !43
  %wg.unset.7 = load i32, ptr addrspace(5) %wg.unset.7.f, align 4, !dbg !43, !invariant.load !42
  %wg.unset.8.f = getelementptr i8, ptr addrspace(5) %wg.home.3, i64 16, !dbg !43
  %wg.unset.8 = load i32, ptr addrspace(5) %wg.unset.8.f, align 4, !dbg !43, !invariant.load !42
  %wg.unset.9.f = getelementptr i8, ptr addrspace(5) %wg.home.3, i64 20, !dbg !43
  %wg.unset.9 = load i32, ptr addrspace(5) %wg.unset.9.f, align 4, !dbg !43, !invariant.load !42
  %tobool.not = icmp eq i32 %a, 0, !dbg !44
  %spec.select = select i1 %tobool.not, float %wg.unset.2, float 2.000000e+00, !dbg !46
  store atomic volatile i32 %a, ptr addrspace(1) %wg.k.3 syncscope("wgvol") monotonic, align 4, !dbg !47
  %arrayidx1 = getelementptr i8, ptr addrspace(1) %wg.k.1, i64 16, !dbg !48
  %wg.x4i32.9 = load atomic i128, ptr addrspace(1) %wg.k.1 syncscope("wg") monotonic, align 16, !dbg !49
  store atomic i128 %wg.x4i32.9, ptr addrspace(1) %arrayidx1 syncscope("wg") monotonic, align 16, !dbg !49
  %0 = atomicrmw add ptr addrspace(1) %wg.k.7, i32 1 seq_cst, align 4, !dbg !50
  %idxprom = sext i32 %a to i64, !dbg !65
  %arrayidx2 = getelementptr i32, ptr addrspace(1) %wg.k.7, i64 %idxprom, !dbg !65
  store atomic i32 %0, ptr addrspace(1) %arrayidx2 syncscope("wg") monotonic, align 4, !dbg !66
  %1 = call i32 @llvm.fptosi.sat.i32.f32(float %spec.select), !dbg !67
  %arrayidx3 = getelementptr i8, ptr addrspace(1) %wg.k.7, i64 12, !dbg !68
  store atomic i32 %1, ptr addrspace(1) %arrayidx3 syncscope("wg") monotonic, align 4, !dbg !69
  call void @llvm.lifetime.start.p0(i64 24, ptr nonnull %m) #5, !dbg !43
  store i32 %wg.unset.4, ptr %m, align 1, !dbg !43
  %wg.unset.5.t = getelementptr inbounds i8, ptr %m, i64 4, !dbg !43
  store i32 %wg.unset.5, ptr %wg.unset.5.t, align 1, !dbg !43
  %wg.unset.6.t = getelementptr inbounds i8, ptr %m, i64 8, !dbg !43
  store i32 %wg.unset.6, ptr %wg.unset.6.t, align 1, !dbg !43
  %wg.unset.7.t = getelementptr inbounds i8, ptr %m, i64 12, !dbg !43
  store i32 %wg.unset.7, ptr %wg.unset.7.t, align 1, !dbg !43
  %wg.unset.8.t = getelementptr inbounds i8, ptr %m, i64 16, !dbg !43
  store i32 %wg.unset.8, ptr %wg.unset.8.t, align 1, !dbg !43
  %wg.unset.9.t = getelementptr inbounds i8, ptr %m, i64 20, !dbg !43
  store i32 %wg.unset.9, ptr %wg.unset.9.t, align 1, !dbg !43
  %arrayidx6 = getelementptr [3 x i32], ptr %m, i64 0, i64 %idxprom, !dbg !70
  store i32 1, ptr %arrayidx6, align 4, !dbg !71
  %arrayidx9 = getelementptr [3 x i32], ptr %wg.unset.7.t, i64 0, i64 %idxprom, !dbg !72
  %wg.beyond.2 = icmp ugt i32 %a, 2, !dbg !72
  %wg.bound.2 = call i32 @wg.bound(i1 %wg.beyond.2, i64 %idxprom, ptr nonnull %"wgbound.m[].1"), !dbg !72
  call void @wg.keep(i32 %wg.bound.2), !dbg !72
  %2 = load i32, ptr %arrayidx9, align 4, !dbg !72
  %arrayidx10 = getelementptr i8, ptr addrspace(1) %wg.k.7, i64 16, !dbg !73
  store atomic i32 %2, ptr addrspace(1) %arrayidx10 syncscope("wg") monotonic, align 4, !dbg !74
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %m) #5, !dbg !75
  ret void, !dbg !75
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.fptosi.sat.i32.f32(float) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: nounwind willreturn memory(none)
declare i32 @wg.bound(i1, i64, ptr) #3

; Function Attrs: nounwind willreturn memory(inaccessiblemem: readwrite)
declare void @wg.keep(i32) #4

attributes #0 = { convergent norecurse nounwind null_pointer_is_valid "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx75,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nounwind willreturn memory(none) }
attributes #4 = { nounwind willreturn memory(inaccessiblemem: readwrite) }
attributes #5 = { nounwind }

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
!7 = !DIFile(filename: "lower.cu", directory: "/src")
!8 = !{ptr @_Z1kP6float4PViPhiPi, !"kernel", i32 1}
!9 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!10 = distinct !DISubprogram(name: "k", linkageName: "_Z1kP6float4PViPhiPi", scope: !7, file: !7, line: 1, type: !11, scopeLine: 1, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !6, retainedNodes: !29)
!11 = !DISubroutineType(types: !12)
!12 = !{null, !13, !23, !26, !25, !28}
!13 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !14, size: 64)
!14 = !DIDerivedType(tag: DW_TAG_typedef, name: "float4", file: !15, line: 95, baseType: !16)
!15 = !DIFile(filename: "/shim/include/vector_types.h", directory: "")
!16 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "float4", file: !15, line: 94, size: 128, align: 128, flags: DIFlagTypePassByValue, elements: !17, identifier: "_ZTS6float4")
!17 = !{!18, !20, !21, !22}
!18 = !DIDerivedType(tag: DW_TAG_member, name: "x", scope: !16, file: !15, line: 94, baseType: !19, size: 32)
!19 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!20 = !DIDerivedType(tag: DW_TAG_member, name: "y", scope: !16, file: !15, line: 94, baseType: !19, size: 32, offset: 32)
!21 = !DIDerivedType(tag: DW_TAG_member, name: "z", scope: !16, file: !15, line: 94, baseType: !19, size: 32, offset: 64)
!22 = !DIDerivedType(tag: DW_TAG_member, name: "w", scope: !16, file: !15, line: 94, baseType: !19, size: 32, offset: 96)
!23 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !24, size: 64)
!24 = !DIDerivedType(tag: DW_TAG_volatile_type, baseType: !25)
!25 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!26 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !27, size: 64)
!27 = !DIBasicType(name: "unsigned char", size: 8, encoding: DW_ATE_unsigned_char)
!28 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !25, size: 64)
!29 = !{!30, !31, !32, !33, !34, !35, !36}
!30 = !DILocalVariable(name: "p", arg: 1, scope: !10, file: !7, line: 1, type: !13)
!31 = !DILocalVariable(name: "q", arg: 2, scope: !10, file: !7, line: 1, type: !23)
!32 = !DILocalVariable(name: "c", arg: 3, scope: !10, file: !7, line: 1, type: !26)
!33 = !DILocalVariable(name: "a", arg: 4, scope: !10, file: !7, line: 1, type: !25)
!34 = !DILocalVariable(name: "o", arg: 5, scope: !10, file: !7, line: 1, type: !28)
!35 = !DILocalVariable(name: "x", scope: !10, file: !7, line: 2, type: !19)
!36 = !DILocalVariable(name: "m", scope: !10, file: !7, line: 8, type: !37)
!37 = !DICompositeType(tag: DW_TAG_array_type, baseType: !25, size: 192, elements: !38)
!38 = !{!39, !40}
!39 = !DISubrange(count: 2)
!40 = !DISubrange(count: 3)
!41 = !DILocation(line: 2, column: 1, scope: !10)
!42 = !{}
!43 = !DILocation(line: 8, column: 1, scope: !10)
!44 = !DILocation(line: 3, column: 5, scope: !45)
!45 = distinct !DILexicalBlock(scope: !10, file: !7, line: 3, column: 5)
!46 = !DILocation(line: 3, column: 5, scope: !10)
!47 = !DILocation(line: 4, column: 4, scope: !10)
!48 = !DILocation(line: 5, column: 1, scope: !10)
!49 = !DILocation(line: 5, column: 6, scope: !10)
!50 = !DILocation(line: 341, column: 10, scope: !51, inlinedAt: !58)
!51 = distinct !DISubprogram(name: "__iAtomicAdd", linkageName: "_ZL12__iAtomicAddPii", scope: !52, file: !52, line: 340, type: !53, scopeLine: 340, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !6, retainedNodes: !55)
!52 = !DIFile(filename: "/usr/lib/llvm-19/lib/clang/19/include/__clang_cuda_device_functions.h", directory: "")
!53 = !DISubroutineType(types: !54)
!54 = !{!25, !28, !25}
!55 = !{!56, !57}
!56 = !DILocalVariable(name: "__p", arg: 1, scope: !51, file: !52, line: 340, type: !28)
!57 = !DILocalVariable(name: "__v", arg: 2, scope: !51, file: !52, line: 340, type: !25)
!58 = distinct !DILocation(line: 24, column: 1, scope: !59, inlinedAt: !64)
!59 = distinct !DISubprogram(name: "atomicAdd", linkageName: "_ZL9atomicAddPii", scope: !60, file: !60, line: 24, type: !53, scopeLine: 24, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !6, retainedNodes: !61)
!60 = !DIFile(filename: "/shim/include/warpgrind/atomics.h", directory: "")
!61 = !{!62, !63}
!62 = !DILocalVariable(name: "p", arg: 1, scope: !59, file: !60, line: 24, type: !28)
!63 = !DILocalVariable(name: "v", arg: 2, scope: !59, file: !60, line: 24, type: !25)
!64 = distinct !DILocation(line: 6, column: 8, scope: !10)
!65 = !DILocation(line: 6, column: 1, scope: !10)
!66 = !DILocation(line: 6, column: 6, scope: !10)
!67 = !DILocation(line: 7, column: 8, scope: !10)
!68 = !DILocation(line: 7, column: 1, scope: !10)
!69 = !DILocation(line: 7, column: 6, scope: !10)
!70 = !DILocation(line: 9, column: 1, scope: !10)
!71 = !DILocation(line: 9, column: 9, scope: !10)
!72 = !DILocation(line: 10, column: 8, scope: !10)
!73 = !DILocation(line: 10, column: 1, scope: !10)
!74 = !DILocation(line: 10, column: 6, scope: !10)
!75 = !DILocation(line: 11, column: 1, scope: !10)
