package engine_test

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math/rand"
	"testing"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp"
)

// Loops that only load and compute run serially in generated code where lanes load from far apart (native/serial.go).
// What lanes leave, what is counted, faults and their places are those of the interpreter, also where a lane goes where
// it must not, where rows are longer than a turn, and where an atomic operation changes what the loop loads.
func TestSerialLoops(t *testing.T) {
	const rows, words = 256, 1 << 15
	for name, c := range map[string]struct {
		loop string
		set  func(row, col []uint32)
	}{
		"sums":                  {"ld.global.u32 %r3, [%d2]; mul.wide.s32 %d3, %r3, 4; add.s64 %d3, %d3, %col; ld.global.f32 %f0, [%d3]; fma.rn.f32 %f1, %f0, %f0, %f1;", nil},
		"one index too large":   {"ld.global.u32 %r3, [%d2]; mul.wide.s32 %d3, %r3, 4; add.s64 %d3, %d3, %col; ld.global.f32 %f0, [%d3]; add.f32 %f1, %f0, %f1;", func(row, col []uint32) { col[row[100]+1] = words }},
		"a negative index":      {"ld.global.s32 %r3, [%d2]; mul.wide.s32 %d3, %r3, 4; add.s64 %d3, %d3, %col; ld.global.f32 %f0, [%d3]; add.f32 %f1, %f0, %f1;", func(row, col []uint32) { col[row[70]+2] = 1 << 31 }},
		"a row beyond the end":  {"ld.global.u32 %r3, [%d2]; xor.b32 %r4, %r4, %r3;", func(row, col []uint32) { row[201] = words + 7 }},
		"misaligned":            {"ld.global.u32 %r3, [%d2]; cvt.u64.u32 %d3, %r3; add.s64 %d3, %d3, %col; ld.global.u32 %r3, [%d3]; add.u32 %r4, %r4, %r3;", func(row, col []uint32) { col[row[3]+1] = 6 }},
		"long rows":             {"ld.global.u32 %r3, [%d2]; mul.wide.u32 %d3, %r3, 4; add.s64 %d3, %col, %d3; ld.global.u32 %r5, [%d3]; add.u32 %r4, %r4, %r5;", func(row, _ []uint32) { lengthen(row, words) }},
		"the greatest, aliased": {"ld.global.u32 %r3, [%d2]; mul.wide.u32 %d3, %r3, 4; add.s64 %d3, %col, %d3; ld.global.u32 %r5, [%d3]; add.u32 %r4, %r4, %r5; red.global.max.u32 [%d3], %r4;", nil},
		"the greatest":          {"ld.global.u32 %r3, [%d2]; mul.wide.u32 %d3, %r3, 4; add.s64 %d3, %acc, %d3; red.global.max.u32 [%d3], %r0;", nil},
		"of the round before":   {"ld.global.u32 %r3, [%d2]; mul.wide.s32 %d3, %r3, 4; add.s64 %d3, %d3, %acc; red.global.max.u32 [%d3], %r4; mov.u32 %r4, %r3;", nil},
		"bits, and too far":     {"ld.global.u32 %r3, [%d2]; mul.wide.u32 %d3, %r3, 4; add.s64 %d3, %acc, %d3; red.global.or.b32 [%d3], %r0;", func(row, col []uint32) { col[row[230]+1] = words + 1 }},
		"claims":                {"ld.global.u32 %r3, [%d2]; mul.wide.u32 %d3, %r3, 4; add.s64 %d3, %acc, %d3; atom.global.cas.b32 %r5, [%d3], 0, 2;", nil},
		"chases":                {"mul.wide.u32 %d3, %r4, 4; add.s64 %d3, %col, %d3; ld.global.u32 %r4, [%d3];", nil},
	} {
		t.Run(name, func(t *testing.T) {
			src := header + `.visible .entry k(.param .u64 k_row, .param .u64 k_col, .param .u64 k_acc, .param .u64 k_out)
{
	.reg .b32 %r<8>; .reg .b64 %d<6>, %row, %col, %acc, %out; .reg .f32 %f<2>; .reg .pred %p;
	ld.param.u64 %row, [k_row]; ld.param.u64 %col, [k_col]; ld.param.u64 %acc, [k_acc]; ld.param.u64 %out, [k_out];
	mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x; mov.u32 %r2, %tid.x; mad.lo.u32 %r0, %r0, %r1, %r2; mov.u32 %r6, 0; mov.f32 %f1, 0f00000000; mov.u32 %r4, %r0;
REPEAT:
	mul.wide.u32 %d0, %r0, 4; add.s64 %d1, %row, %d0; ld.global.u32 %r1, [%d1]; ld.global.u32 %r2, [%d1+4];
	setp.ge.s32 %p, %r1, %r2; @%p bra NEXT; mul.wide.u32 %d2, %r1, 4; add.s64 %d2, %col, %d2;
LOOP:
	` + c.loop + `
	add.s64 %d2, %d2, 4; add.u32 %r1, %r1, 1; ld.global.u32 %r2, [%d1+4]; setp.lt.s32 %p, %r1, %r2; @%p bra LOOP;
NEXT:
	add.u32 %r6, %r6, 1; setp.lt.u32 %p, %r6, 3; @%p bra REPEAT;
	add.s64 %d0, %out, %d0; mov.b32 %r5, %f1; xor.b32 %r4, %r4, %r5; st.global.u32 [%d0], %r4;
}
`
			rnd := rand.New(rand.NewSource(1))
			row, col := make([]uint32, rows+1), make([]uint32, words)
			for i := range rows {
				row[i+1] = row[i] + 3 + uint32(rnd.Intn(20))
			}
			for i := range col {
				col[i] = uint32(rnd.Intn(words))
			}
			if c.set != nil {
				c.set(row, col)
			}
			defer useOwnExecutor()
			for _, counted := range []bool{false, true} {
				var want string
				for i, mode := range executors() {
					warp.UseExecutor(mode)
					got := serialRun(t, src, row, col, counted)
					if i == 0 {
						want = got
					} else if got != want {
						t.Errorf("executor %s, blocks counted %v: %s, want %s", mode, counted, got, want)
					}
				}
			}
		})
	}
}

