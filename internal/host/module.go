package host

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/warpgrind/warpgrind/internal/host/protocol"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/ptx/fatbin"
	"github.com/warpgrind/warpgrind/internal/ptx/link"
)

// module is a loaded module of a process.
type module struct {
	Module
	name    string
	device  uint8
	symbols map[string]*mem.Allocation
	// renamed holds the module's names for those of a part.
	renamed map[string]string
}

// kernel is a resolved kernel with the limit that the program may raise.
type kernel struct {
	Kernel
	module *module
	// maxDynamic is cudaFuncAttributeMaxDynamicSharedMemorySize.
	maxDynamic uint64
	// nonPortable is cudaFuncAttributeNonPortableClusterSizeAllowed.
	nonPortable bool
}

// unsupportedError is what a Runner returns for a feature that it lacks.
type unsupportedError interface {
	error
	Unsupported() string
}

func (p *process) doLoad(q *request, in *protocol.Load, r *reply, out *protocol.LoadReply) {
	var m Meta
	if err := json.Unmarshal(in.Module.Meta, &m); err != nil {
		p.badModule(r, "module", fmt.Errorf("metadata: %w", err))
		return
	}
	text, err := m.text(in.Module, p.s.cfg.Arch.SM)
	if err != nil {
		p.badModule(r, "module", err)
		return
	}
	name := p.moduleName(q.device, m, text)
	mod, err := p.load(q.device, name, text, m, setOf(in.Managed))
	if err != nil {
		p.badModule(r, name, err)
		out.Log = err.Error()
		return
	}
	p.modules = append(p.modules, mod)
	out.ID, out.Kernels = uint32(len(p.modules)-1), mod.Kernels()
}

func setOf(names []string) map[string]bool {
	set := map[string]bool{}
	for _, n := range names {
		set[n] = true
	}
	return set
}

// moduleKey names a module of a device.
type moduleKey struct {
	device uint8
	name   string
}

// moduleName makes a name that no other module of the device has had, unless it
// had the same text and is unloaded or another process's: the facts about a
// kernel goes by its module's name, and programs that compile at run time load
// many modules of one name.
func (p *process) moduleName(device uint8, m Meta, text []byte) string {
	base := m.Module
	if base == "" {
		base = filepath.Base(m.Source)
	}
	sum := sha256.Sum256(text)
	for n := 1; ; n++ {
		k := moduleKey{device, base}
		if n > 1 {
			k.name = fmt.Sprintf("%s#%d", base, n)
		}
		if p.isLoaded(k) {
			continue
		}
		if had, ok := p.s.texts[k]; !ok || had == sum {
			p.s.texts[k] = sum
			return k.name
		}
	}
}

func (p *process) isLoaded(k moduleKey) bool {
	return slices.ContainsFunc(p.modules, func(m *module) bool { return m != nil && m.device == k.device && m.name == k.name })
}

func (p *process) badModule(r *reply, name string, err error) {
	var u unsupportedError
	if errors.As(err, &u) {
		r.code = ErrorNotSupported
		p.unsupported(u.Unsupported())
		return
	}
	var none *fatbin.NoImageError
	if errors.As(err, &none) {
		r.code = ErrorNoKernelImageForDevice
		p.unsupported(none.Error())
		return
	}
	if errors.Is(err, mem.ErrOutOfMemory) {
		r.code = ErrorMemoryAllocation
	} else {
		r.code = ErrorInvalidPtx
	}
	if f := p.s.cfg.Hooks.BadModule; f != nil {
		f(name, err)
	}
}

