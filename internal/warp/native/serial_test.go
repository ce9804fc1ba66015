package native

import (
	"testing"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// loopMaker makes programs that are a loop of one straight run over elements of a row: %k counts up to %end, %at is the
// place of the element. Slots of rows are named.
type loopMaker struct {
	p     program.Program
	slots map[string]int32
}

const rowSize = 256

func (m *loopMaker) slot(name string) int32 {
	if _, ok := m.slots[name]; !ok {
		m.slots[name] = 512 + rowSize*int32(len(m.slots))
	}
	return m.slots[name]
}

func (m *loopMaker) add(in program.Instr) {
	in.Guard, in.D2, in.Bcast = program.NoSlot, program.NoSlot, program.NoSlot
	m.p.Code = append(m.p.Code, in)
}

func (m *loopMaker) do(op, d string, args ...string) {
	o, err := alu.Lookup(op)
	if err != nil {
		panic(err)
	}
	in := program.Instr{Op: program.OpVec, ALU: o, Dst: o.Dst, D: m.slot(d), A: program.NoSlot, B: program.NoSlot, C: program.NoSlot, E: program.NoSlot}
	if o.Dst == alu.Pred {
		in.Op = program.OpCmp
	}
	for i, s := range []*int32{&in.A, &in.B, &in.C}[:len(args)] {
		*s = m.slot(args[i])
	}
	m.add(in)
}

// access adds a load, a store or an atomic operation of 32 bits of global memory.
func (m *loopMaker) access(op program.Opcode, order trace.Order, atom, value, at string) {
	kind := map[program.Opcode]trace.Kind{program.OpLoad: trace.Read, program.OpStore: trace.Write, program.OpAtomic: trace.Atomic}[op]
	x := program.Mem{Site: &trace.Site{ID: len(m.p.Mems), Kind: kind, Space: trace.SpaceGlobal, Order: order, Size: 4, Elem: 4}, Space: trace.SpaceGlobal,
		Elem: 4, Count: 1, Width: alu.W32, Base: m.slot(at), BaseWidth: alu.W64, B: program.NoSlot, C: program.NoSlot, Atom: atom}
	x.Regs = [4]int32{program.NoSlot, program.NoSlot, program.NoSlot, program.NoSlot}
	if op == program.OpAtomic {
		x.B = m.slot(value)
	} else {
		x.Regs[0] = m.slot(value)
	}
	m.p.Mems = append(m.p.Mems, x)
	m.add(program.Instr{Op: op, X: int32(len(m.p.Mems) - 1)})
}

func (m *loopMaker) load(value, at string) { m.access(program.OpLoad, trace.OrderWeak, "", value, at) }

// element makes addr the place of element i of an array.
func (m *loopMaker) element(addr, i, array string) {
	m.do("mul.wide.s32", addr, i, "four")
	m.do("add.s64", addr, addr, array)
}

// TestSerialLoop tells which loops may run serially, and how many of their loads must miss rows for that to pay.
func TestSerialLoop(t *testing.T) {
	for name, c := range map[string]struct {
		body func(m *loopMaker)
		may  bool
		// of counts the loads that may miss rows; pays is set if serial code pays where all of them do.
		of   int
		pays bool
	}{
		"a sparse row": {func(m *loopMaker) {
			m.load("i", "at")
			m.element("x", "i", "array")
			m.load("v", "x")
			m.do("fma.rn.f32", "sum", "v", "v", "sum")
		}, true, 2, true},
		"the greatest, for all": {func(m *loopMaker) {
			m.load("i", "at")
			m.element("x", "i", "array")
			m.access(program.OpAtomic, trace.OrderRelaxed, "max.s32", "sum", "x")
		}, true, 1, true},
		"a list": {func(m *loopMaker) {
			m.element("x", "i", "array")
			m.load("i", "x")
		}, true, 1, false},
		"a sum for all": {func(m *loopMaker) {
			m.load("i", "at")
			m.element("x", "i", "array")
			m.access(program.OpAtomic, trace.OrderRelaxed, "add.s32", "sum", "x")
		}, false, 0, false},
		"a store": {func(m *loopMaker) {
			m.load("i", "at")
			m.access(program.OpStore, trace.OrderWeak, "", "i", "at")
		}, false, 0, false},
		"a volatile load":   {func(m *loopMaker) { m.access(program.OpLoad, trace.OrderVolatile, "", "i", "at") }, false, 0, false},
		"no load":           {func(m *loopMaker) { m.do("add.s32", "i", "i", "one") }, false, 0, false},
		"another condition": {func(m *loopMaker) { m.load("i", "at"); m.do("setp.lt.s32", "q", "i", "k") }, false, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			m := &loopMaker{slots: map[string]int32{}}
			m.add(program.Instr{Op: program.OpEnter, N: 8, X: program.NoBlock})
			c.body(m)
			m.do("add.s64", "at", "at", "wide four")
			m.do("add.s32", "k", "k", "one")
			m.do("setp.lt.s32", "p", "k", "end")
			until := len(m.p.Code) + 1
			m.add(program.Instr{Op: program.OpBranch, A: m.slot("p")})
			m.p.Branches = []program.Branch{{Target: 0, Meet: int32(until)}}
			m.add(program.Instr{Op: program.OpEnter, N: 1, X: program.NoBlock, Join: true})
			for _, s := range []string{"sum", "i"} { // they live, as does the condition q
				m.do("add.s32", "out", s, "one")
				m.access(program.OpStore, trace.OrderWeak, "", "out", "array")
			}
			m.do("selp.b32", "out", "i", "k", "q")
			m.access(program.OpStore, trace.OrderWeak, "", "out", "array")
			m.add(program.Instr{Op: program.OpReturn})
			for s, v := range map[string]uint64{"one": 1, "four": 4, "wide four": 4} {
				m.p.Consts = append(m.p.Consts, program.Const{Slot: m.slot(s), Width: alu.W32, Value: v})
			}
			m.p.Funcs, m.p.StackTop, m.p.Uniform = []program.Func{{}}, program.NoSlot, 512
			m.p.Slab = 512 + rowSize*int32(len(m.slots))
			pl, err := NewPlan(&m.p)
			if err != nil {
				t.Fatal(err)
			}
			pl.Same[m.slot("array")] = true
			if !Repeats(&m.p, 0, until) {
				t.Fatal("no loop")
			}
			l := NewSerialLoop(NewScope(pl, 0), 0, until)
			if (l != nil) != c.may {
				t.Fatalf("may run serially: %v, want %v", l != nil, c.may)
			}
			if counted := NewSerialLoop(NewScope(pl, Counted), 0, until); (counted != nil) != c.may {
				t.Fatalf("may run serially while blocks are counted: %v, want %v", counted != nil, c.may)
			}
			if l == nil {
				return
			}
			for _, costs := range []serialCosts{AVX512Costs, LLVMCosts} {
				if n, need := len(l.Gathers()), l.Pays(costs); n != c.of || (need <= n) != c.pays {
					t.Errorf("%+v: pays from %d of %d loads on, want %v with %d", costs, need, n, c.pays, c.of)
				}
			}
		})
	}
}
