package device

import (
	"maps"
	"slices"

	"github.com/warpgrind/warpgrind/internal/buffers"
	"github.com/warpgrind/warpgrind/internal/host"
	"github.com/warpgrind/warpgrind/internal/mem"
)

// Launch is one launch as an Observer sees it.
type Launch struct {
	// ID counts launches from 0, Kernel is the mangled name.
	ID     int
	Kernel string
	Config host.LaunchConfig
	Params []buffers.Param
	Arena  *mem.Arena
	Module Module
	// Nests is set if the kernel may launch child grids.
	Nests bool
}

// Module is the module of a launch's kernel: its name, its PTX, how it was built (host.Meta), the
// files that its positions name, and the addresses of its variables.
type Module struct {
	Name, Build string
	PTX         []byte
	Files       []string
	Addresses   map[string]uint64
}

// describe describes the module of a kernel.
func (m *module) describe() Module {
	var files []string
	for _, i := range slices.Sorted(maps.Keys(m.ptx.Files)) {
		if f := m.ptx.Files[i]; !slices.Contains(files, f) {
			files = append(files, f)
		}
	}
	return Module{Name: m.ptx.Name, Build: m.build, PTX: m.text, Files: files, Addresses: m.addr}
}

// Observer looks at each launch before it begins and after it has ended.
type Observer interface {
	Before(*Launch)
	After(*Launch)
}

// observed calls the observers before a launch, and returns what calls them after it.
func (d *Device) observed(k *kernel, c host.LaunchConfig) (after func()) {
	if len(d.Observers) == 0 {
		return func() {}
	}
	var offsets, sizes []uint32
	for _, p := range k.Params() {
		offsets, sizes = append(offsets, p.Offset), append(sizes, p.Size)
	}
	l := &Launch{ID: c.ID, Kernel: k.prog.Name, Config: c, Arena: d.Arena, Module: k.module.describe(), Nests: k.prog.Nests,
		Params: buffers.Params(k.prog.Name, c.Params, offsets, sizes)}
	for _, o := range d.Observers {
		o.Before(l)
	}
	return func() {
		for _, o := range d.Observers {
			o.After(l)
		}
	}
}
