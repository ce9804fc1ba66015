package initialized

import "github.com/warpgrind/warpgrind/internal/trace"

// Unset is for trace.UndefinedObserver: what is in a register that nothing has written is
// followed as uninitialized memory is, unless a proof shows that it does not matter.
func (b *blockObserver) Unset(e *trace.UnsetRegister) {
	if !e.Tensor && !b.in.unset {
		return
	}
	var addr, missing [32]uint64
	for l := range missing {
		missing[l] = 1<<e.Bytes - 1
	}
	k := readKey{e.Site.ID, trace.SpaceRegister, -1}
	if e.Tensor {
		k.space = trace.SpaceTensor
	}
	b.tracker.confirm(b.tracker.read(k, e.Warp, e.Mask, &addr, &missing, nil, e.Origin, trace.Memory{}), e.Mask)
}

// register reports whether s is a site that reads a register which may not have been written, or a local variable that lives in
// registers.
func register(s *trace.Site) bool {
	return s.Register != "" || s.Local != nil && s.Local.Register && s.Kind == trace.Read
}
