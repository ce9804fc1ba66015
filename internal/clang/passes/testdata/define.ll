; ModuleID = 'define.cu'
source_filename = "define.cu"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: convergent norecurse nounwind null_pointer_is_valid
define dso_local void @_Z1kiiPi(i32 %a, i32 %b, ptr %o) #0 !dbg !951 {
entry:
  %wg.k.1 = addrspacecast ptr %o to ptr addrspace(1)
  %wg.g.2 = addrspacecast ptr addrspace(1) %wg.k.1 to ptr
  %a.addr = alloca i32, align 4
  %b.addr = alloca i32, align 4
  %o.addr = alloca ptr, align 8
  %t = alloca [4 x i32], align 4
  %t.wgunset = alloca [4 x i32], align 4, !dbg !971
  %wg.home.1.a = addrspacecast ptr %t.wgunset to ptr addrspace(5), !dbg !971
  %wg.home.1 = call ptr addrspace(5) asm "mov.b64 $0, $1;", "=l,l"(ptr addrspace(5) %wg.home.1.a) nounwind willreturn memory(none), !dbg !971
  %wg.unset.2 = load i32, ptr addrspace(5) %wg.home.1, align 4, !invariant.load !{}, !dbg !971
  %wg.unset.3.f = getelementptr i8, ptr addrspace(5) %wg.home.1, i64 4, !dbg !971
  %wg.unset.3 = load i32, ptr addrspace(5) %wg.unset.3.f, align 4, !invariant.load !{}, !dbg !971
  %wg.unset.4.f = getelementptr i8, ptr addrspace(5) %wg.home.1, i64 8, !dbg !971
  %wg.unset.4 = load i32, ptr addrspace(5) %wg.unset.4.f, align 4, !invariant.load !{}, !dbg !971
  %wg.unset.5.f = getelementptr i8, ptr addrspace(5) %wg.home.1, i64 12, !dbg !971
  %wg.unset.5 = load i32, ptr addrspace(5) %wg.unset.5.f, align 4, !invariant.load !{}, !dbg !971
  store i32 %a, ptr %a.addr, align 4
  store i32 %b, ptr %b.addr, align 4
  store ptr %wg.g.2, ptr %o.addr, align 8
  call void @llvm.lifetime.start.p0(i64 16, ptr %t) #2, !dbg !971
  store i32 %wg.unset.2, ptr %t, align 1, !dbg !971
  %wg.unset.3.t = getelementptr i8, ptr %t, i64 4, !dbg !971
  store i32 %wg.unset.3, ptr %wg.unset.3.t, align 1, !dbg !971
  %wg.unset.4.t = getelementptr i8, ptr %t, i64 8, !dbg !971
  store i32 %wg.unset.4, ptr %wg.unset.4.t, align 1, !dbg !971
  %wg.unset.5.t = getelementptr i8, ptr %t, i64 12, !dbg !971
  store i32 %wg.unset.5, ptr %wg.unset.5.t, align 1, !dbg !971
  %0 = load i32, ptr %a.addr, align 4, !dbg !973
  %idxprom = sext i32 %0 to i64, !dbg !974
  %arrayidx = getelementptr inbounds [4 x i32], ptr %t, i64 0, i64 %idxprom, !dbg !974
  store i32 1, ptr %arrayidx, align 4, !dbg !975
  %1 = load i32, ptr %a.addr, align 4, !dbg !976
  %2 = load i32, ptr %b.addr, align 4, !dbg !977
  %div = sdiv i32 %1, %2, !dbg !978
  %3 = load ptr, ptr %o.addr, align 8, !dbg !979
  %arrayidx1 = getelementptr inbounds i32, ptr %3, i64 0, !dbg !979
  store atomic i32 %div, ptr %arrayidx1 syncscope("wg") monotonic, align 4, !dbg !980
  %4 = load i32, ptr %a.addr, align 4, !dbg !981
  %5 = load i32, ptr %b.addr, align 4, !dbg !982
  %shl = shl i32 %4, %5, !dbg !983
  %6 = load ptr, ptr %o.addr, align 8, !dbg !984
  %arrayidx2 = getelementptr inbounds i32, ptr %6, i64 1, !dbg !984
  store atomic i32 %shl, ptr %arrayidx2 syncscope("wg") monotonic, align 4, !dbg !985
  %7 = load i32, ptr %b.addr, align 4, !dbg !986
  %idxprom3 = sext i32 %7 to i64, !dbg !987
  %arrayidx4 = getelementptr inbounds [4 x i32], ptr %t, i64 0, i64 %idxprom3, !dbg !987
  %8 = load i32, ptr %arrayidx4, align 4, !dbg !987
  %9 = load i32, ptr %a.addr, align 4, !dbg !988
  %mul = mul nsw i32 %9, 3, !dbg !989
  %add = add nsw i32 %8, %mul, !dbg !990
  %10 = load ptr, ptr %o.addr, align 8, !dbg !991
  %arrayidx5 = getelementptr inbounds i32, ptr %10, i64 2, !dbg !991
  store atomic i32 %add, ptr %arrayidx5 syncscope("wg") monotonic, align 4, !dbg !992
  call void @llvm.lifetime.end.p0(i64 16, ptr %t) #2, !dbg !993
  ret void, !dbg !993
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
!nvvm.annotations = !{!949}
!llvm.ident = !{!950}

