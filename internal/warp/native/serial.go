package native

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// A loop of one straight run that only computes and loads, and whose lanes load from places far apart, runs serially:
// scalar code runs one lane after the other to the end of the loop. A gather takes some cycles for each lane that it
// loads for, and all lanes wait for the one with the most rounds; a scalar load takes a fraction of that, and a lane
// that is done costs nothing.
//
// Results go to the context first. Where a lane would go where it must not, they are dropped, and the loop begins again
// in vector code, which loads the same values: the loop writes no memory, or only by an atomic operation that it may
// repeat, and do in any order, to memory that it does not load from. Where the warp's turn ends, the lanes
// that have more to do continue in vector code at the beginning of the loop, while the others have left it. What is
// counted is what vector code counts: the rounds of the lane that has the most.

// serialArea is what serial code keeps in the context.
type serialArea struct {
	// times counts the loops that might run serially. It is negative while they do not, after trouble.
	times int64
	// lane is the one that runs, todo are those that have yet to run, stay those that had more to do when the turn ended.
	lane, todo, stay uint64
	// bound are the rounds of a turn, turns those that the lane may do, most and total those that lanes did, changes
	// counts the atomic operations that changed something.
	bound, turns, most, total, changes uint64
	saved                              [len(serialSaved)]uint64
	cells                              [maxSerialCells]uint64
	rows                               [maxSerialRows][32]uint64
}

// Bounds of what a loop may need.
const (
	maxSerialCells = 32
	maxSerialRows  = 12
	maxSerialVecs  = 12
	// minSerialTurns is how many rounds a turn must allow.
	minSerialTurns = 4
)

const (
	ctxSerial        = int32(unsafe.Offsetof(Context{}.serial))
	ctxSerialTimes   = ctxSerial + int32(unsafe.Offsetof(serialArea{}.times))
	ctxSerialLane    = ctxSerial + int32(unsafe.Offsetof(serialArea{}.lane))
	ctxSerialTodo    = ctxSerial + int32(unsafe.Offsetof(serialArea{}.todo))
	ctxSerialStay    = ctxSerial + int32(unsafe.Offsetof(serialArea{}.stay))
	ctxSerialBound   = ctxSerial + int32(unsafe.Offsetof(serialArea{}.bound))
	ctxSerialTurns   = ctxSerial + int32(unsafe.Offsetof(serialArea{}.turns))
	ctxSerialMost    = ctxSerial + int32(unsafe.Offsetof(serialArea{}.most))
	ctxSerialTotal   = ctxSerial + int32(unsafe.Offsetof(serialArea{}.total))
	ctxSerialChanges = ctxSerial + int32(unsafe.Offsetof(serialArea{}.changes))
	ctxSerialSaved   = ctxSerial + int32(unsafe.Offsetof(serialArea{}.saved))
	ctxSerialCells   = ctxSerial + int32(unsafe.Offsetof(serialArea{}.cells))
	ctxSerialRows    = ctxSerial + int32(unsafe.Offsetof(serialArea{}.rows))
	serialRowStride  = int32(unsafe.Sizeof(serialArea{}.rows[0]))
)

// Registers of serial code: RBX is the lane, R9 the rounds that are left; RAX and RCX are free within a step. Values
// are in the others, which are saved where code needs them again; in RBX and R13 as well where no step of the loop needs
// the lane or the regions.
var (
	serialSaved = [...]jit.Reg{jit.R8, jit.R10, jit.R11, jit.R12, jit.R15}
	serialHomes = []jit.Reg{jit.RDX, jit.R8, jit.R10, jit.R11, jit.R12, jit.R15}
)

// Loops run serially so many times, less one, before vector code looks whether lanes are neighbors by now. After trouble
// vector code does the next loops, serialPause of them.
const serialTimes, serialPause = 64, 256

// class says where a value is: in a general register or a cell of the context, or in the lowest element of a vector.
type class uint8

