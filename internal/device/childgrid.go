package device

import (
	"bytes"
	"fmt"

	"github.com/warpgrind/warpgrind/internal/engine"
	"github.com/warpgrind/warpgrind/internal/host"
	"github.com/warpgrind/warpgrind/internal/lower"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/devrt"
)

// childGrids joins the engine's side of the device runtime to the host server's.
type childGrids struct {
	d *Device
	m *module
	h host.Nesting
	// failed is why a child grid cannot run that the program may launch.
	failed error
}

// newChildGrids serves the threads of a launch; nil where the server serves none.
func (d *Device) newChildGrids(m *module, h host.Nesting) *childGrids {
	return &childGrids{d: d, m: m, h: h}
}

// engine returns what the engine asks, nil where nothing serves it.
func (n *childGrids) engine() engine.ChildGrids {
	if n.h == nil {
		return nil
	}
	return n
}

// Prepare implements engine.ChildGrids.
func (n *childGrids) Prepare(w *devrt.ChildWork) (size uint64, code uint32) {
	k, err := n.m.kernelAt(w.Func)
	if err != nil {
		n.fail(err)
		return 0, uint32(host.ErrorInvalidDeviceFunction)
	}
	for _, p := range k.Params() {
		size = max(size, uint64(p.Offset)+uint64(p.Size))
	}
	h := toHost(w)
	h.Kernel = k
	return size, uint32(n.h.Check(&h))
}

func (n *childGrids) fail(err error) {
	if n.failed == nil {
		n.failed = err
	}
}

// Wait implements engine.ChildGrids.
func (n *childGrids) Wait(site *trace.Site, printed []byte, list []devrt.ChildWork) (code uint32, ok bool) {
	if c := n.h.MayWait(site); c != host.Success {
		return uint32(c), n.h.Wait(printed, nil)
	}
	out, err := n.take(list)
	if err != nil {
		n.fail(err)
		return 0, false
	}
	return 0, n.h.Wait(printed, out)
}

// take turns what threads of a grid asked the device runtime for into what the
// host server runs, and gives their parameter buffers back.
func (n *childGrids) take(list []devrt.ChildWork) ([]host.ChildWork, error) {
	var out []host.ChildWork
	for i := range list {
		w := &list[i]
		h := toHost(w)
		if w.Kind == devrt.ChildLaunch {
			if w.Buffer != 0 {
				al := n.d.Arena.Find(w.Buffer)
				h.Params = bytes.Clone(n.d.Arena.Bytes(w.Buffer, al.Size))
				if _, err := n.d.Arena.Free(w.Buffer); err != nil {
					return nil, err
				}
			}
			k, err := n.m.kernelAt(w.Func)
			if err != nil {
				return nil, err
			}
			h.Kernel = k
		}
		out = append(out, h)
	}
	return out, nil
}

var childKinds = [...]host.ChildWorkKind{devrt.ChildLaunch: host.ChildLaunch, devrt.ChildCopy: host.ChildCopy,
	devrt.ChildFill: host.ChildFill, devrt.ChildRecord: host.ChildRecord, devrt.ChildAwait: host.ChildAwait}

func toHost(w *devrt.ChildWork) host.ChildWork {
	h := host.ChildWork{Kind: childKinds[w.Kind], Child: w.Child, Stream: w.Stream, Event: w.Event, Grid: w.Grid, Block: w.Block,
		Shared: w.Shared, Dst: w.Dst, Src: w.Src, Bytes: w.Bytes, Value: w.Value, Site: w.Site}
	if w.Site != nil {
		h.Where = w.Site.Loc.Pos.String()
	}
	return h
}

// kernelAt finds the kernel of a child grid.
func (m *module) kernelAt(addr uint64) (host.Kernel, error) {
	name := lower.KernelAt(m.ptx, addr)
	if name == "" {
		return nil, fmt.Errorf("a child grid of the function at %#x, which is not a kernel", addr)
	}
	return m.Kernel(name)
}
