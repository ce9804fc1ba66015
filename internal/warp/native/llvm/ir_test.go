package llvm

import (
	"bytes"
	"os"
	"os/exec"
	"testing"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/native"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// loadsOfOnePlace are loads of one address for all lanes: elements of each size, into registers that are as wide or wider.
func loadsOfOnePlace() (list []program.Mem) {
	for _, elem := range []int{1, 2, 4, 8} {
		for _, w := range []alu.Width{alu.W32, alu.W64} {
			for _, sign := range []int{0, 16, 32, 64} {
				if elem > w.Bytes() || sign != 0 && (sign < 8*elem || sign > 8*w.Bytes()) {
					continue
				}
				list = append(list, program.Mem{Site: &trace.Site{Kind: trace.Read, Space: trace.SpaceGlobal, Size: elem, Elem: elem}, Space: trace.SpaceGlobal,
					Elem: elem, Count: 1, Regs: [4]int32{64, program.NoSlot, program.NoSlot, program.NoSlot}, Width: w, SignBits: sign,
					Base: 0, BaseWidth: alu.W64, Scalar: true, Bcast: [4]int32{program.NoSlot, program.NoSlot, program.NoSlot, program.NoSlot}})
			}
		}
	}
	return list
}

// TestIR compiles the IR of all operations.
func TestIR(t *testing.T) {
	clang, err := exec.LookPath("clang-19")
	if err != nil {
		t.Skip(err)
	}
	var code []program.Instr
	code = append(code, program.Instr{Op: program.OpEnter, Guard: program.NoSlot, N: 1})
	for _, op := range native.Operations() {
		c := program.OpVec
		if op.Dst == alu.Pred {
			c = program.OpCmp
		}
		code = append(code, program.Instr{Op: c, ALU: op, Dst: op.Dst, Guard: program.NoSlot, D: 64, D2: program.NoSlot, A: 512, B: 1024, C: 1536, E: 2048})
	}
	p := &program.Program{Slab: 4096, Uniform: 64, StackTop: program.NoSlot, Funcs: []program.Func{{}}}
	for _, m := range loadsOfOnePlace() {
		code = append(code, program.Instr{Op: program.OpLoad, Guard: program.NoSlot, X: int32(len(p.Mems))})
		m.Site.ID = len(p.Mems)
		p.Mems = append(p.Mems, m)
	}
	p.Code = append(code, program.Instr{Op: program.OpReturn, Guard: program.NoSlot})
	pl, err := native.NewPlan(p)
	if err != nil {
		t.Fatal(err)
	}
	pl.Kept[pl.Id(64)] = true
	text, entries := irModule(pl, 0, false)
	if len(entries[0]) == 0 || len(entries[1]) == 0 {
		t.Error("no entries")
	}
	if f := os.Getenv("IR_TO"); f != "" {
		os.WriteFile(f, []byte(text), 0o644)
	}
	cmd := exec.Command(clang, "-x", "ir", "-c", "-O0", "-o", t.TempDir()+"/x.o", "-")
	cmd.Stdin = bytes.NewReader([]byte(text))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s", out[:min(len(out), 3000)])
	}
}

// TestIRIsTheSame: a program has the same text each time, or its code would not be found in the cache. Lanes part and meet in it, and it
// accesses local and global memory.
func TestIRIsTheSame(t *testing.T) {
	none := [4]int32{program.NoSlot, program.NoSlot, program.NoSlot, program.NoSlot}
	access := func(space trace.Space, kind trace.Kind, id int) program.Mem {
		return program.Mem{Site: &trace.Site{ID: id, Kind: kind, Space: space, Size: 4, Elem: 4}, Space: space, Elem: 4, Count: 1,
			Regs: [4]int32{64, program.NoSlot, program.NoSlot, program.NoSlot}, Width: alu.W32, Base: 0, BaseWidth: alu.W64, Scalar: true, Bcast: none}
	}
	p := &program.Program{Slab: 4096, Uniform: 64, StackTop: program.NoSlot, Funcs: []program.Func{{}},
		Mems:     []program.Mem{access(trace.SpaceGlobal, trace.Read, 0), access(trace.SpaceLocal, trace.Write, 1)},
		Branches: []program.Branch{{Target: 4, Meet: 4}},
		Code: []program.Instr{
			{Op: program.OpEnter, Guard: program.NoSlot, N: 4, X: program.NoBlock},
			{Op: program.OpBranch, Guard: program.NoSlot, A: 512},
			{Op: program.OpLoad, Guard: program.NoSlot, X: 0},
			{Op: program.OpStore, Guard: program.NoSlot, X: 1},
			{Op: program.OpEnter, Guard: program.NoSlot, N: 1, X: program.NoBlock, Join: true},
			{Op: program.OpReturn, Guard: program.NoSlot},
		}}
	pl, err := native.NewPlan(p)
	if err != nil {
		t.Fatal(err)
	}
	first, _ := irModule(pl, 0, false)
	for range 10 {
		if text, _ := irModule(pl, 0, false); text != first {
			t.Fatal("two texts of one program differ")
		}
	}
}
