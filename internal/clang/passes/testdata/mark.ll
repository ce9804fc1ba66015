; ModuleID = 'mark.cu'
source_filename = "mark.cu"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.V = type { %struct.float4 }
%struct.float4 = type { float, float, float, float }

$_Z5__ldgPKi = comdat any

@_ZZ1kP1VPViPKiPfE1s = internal addrspace(3) global %struct.V undef, align 16

; Function Attrs: convergent norecurse nounwind null_pointer_is_valid
define dso_local void @_Z1kP1VPViPKiPf(ptr %p, ptr %q, ptr %r, ptr %o) #0 !dbg !2 {
entry:
  %p.addr = alloca ptr, align 8
  %q.addr = alloca ptr, align 8
  %r.addr = alloca ptr, align 8
  %o.addr = alloca ptr, align 8
  %x = alloca i32, align 4
  store ptr %p, ptr %p.addr, align 8
  store ptr %q, ptr %q.addr, align 8
  store ptr %r, ptr %r.addr, align 8
  store ptr %o, ptr %o.addr, align 8
  call void @llvm.lifetime.start.p0(i64 4, ptr %x) #5, !dbg !987
  %0 = load ptr, ptr %q.addr, align 8, !dbg !989
  %1 = load volatile i32, ptr %0, align 4, !dbg !990
  store i32 %1, ptr %x, align 4, !dbg !988
  %2 = load ptr, ptr %p.addr, align 8, !dbg !993
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 addrspacecast (ptr addrspace(3) @_ZZ1kP1VPViPKiPfE1s to ptr), ptr align 16 %2, i64 16, i1 false), !dbg !994
  %3 = load float, ptr addrspacecast (ptr addrspace(3) @_ZZ1kP1VPViPKiPfE1s to ptr), align 16, !dbg !998
  %4 = load ptr, ptr %r.addr, align 8, !dbg !1002
  %call = call i32 @_Z5__ldgPKi(ptr %4) #6, !dbg !1003
  %conv = sitofp i32 %call to float, !dbg !1003
  %add = fadd contract float %3, %conv, !dbg !1004
  %5 = load i32, ptr %x, align 4, !dbg !1005
  %conv1 = sitofp i32 %5 to float, !dbg !1005
  %add2 = fadd contract float %add, %conv1, !dbg !1006
  %6 = load ptr, ptr %o.addr, align 8, !dbg !1007
  %arrayidx = getelementptr inbounds float, ptr %6, i64 0, !dbg !1007
  store float %add2, ptr %arrayidx, align 4, !dbg !1008
  call void @llvm.lifetime.end.p0(i64 4, ptr %x) #5, !dbg !1009
  ret void, !dbg !1009
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg) #2

; Function Attrs: convergent inlinehint nounwind null_pointer_is_valid
define linkonce_odr dso_local i32 @_Z5__ldgPKi(ptr %ptr) #3 comdat !dbg !1010 {
entry:
  %ptr.addr = alloca ptr, align 8
  store ptr %ptr, ptr %ptr.addr, align 8
  %0 = load ptr, ptr %ptr.addr, align 8, !dbg !1017
  %1 = call i32 @llvm.nvvm.ldg.global.i.i32.p0(ptr %0, i32 4), !dbg !1018
  ret i32 %1, !dbg !1019
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: nocallback nounwind memory(argmem: read)
declare i32 @llvm.nvvm.ldg.global.i.i32.p0(ptr nocapture, i32) #4

attributes #0 = { convergent norecurse nounwind null_pointer_is_valid "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx75,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { convergent inlinehint nounwind null_pointer_is_valid "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx75,+sm_80" }
attributes #4 = { nocallback nounwind memory(argmem: read) }
attributes #5 = { nounwind }
attributes #6 = { convergent nounwind }

!llvm.module.flags = !{!971, !972, !973, !974, !975, !976}
!llvm.dbg.cu = !{!25}
!nvvm.annotations = !{!977}
!llvm.ident = !{!978}

