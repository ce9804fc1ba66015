; ModuleID = 'unread.cu'
source_filename = "unread.cu"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@__start_wg_managed = extern_weak hidden global [0 x i8], align 1
@__stop_wg_managed = extern_weak hidden global [0 x i8], align 1
@__start___nv_relfatbin = extern_weak hidden global [0 x i8], align 1
@__stop___nv_relfatbin = extern_weak hidden global [0 x i8], align 1
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 102, ptr @_ZN17warpgrind_managedL4tellEv, ptr null }]
@llvm.compiler.used = appending global [1 x ptr] [ptr @_ZN17warpgrind_managedL4tellEv], section "llvm.metadata"

; Function Attrs: mustprogress uwtable
define internal void @_ZN17warpgrind_managedL4tellEv() #0 !dbg !1091 {
  %1 = icmp eq ptr @__start_wg_managed, @__stop_wg_managed, !dbg !1094
  br i1 %1, label %2, label %3, !dbg !1096

2:                                                ; preds = %0
  br label %6, !dbg !1097

3:                                                ; preds = %0
  call void @__warpgrindManaged(ptr noundef @__start_wg_managed, ptr noundef @__stop_wg_managed), !dbg !1098
  %4 = icmp ne ptr @__start___nv_relfatbin, @__stop___nv_relfatbin, !dbg !1099
  br i1 %4, label %5, label %6, !dbg !1101

5:                                                ; preds = %3
  call void @__warpgrindLinked(ptr noundef @__start___nv_relfatbin, ptr noundef @__stop___nv_relfatbin), !dbg !1102
  br label %6, !dbg !1102

6:                                                ; preds = %2, %5, %3
  ret void, !dbg !1103
}

declare !dbg !1104 void @__warpgrindManaged(ptr noundef, ptr noundef) #1

declare !dbg !1107 void @__warpgrindLinked(ptr noundef, ptr noundef) #1

; Function Attrs: mustprogress uwtable
define dso_local void @_Z1gv() #0 !dbg !1108 {
  %1 = alloca i32, align 4
  %2 = call i32 @cudaDeviceSynchronize(), !dbg !1112
  call void @llvm.lifetime.start.p0(i64 4, ptr %1) #3, !dbg !1113
    #dbg_declare(ptr %1, !1110, !DIExpression(), !1114)
  %3 = call i32 @cudaMalloc(ptr noundef null, i64 noundef 4), !dbg !1115
  store i32 %3, ptr %1, align 4, !dbg !1114, !tbaa !1116
  %4 = call i32 @cudaFree(ptr noundef null), !dbg !1120
  %5 = call i32 @cudaGetLastError(), !dbg !1121
  %6 = icmp ne i32 %5, 0, !dbg !1123
  br i1 %6, label %7, label %9, !dbg !1124

7:                                                ; preds = %0
  %8 = call noundef i32 @_Z1fv(), !dbg !1125
  br label %9, !dbg !1125

9:                                                ; preds = %7, %0
  call void @llvm.lifetime.end.p0(i64 4, ptr %1) #3, !dbg !1126
  ret void, !dbg !1126
}

declare !dbg !1127 i32 @cudaDeviceSynchronize() #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #2

declare !dbg !1131 i32 @cudaMalloc(ptr noundef, i64 noundef) #1

declare !dbg !1134 i32 @cudaFree(ptr noundef) #1

declare !dbg !1137 i32 @cudaGetLastError() #1

declare !dbg !1138 noundef i32 @_Z1fv() #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #2

attributes #0 = { mustprogress uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { nounwind }

!llvm.module.flags = !{!0, !1, !2, !3, !4, !5, !6}
!llvm.dbg.cu = !{!7}
!llvm.ident = !{!1090}