const (
	unplaced class = iota
	inGeneral
	inVector
)

// home is where the values of a slot are. A general one without a register is a cell.
type home struct {
	width   alu.Width
	general jit.Reg
	inCell  bool
	cell    int32
	vector  jit.Vec
	has     [3]bool // by class
	// first is where a round finds what the one before left, unplaced where it reads nothing of that; now is where the
	// value is at the step at hand.
	first, now class
	// loose is set where the value at hand is a loose one (see loose.go), loosens where one from the round before may be.
	loose, loosens bool
	// same is the cell with what each round loads again, 0 if the value is not that.
	same int32
	// signed is set where the register has the value of 32 bits extended by its sign to 64.
	signed bool
}

// memory is the cell where the value is, if it is not in a register.
func (h *home) memory() (cell int32, ok bool) {
	switch {
	case h.now != inGeneral:
		return 0, false
	case h.same != 0:
		return h.same, true
	}
	return h.cell, h.inCell
}

// serialLoop is what is known of such a loop, serialCode its generator.
type serialLoop struct {
	*gen
	from, to int // the first step, OpEnter, and the branch
	branch   *program.Branch
	homes    map[int32]*home
	// preds are the cells of predicates, loads how addresses of loads are made, by step.
	preds map[int32]int32
	loads map[int]*serialLoad
	// indices are the steps whose results only loads take, as indices.
	indices map[int]bool
	cells   int32
	unused  []jit.Reg // of serialHomes
	vectors uint32
	// atomic is the step of an atomic operation, 0 for none.
	atomic int
	// lane is set where values are in RBX, regions where they are in R13.
	lane, regions bool
	// flagged is set where the branch takes the flags of the comparison before it.
	flagged bool
	// trouble drops what was done.
	trouble jit.Label
}

type serialCode struct{ *serialLoop }

// newSerialLoop looks whether the run from first on can be such a loop. It returns nil if not.
func newSerialLoop(g *gen, first int) *serialLoop {
	l := &serialLoop{gen: g, from: first, to: g.until - 1, homes: map[int32]*home{}, preds: map[int32]int32{}, loads: map[int]*serialLoad{},
		indices: map[int]bool{}, unused: slices.Clone(serialHomes)}
	l.branch = &g.p.Branches[g.p.Code[l.to].X]
	if g.watched&Counted != 0 || !l.supported() || !l.predicates() || !l.findLoads() {
		return nil
	}
	return l.place()
}

// supported reports whether all steps are such as serial code can do.
func (l *serialLoop) supported() bool {
	if l.p.Loops().Awaits(int32(l.from)) == program.AwaitsStrong {
		return false
	}
	for i := l.from + 1; i < l.to; i++ {
		in := &l.p.Code[i]
		if in.Guard != program.NoSlot {
			return false
		}
		switch in.Op {
		case program.OpVec, program.OpVec4:
			if limited(in.ALU) {
				return false
			}
		case program.OpCmp, program.OpSel, program.OpNop, program.OpPredMov, program.OpPredNot, program.OpPredAnd, program.OpPredOr, program.OpPredXor:
		case program.OpLoad:
			m := &l.p.Mems[in.X]
			if m.Space != trace.SpaceGlobal && m.Space != trace.SpaceShared || l.follows(m) || l.sieved(m) ||
				m.Scalar || m.Base == program.NoSlot || m.ScalarRegs || m.Site.Order != trace.OrderWeak {
				return false
			}
		case program.OpAtomic:
			if l.atomic != 0 || !l.settles(i) {
				return false
			}
			l.atomic = i
		default:
			return false
		}
	}
	return true
}

