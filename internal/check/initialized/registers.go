package initialized

import "github.com/warpgrind/warpgrind/internal/trace"

// Unset is for trace.UndefinedObserver: what is in a register that nothing has written is
// followed as uninitialized memory is.
func (b *blockObserver) Unset(e *trace.UnsetRegister) {
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