!0 = !{i32 2, !"SDK Version", [2 x i32] [i32 12, i32 3]}
!1 = !{i32 7, !"Dwarf Version", i32 5}
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 1, !"wchar_size", i32 4}
!4 = !{i32 8, !"PIC Level", i32 2}
!5 = !{i32 7, !"PIE Level", i32 2}
!6 = !{i32 7, !"uwtable", i32 2}
!7 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !8, producer: "Debian clang version 19.1.7 (3~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, splitDebugInlining: false, nameTableKind: None)
!8 = !DIFile(filename: "unread.cu", directory: "/src", checksumkind: CSK_MD5, checksum: "88199f6a04d6f081c68f1f470483e02a")
!10 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "cudaError", file: !11, line: 86, baseType: !12, size: 32, elements: !13, identifier: "_ZTS9cudaError")
!11 = !DIFile(filename: "/shim/include/driver_types.h", directory: "", checksumkind: CSK_MD5, checksum: "31656fbe0d95cc428d9cb916644ef9d1")
!12 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!13 = !{!14, !15, !16, !17, !18, !19, !20, !21, !22, !23, !24, !25, !26, !27, !28, !29, !30, !31, !32, !33, !34, !35, !36, !37, !38, !39, !40, !41, !42, !43, !44, !45, !46, !47, !48, !49, !50, !51, !52, !53, !54, !55, !56, !57, !58, !59, !60, !61, !62, !63, !64, !65, !66, !67, !68, !69, !70, !71, !72, !73, !74, !75, !76, !77, !78, !79, !80, !81, !82, !83, !84, !85, !86, !87, !88, !89, !90, !91, !92, !93, !94, !95, !96, !97, !98, !99, !100, !101, !102, !103, !104, !105, !106, !107, !108, !109, !110, !111, !112, !113, !114, !115, !116, !117, !118, !119, !120, !121, !122, !123, !124, !125, !126, !127, !128, !129, !130, !131, !132, !133, !134, !135, !136, !137, !138, !139, !140, !141, !142, !143, !144, !145, !146, !147}
!14 = !DIEnumerator(name: "cudaSuccess", value: 0, isUnsigned: true)
!15 = !DIEnumerator(name: "cudaErrorInvalidValue", value: 1, isUnsigned: true)
!16 = !DIEnumerator(name: "cudaErrorMemoryAllocation", value: 2, isUnsigned: true)
!17 = !DIEnumerator(name: "cudaErrorInitializationError", value: 3, isUnsigned: true)
!18 = !DIEnumerator(name: "cudaErrorCudartUnloading", value: 4, isUnsigned: true)
!19 = !DIEnumerator(name: "cudaErrorProfilerDisabled", value: 5, isUnsigned: true)
!20 = !DIEnumerator(name: "cudaErrorProfilerNotInitialized", value: 6, isUnsigned: true)
!21 = !DIEnumerator(name: "cudaErrorProfilerAlreadyStarted", value: 7, isUnsigned: true)
!22 = !DIEnumerator(name: "cudaErrorProfilerAlreadyStopped", value: 8, isUnsigned: true)
!23 = !DIEnumerator(name: "cudaErrorInvalidConfiguration", value: 9, isUnsigned: true)
!24 = !DIEnumerator(name: "cudaErrorInvalidPitchValue", value: 12, isUnsigned: true)
!25 = !DIEnumerator(name: "cudaErrorInvalidSymbol", value: 13, isUnsigned: true)
!26 = !DIEnumerator(name: "cudaErrorInvalidHostPointer", value: 16, isUnsigned: true)
!27 = !DIEnumerator(name: "cudaErrorInvalidDevicePointer", value: 17, isUnsigned: true)
!28 = !DIEnumerator(name: "cudaErrorInvalidTexture", value: 18, isUnsigned: true)
!29 = !DIEnumerator(name: "cudaErrorInvalidTextureBinding", value: 19, isUnsigned: true)
!30 = !DIEnumerator(name: "cudaErrorInvalidChannelDescriptor", value: 20, isUnsigned: true)
!31 = !DIEnumerator(name: "cudaErrorInvalidMemcpyDirection", value: 21, isUnsigned: true)
!32 = !DIEnumerator(name: "cudaErrorAddressOfConstant", value: 22, isUnsigned: true)
!33 = !DIEnumerator(name: "cudaErrorTextureFetchFailed", value: 23, isUnsigned: true)
!34 = !DIEnumerator(name: "cudaErrorTextureNotBound", value: 24, isUnsigned: true)
!35 = !DIEnumerator(name: "cudaErrorSynchronizationError", value: 25, isUnsigned: true)
!36 = !DIEnumerator(name: "cudaErrorInvalidFilterSetting", value: 26, isUnsigned: true)
!37 = !DIEnumerator(name: "cudaErrorInvalidNormSetting", value: 27, isUnsigned: true)
!38 = !DIEnumerator(name: "cudaErrorMixedDeviceExecution", value: 28, isUnsigned: true)
!39 = !DIEnumerator(name: "cudaErrorNotYetImplemented", value: 31, isUnsigned: true)
!40 = !DIEnumerator(name: "cudaErrorMemoryValueTooLarge", value: 32, isUnsigned: true)
!41 = !DIEnumerator(name: "cudaErrorStubLibrary", value: 34, isUnsigned: true)
!42 = !DIEnumerator(name: "cudaErrorInsufficientDriver", value: 35, isUnsigned: true)
!43 = !DIEnumerator(name: "cudaErrorCallRequiresNewerDriver", value: 36, isUnsigned: true)
!44 = !DIEnumerator(name: "cudaErrorInvalidSurface", value: 37, isUnsigned: true)
!45 = !DIEnumerator(name: "cudaErrorDuplicateVariableName", value: 43, isUnsigned: true)
!46 = !DIEnumerator(name: "cudaErrorDuplicateTextureName", value: 44, isUnsigned: true)
!47 = !DIEnumerator(name: "cudaErrorDuplicateSurfaceName", value: 45, isUnsigned: true)
!48 = !DIEnumerator(name: "cudaErrorDevicesUnavailable", value: 46, isUnsigned: true)
!49 = !DIEnumerator(name: "cudaErrorIncompatibleDriverContext", value: 49, isUnsigned: true)
!50 = !DIEnumerator(name: "cudaErrorMissingConfiguration", value: 52, isUnsigned: true)
!51 = !DIEnumerator(name: "cudaErrorPriorLaunchFailure", value: 53, isUnsigned: true)
!52 = !DIEnumerator(name: "cudaErrorLaunchMaxDepthExceeded", value: 65, isUnsigned: true)
!53 = !DIEnumerator(name: "cudaErrorLaunchFileScopedTex", value: 66, isUnsigned: true)
!54 = !DIEnumerator(name: "cudaErrorLaunchFileScopedSurf", value: 67, isUnsigned: true)
!55 = !DIEnumerator(name: "cudaErrorSyncDepthExceeded", value: 68, isUnsigned: true)
!56 = !DIEnumerator(name: "cudaErrorLaunchPendingCountExceeded", value: 69, isUnsigned: true)
!57 = !DIEnumerator(name: "cudaErrorInvalidDeviceFunction", value: 98, isUnsigned: true)
!58 = !DIEnumerator(name: "cudaErrorNoDevice", value: 100, isUnsigned: true)
!59 = !DIEnumerator(name: "cudaErrorInvalidDevice", value: 101, isUnsigned: true)
!60 = !DIEnumerator(name: "cudaErrorDeviceNotLicensed", value: 102, isUnsigned: true)
!61 = !DIEnumerator(name: "cudaErrorSoftwareValidityNotEstablished", value: 103, isUnsigned: true)
!62 = !DIEnumerator(name: "cudaErrorStartupFailure", value: 127, isUnsigned: true)
!63 = !DIEnumerator(name: "cudaErrorInvalidKernelImage", value: 200, isUnsigned: true)
!64 = !DIEnumerator(name: "cudaErrorDeviceUninitialized", value: 201, isUnsigned: true)
!65 = !DIEnumerator(name: "cudaErrorMapBufferObjectFailed", value: 205, isUnsigned: true)
!66 = !DIEnumerator(name: "cudaErrorUnmapBufferObjectFailed", value: 206, isUnsigned: true)
!67 = !DIEnumerator(name: "cudaErrorArrayIsMapped", value: 207, isUnsigned: true)
!68 = !DIEnumerator(name: "cudaErrorAlreadyMapped", value: 208, isUnsigned: true)
!69 = !DIEnumerator(name: "cudaErrorNoKernelImageForDevice", value: 209, isUnsigned: true)
!70 = !DIEnumerator(name: "cudaErrorAlreadyAcquired", value: 210, isUnsigned: true)
!71 = !DIEnumerator(name: "cudaErrorNotMapped", value: 211, isUnsigned: true)
!72 = !DIEnumerator(name: "cudaErrorNotMappedAsArray", value: 212, isUnsigned: true)
!73 = !DIEnumerator(name: "cudaErrorNotMappedAsPointer", value: 213, isUnsigned: true)
!74 = !DIEnumerator(name: "cudaErrorECCUncorrectable", value: 214, isUnsigned: true)
!75 = !DIEnumerator(name: "cudaErrorUnsupportedLimit", value: 215, isUnsigned: true)
!76 = !DIEnumerator(name: "cudaErrorDeviceAlreadyInUse", value: 216, isUnsigned: true)
!77 = !DIEnumerator(name: "cudaErrorPeerAccessUnsupported", value: 217, isUnsigned: true)
!78 = !DIEnumerator(name: "cudaErrorInvalidPtx", value: 218, isUnsigned: true)
!79 = !DIEnumerator(name: "cudaErrorInvalidGraphicsContext", value: 219, isUnsigned: true)
!80 = !DIEnumerator(name: "cudaErrorNvlinkUncorrectable", value: 220, isUnsigned: true)
!81 = !DIEnumerator(name: "cudaErrorJitCompilerNotFound", value: 221, isUnsigned: true)
!82 = !DIEnumerator(name: "cudaErrorUnsupportedPtxVersion", value: 222, isUnsigned: true)
!83 = !DIEnumerator(name: "cudaErrorJitCompilationDisabled", value: 223, isUnsigned: true)
!84 = !DIEnumerator(name: "cudaErrorUnsupportedExecAffinity", value: 224, isUnsigned: true)
!85 = !DIEnumerator(name: "cudaErrorUnsupportedDevSideSync", value: 225, isUnsigned: true)
!86 = !DIEnumerator(name: "cudaErrorContained", value: 226, isUnsigned: true)
!87 = !DIEnumerator(name: "cudaErrorInvalidSource", value: 300, isUnsigned: true)
!88 = !DIEnumerator(name: "cudaErrorFileNotFound", value: 301, isUnsigned: true)
!89 = !DIEnumerator(name: "cudaErrorSharedObjectSymbolNotFound", value: 302, isUnsigned: true)
!90 = !DIEnumerator(name: "cudaErrorSharedObjectInitFailed", value: 303, isUnsigned: true)
!91 = !DIEnumerator(name: "cudaErrorOperatingSystem", value: 304, isUnsigned: true)
!92 = !DIEnumerator(name: "cudaErrorInvalidResourceHandle", value: 400, isUnsigned: true)
!93 = !DIEnumerator(name: "cudaErrorIllegalState", value: 401, isUnsigned: true)
!94 = !DIEnumerator(name: "cudaErrorLossyQuery", value: 402, isUnsigned: true)
!95 = !DIEnumerator(name: "cudaErrorSymbolNotFound", value: 500, isUnsigned: true)
!96 = !DIEnumerator(name: "cudaErrorNotReady", value: 600, isUnsigned: true)
!97 = !DIEnumerator(name: "cudaErrorIllegalAddress", value: 700, isUnsigned: true)
!98 = !DIEnumerator(name: "cudaErrorLaunchOutOfResources", value: 701, isUnsigned: true)
!99 = !DIEnumerator(name: "cudaErrorLaunchTimeout", value: 702, isUnsigned: true)
!100 = !DIEnumerator(name: "cudaErrorLaunchIncompatibleTexturing", value: 703, isUnsigned: true)
!101 = !DIEnumerator(name: "cudaErrorPeerAccessAlreadyEnabled", value: 704, isUnsigned: true)
!102 = !DIEnumerator(name: "cudaErrorPeerAccessNotEnabled", value: 705, isUnsigned: true)
!103 = !DIEnumerator(name: "cudaErrorSetOnActiveProcess", value: 708, isUnsigned: true)
!104 = !DIEnumerator(name: "cudaErrorContextIsDestroyed", value: 709, isUnsigned: true)
!105 = !DIEnumerator(name: "cudaErrorAssert", value: 710, isUnsigned: true)
!106 = !DIEnumerator(name: "cudaErrorTooManyPeers", value: 711, isUnsigned: true)
!107 = !DIEnumerator(name: "cudaErrorHostMemoryAlreadyRegistered", value: 712, isUnsigned: true)
!108 = !DIEnumerator(name: "cudaErrorHostMemoryNotRegistered", value: 713, isUnsigned: true)
!109 = !DIEnumerator(name: "cudaErrorHardwareStackError", value: 714, isUnsigned: true)
!110 = !DIEnumerator(name: "cudaErrorIllegalInstruction", value: 715, isUnsigned: true)
!111 = !DIEnumerator(name: "cudaErrorMisalignedAddress", value: 716, isUnsigned: true)
!112 = !DIEnumerator(name: "cudaErrorInvalidAddressSpace", value: 717, isUnsigned: true)
!113 = !DIEnumerator(name: "cudaErrorInvalidPc", value: 718, isUnsigned: true)
!114 = !DIEnumerator(name: "cudaErrorLaunchFailure", value: 719, isUnsigned: true)
!115 = !DIEnumerator(name: "cudaErrorCooperativeLaunchTooLarge", value: 720, isUnsigned: true)
!116 = !DIEnumerator(name: "cudaErrorTensorMemoryLeak", value: 721, isUnsigned: true)
!117 = !DIEnumerator(name: "cudaErrorNotPermitted", value: 800, isUnsigned: true)
!118 = !DIEnumerator(name: "cudaErrorNotSupported", value: 801, isUnsigned: true)
!119 = !DIEnumerator(name: "cudaErrorSystemNotReady", value: 802, isUnsigned: true)
!120 = !DIEnumerator(name: "cudaErrorSystemDriverMismatch", value: 803, isUnsigned: true)
!121 = !DIEnumerator(name: "cudaErrorCompatNotSupportedOnDevice", value: 804, isUnsigned: true)
!122 = !DIEnumerator(name: "cudaErrorMpsConnectionFailed", value: 805, isUnsigned: true)
!123 = !DIEnumerator(name: "cudaErrorMpsRpcFailure", value: 806, isUnsigned: true)
!124 = !DIEnumerator(name: "cudaErrorMpsServerNotReady", value: 807, isUnsigned: true)
!125 = !DIEnumerator(name: "cudaErrorMpsMaxClientsReached", value: 808, isUnsigned: true)
!126 = !DIEnumerator(name: "cudaErrorMpsMaxConnectionsReached", value: 809, isUnsigned: true)
!127 = !DIEnumerator(name: "cudaErrorMpsClientTerminated", value: 810, isUnsigned: true)
!128 = !DIEnumerator(name: "cudaErrorCdpNotSupported", value: 811, isUnsigned: true)
!129 = !DIEnumerator(name: "cudaErrorCdpVersionMismatch", value: 812, isUnsigned: true)
!130 = !DIEnumerator(name: "cudaErrorStreamCaptureUnsupported", value: 900, isUnsigned: true)
!131 = !DIEnumerator(name: "cudaErrorStreamCaptureInvalidated", value: 901, isUnsigned: true)
!132 = !DIEnumerator(name: "cudaErrorStreamCaptureMerge", value: 902, isUnsigned: true)
!133 = !DIEnumerator(name: "cudaErrorStreamCaptureUnmatched", value: 903, isUnsigned: true)
!134 = !DIEnumerator(name: "cudaErrorStreamCaptureUnjoined", value: 904, isUnsigned: true)
!135 = !DIEnumerator(name: "cudaErrorStreamCaptureIsolation", value: 905, isUnsigned: true)
!136 = !DIEnumerator(name: "cudaErrorStreamCaptureImplicit", value: 906, isUnsigned: true)
!137 = !DIEnumerator(name: "cudaErrorCapturedEvent", value: 907, isUnsigned: true)
!138 = !DIEnumerator(name: "cudaErrorStreamCaptureWrongThread", value: 908, isUnsigned: true)
!139 = !DIEnumerator(name: "cudaErrorTimeout", value: 909, isUnsigned: true)
!140 = !DIEnumerator(name: "cudaErrorGraphExecUpdateFailure", value: 910, isUnsigned: true)
!141 = !DIEnumerator(name: "cudaErrorExternalDevice", value: 911, isUnsigned: true)
!142 = !DIEnumerator(name: "cudaErrorInvalidClusterSize", value: 912, isUnsigned: true)
!143 = !DIEnumerator(name: "cudaErrorFunctionNotLoaded", value: 913, isUnsigned: true)
!144 = !DIEnumerator(name: "cudaErrorInvalidResourceType", value: 914, isUnsigned: true)
!145 = !DIEnumerator(name: "cudaErrorInvalidResourceConfiguration", value: 915, isUnsigned: true)
!146 = !DIEnumerator(name: "cudaErrorUnknown", value: 999, isUnsigned: true)
!147 = !DIEnumerator(name: "cudaErrorApiFailureBase", value: 10000, isUnsigned: true)
!149 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !150, size: 64)
!150 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!163 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!305 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !306, size: 64)
!306 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !307)
!307 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!679 = !DISubroutineType(types: !680)
!680 = !{null}
!685 = !DIDerivedType(tag: DW_TAG_typedef, name: "size_t", file: !686, line: 18, baseType: !687)
!686 = !DIFile(filename: "/usr/lib/llvm-19/lib/clang/19/include/__stddef_size_t.h", directory: "", checksumkind: CSK_MD5, checksum: "2c44e821a2b1951cde2eb0fb2e656867")
!687 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!770 = !DISubroutineType(types: !771)
!771 = !{!163}
!1090 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!1091 = distinct !DISubprogram(name: "tell", linkageName: "_ZN17warpgrind_managedL4tellEv", scope: !1093, file: !1092, line: 18, type: !679, scopeLine: 18, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !7)
!1092 = !DIFile(filename: "/shim/include/warpgrind/managed.h", directory: "", checksumkind: CSK_MD5, checksum: "fc25eac7bf9157f476f6a8ffff781e67")
!1093 = !DINamespace(name: "warpgrind_managed", scope: null)
!1094 = !DILocation(line: 19, column: 26, scope: !1095)
!1095 = distinct !DILexicalBlock(scope: !1091, file: !1092, line: 19, column: 7)
!1096 = !DILocation(line: 19, column: 7, scope: !1091)
!1097 = !DILocation(line: 19, column: 48, scope: !1095)
!1098 = !DILocation(line: 20, column: 3, scope: !1091)
!1099 = !DILocation(line: 21, column: 30, scope: !1100)
!1100 = distinct !DILexicalBlock(scope: !1091, file: !1092, line: 21, column: 7)
!1101 = !DILocation(line: 21, column: 7, scope: !1091)
!1102 = !DILocation(line: 21, column: 56, scope: !1100)
!1103 = !DILocation(line: 22, column: 1, scope: !1091)
!1104 = !DISubprogram(name: "__warpgrindManaged", scope: !1092, file: !1092, line: 12, type: !1105, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!1105 = !DISubroutineType(types: !1106)
!1106 = !{null, !305, !305}
!1107 = !DISubprogram(name: "__warpgrindLinked", scope: !1092, file: !1092, line: 13, type: !1105, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!1108 = distinct !DISubprogram(name: "g", linkageName: "_Z1gv", scope: !8, file: !8, line: 2, type: !679, scopeLine: 2, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !7, retainedNodes: !1109)
!1109 = !{!1110}
!1110 = !DILocalVariable(name: "e", scope: !1108, file: !8, line: 4, type: !1111)
!1111 = !DIDerivedType(tag: DW_TAG_typedef, name: "cudaError_t", file: !11, line: 222, baseType: !10)
!1112 = !DILocation(line: 3, column: 1, scope: !1108)
!1113 = !DILocation(line: 4, column: 1, scope: !1108)
!1114 = !DILocation(line: 4, column: 13, scope: !1108)
!1115 = !DILocation(line: 4, column: 17, scope: !1108)
!1116 = !{!1117, !1117, i64 0}
!1117 = !{!"_ZTS9cudaError", !1118, i64 0}
!1118 = !{!"omnipotent char", !1119, i64 0}
!1119 = !{!"Simple C++ TBAA"}
!1120 = !DILocation(line: 5, column: 1, scope: !1108)
!1121 = !DILocation(line: 6, column: 5, scope: !1122)
!1122 = distinct !DILexicalBlock(scope: !1108, file: !8, line: 6, column: 5)
!1123 = !DILocation(line: 6, column: 24, scope: !1122)
!1124 = !DILocation(line: 6, column: 5, scope: !1108)
!1125 = !DILocation(line: 6, column: 40, scope: !1122)
!1126 = !DILocation(line: 7, column: 1, scope: !1108)
!1127 = !DISubprogram(name: "cudaDeviceSynchronize", scope: !1128, file: !1128, line: 31, type: !1129, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!1128 = !DIFile(filename: "/shim/include/cuda_runtime_api.h", directory: "", checksumkind: CSK_MD5, checksum: "55d27ad8ad66e80ae6abecb102a2ccaf")
!1129 = !DISubroutineType(types: !1130)
!1130 = !{!1111}
!1131 = !DISubprogram(name: "cudaMalloc", scope: !1128, file: !1128, line: 186, type: !1132, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!1132 = !DISubroutineType(types: !1133)
!1133 = !{!1111, !149, !685}
!1134 = !DISubprogram(name: "cudaFree", scope: !1128, file: !1128, line: 200, type: !1135, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!1135 = !DISubroutineType(types: !1136)
!1136 = !{!1111, !150}
!1137 = !DISubprogram(name: "cudaGetLastError", scope: !1128, file: !1128, line: 76, type: !1129, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!1138 = !DISubprogram(name: "f", linkageName: "_Z1fv", scope: !8, file: !8, line: 1, type: !770, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
