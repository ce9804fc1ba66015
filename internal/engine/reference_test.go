package engine_test

import (
	"encoding/binary"
	"fmt"
	"strconv"

	"github.com/warpgrind/warpgrind/internal/lower"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
)

// The reference interpreter runs one thread after the other, straight from
// the syntax tree and the text of the PTX ISA. It shares nothing with the
// engine but the parser and the definitions of arithmetic. It knows what the
// generator of random programs writes, and panics on anything else.

// refFunc is a function as a flat list of instructions.
type refFunc struct {
	ptx    *ptx.Func
	code   []*ptx.Instr
	labels map[string]int
	tables map[string][]string
	types  map[string]isa.Type // registers
	params map[string]*ptx.Variable
	locals map[string]*ptx.Variable
}

// refMachine is a grid's memory. Addresses of global memory are the engine's.
type refMachine struct {
	mod    *ptx.Module
	funcs  map[string]*refFunc
	global map[uint64][]byte // by base
	params []byte
	shared map[string]uint64
	steps  int
}

// refFrame is a call in progress.
type refFrame struct {
	f      *refFunc
	pc     int
	regs   map[string]uint64
	params map[string][]byte // .param variables
	locals map[string]uint64
	top    uint64 // of local memory when the frame was made
	cc     uint64
	rets   []ptx.Operand // where the caller wants results
}

type refThread struct {
	m                    *refMachine
	tid, ntid, cta, ncta uint32
	frames               []*refFrame
	local, sharedMem     []byte
	waits, done          bool
	// barID and barOp say where the thread waits, arrived is one more than the
	// barrier at which it arrived without waiting.
	barID, arrived int
	barOp          *ptx.Instr
	warpOp         *ptx.Instr // a shuffle or vote that waits for the warp
	// copies are asynchronous ones that have not landed, groups counts those
	// that were committed.
	copies []refCopy
	groups int
}

func newReference(mod *ptx.Module) *refMachine {
	m := &refMachine{mod: mod, funcs: map[string]*refFunc{}, global: map[uint64][]byte{}, shared: map[string]uint64{}}
	off := uint64(0)
	for _, it := range mod.Items {
		switch it := it.(type) {
		case *ptx.Func:
			if it.Body != nil {
				m.funcs[it.Name] = flatten(it)
			}
		case *ptx.Variable:
			if it.Space == ptx.Shared {
				off = (off + 15) &^ 15
				m.shared[it.Name] = off
				off += uint64(it.Size())
			}
		}
	}
	return m
}

func flatten(f *ptx.Func) *refFunc {
	r := &refFunc{
		ptx: f, labels: map[string]int{}, tables: map[string][]string{}, types: map[string]isa.Type{},
		params: map[string]*ptx.Variable{}, locals: map[string]*ptx.Variable{},
	}
	for _, list := range [][]*ptx.Variable{f.Params, f.Ret} {
		for _, v := range list {
			if v.Space == ptx.Reg {
				r.types[v.Name] = v.Type
			} else {
				r.params[v.Name] = v
			}
		}
	}
	r.block(f.Body)
	return r
}

func (r *refFunc) block(b *ptx.Block) {
	for _, s := range b.Stmts {
		switch s := s.(type) {
		case *ptx.Block:
			r.block(s)
		case *ptx.RegDecl:
			for _, n := range s.Regs {
				if n.Count == 0 {
					r.types[n.Name] = s.Type
				}
				for i := range n.Count {
					r.types[n.Name+strconv.Itoa(i)] = s.Type
				}
			}
		case *ptx.Variable:
			if s.Space == ptx.Param {
				r.params[s.Name] = s
			} else {
				r.locals[s.Name] = s
			}
		case *ptx.Label:
			r.labels[s.Name] = len(r.code)
		case *ptx.BranchTargets:
			r.tables[s.Name] = s.Labels
		case *ptx.Instr:
			r.code = append(r.code, s)
		}
	}
}

// run executes all blocks, one after the other. It gives up with false after
// too many steps.
func (m *refMachine) run(kernel string, grid, block uint32) bool {
	for cta := range grid {
		shared := make([]byte, 1<<14)
		threads := make([]*refThread, block)
		for i := range threads {
			t := &refThread{m: m, tid: uint32(i), ntid: block, cta: cta, ncta: grid, local: make([]byte, 1<<12), sharedMem: shared}
			t.push(m.funcs[kernel], nil, nil)
			threads[i] = t
		}
		if !m.runBlock(threads) {
			return false
		}
	}
	return true
}

// runBlock runs each thread up to a barrier, then the next; when all wait or
// have ended they continue.
func (m *refMachine) runBlock(threads []*refThread) bool {
	for {
		running := false
		for _, t := range threads {
			for !t.done && !t.waits && t.warpOp == nil {
				if m.steps++; m.steps > 20e6 {
					return false
				}
				t.step()
			}
			running = running || !t.done
		}
		if !running {
			return true
		}
		if exchange(threads) {
			continue
		}
		releaseBarrier(threads)
	}
}

func (t *refThread) top() *refFrame { return t.frames[len(t.frames)-1] }

