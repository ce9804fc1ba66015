package engine_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/warpgrind/warpgrind/internal/engine"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// leader asks for a lead, and notes which blocks began before it was told, and how many had ended.
type leader struct {
	lead   uint64
	mu     sync.Mutex
	before []uint64
	ended  int
	told   []int // how many blocks had ended
}

func (d *leader) observer() *trace.Observer {
	return &trace.Observer{Launch: func(l *trace.Launch) []*trace.LaunchObserver {
		return []*trace.LaunchObserver{{
			Lead: d.lead,
			Led: func() {
				d.mu.Lock()
				defer d.mu.Unlock()
				d.told = append(d.told, d.ended)
			},
			Block: func() *trace.BlockObserver {
				return &trace.BlockObserver{
					Begin: func(b *trace.Block) {
						d.mu.Lock()
						defer d.mu.Unlock()
						if len(d.told) == 0 {
							d.before = append(d.before, b.Index)
						}
					},
					End: func() {
						d.mu.Lock()
						defer d.mu.Unlock()
						d.ended++
					},
				}
			},
		}}
	}}
}

// TestLead: observers are told when the first blocks have ended, and before others begin.
func TestLead(t *testing.T) {
	const (
		takesLong  = "mov.u32 %r0, 0;\nL: add.u32 %r0, %r0, 1; setp.lt.u32 %p0, %r0, 3000; @%p0 bra L; st.global.u32 [%o], %r0;"
		waitsForIt = "setp.eq.u32 %p0, %ct, 39; @%p0 bra S;\nL: ld.volatile.global.u32 %r0, [%base]; setp.eq.u32 %p0, %r0, 0; @%p0 bra L; bra E;\nS: st.volatile.global.u32 [%base], 1;\nE: ret;"
		fails      = "setp.ne.u32 %p0, %ct, 3; @%p0 bra E; st.global.u32 [0], %ct;\nE: ret;"
	)
	for _, tc := range []struct {
		name     string
		body     string
		lead     uint64
		grid     int
		cluster  uint32
		schedule engine.Schedule
		portion  uint64
		told     bool
		first    []uint64 // nil for those of the lowest numbers
	}{
		{name: "a long launch", body: takesLong, lead: 12, grid: 200, told: true},
		{name: "a short one, in sweeps", body: "st.global.u32 [%o], %ct;", lead: 12, grid: 200, portion: 8, told: true},
		{name: "portions across the end", body: takesLong, lead: 13, grid: 200, portion: 8, told: true},
		{name: "no more blocks", body: takesLong, lead: 40, grid: 40},
		{name: "one more", body: takesLong, lead: 39, grid: 40, told: true},
		{name: "clusters", body: takesLong, lead: 3, grid: 40, cluster: 4, told: true, first: []uint64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
		{name: "the last block begins", body: takesLong, lead: 2, grid: 40, schedule: engine.Schedule{Order: engine.ReverseOrder}, told: true, first: []uint64{38, 39}},
		{name: "they wait for the last one", body: waitsForIt, lead: 12, grid: 40},
		{name: "one ends with a fault", body: fails, lead: 12, grid: 40, told: true},
	} {
		for _, workers := range []int{1, 4, 4, 4, 4} { // several times: workers come and go
			t.Run(fmt.Sprintf("%s, %d workers", tc.name, workers), func(t *testing.T) {
				if tc.portion > 0 {
					defer engine.SetPortion(tc.portion)()
				}
				out := newBuffer(t, 4*32*tc.grid)
				clear(out.bytes())
				d := leader{lead: tc.lead}
				l := launch{src: simple("", tc.body), grid: tc.grid, cluster: tc.cluster, workers: workers, schedule: tc.schedule, params: []any{out}, observers: []*trace.Observer{d.observer()}}
				if tc.cluster > 0 {
					l.arch = "sm_90"
				}
				if _, err := tryRun(t, l); err != nil {
					t.Fatal(err)
				}
				if d.ended != tc.grid {
					t.Errorf("%d of %d blocks have ended", d.ended, tc.grid)
				}
				if !tc.told {
					if len(d.told) != 0 {
						t.Errorf("the observer was told after %d blocks", d.told)
					}
					return
				}
				want := tc.first
				for i := uint64(0); tc.first == nil && i < tc.lead; i++ {
					want = append(want, i)
				}
				slices.Sort(d.before)
				if !slices.Equal(d.before, want) || !slices.Equal(d.told, []int{len(want)}) {
					t.Errorf("before the observer was told, after %d blocks, there began %d, want %d", d.told, d.before, want)
				}
			})
		}
	}
}

// TestLeadEnds: a launch ends where blocks of the lead never begin, since one of them ran over its budget.
func TestLeadEnds(t *testing.T) {
	const body = "setp.ne.u32 %p0, %ct, 3; @%p0 bra E; mov.u32 %r0, 1;\nL: add.u32 %r0, %r0, 1; setp.ne.u32 %p0, %r0, 0; @%p0 bra L;\nE: st.global.u32 [%o], %ct;"
	for range 8 {
		d := leader{lead: 40}
		mustFault(t, launch{src: simple("", body), grid: 200, workers: 4, maxSteps: 1 << 20, params: []any{newBuffer(t, 4*32*200)}, observers: []*trace.Observer{d.observer()}}, trace.FaultBudget)
	}
}