// load prepares a module, allocates its variables and gives them their
// initial values.
func (p *process) load(device uint8, name string, ptx []byte, meta Meta, managed map[string]bool) (*module, error) {
	var rm Module
	var err error
	p.s.prepare(func() { rm, err = p.s.cfg.Runner.Load(name, ptx, meta) })
	if err != nil {
		return nil, err
	}
	m := &module{Module: rm, name: name, device: device, symbols: map[string]*mem.Allocation{}}
	addr := map[string]uint64{}
	for n, a := range p.symbols[device] {
		addr[n] = a
	}
	vars := rm.Variables()
	for i, v := range vars {
		if v.External {
			continue
		}
		kind := mem.Symbol
		if managed[v.Name] {
			kind = mem.Managed
			if al := p.managedVariable(name, v.Name); al != nil {
				m.symbols[v.Name], addr[v.Name], vars[i].Init = al, al.Base, nil
				continue
			}
		}
		al, err := p.allocate(device, mem.Spec{Size: v.Size, Align: v.Align, Kind: kind, Name: v.Name,
			ReadOnly: v.Const, Unfilled: v.Const && v.Init == nil, Type: v.Type, Where: "variable " + v.Name})
		if err != nil {
			return nil, fmt.Errorf("variable %s of %d bytes: %w", v.Name, v.Size, err)
		}
		m.symbols[v.Name] = al
		addr[v.Name] = al.Base
	}
	if err := rm.Link(addr); err != nil {
		return nil, err
	}
	for n, al := range m.symbols {
		p.symbols[device][n] = al.Base
	}
	return m, p.initialize(m, vars, addr)
}

// managedVariable is the variable of the same module on another device, which
// all devices share, or nil.
func (p *process) managedVariable(module, name string) *mem.Allocation {
	for _, m := range p.modules {
		if m != nil && m.name == module && m.symbols[name] != nil && m.symbols[name].Kind == mem.Managed {
			return m.symbols[name]
		}
	}
	return nil
}

func (p *process) initialize(m *module, vars []Variable, addr map[string]uint64) error {
	for _, v := range vars {
		al := m.symbols[v.Name]
		if al == nil || v.Init == nil {
			continue
		}
		b := v.Init(func(name string) uint64 { return addr[name] })
		if uint64(len(b)) > v.Size {
			return fmt.Errorf("variable %s has %d bytes but %d initial ones", v.Name, v.Size, len(b))
		}
		copy(p.s.cfg.Arena.Bytes(al.Base, al.Size), b)
	}
	return nil
}

func (p *process) moduleByID(q *request, id uint32) *module {
	if uint64(id) >= uint64(len(p.modules)) || p.modules[id] == nil {
		q.bad = true
		return nil
	}
	return p.modules[id]
}

// doUnload gives back a module's variables. The module's id is not used again.
func (p *process) doUnload(q *request, in *protocol.Unload, _ *reply) {
	m := p.moduleByID(q, in.Module)
	if m == nil {
		return
	}
	p.await(q, p.work)
	p.modules[in.Module] = nil
	for _, al := range p.owned() {
		if m.symbols[al.Name] != al {
			continue
		}
		if p.symbols[m.device][al.Name] == al.Base {
			delete(p.symbols[m.device], al.Name)
		}
		if _, err := p.s.cfg.Arena.Free(al.Base); err == nil {
			p.released(al)
		}
	}
}

func (p *process) kernelByID(q *request, id uint32) *kernel {
	if uint64(id) >= uint64(len(p.kernels)) || p.kernels[id] == nil {
		q.bad = true
		return nil
	}
	return p.kernels[id]
}

// bug reports an error that is a panic: the program is told that its kernel is invalid, the
// user that warpgrind is.
func (p *process) bug(what string, err error) {
	var bad *panicError
	if h := p.s.cfg.Hooks.Internal; h != nil && errors.As(err, &bad) {
		h(fmt.Errorf("%s: %w", what, err))
	}
}

