package cfg_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/cfg"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
)

func build(t *testing.T, body string) (*cfg.Func, error) {
	t.Helper()
	m, err := ptx.Parse("test.ptx", []byte(".version 8.3\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n.reg .pred %p; .reg .b32 %r<4>;\n"+body+"\n}\n"))
	if err != nil {
		t.Fatal(err)
	}
	return cfg.Build(m.Func("k"))
}

func TestBlocks(t *testing.T) {
	for _, c := range []struct {
		name, body string
		succ       [][]int
		ipdom      []int
	}{
		{"straight", "mov.u32 %r0, 1; mov.u32 %r1, 1;", [][]int{nil}, []int{-1}},
		{"empty", "", [][]int{nil}, []int{-1}},
		{"label at the end", "@%p bra E; mov.u32 %r0, 1; E:", [][]int{{2, 1}, {2}, nil}, []int{2, 2, -1}},
		{"two labels", "bra B; A: B: ret;", [][]int{{1}, nil}, []int{1, -1}},
		{"diamond", "@%p bra A; mov.u32 %r0, 1; bra E; A: mov.u32 %r0, 2; E: ret;", [][]int{{2, 1}, {3}, {3}, nil}, []int{3, 3, 3, -1}},
		{"loop", "L: add.u32 %r0, %r0, 1; @%p bra L; ret;", [][]int{{0, 1}, nil}, []int{1, -1}},
		{"guarded return", "@%p ret; mov.u32 %r0, 1;", [][]int{{1}, nil}, []int{1, -1}},
		{"return ends a path", "@%p bra A; ret; A: mov.u32 %r0, 1;", [][]int{{2, 1}, nil, nil}, []int{-1, -1, -1}},
		{"table", "T: .branchtargets A, B; brx.idx %r0, T; A: mov.u32 %r0, 1; B: ret;", [][]int{{1, 2}, {2}, nil}, []int{2, 2, -1}},
		{"guarded table", "T: .branchtargets B, B; @%p brx.idx %r0, T; A: mov.u32 %r0, 1; B: ret;", [][]int{{2, 2, 1}, {2}, nil}, []int{2, 2, -1}},
		{"endless", "L: bra L;", [][]int{{0}}, []int{-1}},
		{"scope", "{ L: @%p bra L; } { L: @%p bra L; }", [][]int{{0, 1}, {1, 2}, nil}, []int{1, 2, -1}},
		{"out of a scope", "{ @%p bra E; mov.u32 %r0, 1; } E: ret;", [][]int{{2, 1}, {2}, nil}, []int{2, 2, -1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := build(t, c.body)
			if err != nil {
				t.Fatal(err)
			}
			// Behind a final branch or return an empty block is left, which
			// nothing reaches.
			if n := len(f.Blocks) - 1; n == len(c.succ) && n > 0 && len(f.Blocks[n].Instrs) == 0 {
				f.Blocks, f.IPdom = f.Blocks[:n], f.IPdom[:n]
			}
			if len(f.Blocks) != len(c.succ) || !slices.Equal(f.IPdom, c.ipdom) {
				t.Fatalf("%d blocks, ipdom %v, want %d and %v", len(f.Blocks), f.IPdom, len(c.succ), c.ipdom)
			}
			for i, s := range c.succ {
				if !slices.Equal(f.Graph.Succ[i], s) {
					t.Errorf("block %d goes to %v, want %v", i, f.Graph.Succ[i], s)
				}
			}
		})
	}
}

