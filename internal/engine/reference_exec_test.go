package engine_test

import (
	"fmt"
	"strings"

	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
)

// The reference interpreter's memory accesses and arithmetic.

// at finds n bytes that a memory operand addresses.
func (t *refThread) at(in *ptx.Instr, o ptx.Operand, n int) []byte {
	a := o.(*ptx.Address)
	if in.Has("param") {
		name, off := "", a.Offset
		switch b := a.Base.(type) {
		case *ptx.SymbolRef:
			name, off = b.Name, off+b.Offset
		case *ptx.RegRef:
			name = b.Name
		}
		if len(t.frames) == 1 && t.top().f.ptx.Entry {
			at := int64(0)
			for _, p := range t.top().f.ptx.Params {
				if p.Name == name {
					return t.m.params[at+off:]
				}
				at += 8 // the generator's kernel parameters have 8 bytes each
			}
		}
		return t.top().params[name][off:]
	}
	addr := uint64(a.Offset)
	if a.Base != nil {
		addr += t.value(a.Base, 64)
	}
	return t.bytes(in, addr, n)
}

func (t *refThread) bytes(in *ptx.Instr, addr uint64, n int) []byte {
	switch {
	case in.Has("shared"):
		if addr-mem.SharedWindow < mem.SharedWindowSize { // wider than the space's addresses: truncated
			addr -= mem.SharedWindow
		}
		return t.sharedMem[addr : addr+uint64(n)]
	case in.Has("local"):
		if addr-mem.LocalWindow < mem.LocalWindowSize {
			addr -= mem.LocalWindow
		}
		return t.local[addr : addr+uint64(n)]
	case addr-mem.SharedWindow < mem.SharedWindowSize:
		return t.sharedMem[addr-mem.SharedWindow:]
	case addr-mem.LocalWindow < mem.LocalWindowSize:
		return t.local[addr-mem.LocalWindow:]
	}
	for base, b := range t.m.global {
		if addr-base < uint64(len(b)) {
			return b[addr-base:]
		}
	}
	panic(fmt.Sprintf("reference: address %#x in %s", addr, in))
}

func vecElems(o ptx.Operand) []ptx.Operand {
	if v, ok := o.(*ptx.Vector); ok {
		return v.Elems
	}
	return []ptx.Operand{o}
}

func (t *refThread) load(in *ptx.Instr) {
	typ := in.Types()[0]
	elems := vecElems(in.Args[0])
	n := typ.Size()
	b := t.at(in, in.Args[1], n*len(elems))
	for i, e := range elems {
		v := readBytes(b[i*n:], n)
		if typ.IsSigned() {
			s := 64 - n*8
			v = uint64(int64(v<<s) >> s)
		}
		t.set(e, v)
	}
}

func (t *refThread) store(in *ptx.Instr) {
	n := in.Types()[0].Size()
	elems := vecElems(in.Args[1])
	b := t.at(in, in.Args[0], n*len(elems))
	for i, e := range elems {
		v := t.value(e, n*8)
		for k := range n {
			b[i*n+k] = byte(v >> (8 * k))
		}
	}
}

func (t *refThread) mov(in *ptx.Instr) {
	total := in.Types()[0].Size() * 8
	dst, toVec := in.Args[0].(*ptx.Vector)
	src, fromVec := in.Args[1].(*ptx.Vector)
	switch {
	case toVec:
		v, bits := t.value(in.Args[1], 64), total/len(dst.Elems)
		for i, e := range dst.Elems {
			t.set(e, v>>(i*bits)&lowMask(bits))
		}
	case fromVec:
		v, bits := uint64(0), total/len(src.Elems)
		for i, e := range src.Elems {
			v |= t.value(e, bits) << (i * bits)
		}
		t.set(in.Args[0], v)
	default:
		t.set(in.Args[0], t.value(in.Args[1], 64))
	}
}

func (t *refThread) cvta(in *ptx.Instr) {
	window := uint64(0)
	switch {
	case in.Has("shared"):
		window = mem.SharedWindow
	case in.Has("local"):
		window = mem.LocalWindow
	}
	if in.Has("to") {
		window = -window
	}
	t.set(in.Args[0], t.value(in.Args[1], 64)+window)
}

// compute executes an arithmetic instruction by its definition.
func (t *refThread) compute(in *ptx.Instr) {
	op, err := alu.Lookup(in.Opcode())
	if err != nil {
		panic(err)
	}
	var v [4]uint64
	for i, w := range op.Args {
		if op.CarryIn && i == len(op.Args)-1 {
			v[i] = t.top().cc
			continue
		}
		switch w {
		case alu.Pred:
			v[i] = t.value(in.Args[1+i], 1)
		case alu.W32:
			v[i] = t.value(in.Args[1+i], 32)
		default:
			v[i] = t.value(in.Args[1+i], 64)
		}
	}
	r, r2 := op.Fn(v[0], v[1], v[2], v[3])
	if op.CarryOut {
		t.top().cc = r2
	}
	d := in.Args[0]
	if p, ok := d.(*ptx.Pair); ok {
		t.set(p.B, r2)
		d = p.A
	}
	if reg, ok := d.(*ptx.RegRef); ok {
		if bits := t.regBits(reg.Name); bits > 1 && strings.HasPrefix(in.Op, "cvt") {
			r = op.Extend(r, bits)
		}
	}
	t.set(d, r)
}
