package lower

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/cfg"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// access is what the modifiers of a memory instruction say.
type access struct {
	space trace.Space
	param bool
	order trace.Order
	scope trace.Scope
	typ   isa.Type
	count int
}

var spaceMods = map[string]trace.Space{
	"global": trace.SpaceGlobal, "shared": trace.SpaceShared, "local": trace.SpaceLocal,
	"const": trace.SpaceConst, "shared::cta": trace.SpaceShared,
	"shared::cluster": trace.SpaceShared, // of the block that the address names
}

var orderMods = map[string]trace.Order{
	"weak": trace.OrderWeak, "volatile": trace.OrderVolatile, "relaxed": trace.OrderRelaxed, "mmio": trace.OrderRelaxed,
	"acquire": trace.OrderAcquire, "release": trace.OrderRelease, "acq_rel": trace.OrderAcqRel, "sc": trace.OrderSC,
}

var scopeMods = map[string]trace.Scope{
	"cta": trace.ScopeCTA, "cluster": trace.ScopeCluster, "gpu": trace.ScopeGPU, "gl": trace.ScopeGPU, "sys": trace.ScopeSys,
}

func parseAccess(in *ptx.Instr) access {
	a := access{count: 1}
	for _, m := range in.Mods {
		if s, ok := spaceMods[m]; ok {
			a.space = s
		} else if o, ok := orderMods[m]; ok {
			a.order = o
		} else if s, ok := scopeMods[m]; ok {
			a.scope = s
		} else if t := isa.ParseType(m); t != isa.TypeNone {
			a.typ = t
		} else {
			a.word(m)
		}
	}
	if a.order == trace.OrderVolatile {
		a.scope = trace.ScopeSys
	}
	return a
}

// access is parseAccess for a load or store.
func (e *emitter) access(in *ptx.Instr) access {
	a := parseAccess(in)
	if a.order == trace.OrderWeak && e.u.mod.Refetches(in) {
		a.order, a.scope = trace.OrderVolatile, trace.ScopeSys
	}
	return a
}

func (a *access) word(m string) {
	switch {
	case m == "param" || strings.HasPrefix(m, "param::"):
		a.space, a.param = trace.SpaceParam, true
	case m == "v2":
		a.count = 2
	case m == "v4":
		a.count = 4
	case m == "v8":
		a.count = 8
	}
}

// memory builds the description that loads, stores and atomics share.
func (e *emitter) memory(in *ptx.Instr, a access, kind trace.Kind) (program.Mem, error) {
	size := a.typ.Size()
	if size == 0 || size > 8 || a.count > 4 {
		return program.Mem{}, unsupportedf("instruction %s is not supported", in.Opcode())
	}
	m := program.Mem{
		Space: a.space, Elem: size, Count: a.count, Base: program.NoSlot, B: program.NoSlot, C: program.NoSlot,
		Width: alu.W32,
	}
	for i := range m.Regs {
		m.Regs[i], m.Bcast[i] = program.NoSlot, program.NoSlot
	}
	if size == 8 {
		m.Width = alu.W64
	}
	m.Site = e.site(trace.Site{
		Space: a.space, Kind: kind, Order: a.order, Scope: a.scope, Size: size * a.count, Elem: size,
	})
	return m, nil
}

// address fills in base and offset.
func (e *emitter) address(m *program.Mem, o ptx.Operand) error {
	ad, ok := o.(*ptx.Address)
	if !ok {
		return unsupportedf("address of this form is not supported")
	}
	m.Offset = uint64(ad.Offset)
	switch b := ad.Base.(type) {
	case nil:
		return nil
	case *ptx.RegRef:
		r := e.f.reg(b)
		if r == nil || r.width == alu.Pred {
			return unsupportedf("%s is not an address", b.Name)
		}
		m.Base, m.BaseWidth, m.Scalar = r.slot, r.width, !r.varying
		e.markRoots(m.Site, r)
		e.bound(m, b)
		if m.Scalar && r.width == alu.W32 {
			m.Offset = uint64(ad.Offset)
		}
		return nil
	case *ptx.SymbolRef:
		e.bound(m, b)
		if base, ok := e.localBase(b); ok {
			m.Base, m.BaseWidth = base, alu.W64
			return nil
		}
		v, err := e.symbol(b.Name)
		if err != nil {
			return err
		}
		if m.Space == trace.SpaceGeneric {
			v += e.window(b.Name)
		}
		m.Offset += v + uint64(b.Offset)
		return nil
	}
	return unsupportedf("address of this form is not supported")
}