// TestPrune: the space of an address decides branches, and blocks that nothing reaches then are left out.
func TestPrune(t *testing.T) {
	const ask = "isspacep.shared %q, %d; "
	for _, c := range []struct {
		name, body string
		// instrs is how many each block has.
		instrs []int
	}{
		{"variable", "mov.u64 %d, s; cvta.shared.u64 %d, %d; " + ask + "@!%q bra A; ret; A: mov.u32 %r0, 1;", []int{4, 1, 0}},
		{"other space", "cvta.shared.u64 %d, s; isspacep.global %q, %d; @%q bra A; ret; A: mov.u32 %r0, 1;", []int{3, 1, 0}},
		{"window of the cluster", "cvta.shared.u64 %d, s; isspacep.shared::cluster %q, %d; @%q bra A; mov.u32 %r0, 1; A: ret;", []int{3, 0, 1}},
		{"kept in a loop", "cvta.shared.u64 %d, s; " + ask + "L: @!%q bra A; @%p bra L; ret; A: mov.u32 %r0, 1;", []int{2, 1, 1, 1, 0}},
		{"made on both ways", "mov.pred %q, 1; @%p bra A; cvta.shared.u64 %d, s; " + ask + "A: @!%q bra B; ret; B: mov.u32 %r0, 1;", []int{2, 2, 1, 1, 0}},
		{"left out where it differs", "mov.pred %q, 0; cvta.shared.u64 %d, s; @!%q bra A; mov.pred %q, 1; A: isspacep.local %p, %d; @%q bra B; ret; B: mov.u32 %r0, 1;", []int{3, 0, 2, 1, 0}},

		{"differs", "mov.pred %q, 0; @%p bra A; cvta.shared.u64 %d, s; " + ask + "A: @!%q bra B; ret; B: mov.u32 %r0, 1;", []int{2, 2, 1, 1, 1}},
		{"not a variable", "cvta.shared.u64 %d, %e; " + ask + "@!%q bra A; ret; A: mov.u32 %r0, 1;", []int{3, 1, 1}},
		{"changed", "cvta.shared.u64 %d, s; add.u64 %d, %d, %e; " + ask + "@!%q bra A; ret; A: mov.u32 %r0, 1;", []int{4, 1, 1}},
		{"changed by some", "cvta.shared.u64 %d, s; @%p mov.u64 %d, %e; " + ask + "@!%q bra A; ret; A: mov.u32 %r0, 1;", []int{4, 1, 1}},
		{"changed by a pair", "cvta.shared.u64 %d, s; " + ask + "setp.eq.s32 %p|%q, %r0, 1; @!%q bra A; ret; A: mov.u32 %r0, 1;", []int{4, 1, 1}},
		{"changed by a vector", "cvta.shared.u64 %d, s; ld.local.v2.u64 {%e, %d}, [%e]; " + ask + "@!%q bra A; ret; A: mov.u32 %r0, 1;", []int{4, 1, 1}},
		{"changed in a loop", "cvta.shared.u64 %d, s; L: " + ask + "@!%q bra A; mov.u64 %d, %e; bra L; A: mov.u32 %r0, 1;", []int{1, 2, 2, 1}},
	} {
		f, err := build(t, ".shared .b64 s; .reg .pred %q; .reg .b64 %d, %e; "+c.body)
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for _, b := range f.Blocks {
			got = append(got, len(b.Instrs))
			for _, to := range f.Graph.Succ[b.ID] {
				if len(f.Blocks[to].Instrs) == 0 && to < len(c.instrs) {
					t.Errorf("%s: block %d goes to %d, which is empty", c.name, b.ID, to)
				}
			}
		}
		if got = got[:min(len(got), len(c.instrs))]; !slices.Equal(got, c.instrs) {
			t.Errorf("%s: blocks of %v instructions, want %v", c.name, got, c.instrs)
		}
	}
}

func TestErrors(t *testing.T) {
	jump := &ptx.Instr{Op: "bra", Desc: isa.Lookup("bra"), Args: []ptx.Operand{&ptx.SymbolRef{Name: "GONE"}}}
	table := &ptx.Instr{Op: "brx", Desc: isa.Lookup("brx.idx"), Mods: []string{"idx"}, Args: []ptx.Operand{&ptx.RegRef{Name: "%r0"}, &ptx.SymbolRef{Name: "GONE"}}}
	for _, c := range []struct {
		stmt ptx.Stmt
		want string
	}{
		{jump, "not a label of this function"}, {table, "not a list of branch targets"}, {&ptx.Instr{Op: "bra", Desc: isa.Lookup("bra")}, "without a label"},
	} {
		f := &ptx.Func{Name: "k", Entry: true, Body: &ptx.Block{Stmts: []ptx.Stmt{c.stmt}}}
		if _, err := cfg.Build(f); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

// TestNames declares one name in several scopes; each has its own register.
func TestNames(t *testing.T) {
	for _, body := range []string{
		"{ .reg .b64 %r1; mov.b64 %r1, 0; } mov.b32 %r1, 0;",
		"{ .reg .b64 %r<3>; mov.b64 %r1, 0; } mov.b32 %r1, 0;",
		".reg .b32 x; { .reg .b64 x; mov.b64 x, 0; } mov.b32 x, 0;",
		".reg .b32 x1; { .reg .b64 x<4>; mov.b64 x1, 0; } mov.b32 x1, 0;",
		"{ .reg .b64 x; mov.b64 x, 0; } { .reg .b32 x; mov.b32 x, 0; }",
		"{ .reg .b64 x1; mov.b64 x1, 0; } { .reg .b32 x<2>; mov.b32 x1, 0; }",
		"{ .reg .b64 %r<9>; mov.b64 %r7, 0; } { .reg .b32 %r7; mov.b32 %r7, 0; }",
	} {
		f, err := build(t, body)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				r := in.Args[0].(*ptx.RegRef)
				d, ok := f.Register(r.Name)
				if size := map[string]int{"b64": 8, "b32": 4}[in.Mods[0]]; !ok || d.Type.Size() != size {
					t.Errorf("%q: %s is %v (%v), want %d bytes", body, r.Name, d.Type, ok, size)
				}
				names = append(names, r.Name)
			}
		}
		if len(names) != 2 || names[0] == names[1] {
			t.Errorf("%q: names %q", body, names)
		}
	}
}
