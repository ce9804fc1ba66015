// Package lower turns a kernel of a PTX module, with all that it calls, into a flat
// program for the executors of package warp.
//
//	entry of a module
//	      | collect     the functions that the kernel reaches, as control-flow graphs,
//	      |             with registers of 128 bits split in two
//	      v
//	layout              offsets of parameters, of shared and of local variables
//	      |
//	      v
//	uniformity          which registers have one value for the lanes that run together
//	      |
//	      v
//	arguments           which objects functions are called with
//	      |
//	      v
//	emit                one step or a few for each instruction, on numbered slots; old
//	      |             spellings are completed (legal.go); every memory instruction
//	      |             becomes a site, with the objects its address comes from (provenance)
//	      v
//	share, ranges       slots that do not live at the same time share a place
//	      |
//	      v
//	finish              places in the slab, preloaded parameters, fixed-up targets
//	      |
//	      v
//	program.Program     verify checks it in tests
//
// Everything here is a pure function of the module and the addresses of its variables.
// An instruction that cannot be executed does not fail: it becomes a step that stops the
// kernel when it reaches it. How an instruction is lowered is chosen by its kind
// (inst.Kind) or, where it only computes, by its opcode (emit.go); a new instruction is a method of
// the emitter and a line there.
//
// The state is in unit.go (one kernel with its functions, registers and slots) and emitter.go (the
// function and instruction that are lowered now). The files between those and emit.go lower one family
// of instructions each.
//
// Two questions about a register are answered here and, in another way, by package
// analysis; docs/rationale/execution.md says why.
package lower