// elems lists the registers of a scalar or vector operand.
func elems(o ptx.Operand) []ptx.Operand {
	if v, ok := o.(*ptx.Vector); ok {
		return v.Elems
	}
	return []ptx.Operand{o}
}

func (e *emitter) load(in *ptx.Instr, _ *cfg.Block) error {
	a := e.access(in)
	if a.count == 8 {
		return e.vectorHalves(in, (*emitter).load)
	}
	e.paramPointer(&a, in.Args[1])
	if words, off, ok := e.wordOperand(a, in.Args[1]); ok {
		return e.loadWords(in, a, words, off)
	}
	m, err := e.memory(in, a, trace.Read)
	if err != nil {
		return err
	}
	if err := e.address(&m, in.Args[1]); err != nil {
		return err
	}
	dsts := elems(in.Args[0])
	if len(dsts) != m.Count {
		return unsupportedf("%s with %d registers", in.Opcode(), len(dsts))
	}
	uniform := 0
	var regs [4]*reg
	for i, d := range dsts {
		r, err := e.dest(d)
		if err != nil {
			return err
		}
		if r == nil {
			uniform++
			continue
		}
		regs[i] = r
		m.Regs[i], m.Width = r.slot, r.width
		if a.typ.IsSigned() {
			m.SignBits = r.bits()
		}
		if !r.varying {
			uniform++
		}
	}
	m.ScalarRegs = uniform == len(dsts) && (m.Scalar || m.Base == program.NoSlot)
	if uniform > 0 && !m.ScalarRegs {
		for i, r := range regs {
			if r != nil && !r.varying {
				m.Regs[i] = e.vecReg(r)
			}
		}
	}
	x := len(e.u.prog.Mems)
	e.u.prog.Mems = append(e.u.prog.Mems, m)
	if m.ScalarRegs {
		e.u.lateBcast = append(e.u.lateBcast, lateBcast{x, regs})
		if m.Space == trace.SpaceParam && m.Base == program.NoSlot && e.guard == program.NoSlot && onlyWrites(regs) &&
			m.Offset+uint64(m.Elem*m.Count) <= uint64(e.u.prog.ParamSize) {
			e.u.prog.Preloads = append(e.u.prog.Preloads, int32(x))
			return nil
		}
	}
	if a.order >= trace.OrderVolatile && a.space != trace.SpaceShared && a.space != trace.SpaceLocal {
		e.u.prog.Ordered = true
	}
	e.add(program.Instr{Op: program.OpLoad, X: int32(x)})
	return nil
}

// onlyWrites reports whether each register is written by one instruction.
func onlyWrites(regs [4]*reg) bool {
	for _, r := range regs {
		if r != nil && r.defs != 1 {
			return false
		}
	}
	return true
}

// wordOperand resolves an address in the parameters of a call or a device
// function, which live in words.
func (e *emitter) wordOperand(a access, o ptx.Operand) (words []int32, off int, ok bool) {
	ad, isAddr := o.(*ptx.Address)
	if !a.param || !isAddr {
		return nil, 0, false
	}
	s, isSym := ad.Base.(*ptx.SymbolRef)
	if !isSym {
		if r, isReg := ad.Base.(*ptx.RegRef); isReg {
			words, ok = e.f.words[r.Name]
			return words, int(ad.Offset), ok
		}
		return nil, 0, false
	}
	words, ok = e.f.words[s.Name]
	return words, int(ad.Offset + s.Offset), ok
}