// predicates gives predicates their cells. They must be computed in each round before they are read, and only the
// branch's may live after the loop.
func (l *serialLoop) predicates() bool {
	decides := l.p.Code[l.to].A
	for i := l.from + 1; i < l.to; i++ {
		in := &l.p.Code[i]
		for _, s := range l.readPreds(in) {
			if l.preds[s] == 0 {
				return false
			}
		}
		if l.writesPred(in) && l.preds[in.D] == 0 {
			l.preds[in.D] = l.cell()
		}
	}
	if l.preds[decides] == 0 {
		return false
	}
	after := l.pl.liveIn[int32(l.to+1)]
	for s := range l.preds {
		if n := l.pl.ids[s]; s != decides && (after[n/64]>>(n%64)&1 != 0 || l.pl.kept[n]) {
			return false
		}
	}
	return true
}

// readPreds lists the predicates that a step reads.
func (l *serialLoop) readPreds(in *program.Instr) []int32 {
	switch in.Op {
	case program.OpSel:
		return []int32{in.C}
	case program.OpPredMov, program.OpPredNot:
		return []int32{in.A}
	case program.OpPredAnd, program.OpPredOr, program.OpPredXor:
		return []int32{in.A, in.B}
	}
	return nil
}

// writesPred reports whether a step's result is a predicate.
func (l *serialLoop) writesPred(in *program.Instr) bool {
	switch in.Op {
	case program.OpCmp, program.OpPredMov, program.OpPredNot, program.OpPredAnd, program.OpPredOr, program.OpPredXor:
		return true
	}
	return false
}

// cell takes a new cell of the context. Its place is never 0.
func (l *serialLoop) cell() int32 {
	l.cells++
	return ctxSerialCells + 8*(l.cells-1)
}

// operands calls f for the rows that a step reads, with their widths, and whether it takes them in general
// registers, in vectors, or wherever they are (unplaced).
func (l *serialLoop) operands(i int, f func(slot int32, w alu.Width, c class)) {
	in := &l.p.Code[i]
	switch in.Op {
	case program.OpVec, program.OpVec4:
		if o := l.general(in); o != nil {
			for k, s := range []int32{in.A, in.B, in.C}[:len(o.args)] {
				c := inGeneral
				if o.moves {
					c = unplaced
				}
				f(s, o.args[k], c)
			}
			return
		}
		for k, arg := range nativeOf(in.ALU).args {
			f([]int32{in.A, in.B, in.C, in.E}[k], arg.width(), inVector)
		}
	case program.OpCmp:
		t, c := tests()[in.ALU.Name], inVector
		if _, ok := serialTests[in.ALU.Name]; ok {
			c = inGeneral
		}
		f(in.A, t.arg.width(), c)
		f(in.B, t.arg.width(), c)
	case program.OpSel:
		f(in.A, in.Dst, unplaced)
		f(in.B, in.Dst, unplaced)
	case program.OpLoad:
		m := &l.p.Mems[in.X]
		f(m.Base, m.BaseWidth, inGeneral)
	case program.OpAtomic:
		m := &l.p.Mems[in.X]
		f(m.Base, m.BaseWidth, inGeneral)
		f(m.B, m.Width, inGeneral)
		if m.C != program.NoSlot {
			f(m.C, m.Width, inGeneral)
		}
	}
}

// results calls f for the rows that a step writes, with their widths and where it has them.
func (l *serialLoop) results(i int, f func(slot int32, w alu.Width, c class)) {
	in := &l.p.Code[i]
	switch in.Op {
	case program.OpVec, program.OpVec4:
		c := inVector
		if o := l.general(in); o != nil {
			c = inGeneral
			if o.moves {
				c = unplaced
			}
		}
		f(in.D, in.Dst, c)
	case program.OpSel:
		f(in.D, in.Dst, unplaced)
	case program.OpLoad:
		m := &l.p.Mems[in.X]
		for _, s := range m.Regs[:m.Count] {
			if s != program.NoSlot {
				f(s, m.Width, unplaced)
			}
		}
	}
}