!0 = !{i32 2, !"SDK Version", [2 x i32] [i32 12, i32 3]}
!1 = !{i32 7, !"Dwarf Version", i32 2}
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 1, !"wchar_size", i32 4}
!4 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!5 = !{i32 7, !"frame-pointer", i32 2}
!6 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !7, producer: "Debian clang version 19.1.7 (3~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, debugInfoForProfiling: true, nameTableKind: None)
!7 = !DIFile(filename: "define.cu", directory: "/src")
!20 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!84 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !20, size: 64)
!949 = !{ptr @_Z1kiiPi, !"kernel", i32 1}
!950 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!951 = distinct !DISubprogram(name: "k", linkageName: "_Z1kiiPi", scope: !7, file: !7, line: 1, type: !952, scopeLine: 1, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !6, retainedNodes: !954)
!952 = !DISubroutineType(types: !953)
!953 = !{null, !20, !20, !84}
!954 = !{!955, !956, !957, !958}
!955 = !DILocalVariable(name: "a", arg: 1, scope: !951, file: !7, line: 1, type: !20)
!956 = !DILocalVariable(name: "b", arg: 2, scope: !951, file: !7, line: 1, type: !20)
!957 = !DILocalVariable(name: "o", arg: 3, scope: !951, file: !7, line: 1, type: !84)
!958 = !DILocalVariable(name: "t", scope: !951, file: !7, line: 2, type: !959)
!959 = !DICompositeType(tag: DW_TAG_array_type, baseType: !20, size: 128, elements: !960)
!960 = !{!961}
!961 = !DISubrange(count: 4)
!971 = !DILocation(line: 2, column: 1, scope: !951)
!973 = !DILocation(line: 3, column: 3, scope: !951)
!974 = !DILocation(line: 3, column: 1, scope: !951)
!975 = !DILocation(line: 3, column: 6, scope: !951)
!976 = !DILocation(line: 4, column: 8, scope: !951)
!977 = !DILocation(line: 4, column: 12, scope: !951)
!978 = !DILocation(line: 4, column: 10, scope: !951)
!979 = !DILocation(line: 4, column: 1, scope: !951)
!980 = !DILocation(line: 4, column: 6, scope: !951)
!981 = !DILocation(line: 5, column: 8, scope: !951)
!982 = !DILocation(line: 5, column: 13, scope: !951)
!983 = !DILocation(line: 5, column: 10, scope: !951)
!984 = !DILocation(line: 5, column: 1, scope: !951)
!985 = !DILocation(line: 5, column: 6, scope: !951)
!986 = !DILocation(line: 6, column: 10, scope: !951)
!987 = !DILocation(line: 6, column: 8, scope: !951)
!988 = !DILocation(line: 6, column: 15, scope: !951)
!989 = !DILocation(line: 6, column: 17, scope: !951)
!990 = !DILocation(line: 6, column: 13, scope: !951)
!991 = !DILocation(line: 6, column: 1, scope: !951)
!992 = !DILocation(line: 6, column: 6, scope: !951)
!993 = !DILocation(line: 7, column: 1, scope: !951)