func (e *emitter) loadWords(in *ptx.Instr, a access, words []int32, off int) error {
	n := a.typ.Size()
	if n == 0 || n > 8 || off < 0 {
		return unsupportedf("instruction %s is not supported", in.Opcode())
	}
	for i, d := range elems(in.Args[0]) {
		r, err := e.dest(d)
		if err != nil {
			return err
		}
		if r == nil {
			continue
		}
		sign := 0
		if a.typ.IsSigned() && r.bits() > n*8 {
			sign = r.bits()
		}
		e.readWords(r.slot, r.width, words, off+i*n, n, sign)
	}
	return nil
}

func (e *emitter) store(in *ptx.Instr, _ *cfg.Block) error {
	a := e.access(in)
	if a.count == 8 {
		return e.vectorHalves(in, (*emitter).store)
	}
	e.paramPointer(&a, in.Args[0])
	if words, off, ok := e.wordOperand(a, in.Args[0]); ok {
		return e.storeWords(in, a, words, off)
	}
	m, err := e.memory(in, a, trace.Write)
	if err != nil {
		return err
	}
	if err := e.address(&m, in.Args[0]); err != nil {
		return err
	}
	srcs := elems(in.Args[1])
	if len(srcs) != m.Count {
		return unsupportedf("%s with %d registers", in.Opcode(), len(srcs))
	}
	for i, s := range srcs {
		m.Width = e.storeWidth(s, m)
		if m.Regs[i], err = e.vec(s, m.Width); err != nil {
			return err
		}
	}
	e.u.prog.Mems = append(e.u.prog.Mems, m)
	e.add(program.Instr{Op: program.OpStore, X: int32(len(e.u.prog.Mems) - 1)})
	return nil
}

// storeWidth is the width of a stored register, which may be wider than what
// is stored, or of a constant.
func (e *emitter) storeWidth(o ptx.Operand, m program.Mem) alu.Width {
	if m.Elem == 8 {
		return alu.W64
	}
	if r, ok := o.(*ptx.RegRef); ok && m.Count == 1 {
		if x := e.f.reg(r); x != nil && x.width == alu.W64 {
			return alu.W64
		}
	}
	return alu.W32
}

func (e *emitter) storeWords(in *ptx.Instr, a access, words []int32, off int) error {
	n := a.typ.Size()
	if n == 0 || n > 8 || off < 0 {
		return unsupportedf("instruction %s is not supported", in.Opcode())
	}
	for i, s := range elems(in.Args[1]) {
		w := alu.W32
		if n == 8 {
			w = alu.W64
		}
		src, err := e.vec(s, w)
		if err != nil {
			return err
		}
		e.writeWords(src, w, words, off+i*n, n)
	}
	return nil
}