// prefers is where the next step that minds wants the value that a slot has after step i, in this round or the next.
func (l *serialLoop) prefers(slot int32, i int) class {
	c, over := unplaced, false
	look := func(from, to int) {
		for j := from; j < to && c == unplaced && !over; j++ {
			l.operands(j, func(s int32, _ alu.Width, want class) {
				if s == slot && c == unplaced {
					c = want
				}
			})
			l.results(j, func(s int32, _ alu.Width, have class) {
				if over = over || s == slot; s == slot && c == unplaced && j == i {
					c = have
				}
			})
		}
	}
	look(i+1, l.to)
	look(l.from+1, i+1)
	return c
}

// place gives the values their homes. It returns nil if there is not enough room.
func (l *serialLoop) place() *serialLoop {
	uses := map[int32]int{}
	ok := true
	for i := l.from + 1; i < l.to; i++ {
		if l.indices[i] {
			continue
		}
		l.results(i, func(s int32, w alu.Width, _ class) {
			h := l.homes[s]
			if h == nil {
				h = &home{width: w}
				l.homes[s] = h
			}
			h.has[l.defined(i, s)] = true
			uses[s]++
		})
	}
	written := map[int32]bool{}
	for i := l.from + 1; i < l.to; i++ {
		l.operands(i, func(s int32, _ alu.Width, _ class) {
			h := l.homes[s]
			if h == nil || l.loads[i] != nil && l.loads[i].kind == byIndex {
				return
			}
			uses[s]++
			if written[s] || h.first != unplaced {
				return
			}
			if h.first = l.prefers(s, l.from); h.first == unplaced {
				h.first = inGeneral
			}
			h.has[h.first] = true
		})
		if !l.indices[i] {
			l.results(i, func(s int32, _ alu.Width, _ class) { written[s] = true })
		}
	}
	if l.atomic != 0 {
		l.unused = l.unused[1:] // RDX
	}
	l.findUnused()
	order := slices.SortedFunc(maps.Keys(l.homes), func(a, b int32) int {
		return cmp.Or(cmp.Compare(uses[b], uses[a]), cmp.Compare(a, b))
	})
	rows := 0
	for _, s := range order {
		h := l.homes[s]
		h.loosens = h.first == inVector && (loopCode{l.gen}).loosens(s, l.from)
		ok = l.room(h) && ok
		if l.leaves(s) != notWanted {
			rows++
		}
	}
	for _, i := range slices.Sorted(maps.Keys(l.loads)) {
		l.loads[i].takeCells(l)
	}
	if !ok || rows > maxSerialRows || l.cells > maxSerialCells {
		return nil
	}
	return l
}

// findUnused adds the registers that the loop does not need otherwise to those that it can have.
func (l *serialLoop) findUnused() {
	rows, regions := false, false
	for i := l.from + 1; i < l.to; i++ {
		x := l.loads[i]
		regions = regions || x != nil && x.kind == byRound
		l.operands(i, func(s int32, _ alu.Width, _ class) {
			address := x != nil && x.kind != byRound && s == x.m.Base
			rows = rows || l.homes[s] == nil && !l.indices[i] && !l.uniform(s) && !address
		})
	}
	for _, x := range l.loads {
		rows = rows || x.kind == byIndex && l.homes[x.slot] == nil && !l.uniform(x.slot)
	}
	if l.lane = !rows; l.lane {
		l.unused = append(l.unused, jit.RBX)
	}
	if l.regions = !regions; l.regions {
		l.unused = append(l.unused, jit.R13)
	}
}

// uniform reports a value that all lanes have, in the slab or as a constant.
func (l *serialLoop) uniform(slot int32) bool {
	_, known := l.pl.values[slot]
	return known || slot < l.p.Uniform || l.pl.same[slot]
}

// room takes what a home needs.
func (l *serialLoop) room(h *home) bool {
	if h.has[inGeneral] {
		if r, ok := l.takeGeneral(); ok {
			h.general = r
		} else {
			h.inCell, h.cell = true, l.cell()
		}
	}
	if h.has[inVector] {
		n := bits.OnesCount32(l.vectors)
		if n == maxSerialVecs {
			return false
		}
		h.vector = jit.Vec(n)
		l.vectors |= 1 << n
	}
	return true
}

