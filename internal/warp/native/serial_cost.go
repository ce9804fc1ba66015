package native

import (
	"strings"

	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// What a round costs, in tenths of a cycle, as measured on processors with AVX-512: a lane in serial code for each step
// and besides, 32 lanes in vector code for each step, for an access to places that are far apart, and for an element of
// one that loads several. Of the lanes of a warp, so many run in a round on average.
const (
	serialStep, serialRound                 = 4, 15
	vectorStep, vectorGather, vectorElement = 60, 700, 400
	// an atomic operation takes a lane so much more in vector code
	atomicLane  = 300
	serialLanes = 24
)

// Latencies in cycles: of a load whose address a round computes from what the one before loaded, of operations on
// vectors, with divisions and roots, or general registers, and of a predicate, which goes through memory.
const (
	loadLatency, vectorLatency, divisionLatency, generalLatency, predicateLatency = 30, 4, 14, 1, 6
)

// serialCosts is what differs between generators: how many times as much a step of vector code costs as with AVX-512,
// and by how many cycles and steps operations on vectors, which are those on float, take longer in serial code.
type serialCosts struct{ vector, latency, steps int }

var (
	AVX512Costs = serialCosts{vector: 1}
	LLVMCosts   = serialCosts{vector: 3, latency: 6, steps: 2} // shorter vectors; NaN become canonical each time
)

// Pays is how many of the loads must go to places far apart for serial code to pay.
func (l *SerialLoop) Pays(c serialCosts) int {
	steps, vector, accesses := 0, 0, 0
	for i := l.From + 1; i <= l.To; i++ {
		in := &l.view.Program.Code[i]
		steps++
		vector += vectorStep
		switch {
		case in.Op == program.OpLoad && l.view.Program.Mems[in.X].Count > 1:
			accesses += vectorElement * l.view.Program.Mems[in.X].Count
		case in.Op == program.OpAtomic:
			accesses += atomicLane * serialLanes
		case in.Op == program.OpVec || in.Op == program.OpVec4:
			switch n := l.latency(i, AVX512Costs); {
			case n > vectorLatency: // which a lane has to itself
				steps += n
			case n == vectorLatency:
				steps += c.steps
			}
		}
	}
	lane := max(serialRound+serialStep*steps, 10*l.chain(c))
	return max(1, (serialLanes*lane-vector*c.vector-accesses+vectorGather-1)/vectorGather)
}

// chain is the longest way, in cycles, on which a round's value of a slot depends on that of the round before.
func (l *SerialLoop) chain(c serialCosts) int {
	longest := 0
	for s, h := range l.InOrder() {
		if h.First == Unplaced {
			continue
		}
		after := map[int32]int{s: 0} // slots that depend on it, and when they have their values
		for i := l.From + 1; i < l.To; i++ {
			at, depends := 0, false
			for _, r := range l.Plan.Steps[i].Reads {
				if t, ok := after[r]; ok {
					at, depends = max(at, t), true
				}
			}
			for _, w := range l.Plan.Steps[i].Writes {
				delete(after, w)
				if depends {
					after[w] = at + l.latency(i, c)
				}
			}
		}
		longest = max(longest, after[s])
	}
	return longest
}

// latency is that of a step.
func (l *SerialLoop) latency(i int, c serialCosts) int {
	in := &l.view.Program.Code[i]
	switch in.Op {
	case program.OpLoad:
		return loadLatency
	case program.OpVec, program.OpVec4:
		switch {
		case l.Indices[i]:
			return 0
		case l.Plan.General(in) != nil:
			return generalLatency
		case divides(in.ALU):
			return divisionLatency + c.latency
		}
		return vectorLatency + c.latency
	}
	return predicateLatency
}

// divides reports whether o is a division or a root.
func divides(o *alu.Op) bool {
	name, _, _ := strings.Cut(o.Name, ".")
	return name == "div" || name == "rcp" || name == "sqrt" || name == "rsqrt"
}
