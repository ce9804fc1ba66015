%struct.P = type { [4 x i32], i32 }

define void @reads(ptr byval(%struct.P) align 4 %p, ptr %o) {
entry:
  %n = getelementptr inbounds i8, ptr %p, i64 16
  %0 = load i32, ptr %n, align 4
  store volatile i32 %0, ptr %o, align 4
  ret void
}

define void @writes(ptr byval(%struct.P) align 4 %p, ptr byval(i32) align 4 %p.copy, ptr %o) {
entry:
  %n.i = getelementptr inbounds i8, ptr %p, i64 16
  %0 = load volatile i32, ptr %n.i, align 4
  store volatile i32 %0, ptr %n.i, align 4
  call void asm sideeffect "prefetch.tensormap [$0];", "l"(ptr %p.copy)
  ret void
}
