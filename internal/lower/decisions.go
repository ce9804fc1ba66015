package lower

import (
	"github.com/warpgrind/warpgrind/internal/pragma"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// decisionsOf returns the instructions of a function that copy a condition which is counted.
func decisionsOf(f *ptx.Func) map[*ptx.Instr]bool {
	list := map[*ptx.Instr]bool{}
	for in := range marks(f, pragma.ReadDecide) {
		list[in] = true
	}
	return list
}

// decision adds the step that counts a condition, in place of the instruction that copies it.
func (e *emitter) decision(in *ptx.Instr) error {
	a, err := e.arith().vec(in.Args[1], alu.Pred)
	if err != nil {
		return err
	}
	p := e.u.prog
	p.Decisions = append(p.Decisions, in.Pos.Line)
	e.add(program.Instr{Op: program.OpDecide, A: a, X: int32(len(p.Decisions) - 1)})
	return nil
}
