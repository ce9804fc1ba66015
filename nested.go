package warpgrind

import (
	"bytes"
	"fmt"

	"github.com/warpgrind/warpgrind/internal/host"
	"github.com/warpgrind/warpgrind/internal/lower"
	"github.com/warpgrind/warpgrind/internal/warp"
)

// nested turns what threads of a grid asked the device runtime for into what
// the host server runs, and gives their parameter buffers back.
func (d *device) nested(m *module, list []warp.Nested) ([]host.Nested, error) {
	var out []host.Nested
	var failed error
	for _, n := range list {
		h := host.Nested{Grid: n.Grid, Block: n.Block, Shared: n.Shared, Tail: n.Stream == warp.TailLaunch,
			Dst: n.Dst, Src: n.Src, Bytes: n.Bytes, Value: n.Value}
		if n.Site != nil {
			h.Where = n.Site.Loc.Pos.String()
		}
		if n.Kind == warp.NestedLaunch {
			if n.Buffer != 0 {
				al := d.arena.Find(n.Buffer)
				h.Params = bytes.Clone(d.arena.Bytes(n.Buffer, al.Size))
				if _, err := d.arena.Free(n.Buffer); err != nil {
					return nil, err
				}
			}
			k, err := m.kernelAt(n.Func)
			if err != nil && failed == nil {
				failed = err
			}
			h.Kernel = k
		}
		out = append(out, h)
	}
	return out, failed
}

// kernelAt finds the kernel of a child grid.
func (m *module) kernelAt(addr uint64) (host.Kernel, error) {
	name := lower.KernelAt(m.ptx, addr)
	if name == "" {
		return nil, fmt.Errorf("a child grid of the function at %#x, which is no kernel", addr)
	}
	return m.Kernel(name)
}