func (e *emitter) atomic(in *ptx.Instr, _ *cfg.Block) error {
	a := parseAccess(in)
	if a.count > 1 {
		return e.vectorAtomic(in, a)
	}
	wide := a.typ == isa.B128
	if wide {
		a.typ, a.count = isa.B64, 2
	}
	op, ok := atomicOp(in)
	if !ok {
		return unsupportedf("instruction %s is not supported", in.Opcode())
	}
	if a.order == trace.OrderWeak {
		a.order = trace.OrderRelaxed // PTX ISA, "atom": the default
	}
	if a.scope == trace.ScopeNone {
		a.scope = trace.ScopeGPU
	}
	m, err := e.memory(in, a, trace.Atomic)
	if err != nil {
		return err
	}
	typ := a.typ.String()
	if op == "add" && typ == "f32" && a.space == trace.SpaceGlobal {
		typ = "ftz.f32" // PTX ISA, "atom": in global memory it flushes subnormals
	}
	m.Atom = op + "." + typ
	if wide {
		m.Atom = op + ".b128"
	}
	if m.Fn = program.AtomicFunc(op, typ); m.Fn == nil {
		return unsupportedf("instruction %s is not supported", in.Opcode())
	}
	args := in.Args
	var dst *reg
	if wide {
		if args, err = e.upperHalves(&m, in); err != nil {
			return err
		}
	}
	if in.Op == "atom" {
		if dst, err = e.dest(args[0]); err != nil {
			return err
		}
		args = args[1:]
	}
	if dst != nil {
		m.Regs[0] = e.vecReg(dst)
	}
	if err := e.address(&m, args[0]); err != nil {
		return err
	}
	if m.B, err = e.vec(args[1], m.Width); err != nil {
		return err
	}
	if op == "cas" {
		if len(args) < 3 {
			return unsupportedf("%s with too few operands", in.Opcode())
		}
		if m.C, err = e.vec(args[2], m.Width); err != nil {
			return err
		}
	}
	if a.space != trace.SpaceShared && (ordered(op, a.typ, dst, args[1:]) || !e.u.commutes(op, a.typ, args[1:])) {
		e.u.prog.Ordered = true
	}
	e.u.prog.Mems = append(e.u.prog.Mems, m)
	e.add(program.Instr{Op: program.OpAtomic, X: int32(len(e.u.prog.Mems) - 1)})
	return nil
}

var atomicOps = map[string]bool{
	"add": true, "min": true, "max": true, "inc": true, "dec": true,
	"and": true, "or": true, "xor": true, "exch": true, "cas": true,
}

func atomicOp(in *ptx.Instr) (string, bool) {
	for _, m := range in.Mods {
		if atomicOps[m] {
			return m, true
		}
	}
	return "", false
}

// ordered reports whether the outcome depends on the order of the operations: a
// result is used, or the operation does not commute exactly with itself.
func ordered(op string, t isa.Type, dst *reg, operands []ptx.Operand) bool {
	if dst != nil && dst.uses > 0 {
		return true
	}
	floats := t.IsFloat() || t == isa.F16x2 || t == isa.BF16x2
	return swaps(op) && !constants(operands) || op == "inc" || op == "dec" || op == "add" && floats
}

// swaps reports whether an operation leaves an operand in memory, whatever was there.
func swaps(op string) bool { return op == "exch" || op == "cas" }

func constants(operands []ptx.Operand) bool {
	return !slices.ContainsFunc(operands, func(o ptx.Operand) bool { _, ok := o.(*ptx.Imm); return !ok })
}

// commutes reports whether an atomic operation, whose result is not used, commutes with those of the
// kernel before it. One that swaps constants only does with itself.
func (u *unit) commutes(op string, t isa.Type, operands []ptx.Operand) bool {
	key := ""
	if swaps(op) {
		key = op + " " + t.String()
		for _, o := range operands {
			key += fmt.Sprint(" ", ptx.FormatOperand(o))
		}
	}
	first := !u.atomics
	if first {
		u.atomics, u.swapped = true, key
	}
	return first || u.swapped == key
}

// cvta converts between a space's addresses and generic ones. Only shared
// and local memory have windows; elsewhere both are the same.
func (e *emitter) cvta(in *ptx.Instr, _ *cfg.Block) error {
	a := parseAccess(in)
	var shift uint64
	switch a.space {
	case trace.SpaceShared:
		shift = mem.SharedWindow
	case trace.SpaceLocal:
		shift = mem.LocalWindow
	case trace.SpaceParam:
		shift = mem.ParamWindow
	}
	if in.Has("to") {
		shift = -shift
	}
	if shift == 0 {
		return e.compute(in, "mov.b64", in.Args)
	}
	return e.compute(in, "add.u64", []ptx.Operand{in.Args[0], in.Args[1], &ptx.Imm{Value: shift}})
}

