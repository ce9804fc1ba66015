; ModuleID = 'inline-accumulators.cu'
source_filename = "inline-accumulators.cu"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.Tile = type { [4 x float] }

$_Z3mmaRA4_fmm = comdat any

$_Z4stepR4Tilem = comdat any

; Function Attrs: convergent mustprogress noinline nounwind
define dso_local void @_Z3ownR4Tilem(ptr noundef nonnull align 4 dereferenceable(16) %0, i64 noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca i64, align 8
  store ptr %0, ptr %3, align 8, !tbaa !5
  store i64 %1, ptr %4, align 8, !tbaa !9
  %5 = load ptr, ptr %3, align 8, !tbaa !5
  %6 = getelementptr inbounds %struct.Tile, ptr %5, i32 0, i32 0
  %7 = load i64, ptr %4, align 8, !tbaa !9
  %8 = load i64, ptr %4, align 8, !tbaa !9
  %9 = add i64 %8, 2
  call void @_Z3mmaRA4_fmm(ptr noundef nonnull align 4 dereferenceable(16) %6, i64 noundef %7, i64 noundef %9) #6
  ret void
}

; Function Attrs: convergent inlinehint mustprogress nounwind
define linkonce_odr dso_local void @_Z3mmaRA4_fmm(ptr noundef nonnull align 4 dereferenceable(16) %0, i64 noundef %1, i64 noundef %2) #1 comdat {
  %4 = alloca ptr, align 8
  %5 = alloca i64, align 8
  %6 = alloca i64, align 8
  store ptr %0, ptr %4, align 8, !tbaa !5
  store i64 %1, ptr %5, align 8, !tbaa !9
  store i64 %2, ptr %6, align 8, !tbaa !9
  %7 = load ptr, ptr %4, align 8, !tbaa !5
  %8 = getelementptr inbounds [4 x float], ptr %7, i64 0, i64 0
  %9 = load float, ptr %8, align 4, !tbaa !11
  %10 = load ptr, ptr %4, align 8, !tbaa !5
  %11 = getelementptr inbounds [4 x float], ptr %10, i64 0, i64 1
  %12 = load float, ptr %11, align 4, !tbaa !11
  %13 = load ptr, ptr %4, align 8, !tbaa !5
  %14 = getelementptr inbounds [4 x float], ptr %13, i64 0, i64 2
  %15 = load float, ptr %14, align 4, !tbaa !11
  %16 = load ptr, ptr %4, align 8, !tbaa !5
  %17 = getelementptr inbounds [4 x float], ptr %16, i64 0, i64 3
  %18 = load float, ptr %17, align 4, !tbaa !11
  %19 = load i64, ptr %5, align 8, !tbaa !9
  %20 = load i64, ptr %6, align 8, !tbaa !9
  %21 = call { float, float, float, float } asm sideeffect "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {$0, $1, $2, $3}, $4, $5, 1, 1, 1, 0, 0;", "=f,=f,=f,=f,l,l,0,1,2,3"(i64 %19, i64 %20, float %9, float %12, float %15, float %18) #6, !srcloc !13
  %22 = extractvalue { float, float, float, float } %21, 0
  %23 = extractvalue { float, float, float, float } %21, 1
  %24 = extractvalue { float, float, float, float } %21, 2
  %25 = extractvalue { float, float, float, float } %21, 3
  store float %22, ptr %8, align 4, !tbaa !11
  store float %23, ptr %11, align 4, !tbaa !11
  store float %24, ptr %14, align 4, !tbaa !11
  store float %25, ptr %17, align 4, !tbaa !11
  ret void
}

