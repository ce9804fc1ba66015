package lower

import (
	"github.com/warpgrind/warpgrind/internal/cfg"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// setRegisters lowers setmaxnreg.inc and setmaxnreg.dec.
func (e *emitter) setRegisters(in *ptx.Instr, _ *cfg.Block) error {
	n, ok := in.Args[0].(*ptx.Imm)
	if !ok || n.Value > 256 {
		return unsupportedf("%s without a constant up to 256", in.Opcode())
	}
	s := &program.SetRegisters{Site: e.site(trace.Site{}), Count: int(n.Value), More: in.Has("inc")}
	e.together(s.Site)
	e.addStep(s, s.Site)
	return nil
}