func (t *refThread) push(f *refFunc, args [][]byte, rets []ptx.Operand) {
	fr := &refFrame{f: f, regs: map[string]uint64{}, params: map[string][]byte{}, locals: map[string]uint64{}, rets: rets}
	if len(t.frames) > 0 {
		fr.top = t.top().top
		for _, v := range t.top().f.locals {
			fr.top += uint64(v.Size()+15) &^ 15
		}
	}
	at := fr.top
	for name, v := range f.locals {
		fr.locals[name] = at
		at += uint64(v.Size()+15) &^ 15
	}
	for at > uint64(len(t.local)) {
		t.local = append(t.local, make([]byte, 4096)...)
	}
	for name, v := range f.params {
		fr.params[name] = make([]byte, v.Size())
	}
	for i, a := range args {
		p := f.ptx.Params[i]
		if p.Space == ptx.Reg {
			fr.regs[p.Name] = readBytes(a, p.Type.Size())
		} else {
			copy(fr.params[p.Name], a)
		}
	}
	t.frames = append(t.frames, fr)
}

func readBytes(b []byte, n int) uint64 {
	var w [8]byte
	copy(w[:], b[:min(n, len(b))])
	return binary.LittleEndian.Uint64(w[:])
}

func lowMask(bits int) uint64 {
	if bits >= 64 {
		return ^uint64(0)
	}
	return 1<<bits - 1
}

// value is an operand's low bits.
func (t *refThread) value(o ptx.Operand, bits int) uint64 {
	switch o := o.(type) {
	case *ptx.Imm:
		return o.Value & lowMask(bits)
	case *ptx.FloatImm:
		return o.Value
	case *ptx.RegRef:
		v, ok := t.special(o.Name)
		if !ok {
			v = t.top().regs[o.Name]
		}
		if o.Not {
			v ^= 1
		}
		return v & lowMask(bits)
	case *ptx.SymbolRef:
		return t.symbol(o.Name) + uint64(o.Offset)
	}
	panic(fmt.Sprintf("reference: operand %T", o))
}

func (t *refThread) special(name string) (uint64, bool) {
	switch name {
	case "%tid.x":
		return uint64(t.tid), true
	case "%ntid.x":
		return uint64(t.ntid), true
	case "%ctaid.x":
		return uint64(t.cta), true
	case "%nctaid.x":
		return uint64(t.ncta), true
	case "%laneid":
		return uint64(t.tid % 32), true
	case "%warpid":
		return uint64(t.tid / 32), true
	}
	return 0, false
}

func (t *refThread) symbol(name string) uint64 {
	if a, ok := t.top().locals[name]; ok {
		return a
	}
	if a, ok := t.m.shared[name]; ok {
		return a
	}
	if a := lower.FuncAddr(t.m.mod, name); a != 0 {
		return a
	}
	panic("reference: symbol " + name)
}

func (t *refThread) regBits(name string) int {
	typ := t.top().f.types[name]
	if typ == isa.Pred {
		return 1
	}
	return typ.Size() * 8
}

// set writes a register, cut to its size.
func (t *refThread) set(o ptx.Operand, v uint64) {
	if r, ok := o.(*ptx.RegRef); ok {
		t.top().regs[r.Name] = v & lowMask(t.regBits(r.Name))
	}
}

// step executes one instruction.
func (t *refThread) step() {
	fr := t.top()
	if fr.pc >= len(fr.f.code) {
		t.ret()
		return
	}
	in := fr.f.code[fr.pc]
	fr.pc++
	if g := in.Guard; g != nil && fr.regs[g.Reg]&1 == b2i(g.Not) {
		return
	}
	switch in.Op {
	case "bra":
		fr.pc = fr.f.labels[in.Args[0].(*ptx.SymbolRef).Name]
	case "brx":
		list := fr.f.tables[in.Args[1].(*ptx.SymbolRef).Name]
		fr.pc = fr.f.labels[list[t.value(in.Args[0], 32)]]
	case "ret":
		t.ret()
	case "exit":
		t.done = true
	case "call":
		t.call(in)
	case "bar", "barrier":
		if in.Has("warp") {
			t.warpOp = in
		} else {
			t.barrier(in)
		}
	case "shfl", "vote", "match", "redux":
		t.warpOp = in
	case "ld":
		t.load(in)
	case "st":
		t.store(in)
	case "atom", "red":
		t.atomic(in)
	case "mov":
		t.mov(in)
	case "cp":
		t.copyAsync(in)
	case "cvta":
		t.cvta(in)
	default:
		t.compute(in)
	}
}

func b2i(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func (t *refThread) ret() {
	fr := t.top()
	t.frames = t.frames[:len(t.frames)-1]
	if len(t.frames) == 0 {
		t.done = true
		return
	}
	for i, o := range fr.rets {
		v := fr.f.ptx.Ret[i]
		b := fr.params[v.Name]
		if v.Space == ptx.Reg {
			b = binary.LittleEndian.AppendUint64(nil, fr.regs[v.Name])
		}
		if s, ok := o.(*ptx.SymbolRef); ok {
			copy(t.top().params[s.Name], b)
		} else {
			t.set(o, readBytes(b, v.Type.Size()))
		}
	}
}

// callee finds the function that a name or an address stands for.
func (t *refThread) callee(o ptx.Operand) *refFunc {
	if s, ok := o.(*ptx.SymbolRef); ok {
		return t.m.funcs[s.Name]
	}
	addr := t.value(o, 64)
	for name, f := range t.m.funcs {
		if lower.FuncAddr(t.m.mod, name) == addr {
			return f
		}
	}
	panic("reference: call of no function")
}

func (t *refThread) call(in *ptx.Instr) {
	c, _ := in.Call()
	f := t.callee(c.Callee)
	var args [][]byte
	for _, a := range c.Args {
		if s, ok := a.(*ptx.SymbolRef); ok {
			args = append(args, t.top().params[s.Name])
		} else {
			args = append(args, binary.LittleEndian.AppendUint64(nil, t.value(a, 64)))
		}
	}
	t.push(f, args, c.Ret)
}