; Function Attrs: convergent mustprogress nounwind
define dso_local noundef i32 @_Z5otheri(i32 noundef %0) #2 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4, !tbaa !14
  %3 = load i32, ptr %2, align 4, !tbaa !14
  %4 = call i32 asm sideeffect "mov.u32 $0, $0;", "=r,0"(i32 %3) #6, !srcloc !16
  store i32 %4, ptr %2, align 4, !tbaa !14
  %5 = load i32, ptr %2, align 4, !tbaa !14
  ret i32 %5
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z1kPfm(ptr noundef %0, i64 noundef %1) #3 {
  %3 = alloca ptr, align 8
  %4 = alloca i64, align 8
  %5 = alloca %struct.Tile, align 4
  store ptr %0, ptr %3, align 8, !tbaa !5
  store i64 %1, ptr %4, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 16, ptr %5) #7
  call void @llvm.memset.p0.i64(ptr align 4 %5, i8 0, i64 16, i1 false)
  %6 = load i64, ptr %4, align 8, !tbaa !9
  call void @_Z4stepR4Tilem(ptr noundef nonnull align 4 dereferenceable(16) %5, i64 noundef %6) #6
  %7 = load i64, ptr %4, align 8, !tbaa !9
  call void @_Z3ownR4Tilem(ptr noundef nonnull align 4 dereferenceable(16) %5, i64 noundef %7) #6
  %8 = getelementptr inbounds %struct.Tile, ptr %5, i32 0, i32 0
  %9 = getelementptr inbounds [4 x float], ptr %8, i64 0, i64 0
  %10 = load float, ptr %9, align 4, !tbaa !11
  %11 = call noundef i32 @_Z5otheri(i32 noundef 1) #6
  %12 = sitofp i32 %11 to float
  %13 = fadd contract float %10, %12
  %14 = load ptr, ptr %3, align 8, !tbaa !5
  %15 = getelementptr inbounds float, ptr %14, i64 0
  store float %13, ptr %15, align 4, !tbaa !11
  call void @llvm.lifetime.end.p0(i64 16, ptr %5) #7
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #4

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr nocapture writeonly, i8, i64, i1 immarg) #5

; Function Attrs: convergent inlinehint mustprogress nounwind
define linkonce_odr dso_local void @_Z4stepR4Tilem(ptr noundef nonnull align 4 dereferenceable(16) %0, i64 noundef %1) #1 comdat {
  %3 = alloca ptr, align 8
  %4 = alloca i64, align 8
  store ptr %0, ptr %3, align 8, !tbaa !5
  store i64 %1, ptr %4, align 8, !tbaa !9
  %5 = load ptr, ptr %3, align 8, !tbaa !5
  %6 = getelementptr inbounds %struct.Tile, ptr %5, i32 0, i32 0
  %7 = load i64, ptr %4, align 8, !tbaa !9
  %8 = load i64, ptr %4, align 8, !tbaa !9
  %9 = add i64 %8, 1
  call void @_Z3mmaRA4_fmm(ptr noundef nonnull align 4 dereferenceable(16) %6, i64 noundef %7, i64 noundef %9) #6
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #4

attributes #0 = { convergent mustprogress noinline nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90a" "target-features"="+ptx42,+sm_90a" }
attributes #1 = { convergent inlinehint mustprogress nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90a" "target-features"="+ptx42,+sm_90a" }
attributes #2 = { convergent mustprogress nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90a" "target-features"="+ptx42,+sm_90a" }
attributes #3 = { convergent mustprogress norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90a" "target-features"="+ptx42,+sm_90a" "uniform-work-group-size"="true" }
attributes #4 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #5 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #6 = { convergent nounwind }
attributes #7 = { nounwind }

!nvvm.annotations = !{!0}
!llvm.module.flags = !{!1, !2, !3}
!llvm.ident = !{!4}

!0 = !{ptr @_Z1kPfm, !"kernel", i32 1}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!3 = !{i32 7, !"frame-pointer", i32 2}
!4 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!5 = !{!6, !6, i64 0}
!6 = !{!"any pointer", !7, i64 0}
!7 = !{!"omnipotent char", !8, i64 0}
!8 = !{!"Simple C++ TBAA"}
!9 = !{!10, !10, i64 0}
!10 = !{!"long", !7, i64 0}
!11 = !{!12, !12, i64 0}
!12 = !{!"float", !7, i64 0}
!13 = !{i64 257}
!14 = !{!15, !15, i64 0}
!15 = !{!"int", !7, i64 0}
!16 = !{i64 626}
