// What of the device runtime's library is code, as PTX.
#pragma once

namespace warpgrind {

// The barrier of a cooperative launch, as programs have it that were compiled
// without cooperative_groups.h ("CUDA Runtime API", cudaCGScope). Its handle is the
// launch's workspace, which the environment registers name, and 0 in other launches.
constexpr char deviceRuntime[] = R"(
.global .align 4 .u32 warpgrind_grid_arrived;
.global .align 4 .u32 warpgrind_grid_generation;
.visible .func (.param .b64 handle) cudaCGGetIntrinsicHandle(.param .b32 scope)
{
	.reg .pred %other;
	.reg .b32 %scope, %high, %low;
	.reg .b64 %handle;
	ld.param.u32 %scope, [scope];
	mov.b32 %high, %envreg1;
	mov.b32 %low, %envreg2;
	mov.b64 %handle, {%low, %high};
	setp.ne.u32 %other, %scope, 1;
	@%other mov.b64 %handle, 0;
	st.param.b64 [handle], %handle;
	ret;
}
.visible .func (.param .b32 error) cudaCGSynchronize(.param .b64 handle, .param .b32 flags)
{
	.reg .pred %p;
	.reg .b32 %r<6>;
	.reg .b64 %handle;
	ld.param.u64 %handle, [handle];
	setp.eq.u64 %p, %handle, 0;
	@%p bra $none;
	bar.sync 0;
	mov.u32 %r0, %tid.x;
	mov.u32 %r1, %tid.y;
	or.b32 %r0, %r0, %r1;
	mov.u32 %r1, %tid.z;
	or.b32 %r0, %r0, %r1;
	setp.ne.u32 %p, %r0, 0;
	@%p bra $together;
	ld.volatile.global.u32 %r0, [warpgrind_grid_generation];
	membar.gl;
	mov.u32 %r1, %nctaid.x;
	mov.u32 %r2, %nctaid.y;
	mul.lo.u32 %r1, %r1, %r2;
	mov.u32 %r2, %nctaid.z;
	mul.lo.u32 %r1, %r1, %r2;
	sub.u32 %r1, %r1, 1;
	atom.global.add.u32 %r2, [warpgrind_grid_arrived], 1;
	setp.ne.u32 %p, %r2, %r1;
	@%p bra $wait;
	st.global.u32 [warpgrind_grid_arrived], 0;
	membar.gl;
	add.u32 %r3, %r0, 1;
	st.volatile.global.u32 [warpgrind_grid_generation], %r3;
	bra $passed;
$wait:
	ld.volatile.global.u32 %r3, [warpgrind_grid_generation];
	setp.eq.u32 %p, %r3, %r0;
	@%p bra $wait;
$passed:
	membar.gl;
$together:
	bar.sync 0;
	st.param.b32 [error], 0;
	ret;
$none:
	st.param.b32 [error], 1;
	ret;
}
)";

} // namespace warpgrind