import (
	"fmt"
	"slices"

	"github.com/warpgrind/warpgrind/internal/cfg"
	"github.com/warpgrind/warpgrind/internal/graph"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// Kernel lowers the entry of that name. Instructions that cannot be executed
// do not fail here: they stop the kernel when it reaches them.
func Kernel(m *ptx.Module, name string, syms Symbols) (*program.Program, error) {
	u, err := lowerKernel(m, name, syms, false)
	if err != nil {
		return nil, err
	}
	return u.prog, nil
}

func lowerKernel(m *ptx.Module, name string, syms Symbols, check bool) (*unit, error) {
	k := m.Func(name)
	if k == nil || !k.Entry || k.Body == nil {
		return nil, &Error{File: m.Name, Msg: fmt.Sprintf("no kernel %q in this module", name)}
	}
	u := &unit{
		check: check, mod: m, syms: syms, funcs: map[string]*fn{}, shared: map[string]uint64{},
		prog:   &program.Program{Name: name, StackTop: program.NoSlot, FuncAt: map[uint64]int{}},
		consts: map[constKey]int32{}, specials: map[string]special{}, slots: make([]slot, 1),
	}
	if err := u.emit(k); err != nil {
		return nil, err
	}
	u.markRestricted()
	u.finish()
	if u.prog.Slab > maxRegisters {
		return nil, &Error{m.Name, k.Pos, fmt.Sprintf("kernel %s needs %d KiB of registers a thread at once, at most %d",
			name, u.prog.Slab>>15, maxRegisters>>15)}
	}
	return u, nil
}

// emit makes the code of the kernel and of all that it calls, with numbers of
// slots for places in the slab.
func (u *unit) emit(k *ptx.Func) error {
	if err := u.collect(k); err != nil {
		return err
	}
	u.layoutParams(k)
	u.layoutShared()
	u.layoutLocal()
	for _, f := range u.order {
		u.analyze(f)
		f.inFlight, f.unfenced = findInFlight(f), findUnfenced(f)
	}
	u.findArguments()
	for _, f := range u.order {
		if err := u.emitFunc(f); err != nil {
			return err
		}
	}
	return nil
}

// collect builds the graphs of all functions that the kernel reaches.
func (u *unit) collect(k *ptx.Func) error {
	if _, err := u.addFunc(k); err != nil {
		return err
	}
	for i := 0; i < len(u.order); i++ {
		if err := u.addCallees(u.order[i]); err != nil {
			return err
		}
	}
	u.markReentrant()
	return nil
}

func (u *unit) addFunc(f *ptx.Func) (*fn, error) {
	if have, ok := u.funcs[f.Name]; ok {
		return have, nil
	}
	g, err := cfg.Build(f)
	if err != nil {
		if ce, ok := err.(*cfg.Error); ok {
			return nil, &Error{u.mod.Name, ce.Pos, ce.Msg}
		}
		return nil, err
	}
	splitWide(g)
	n := &fn{
		name: f.Name, index: len(u.order), g: g, subarrays: subarraysOf(f), decisions: decisionsOf(f), scopes: scopesOf(f), silent: silentOf(f), regs: map[string]*reg{},
		words: map[string][]int32{}, locals: map[string]uint64{}, baseSlot: program.NoSlot,
	}
	u.funcs[f.Name] = n
	u.order = append(u.order, n)
	return n, nil
}

// addCallees adds what f calls. Once there is an indirect call, every
// function whose address is taken anywhere counts as called.
func (u *unit) addCallees(f *fn) error {
	for _, b := range f.g.Blocks {
		for _, in := range b.Instrs {
			if in.Op != "call" {
				continue
			}
			c := parseCall(in)
			if c.target == nil {
				if !u.indirect {
					u.indirect = true
					if err := u.addTaken(); err != nil {
						return err
					}
				}
				f.calls = append(f.calls, "*")
				continue
			}
			callee := u.resolveFunc(c.target.Name)
			if callee == nil || callee.Body == nil {
				continue
			}
			if _, err := u.addFunc(callee); err != nil {
				return err
			}
			f.calls = append(f.calls, callee.Name)
		}
	}
	return nil
}

// addTaken adds all functions whose address the module takes.
func (u *unit) addTaken() error {
	for _, name := range takenAddresses(u.mod) {
		f := u.resolveFunc(name)
		if f == nil || f.Body == nil || f.Entry {
			continue
		}
		n, err := u.addFunc(f)
		if err != nil {
			return err
		}
		u.prog.FuncAt[FuncAddr(u.mod, name)] = n.index
	}
	return nil
}

// markReentrant finds the functions that can be entered again before they
// return: those on a cycle of the call graph.
func (u *unit) markReentrant() {
	g := graph.New(len(u.order))
	for _, f := range u.order {
		for _, c := range f.calls {
			if c != "*" {
				g.Add(f.index, u.funcs[c].index)
				continue
			}
			for _, t := range u.prog.FuncAt {
				g.Add(f.index, t)
			}
		}
	}
	_, cyclic := g.SCC()
	for i, f := range u.order {
		f.reentrant = cyclic[i] || f.allocates()
	}
}

func (u *unit) layoutParams(k *ptx.Func) {
	off := 0
	for _, p := range k.Params {
		a := p.Alignment()
		off = (off + a - 1) / a * a
		u.prog.Params = append(u.prog.Params, program.Param{Offset: off, Size: int(p.Size())})
		off += int(p.Size())
	}
	u.prog.ParamSize = off
	for _, d := range k.Directives {
		n := 1
		for _, a := range d.Args {
			n *= int(a)
		}
		switch d.Name {
		case "maxntid", "reqntid":
			u.prog.MaxThreads = n
		case "maxnreg":
			u.prog.MaxRegisters = n
		case "minnctapersm":
			u.prog.MinBlocks = n
		}
	}
}

// layoutShared places the shared variables that the reachable code names.
// All extern (dynamic) arrays begin after the static ones.
func (u *unit) layoutShared() {
	used := u.usedSymbols()
	compiler := u.mod.Producer() == ptx.Triton
	var off uint64
	var dynamic []*ptx.Variable
	dynAlign := uint64(16)
	place := func(v *ptx.Variable) {
		if _, done := u.shared[v.Name]; done || v.Space != ptx.Shared {
			return
		}
		if v.Linkage == ptx.Extern || v.Size() == 0 {
			dynamic = append(dynamic, v)
			dynAlign = max(dynAlign, uint64(v.Alignment()))
			u.shared[v.Name] = 0
			return
		}
		a := uint64(v.Alignment())
		off = (off + a - 1) / a * a
		u.shared[v.Name] = off
		u.prog.Shared = append(u.prog.Shared, trace.Variable{Name: v.Name, Addr: off, Size: uint64(v.Size()), Compiler: compiler})
		off += uint64(v.Size())
	}
	for _, it := range u.mod.Items {
		if v, ok := it.(*ptx.Variable); ok && used[v.Name] {
			place(v)
		}
	}
	for _, f := range u.order {
		for _, v := range f.g.Vars {
			place(v)
		}
	}
	u.typeShared()
	if len(dynamic) > 0 {
		off = (off + dynAlign - 1) / dynAlign * dynAlign
	}
	u.prog.SharedStatic = uint32(off)
	for _, v := range dynamic {
		u.shared[v.Name] = off
		u.prog.Shared = append(u.prog.Shared, trace.Variable{Name: v.Name, Addr: off, Dynamic: true, Compiler: compiler})
	}
}

// usedSymbols collects every name that reachable code refers to.
func (u *unit) usedSymbols() map[string]bool {
	used := map[string]bool{}
	for _, f := range u.order {
		for _, b := range f.g.Blocks {
			for _, in := range b.Instrs {
				for _, a := range in.Args {
					walkSymbols(a, func(s *ptx.SymbolRef) { used[s.Name] = true })
				}
			}
		}
	}
	return used
}

// layoutLocal places local variables: functions that are not reentrant get
// fixed offsets, which no two share.
func (u *unit) layoutLocal() {
	var top uint64
	for _, f := range u.order {
		f.spilled = f.addressedParams()
		for _, v := range append(f.spilled, f.g.Vars...) {
			if v.Space != ptx.Local && !slices.Contains(f.spilled, v) {
				continue
			}
			a := uint64(max(v.Alignment(), 8))
			f.frameSize = (f.frameSize + a - 1) / a * a
			f.locals[v.Name] = f.frameSize
			f.frameSize += uint64(v.Size())
		}
		f.frameSize = (f.frameSize + 15) / 16 * 16
		if !f.reentrant {
			f.base = top
			top += f.frameSize
		}
	}
	u.prog.StackBase = uint32(top)
}