func (l *serialLoop) takeGeneral() (jit.Reg, bool) {
	if len(l.unused) == 0 {
		return 0, false
	}
	r := l.unused[0]
	l.unused = l.unused[1:]
	return r, true
}

// wanted says which lanes vector code wants a row of: none, those that stay in the loop, or all.
type wanted uint8

const (
	notWanted wanted = iota
	wantedToStay
	wantedAfter
)

// leaves says of which lanes vector code wants a slot's row.
func (l *serialLoop) leaves(slot int32) wanted {
	n, ok := l.pl.ids[slot]
	live := func(at int) bool { return l.pl.liveIn[int32(at)][n/64]>>(n%64)&1 != 0 }
	switch {
	case !ok:
		return notWanted
	case live(l.to + 1):
		return wantedAfter
	case live(l.from) || l.pl.kept[n]:
		return wantedToStay
	}
	return notWanted
}

// emit goes to the serial code where that pays, and emits it. It is for the place before the loop.
func (l serialCode) emit() {
	g, loads := l.gen, l.gathers()
	need := l.pays()
	if need > len(loads) {
		return
	}
	serial, vector := g.NewLabel(), g.NewLabel()
	g.MoveImm(jit.RAX, 0)
	for _, x := range loads {
		g.Load32(jit.RCX, g.memoryCode().regionMissed(x))
		g.OpImm(jit.ADD, false, jit.RCX, lookAgain-looks)
		g.ShiftImm(jit.SHR, false, jit.RCX, byte(bits.TrailingZeros(lookAgain)))
		g.Op(jit.ADD, false, jit.RAX, jit.RCX)
	}
	g.OpImm(jit.CMP, false, jit.RAX, int32(need))
	g.JumpIf(jit.AE, serial)
	g.Bind(vector)
	g.cold = append(g.cold, func() {
		g.Bind(serial)
		l.compile(vector)
	})
}

// gathers lists the loads that learn whether lanes are neighbors, but for those from the same place in each round.
func (l *serialLoop) gathers() (list []int32) {
	for _, i := range slices.Sorted(maps.Keys(l.loads)) {
		if in := &l.p.Code[i]; in.Op == program.OpLoad && l.p.Mems[in.X].Count == 1 && l.loads[i].kind != byLane {
			list = append(list, in.X)
		}
	}
	return list
}

// compile emits the serial code. It goes to a label, in the state of before, where vector code has to do it.
func (l serialCode) compile(vector jit.Label) {
	g := l.gen
	l.memoryCode().restore(nil)
	g.free &^= l.vectors
	g.Load(jit.RAX, ctx(ctxSerialTimes)) // now and then vector code looks whether lanes are neighbors
	g.OpImm(jit.ADD, false, jit.RAX, 1)
	g.Store(ctx(ctxSerialTimes), jit.RAX)
	g.JumpIf(jit.S, vector)
	g.TestImm(jit.RAX, serialTimes-1)
	g.JumpIf(jit.E, vector)
	l.allowed(vector)
	g.diverging().tellThreads()
	l.trouble = g.NewLabel()
	for k, r := range serialSaved {
		g.Store(ctx(ctxSerialSaved+8*int32(k)), r)
	}
	for _, at := range []int32{ctxSerialStay, ctxSerialMost, ctxSerialTotal, ctxSerialChanges} {
		g.Store(ctx(at), jit.R9) // 0
	}
	g.Store(ctx(ctxSerialTodo), jit.R12)
	l.eachLoad(func(x *serialLoad) { x.beforeWarp(l) })
	l.lanes()
	l.finish()
	g.Bind(l.trouble)
	l.regain()
	pause := int64(-serialPause)
	g.MoveImm(jit.RAX, uint64(pause))
	g.Store(ctx(ctxSerialTimes), jit.RAX)
	g.Jump(vector)
	g.memoryCode().restore(nil)
}

