package isa

import "testing"

func TestFidelity(t *testing.T) {
	for op, want := range map[string]Fidelity{
		"add.f32": Exact, "fma.rn.f64": Exact, "div.rn.f32": Exact, "sqrt.rn.f32": Exact, "ld.global.v4.f32": Exact, "atom.global.add.f32": Exact,
		"div.full.f32": Approximate, "div.approx.ftz.f32": Approximate, "sin.approx.f32": Approximate, "ex2.approx.f16": Approximate,
		"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32": Approximate, "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32": Exact,
		"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64": Exact, "tex.2d.v4.f32.f32": Approximate,
		"frobnicate.f32": Unsupported,
	} {
		if got := FidelityOf(op); got != want {
			t.Errorf("%s: %d, want %d", op, got, want)
		}
	}
	for _, d := range All() {
		if !d.Executed && FidelityOf(d.Op) != Unsupported {
			t.Errorf("%s is not executed, and not unsupported", d.Op)
		}
	}
}
