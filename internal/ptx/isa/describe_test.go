package isa

import (
	"testing"

	"github.com/warpgrind/warpgrind/internal/inst"
)

func TestWhat(t *testing.T) {
	signed, float := inst.Type{Class: inst.Signed, Size: 4}, inst.Type{Class: inst.Float, Size: 4}
	bits := inst.Type{Size: 4}
	for _, c := range []struct {
		opcode string
		want   inst.Op
	}{
		{"add.s32", inst.Op{Type: signed, Result: true}},
		{"ld.global.nc.v4.f32", inst.Op{Kind: inst.Load, Type: float, Result: true, NonCoherent: true, Reads: inst.Global}},
		{"ld.volatile.s32", inst.Op{Kind: inst.Load, Type: signed, Result: true, Reads: inst.Generic}},
		{"atom.global.cas.b32", inst.Op{Kind: inst.Atomic, Fn: inst.FnCAS, Type: bits, Result: true, Reads: inst.Global, Writes: inst.Global}},
		{"red.shared.add.s32", inst.Op{Kind: inst.Atomic, Fn: inst.FnAdd, Type: signed, Reads: inst.Shared, Writes: inst.Shared}},
		{"bar.arrive", inst.Op{Kind: inst.BarrierArrive}},
		{"barrier.cta.red.or.aligned.pred", inst.Op{Kind: inst.BarrierReduce, Fn: inst.FnOr, Type: inst.Type{Class: inst.Predicate}}},
		{"griddepcontrol.wait", inst.Op{Kind: inst.GridWait}},
		{"membar.proxy.alias", inst.Op{Kind: inst.ProxyFence}},
		{"shfl.up.b32", inst.Op{Kind: inst.Shuffle, Fn: inst.FnUp, Type: bits, Result: true}},
		{"shfl.up.sync.b32", inst.Op{Kind: inst.Shuffle, Fn: inst.FnUp, Type: bits, Result: true, Masked: true}},
		{"match.all.sync.b32", inst.Op{Kind: inst.Match, Fn: inst.FnAll, Type: bits, Result: true, Masked: true}},
	} {
		if got, ok := What(c.opcode); !ok || got != c.want {
			t.Errorf("%s: %+v, want %+v", c.opcode, got, c.want)
		}
	}
}

// TestKinds holds the kinds and the table together: each kind has rows or
// is made from one by a modifier, has a name, and touches memory if and only
// if it lists spaces.
func TestKinds(t *testing.T) {
	used := map[inst.Kind]bool{}
	for _, d := range All() {
		used[d.Kind] = true
		for _, k := range refined[d.Kind] {
			used[k] = true
		}
	}
	for k := range inst.NumKinds {
		reads, writes := k.Spaces()
		if !used[k] || k.String() == "" {
			t.Errorf("kind %d, %q, is unused or has no name", k, k)
		}
		if k.Effect().Has(inst.Memory) != (reads|writes != 0) {
			t.Errorf("%v: effect %b, but it touches %b", k, k.Effect(), reads|writes)
		}
	}
}

// TestFlows: each of the flows is a row's that computes.
func TestFlows(t *testing.T) {
	for op, flow := range flows {
		if d := Lookup(op); d == nil || d.Kind != inst.Compute || d.Flow != flow || flow == inst.Opaque {
			t.Errorf("%s: %+v", op, d)
		}
	}
	if d := Lookup("ld"); d.Flow != inst.Opaque {
		t.Errorf("ld: flow %d", d.Flow)
	}
}