// allowed goes to a label where lanes must not diverge or leave the loop here, accesses have to be entered or the turn
// is near its end.
func (l serialCode) allowed(vector jit.Label) {
	g, inside := l.gen, l.gen.NewLabel()
	g.Load(jit.RAX, ctx(ctxDepth))
	g.OpMem(jit.CMP, true, jit.RAX, ctx(ctxLimit))
	g.JumpIf(jit.AE, vector)
	g.CmpMemImm(ctx(ctxMeet), l.branch.Meet)
	g.JumpIf(jit.NE, inside)
	g.Test(true, jit.RAX, jit.RAX)
	g.JumpIf(jit.E, vector) // the reconvergence point is the interpreter's
	g.Bind(inside)
	for i := range l.loads {
		if x := l.p.Code[i].X; l.enters(&l.p.Mems[x]) || l.entersAtomic(&l.p.Mems[x]) {
			g.CmpMemImm(g.memoryCode().regionEnters(x), 0)
			g.JumpIf(jit.NE, vector)
		}
	}
	g.Test(true, jit.R8, jit.R8)
	g.JumpIf(jit.S, vector)
	g.Lea(jit.RAX, jit.At(jit.R8, 0))
	g.ShiftImm(jit.SHR, true, jit.RAX, byte(bits.Len32(uint32(l.p.Code[l.from].Cost()))))
	g.OpImm(jit.CMP, true, jit.RAX, minSerialTurns)
	g.JumpIf(jit.B, vector)
	g.Store(ctx(ctxSerialBound), jit.RAX)
}

// lanes runs each lane.
func (l serialCode) lanes() {
	g := l.gen
	next, round, ended, left, most := g.NewLabel(), g.NewLabel(), g.NewLabel(), g.NewLabel(), g.NewLabel()
	g.Bind(next)
	g.Load32(jit.RAX, ctx(ctxSerialTodo))
	g.TrailingZeros(jit.RBX, jit.RAX)
	g.Lea(jit.RCX, jit.At(jit.RAX, -1))
	g.Op(jit.AND, false, jit.RAX, jit.RCX)
	g.Store32(ctx(ctxSerialTodo), jit.RAX)
	g.Store32(ctx(ctxSerialLane), jit.RBX)
	g.Load(jit.R9, ctx(ctxSerialBound))
	if l.regions {
		g.Load(jit.R13, ctx(ctxRegions))
	}
	l.eachLoad(func(x *serialLoad) { x.beforeLane(l) })
	g.Store(ctx(ctxSerialTurns), jit.R9)
	l.fillAll()
	l.eachLoad(func(x *serialLoad) { x.hold(l) })
	g.Bind(round)
	for i := l.from + 1; i < l.to; i++ {
		l.step(i)
		g.release(0)
	}
	for _, h := range l.inOrder() {
		l.move(h, h.first)
	}
	l.leaveUnless(left)
	g.OpImm(jit.SUB, true, jit.R9, 1)
	g.JumpIf(jit.NE, round)
	// The lane has more to do. That is trouble if it is not for the turn's end.
	g.Load(jit.RAX, ctx(ctxSerialTurns))
	g.OpMem(jit.CMP, true, jit.RAX, ctx(ctxSerialBound))
	g.JumpIf(jit.NE, l.trouble)
	g.Load(jit.RCX, ctx(ctxSerialStay))
	g.Load32(jit.R9, ctx(ctxSerialLane))
	jit.BitSet.Emit(&g.Asm, jit.RCX, jit.R9)
	g.Store(ctx(ctxSerialStay), jit.RCX)
	l.deliver(wantedToStay)
	g.Jump(ended)
	g.Bind(left)
	g.Load(jit.RAX, ctx(ctxSerialTurns))
	g.Op(jit.SUB, true, jit.RAX, jit.R9)
	g.OpImm(jit.ADD, true, jit.RAX, 1)
	l.deliver(wantedAfter)
	g.Bind(ended)
	g.OpTo(jit.ADD, true, ctx(ctxSerialTotal), jit.RAX)
	g.OpMem(jit.CMP, true, jit.RAX, ctx(ctxSerialMost))
	g.JumpIf(jit.BE, most)
	g.Store(ctx(ctxSerialMost), jit.RAX)
	g.Bind(most)
	g.CmpMemImm(ctx(ctxSerialTodo), 0)
	g.JumpIf(jit.NE, next)
}

