package host

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/warpgrind/warpgrind/internal/host/protocol"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/ptx/fatbin"
	"github.com/warpgrind/warpgrind/internal/ptx/link"
)

// FatbinPTX is the Meta.Build of PTX from a fat binary.
const FatbinPTX = "nvcc"

// doUnpack takes the PTX out of the fat binaries of a module that NVIDIA's
// compiler built. The first fat binary is the module's own; those
// after it, if any, are what it was linked from when device code is
// relocatable.
func (p *process) doUnpack(q *request, in *protocol.Unpack, r *reply, out *protocol.UnpackReply) {
	text, err := p.unpack(in.Images)
	var none *fatbin.NoPTXError
	switch {
	case errors.As(err, &none):
		r.code = ErrorNoKernelImageForDevice
		p.unsupported(none.Error())
	case err != nil: // also a *fatbin.NoImageError
		p.badModule(r, "fat binary", err)
	default:
		out.PTX = text
	}
}

func (p *process) unpack(images [][]byte) ([]byte, error) {
	sm := p.s.cfg.Arch.SM
	text, err := fatbin.PTX(images[0], sm)
	var none *fatbin.NoPTXError
	if len(images) == 1 || !errors.As(err, &none) {
		return text, err
	}
	var parts []link.Part
	for i, image := range images[1:] {
		if text, err = fatbin.PTX(image, sm); err != nil {
			return nil, err
		}
		parts = append(parts, link.Part{Name: fmt.Sprintf("part %d", i+1), Text: text})
	}
	linked, err := link.Link(parts)
	if err != nil {
		return nil, err
	}
	return linked.Text, nil
}

// gridWorkspace is where the grid barrier of the toolkit's cooperative groups
// lies: a word with its own size and one that the blocks count in. Kernels find
// it by way of %envreg1 and %envreg2. It is 0 if there is no memory for it.
func (p *process) gridWorkspace(device uint8) uint64 {
	const name, size = "grid workspace", 8
	if base, ok := p.symbols[device][name]; ok {
		return base
	}
	al, err := p.allocate(device, mem.Spec{Size: size, Align: size, Kind: mem.Symbol, Name: name, Where: name})
	if err != nil {
		return 0
	}
	binary.LittleEndian.PutUint32(p.s.cfg.Arena.Bytes(al.Base, size), size)
	p.symbols[device][name] = al.Base
	return al.Base
}