// lengthen lets two rows take thousands of rounds.
func lengthen(row []uint32, words uint32) {
	for i := range row {
		if row[i] = 4 * uint32(i); i > 40 {
			row[i] += 9000
		}
		if i > 131 {
			row[i] += 15000
		}
		row[i] = min(row[i], words)
	}
}

// serialRun tells the outcome of a run: a fault, what was counted, the executions of basic blocks if they are counted, and
// what is in memory.
func serialRun(t *testing.T, src string, row, col []uint32, counted bool) string {
	buffers := []*buffer{newBuffer(t, 4*len(row)), newBuffer(t, 4*len(col)), newBuffer(t, 4*len(col)), newBuffer(t, 4*len(row))}
	for i, words := range [][]uint32{row, col} {
		var b []byte
		for _, w := range words {
			b = binary.LittleEndian.AppendUint32(b, w)
		}
		copy(buffers[i].bytes(), b)
	}
	clear(buffers[2].bytes())
	clear(buffers[3].bytes())
	var executed []trace.Executed
	var observers []*trace.Observer
	if counted {
		observers = append(observers, &trace.Observer{Launch: func(*trace.Launch) []*trace.LaunchObserver {
			return []*trace.LaunchObserver{{Executed: func(e []trace.Executed) { executed = e }}}
		}})
	}
	res, err := tryRun(t, launch{src: src, grid: 4, block: 64, observers: observers, params: []any{buffers[0], buffers[1], buffers[2], buffers[3]}})
	if err != nil {
		t.Fatal(err)
	}
	if f := res.Fault; f != nil { // what is in memory then depends on how far others have come
		meant := buffers[1]
		if f.Access == trace.Atomic {
			meant = buffers[2]
		}
		return fmt.Sprintf("fault %d in block %d warp %d line %d lanes %#x lane %d at %#x", f.Kind, f.Block, f.Warp, f.Site.Loc.Line, f.Mask, f.Lane, f.Addr-meant.Base)
	}
	h := fnv.New64()
	for _, b := range buffers {
		h.Write(b.bytes())
	}
	return fmt.Sprintf("counts %+v, blocks %v, memory %x", res.Counts, executed, h.Sum64())
}