// fillAll loads what the first round finds: the home that is where the lane was at last.
func (l serialCode) fillAll() {
	last := func() {}
	for s, h := range l.inOrder() {
		if h.now = h.first; h.first == unplaced {
			continue
		}
		fill := func() {
			l.fill(h, laneRow(s, h.width))
			h.loose = h.loosens
		}
		if h.first == inGeneral && !h.inCell && h.general == jit.RBX {
			last = fill
		} else {
			fill()
		}
	}
	last()
}

// deliver stores the rows of the lane that are wanted so much or more. It keeps RAX.
func (l serialCode) deliver(least wanted) {
	l.Load32(jit.R9, ctx(ctxSerialLane))
	for k, s := range l.rows() {
		if l.leaves(s) < least {
			continue
		}
		h := l.homes[s]
		to := laneRow(0, h.width)
		to.Base, to.Index, to.Disp = jit.RSI, int8(jit.R9), ctxSerialRows+serialRowStride*int32(k)
		switch {
		case h.now == inVector && h.loose:
			l.canonicalIn(spare, h.vector)
			l.MoveFromVec(jit.RCX, spare, false)
		case h.now == inVector:
			l.MoveFromVec(jit.RCX, h.vector, h.width == alu.W64)
		default:
			l.toGeneral(jit.RCX, h)
		}
		if h.width == alu.W64 {
			l.Store(to, jit.RCX)
		} else {
			l.Store32(to, jit.RCX)
		}
	}
}

// regain brings the registers of vector code back, and tells of changes.
func (l serialCode) regain() {
	if l.atomic != 0 {
		l.Load(jit.RAX, ctx(ctxSerialChanges))
		l.OpTo(jit.ADD, true, ctx(ctxChanges), jit.RAX)
	}
	for k, r := range serialSaved {
		l.Load(r, ctx(ctxSerialSaved+8*int32(k)))
	}
	if l.regions {
		l.Load(jit.R13, ctx(ctxRegions))
	}
	l.MoveImm(jit.R9, 0)
}

// finish gives the rows their new values, counts, and continues after the loop, or in it with the lanes that stay.
func (l serialCode) finish() {
	g := l.gen
	l.regain()
	l.commit(wantedAfter, g.maskOf)
	g.Load32(jit.RAX, ctx(ctxSerialStay))
	if l.p.Code[l.to].PredNot {
		g.Not(false, jit.RAX)
	}
	g.setPred(l.p.Code[l.to].A)
	in, same := &l.p.Code[l.from], g.NewLabel()
	g.Load(jit.RAX, ctx(ctxSerialMost))
	g.PopCount(jit.RDX, jit.R12)
	g.Mul(true, jit.RDX, jit.RAX)
	g.Load(jit.RCX, ctx(ctxSerialTotal))
	g.Op(jit.CMP, true, jit.RDX, jit.RCX)
	g.JumpIf(jit.E, same)
	g.Store(ctx(ctxMet), jit.RSI) // not 0
	g.Bind(same)
	times := func(r jit.Reg, n int32) {
		g.MoveImm(jit.RDX, uint64(n))
		g.Mul(true, jit.RDX, r)
	}
	times(jit.RCX, in.N)
	g.OpTo(jit.ADD, true, ctx(ctxThreads), jit.RDX)
	times(jit.RAX, in.N)
	g.OpTo(jit.ADD, true, ctx(ctxInstrs), jit.RDX)
	times(jit.RAX, in.Cost())
	g.Op(jit.SUB, true, jit.R8, jit.RDX)
	globals := int32(0)
	for i := range l.loads {
		if l.p.Mems[l.p.Code[i].X].Site.Space == trace.SpaceGlobal {
			globals++
		}
	}
	times(jit.RAX, int32(len(l.loads)))
	g.Op(jit.ADD, true, jit.R10, jit.RDX)
	times(jit.RAX, globals)
	g.OpTo(jit.ADD, true, ctx(ctxGlobals), jit.RDX)
	g.Load32(jit.RAX, ctx(ctxSerialStay))
	g.Test(false, jit.RAX, jit.RAX)
	g.JumpIf(jit.E, g.label(l.branch.Meet))
	l.commit(wantedToStay, func(part, parts int) jit.K {
		g.KFrom(5, jit.RAX)
		if part > 0 {
			g.KShiftR(5, 5, byte(part*32/parts))
		}
		return 5
	})
	l.resume()
}

