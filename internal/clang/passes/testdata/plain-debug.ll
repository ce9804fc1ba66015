; ModuleID = 'plain-debug.cu'
source_filename = "plain-debug.cu"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@t = dso_local addrspace(4) externally_initialized global [4 x i32] zeroinitializer, align 4, !dbg !0
@llvm.compiler.used = appending global [1 x ptr] [ptr addrspacecast (ptr addrspace(4) @t to ptr)], section "llvm.metadata"

; Function Attrs: convergent norecurse nounwind null_pointer_is_valid
define dso_local void @_Z1kPi(ptr %o) #0 !dbg !957 {
entry:
  %o.addr = alloca ptr, align 8
  %x = alloca i32, align 4
  store ptr %o, ptr %o.addr, align 8
    #dbg_declare(ptr %o.addr, !961, !DIExpression(), !967)
  call void @llvm.lifetime.start.p0(i64 4, ptr %x) #2, !dbg !968
    #dbg_declare(ptr %x, !962, !DIExpression(), !969)
  %0 = load i32, ptr getelementptr inbounds ([4 x i32], ptr addrspacecast (ptr addrspace(4) @t to ptr), i64 0, i64 1), align 4, !dbg !970
  store i32 %0, ptr %x, align 4, !dbg !969
  %1 = load i32, ptr %x, align 4, !dbg !973
  %2 = load ptr, ptr %o.addr, align 8, !dbg !974
  store i32 %1, ptr %2, align 4, !dbg !975
  call void @llvm.lifetime.end.p0(i64 4, ptr %x) #2, !dbg !976
  ret void, !dbg !976
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

attributes #0 = { convergent norecurse nounwind null_pointer_is_valid "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx75,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nounwind }

!llvm.module.flags = !{!949, !950, !951, !952, !953, !954}
!llvm.dbg.cu = !{!2}
!nvvm.annotations = !{!955}
!llvm.ident = !{!956}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression(DW_OP_constu, 4, DW_OP_swap, DW_OP_xderef))
!1 = distinct !DIGlobalVariable(name: "t", scope: !2, file: !3, line: 1, type: !946, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !3, producer: "Debian clang version 19.1.7 (3~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, globals: !4, splitDebugInlining: false, debugInfoForProfiling: true, nameTableKind: None)
!3 = !DIFile(filename: "plain-debug.cu", directory: "/src")
!4 = !{!0}
!17 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!81 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !17, size: 64)
!946 = !DICompositeType(tag: DW_TAG_array_type, baseType: !17, size: 128, elements: !947)
!947 = !{!948}
!948 = !DISubrange(count: 4)
!949 = !{i32 2, !"SDK Version", [2 x i32] [i32 12, i32 3]}
!950 = !{i32 7, !"Dwarf Version", i32 2}
!951 = !{i32 2, !"Debug Info Version", i32 3}
!952 = !{i32 1, !"wchar_size", i32 4}
!953 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!954 = !{i32 7, !"frame-pointer", i32 2}
!955 = !{ptr @_Z1kPi, !"kernel", i32 1}
!956 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!957 = distinct !DISubprogram(name: "k", linkageName: "_Z1kPi", scope: !3, file: !3, line: 2, type: !958, scopeLine: 2, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !960)
!958 = !DISubroutineType(types: !959)
!959 = !{null, !81}
!960 = !{!961, !962}
!961 = !DILocalVariable(name: "o", arg: 1, scope: !957, file: !3, line: 2, type: !81)
!962 = !DILocalVariable(name: "x", scope: !957, file: !3, line: 3, type: !17)
!967 = !DILocation(line: 2, column: 24, scope: !957)
!968 = !DILocation(line: 3, column: 1, scope: !957)
!969 = !DILocation(line: 3, column: 5, scope: !957)
!970 = !DILocation(line: 3, column: 9, scope: !957)
!973 = !DILocation(line: 4, column: 6, scope: !957)
!974 = !DILocation(line: 4, column: 2, scope: !957)
!975 = !DILocation(line: 4, column: 4, scope: !957)
!976 = !DILocation(line: 5, column: 1, scope: !957)
