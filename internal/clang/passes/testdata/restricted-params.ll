; ModuleID = 'restricted-params.cu'
source_filename = "restricted-params.cu"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: convergent norecurse nounwind null_pointer_is_valid
define dso_local void @_Z1kPKfPfi(ptr noalias %a, ptr noalias %b, i32 %n) #0 !dbg !951 {
entry:
  %a.addr = alloca ptr, align 8
  %b.addr = alloca ptr, align 8
  %n.addr = alloca i32, align 4
  store ptr %a, ptr %a.addr, align 8, !tbaa !962
    #dbg_declare(ptr %a.addr, !959, !DIExpression(), !966)
  store ptr %b, ptr %b.addr, align 8, !tbaa !962
    #dbg_declare(ptr %b.addr, !960, !DIExpression(), !967)
  store i32 %n, ptr %n.addr, align 4, !tbaa !968
    #dbg_declare(ptr %n.addr, !961, !DIExpression(), !970)
  %0 = load ptr, ptr %a.addr, align 8, !dbg !971, !tbaa !962
  %1 = load i32, ptr %n.addr, align 4, !dbg !972, !tbaa !968
  %idxprom = sext i32 %1 to i64, !dbg !971
  %arrayidx = getelementptr inbounds float, ptr %0, i64 %idxprom, !dbg !971
  %2 = load float, ptr %arrayidx, align 4, !dbg !971, !tbaa !973
  %3 = load ptr, ptr %b.addr, align 8, !dbg !975, !tbaa !962
  %4 = load i32, ptr %n.addr, align 4, !dbg !976, !tbaa !968
  %idxprom1 = sext i32 %4 to i64, !dbg !975
  %arrayidx2 = getelementptr inbounds float, ptr %3, i64 %idxprom1, !dbg !975
  store float %2, ptr %arrayidx2, align 4, !dbg !977, !tbaa !973
  ret void, !dbg !978
}

attributes #0 = { convergent norecurse nounwind null_pointer_is_valid "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx75,+sm_80" "uniform-work-group-size"="true" }

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
!7 = !DIFile(filename: "restricted-params.cu", directory: "/src")
!20 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!25 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!156 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !25, size: 64)
!949 = !{ptr @_Z1kPKfPfi, !"kernel", i32 1}
!950 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!951 = distinct !DISubprogram(name: "k", linkageName: "_Z1kPKfPfi", scope: !7, file: !7, line: 1, type: !952, scopeLine: 1, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !6, retainedNodes: !958)
!952 = !DISubroutineType(types: !953)
!953 = !{null, !954, !957, !20}
!954 = !DIDerivedType(tag: DW_TAG_restrict_type, baseType: !955)
!955 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !956, size: 64)
!956 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !25)
!957 = !DIDerivedType(tag: DW_TAG_restrict_type, baseType: !156)
!958 = !{!959, !960, !961}
!959 = !DILocalVariable(name: "a", arg: 1, scope: !951, file: !7, line: 1, type: !954)
!960 = !DILocalVariable(name: "b", arg: 2, scope: !951, file: !7, line: 1, type: !957)
!961 = !DILocalVariable(name: "n", arg: 3, scope: !951, file: !7, line: 1, type: !20)
!962 = !{!963, !963, i64 0}
!963 = !{!"any pointer", !964, i64 0}
!964 = !{!"omnipotent char", !965, i64 0}
!965 = !{!"Simple C++ TBAA"}
!966 = !DILocation(line: 1, column: 45, scope: !951)
!967 = !DILocation(line: 1, column: 68, scope: !951)
!968 = !{!969, !969, i64 0}
!969 = !{!"int", !964, i64 0}
!970 = !DILocation(line: 1, column: 75, scope: !951)
!971 = !DILocation(line: 2, column: 8, scope: !951)
!972 = !DILocation(line: 2, column: 10, scope: !951)
!973 = !{!974, !974, i64 0}
!974 = !{!"float", !964, i64 0}
!975 = !DILocation(line: 2, column: 1, scope: !951)
!976 = !DILocation(line: 2, column: 3, scope: !951)
!977 = !DILocation(line: 2, column: 6, scope: !951)
!978 = !DILocation(line: 3, column: 1, scope: !951)
