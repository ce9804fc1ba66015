package engine_test

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/engine"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
)

// localWrites follows what warps write to local memory, and reads of other bytes.
type localWrites struct {
	mu     sync.Mutex
	list   []string
	events int
}

func (x *localWrites) observer() *trace.Observer {
	return eachBlock(func() *trace.BlockObserver {
		var tables [][]uint32
		var block uint64
		var missing []string
		table := func(warp, n int) []uint32 {
			for len(tables) <= warp {
				tables = append(tables, nil)
			}
			for len(tables[warp]) < n {
				tables[warp] = append(tables[warp], 0)
			}
			return tables[warp]
		}
		access := func(a *trace.Access) {
			x.events++
			bad := uint32(0)
			for m := a.Mask; m != 0; m &= m - 1 {
				l := bits.TrailingZeros32(m)
				for i := range uint64(a.Site.Size) {
					b := &table(a.Warp, int(a.Addr[l]+i)+1)[a.Addr[l]+i]
					if a.Site.Kind == trace.Read && *b>>l&1 == 0 {
						bad |= 1 << l
					}
					if a.Site.Kind.Writes() {
						*b |= 1 << l
					}
				}
			}
			if bad != 0 {
				missing = append(missing, fmt.Sprintf("block %d, warp %d, site %d: %x", block, a.Warp, a.Site.ID, bad))
			}
		}
		return &trace.BlockObserver{
			Begin: func(b *trace.Block) {
				block, missing = b.Index, nil
				for _, t := range tables {
					clear(t)
				}
			},
			End: func() {
				x.mu.Lock()
				defer x.mu.Unlock()
				x.list = append(x.list, missing...)
				for w, t := range tables {
					for len(t) > 0 && t[len(t)-1] == 0 {
						t = t[:len(t)-1]
					}
					x.list = append(x.list, fmt.Sprintf("block %d, warp %d has %x", block, w, t))
				}
			},
			Local: access, LocalWritten: table,
		}
	})
}

// partlyWritten stores to local memory in some lanes, and loads in all.
const partlyWritten = `
	.local .align 16 .b8 loc[64];
	mov.u32 %r2, 0;
LOOP:
	and.b32 %r1, %lane, 3;
	setp.lt.u32 %p1, %r1, %r2;
	@%p1 bra A;
	st.local.u32 [loc], %r2;
	st.local.v2.u32 [loc+8], {%r2, %r1};
	bra B;
A:
	st.local.u64 [loc+16], %d19;
B:
	ld.local.u32 %r3, [loc];
	ld.local.u64 %d1, [loc+16];
	ld.local.v2.u32 {%r4, %r5}, [loc+8];
	add.u32 %r2, %r2, 1;
	setp.lt.u32 %p2, %r2, 5;
	@%p2 bra LOOP;
	st.global.u32 [%o], %r3;
`

// TestLocalWritten runs random programs, and one that reads what some lanes have not written:
// whoever notes what is written to local memory, it is the same.
func TestLocalWritten(t *testing.T) {
	defer useOwnExecutor()
	best := alu.ISA()
	defer alu.SetISA(best)
	spared := false
	for seed := range programs(24) {
		src, params := generate(seed, sizeOf(seed)), 3
		if seed == 0 {
			src, params = simple("", partlyWritten), 1
		}
		var want []string
		events := 0
		for i, mode := range [][2]string{{"off", best}, {"always", best}, {"always", "avx2"}} {
			if i == 2 && seed > 3 { // a compiler takes half a second a program
				continue
			}
			if alu.SetISA(mode[1]) != nil || warp.UseExecutor(mode[0]) != nil {
				continue
			}
			p := lowered(t, parse(t, src), "k", nil)
			block := []uint32{32, 64, 50, 17}[seed%4]
			buffers := []any{newBuffer(t, diffTable), newBuffer(t, diffGrid*int(block)*256), newBuffer(t, 4)}
			a, _ := arch.Parse("sm_80")
			x := &localWrites{}
			e := engine.New(engine.Config{Arena: arena, Arch: a, Workers: 1, MaxSteps: 1 << 20, Observers: []*trace.Observer{x.observer()}})
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			_, err := e.Run(ctx, p, engine.Launch{Grid: trace.Dim3{X: diffGrid, Y: 1, Z: 1}, Block: trace.Dim3{X: block, Y: 1, Z: 1}, Params: layOut(t, p, buffers[:params])})
			cancel()
			if err != nil {
				break
			}
			slices.Sort(x.list)
			if mode[0] == "off" {
				want, events = x.list, x.events
				if seed == 0 && !strings.Contains(strings.Join(want, "\n"), "site") {
					t.Error("nothing was read that was not written")
				}
			} else if !slices.Equal(x.list, want) {
				t.Errorf("seed %d, %v:\n%s\nwant\n%s", seed, mode, strings.Join(x.list, "\n"), strings.Join(want, "\n"))
			}
			spared = spared || x.events < events
		}
	}
	if !spared {
		t.Error("code noted nothing by itself")
	}
}
