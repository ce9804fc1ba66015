package predict_test

import (
	"fmt"
	"testing"

	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/check/race/predict"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// TestOrders: block 0 has an access between its second and third operation, block 1 one behind its first.
func TestOrders(t *testing.T) {
	l, site := predict.NewLog(), &trace.Site{}
	at := func(block uint32, warp int, interval, tick uint32) predict.Access {
		return predict.Access{Block: block, Warp: warp, Interval: interval, Tick: tick}
	}
	for i, a := range []predict.Access{at(0, 1, 0, 1), at(0, 1, 0, 4), at(0, 0, 1, 2)} {
		l.Operation(a, uint32(i+1), site)
	}
	for i, a := range []predict.Access{at(1, 0, 0, 1), at(1, 0, 0, 9)} {
		l.Operation(a, uint32(i+1), site)
	}
	// An operation of another warp in the interval is neither ahead of the access nor behind it.
	l.Operation(at(0, 3, 0, 7), 1, site)
	free := predict.Pair{First: at(0, 1, 0, 5), Then: at(1, 0, 0, 2)}
	l.Ordered(evidence.KeyOf(1, 2, 0), free)
	if !l.Some() {
		t.Fatal("no pair")
	}
	want := "[[0.0.3] [0.1.2 1.0.2] [0.1.1 1.0.2]]"
	if got := holdsOf(l.Orders(4)); got != want {
		t.Errorf("orders %s, want %s", got, want)
	}
	l = predict.NewLog()
	l.Operation(at(0, 0, 0, 1), 1, site)
	l.Operation(at(0, 0, 0, 5), 2, site)
	l.Ordered(evidence.KeyOf(1, 2, 0), predict.Pair{First: at(0, 0, 0, 3), Then: at(1, 0, 0, 3), Locked: true})
	if got := holdsOf(l.Orders(4)); got != "[[0.0.2]]" {
		t.Errorf("orders of accesses under a lock: %s", got)
	}
}

func holdsOf(os []predict.Order) string {
	var list []any
	for _, o := range os {
		list = append(list, o.Holds)
	}
	return fmt.Sprint(list)
}

// TestBudget: equal work allows equal executions, and a launch beyond it runs a few blocks.
func TestBudget(t *testing.T) {
	l := &trace.Launch{Grid: trace.Dim3{X: 1000, Y: 1, Z: 1}}
	b := predict.NewBudget(1)
	if got := b.Blocks(l, trace.Work{WarpInstrs: 1000}); got != nil {
		t.Errorf("a small launch is cut to %d blocks", len(got))
	}
	if got := b.Blocks(l, trace.Work{WarpInstrs: 1 << 30}); len(got) == 0 || len(got) > 100 {
		t.Errorf("a large launch has %d blocks", len(got))
	}
	b.Spend(trace.Work{WarpInstrs: 1 << 20}, 0)
	if !b.Spent() {
		t.Error("nothing is spent")
	}
	b.Earn(trace.Work{WarpInstrs: 1 << 40})
	if b.Spent() {
		t.Error("nothing is earned")
	}
}