!2 = distinct !DISubprogram(name: "k", linkageName: "_Z1kP1VPViPKiPf", scope: !3, file: !3, line: 4, type: !4, scopeLine: 4, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !25, retainedNodes: !965)
!3 = !DIFile(filename: "mark.cu", directory: "/src")
!4 = !DISubroutineType(types: !5)
!5 = !{null, !6, !19, !22, !24}
!6 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !7, size: 64)
!7 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "V", file: !3, line: 1, size: 128, flags: DIFlagTypePassByValue, elements: !8, identifier: "_ZTS1V")
!8 = !{!9}
!9 = !DIDerivedType(tag: DW_TAG_member, name: "v", scope: !7, file: !3, line: 2, baseType: !10, size: 128, align: 128)
!10 = !DIDerivedType(tag: DW_TAG_typedef, name: "float4", file: !11, line: 95, baseType: !12)
!11 = !DIFile(filename: "/shim/include/vector_types.h", directory: "")
!12 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "float4", file: !11, line: 94, size: 128, align: 128, flags: DIFlagTypePassByValue, elements: !13, identifier: "_ZTS6float4")
!13 = !{!14, !16, !17, !18}
!14 = !DIDerivedType(tag: DW_TAG_member, name: "x", scope: !12, file: !11, line: 94, baseType: !15, size: 32)
!15 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!16 = !DIDerivedType(tag: DW_TAG_member, name: "y", scope: !12, file: !11, line: 94, baseType: !15, size: 32, offset: 32)
!17 = !DIDerivedType(tag: DW_TAG_member, name: "z", scope: !12, file: !11, line: 94, baseType: !15, size: 32, offset: 64)
!18 = !DIDerivedType(tag: DW_TAG_member, name: "w", scope: !12, file: !11, line: 94, baseType: !15, size: 32, offset: 96)
!19 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !20, size: 64)
!20 = !DIDerivedType(tag: DW_TAG_volatile_type, baseType: !21)
!21 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!22 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !23, size: 64)
!23 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !21)
!24 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !15, size: 64)
!25 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !3, producer: "Debian clang version 19.1.7 (3~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, debugInfoForProfiling: true, nameTableKind: None)
!965 = !{!966, !967, !968, !969, !970}
!966 = !DILocalVariable(name: "p", arg: 1, scope: !2, file: !3, line: 4, type: !6)
!967 = !DILocalVariable(name: "q", arg: 2, scope: !2, file: !3, line: 4, type: !19)
!968 = !DILocalVariable(name: "r", arg: 3, scope: !2, file: !3, line: 4, type: !22)
!969 = !DILocalVariable(name: "o", arg: 4, scope: !2, file: !3, line: 4, type: !24)
!970 = !DILocalVariable(name: "x", scope: !2, file: !3, line: 5, type: !21)
!971 = !{i32 2, !"SDK Version", [2 x i32] [i32 12, i32 3]}
!972 = !{i32 7, !"Dwarf Version", i32 2}
!973 = !{i32 2, !"Debug Info Version", i32 3}
!974 = !{i32 1, !"wchar_size", i32 4}
!975 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!976 = !{i32 7, !"frame-pointer", i32 2}
!977 = !{ptr @_Z1kP1VPViPKiPf, !"kernel", i32 1}
!978 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!987 = !DILocation(line: 5, column: 1, scope: !2)
!988 = !DILocation(line: 5, column: 5, scope: !2)
!989 = !DILocation(line: 5, column: 10, scope: !2)
!990 = !DILocation(line: 5, column: 9, scope: !2)
!993 = !DILocation(line: 7, column: 6, scope: !2)
!994 = !DILocation(line: 7, column: 3, scope: !2)
!998 = !DILocation(line: 8, column: 12, scope: !2)
!1002 = !DILocation(line: 8, column: 22, scope: !2)
!1003 = !DILocation(line: 8, column: 16, scope: !2)
!1004 = !DILocation(line: 8, column: 14, scope: !2)
!1005 = !DILocation(line: 8, column: 27, scope: !2)
!1006 = !DILocation(line: 8, column: 25, scope: !2)
!1007 = !DILocation(line: 8, column: 1, scope: !2)
!1008 = !DILocation(line: 8, column: 6, scope: !2)
!1009 = !DILocation(line: 9, column: 1, scope: !2)
!1010 = distinct !DISubprogram(name: "__ldg", linkageName: "_Z5__ldgPKi", scope: !1011, file: !1011, line: 264, type: !1012, scopeLine: 264, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !25, retainedNodes: !1014)
!1011 = !DIFile(filename: "/usr/lib/llvm-19/lib/clang/19/include/__clang_cuda_intrinsics.h", directory: "")
!1012 = !DISubroutineType(types: !1013)
!1013 = !{!21, !22}
!1014 = !{!1015}
!1015 = !DILocalVariable(name: "ptr", arg: 1, scope: !1010, file: !1011, line: 264, type: !22)
!1017 = !DILocation(line: 264, column: 67, scope: !1010)
!1018 = !DILocation(line: 264, column: 54, scope: !1010)
!1019 = !DILocation(line: 264, column: 47, scope: !1010)