// doFunction answers the kernel's id, attributes and parameters.
func (p *process) doFunction(q *request, in *protocol.Function, r *reply, out *protocol.FunctionReply) {
	m, name := p.moduleByID(q, in.Module), in.Name
	if m == nil {
		return
	}
	var k Kernel
	var err error
	p.s.prepare(func() { k, err = promptly(q.ctx, p.s, func() (Kernel, error) { return m.Kernel(m.local(name)) }) })
	if q.ctx.Err() != nil {
		r.code = ErrorLaunchTimeout
		return
	}
	var u unsupportedError
	switch {
	case errors.As(err, &u):
		r.code = ErrorNotSupported
		p.unsupported(u.Unsupported())
		return
	case err != nil:
		p.bug("kernel "+name, err)
		p.misuse(q, r, ErrorInvalidDeviceFunction, "kernel %s: %s", name, err)
		return
	}
	a := p.s.cfg.Arch
	pk := p.newKernel(m, k)
	p.kernels = append(p.kernels, pk)
	threads := a.MaxThreads
	if n := k.MaxThreads(); n > 0 && n < threads {
		threads = n
	}
	*out = protocol.FunctionReply{ID: uint32(len(p.kernels) - 1),
		SharedBytes: uint32(k.SharedStatic()), LocalBytes: k.LocalBytes(), Registers: uint32(k.Registers()),
		MaxThreads: uint32(threads), Target: uint32(k.Target()), MaxDynamicShared: uint32(pk.maxDynamic),
		ConstBytes: m.constBytes(), Cluster: protocol.Dim3(k.Cluster())}
	for _, pa := range k.Params() {
		out.Params = append(out.Params, protocol.Param{Offset: pa.Offset, Size: pa.Size})
	}
}

// newKernel is a kernel with the limits of one that nothing was set for.
func (p *process) newKernel(m *module, k Kernel) *kernel {
	most := uint64(p.s.cfg.Arch.SharedPerBlock)
	return &kernel{Kernel: k, module: m, maxDynamic: most - min(uint64(k.SharedStatic()), most)}
}

// constBytes is the constant memory that the module takes.
func (m *module) constBytes() uint64 {
	var n uint64
	for _, al := range m.symbols {
		if al.ReadOnly {
			n += al.Size
		}
	}
	return n
}

// doVariable answers a variable's address and size.
func (p *process) doVariable(q *request, in *protocol.Variable, r *reply, out *protocol.VariableReply) {
	m, name := p.moduleByID(q, in.Module), in.Name
	if m == nil {
		return
	}
	al := m.symbols[m.local(name)]
	if al == nil { // NVIDIA's compilers name a static variable as the source does
		al = m.symbols[m.local(fmt.Sprintf("_ZL%d%s", len(name), name))]
	}
	if al == nil {
		p.misuse(q, r, ErrorInvalidSymbol, "the module has no variable %s", name)
		return
	}
	*out = protocol.VariableReply{Address: protocol.Pointer(al.Base), Size: al.Size}
}

// doLoadLinked links the modules with relocatable device code of one image of
// the program, and loads the result. It answers the number of the first one;
// the others' follow.
func (p *process) doLoadLinked(q *request, in *protocol.LoadLinked, r *reply, out *protocol.LoadLinkedReply) {
	var parts []link.Part
	var first Meta
	for i, part := range in.Parts {
		var m Meta
		if err := json.Unmarshal(part.Meta, &m); err != nil {
			p.badModule(r, "module", fmt.Errorf("metadata: %w", err))
			return
		}
		if i == 0 {
			first = m
		}
		name := m.Module
		if name == "" {
			name = filepath.Base(m.Source)
		}
		text, err := m.text(part, p.s.cfg.Arch.SM)
		if err != nil {
			p.badModule(r, name, err)
			return
		}
		parts = append(parts, link.Part{Name: name, Text: text})
	}
	if err := p.loadLinked(q.device, parts, first, setOf(in.Managed)); err != nil {
		p.badModule(r, first.Module, err)
		return
	}
	out.First = uint32(len(p.modules) - len(parts))
}

// loadLinked adds a module for each part; all of them are one but for the
// names that only a part may see.
func (p *process) loadLinked(device uint8, parts []link.Part, meta Meta, managed map[string]bool) error {
	linked, err := link.Link(parts)
	if err != nil {
		return err
	}
	for _, renamed := range linked.Renamed {
		for name, to := range renamed {
			managed[to] = managed[name]
		}
	}
	whole, err := p.load(device, p.moduleName(device, meta, linked.Text), linked.Text, meta, managed)
	if err != nil {
		return err
	}
	for _, renamed := range linked.Renamed {
		m := *whole
		m.renamed = renamed
		p.modules = append(p.modules, &m)
	}
	return nil
}

// local is the name in the module for a name in one of its parts.
func (m *module) local(name string) string {
	if to, ok := m.renamed[name]; ok {
		return to
	}
	return name
}