func (e *emitter) isspacep(in *ptx.Instr, _ *cfg.Block) error {
	a := parseAccess(in)
	inWindow := func(start, size uint64) alu.Fn {
		return func(v, _, _, _ uint64) (uint64, uint64) { return b2u(v-start < size), 0 }
	}
	op := &alu.Op{Name: in.Opcode(), Dst: alu.Pred, Args: []alu.Width{alu.W64}}
	switch a.space {
	case trace.SpaceShared:
		size := mem.ClusterStride // the block's own
		if in.Has("shared::cluster") {
			size = mem.SharedWindowSize
		}
		op.Fn = inWindow(mem.SharedWindow, size)
	case trace.SpaceLocal:
		op.Fn = inWindow(mem.LocalWindow, mem.LocalWindowSize)
	case trace.SpaceParam:
		op.Fn = inWindow(mem.ParamWindow, mem.ParamWindowSize)
	case trace.SpaceGlobal: // in which the parameters' window lies (PTX ISA, "isspacep")
		op.Fn = func(v, _, _, _ uint64) (uint64, uint64) {
			return b2u(v-mem.SharedWindow >= mem.SharedWindowSize && v-mem.LocalWindow >= mem.LocalWindowSize), 0
		}
	default:
		op.Fn = func(_, _, _, _ uint64) (uint64, uint64) { return 0, 0 }
	}
	return e.apply(op, in.Args)
}

func b2u(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func (e *emitter) gridControl(*ptx.Instr, *cfg.Block) error {
	e.add(program.Instr{Op: program.OpGridControl, Site: e.site(trace.Site{})})
	return nil
}

func (e *emitter) fence(in *ptx.Instr, b *cfg.Block) error {
	if in.What().Kind == inst.ProxyFence {
		return e.proxyFence(in, b)
	}
	a := parseAccess(in)
	if a.order == trace.OrderWeak {
		a.order = trace.OrderAcqRel
		if in.Op == "membar" {
			a.order = trace.OrderSC // PTX ISA, "membar": a synonym of fence.sc
		}
	}
	if a.scope == trace.ScopeNone {
		a.scope = trace.ScopeGPU
	}
	e.add(program.Instr{Op: program.OpFence, Site: e.site(trace.Site{Order: a.order, Scope: a.scope})})
	return nil
}

// proxyFence lowers fences between proxies (PTX ISA, "membar, fence": .proxykind). Those to
// the async proxy and that of tensor maps are events, memory has no others here.
func (e *emitter) proxyFence(in *ptx.Instr, b *cfg.Block) error {
	if in.What().Kind == inst.MapFence {
		return e.mapFence(in, b)
	}
	if in.Has("async") || in.Has("async::generic") {
		s := trace.Site{Space: parseAccess(in).space}
		if in.Has("async::generic") { // only with .sync_restrict::shared
			s.Space = trace.SpaceShared
		}
		e.add(program.Instr{Op: program.OpFence, Site: e.site(s)})
	}
	return nil
}

// tensorFence lowers tcgen05.fence, an event: tensor memory has no other orders here.
func (e *emitter) tensorFence(in *ptx.Instr, _ *cfg.Block) error {
	s := trace.Site{Order: trace.OrderAcquire}
	if in.Has("fence::before_thread_sync") {
		s.Order = trace.OrderRelease
	}
	e.add(program.Instr{Op: program.OpFence, Site: e.site(s)})
	return nil
}

// discard lowers discard.L2, a weak write of 128 bytes of undefined contents (PTX
// ISA, "discard"): of zeros here.
func (e *emitter) discard(in *ptx.Instr, _ *cfg.Block) error {
	zero := e.u.constant(0, alu.W64, false)
	for at := 0; at < 128; at += 32 {
		m, err := e.mem(in.Args[0], trace.Site{Space: parseAccess(in).space, Kind: trace.Write}, 8, 4)
		if err != nil {
			return err
		}
		m.Offset += uint64(at)
		for i := range m.Regs {
			m.Regs[i] = zero
		}
		e.u.prog.Mems = append(e.u.prog.Mems, m)
		e.add(program.Instr{Op: program.OpStore, X: int32(len(e.u.prog.Mems) - 1)})
	}
	return nil
}
