; ModuleID = 'subarrays.cu'
source_filename = "subarrays.cu"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@s = external dso_local addrspace(3) global [0 x float], align 4

; Function Attrs: convergent norecurse nounwind null_pointer_is_valid
define dso_local void @_Z1ki(i32 %n) #0 !dbg !952 {
entry:
  %n.addr = alloca i32, align 4
  %a = alloca ptr, align 8
  %b = alloca ptr, align 8
  store i32 %n, ptr %n.addr, align 4
    #dbg_declare(ptr %n.addr, !954, !DIExpression(), !961)
  call void @llvm.lifetime.start.p0(i64 8, ptr %a) #2, !dbg !962
    #dbg_declare(ptr %a, !955, !DIExpression(), !963)
  store ptr addrspacecast (ptr addrspace(3) @s to ptr), ptr %a, align 8, !dbg !963
  call void @llvm.lifetime.start.p0(i64 8, ptr %b) #2, !dbg !966
    #dbg_declare(ptr %b, !956, !DIExpression(), !967)
  %0 = load ptr, ptr %a, align 8, !dbg !968
  %1 = load i32, ptr %n.addr, align 4, !dbg !969
  %idx.ext = sext i32 %1 to i64, !dbg !970
  %add.ptr = getelementptr inbounds float, ptr %0, i64 %idx.ext, !dbg !970
  store ptr %add.ptr, ptr %b, align 8, !dbg !967
  %2 = load ptr, ptr %b, align 8, !dbg !971
  %arrayidx = getelementptr inbounds i32, ptr %2, i64 0, !dbg !971
  store i32 1, ptr %arrayidx, align 4, !dbg !972
  %3 = load ptr, ptr %a, align 8, !dbg !973
  %arrayidx1 = getelementptr inbounds float, ptr %3, i64 1, !dbg !973
  store float 2.000000e+00, ptr %arrayidx1, align 4, !dbg !974
  call void @llvm.lifetime.end.p0(i64 8, ptr %b) #2, !dbg !977
  call void @llvm.lifetime.end.p0(i64 8, ptr %a) #2, !dbg !977
  ret void, !dbg !977
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
!nvvm.annotations = !{!950}
!llvm.ident = !{!951}

!0 = !{i32 2, !"SDK Version", [2 x i32] [i32 12, i32 3]}
!1 = !{i32 7, !"Dwarf Version", i32 2}
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 1, !"wchar_size", i32 4}
!4 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!5 = !{i32 7, !"frame-pointer", i32 2}
!6 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !7, producer: "Debian clang version 19.1.7 (3~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, splitDebugInlining: false, debugInfoForProfiling: true, nameTableKind: None)
!7 = !DIFile(filename: "subarrays.cu", directory: "/src")
!9 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !10, size: 64)
!10 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!27 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!157 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !27, size: 64)
!584 = !DISubroutineType(types: !585)
!585 = !{null, !10}
!950 = !{ptr @_Z1ki, !"kernel", i32 1}
!951 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!952 = distinct !DISubprogram(name: "k", linkageName: "_Z1ki", scope: !7, file: !7, line: 2, type: !584, scopeLine: 2, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !6, retainedNodes: !953)
!953 = !{!954, !955, !956}
!954 = !DILocalVariable(name: "n", arg: 1, scope: !952, file: !7, line: 2, type: !10)
!955 = !DILocalVariable(name: "a", scope: !952, file: !7, line: 3, type: !157)
!956 = !DILocalVariable(name: "b", scope: !952, file: !7, line: 4, type: !9)
!961 = !DILocation(line: 2, column: 23, scope: !952)
!962 = !DILocation(line: 3, column: 1, scope: !952)
!963 = !DILocation(line: 3, column: 8, scope: !952)
!966 = !DILocation(line: 4, column: 1, scope: !952)
!967 = !DILocation(line: 4, column: 6, scope: !952)
!968 = !DILocation(line: 4, column: 18, scope: !952)
!969 = !DILocation(line: 4, column: 22, scope: !952)
!970 = !DILocation(line: 4, column: 20, scope: !952)
!971 = !DILocation(line: 5, column: 1, scope: !952)
!972 = !DILocation(line: 5, column: 6, scope: !952)
!973 = !DILocation(line: 6, column: 1, scope: !952)
!974 = !DILocation(line: 6, column: 6, scope: !952)
!977 = !DILocation(line: 7, column: 1, scope: !952)