// resume continues in the loop with the lanes RAX of those that run.
func (l serialCode) resume() {
	g, same, come := l.gen, l.gen.NewLabel(), l.gen.NewLabel()
	g.Move32(jit.RCX, jit.R12)
	g.Op(jit.XOR, false, jit.RCX, jit.RAX)
	g.JumpIf(jit.E, g.label(int32(l.from))) // all
	g.Load(jit.RDX, ctx(ctxDepth))
	g.CmpMemImm(ctx(ctxMeet), l.branch.Meet)
	g.JumpIf(jit.E, same)
	g.diverging().join(l.branch.Meet)
	g.Jump(come)
	g.Bind(same)
	g.Lea(jit.RBX, jit.At(jit.RSI, -DivergedSize))
	g.Op(jit.ADD, true, jit.RBX, jit.RDX)
	g.Bind(come)
	g.diverging().come(jit.RCX)
	g.Move32(jit.R12, jit.RAX)
	g.diverging().setMask()
	g.Jump(g.labelOf(true, int32(l.from)))
}

// commit gives the rows that are wanted so much, in the lanes of a part that a mask says, what the lanes left.
func (l serialCode) commit(much wanted, mask func(part, parts int) jit.K) {
	g, v := l.gen, spare
	for n, s := range l.rows() {
		if l.leaves(s) != much {
			continue
		}
		h := l.homes[s]
		for i := range partsOf(h.width) {
			from, to := ctx(ctxSerialRows+serialRowStride*int32(n)+int32(64*i)), slab(s, 64*i)
			move := jit.VMOVDQU32
			if h.width == alu.W64 {
				move = jit.VMOVDQU64
			}
			k := mask(i, partsOf(h.width))
			if k != 0 { // a whole vector is stored, so that loads can follow at once
				g.load(v, operand{m: &to})
			}
			g.Emit(move, jit.Args{Reg: int8(v), Mem: &from, K: k})
			g.Emit(jit.VMOVDQU32s, jit.Args{Reg: int8(v), Mem: &to})
		}
	}
}

// inOrder goes over the homes by their slots.
func (l *serialLoop) inOrder() func(yield func(int32, *home) bool) {
	return func(yield func(int32, *home) bool) {
		for _, s := range slices.Sorted(maps.Keys(l.homes)) {
			if !yield(s, l.homes[s]) {
				return
			}
		}
	}
}

// rows lists the slots whose rows vector code wants.
func (l *serialLoop) rows() []int32 {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(l.homes)), func(s int32) bool { return l.leaves(s) == notWanted })
}

// eachLoad goes over the loads by their steps.
func (l serialCode) eachLoad(f func(x *serialLoad)) {
	for _, i := range slices.Sorted(maps.Keys(l.loads)) {
		f(l.loads[i])
	}
}
