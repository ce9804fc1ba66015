package explore

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// Order is an order of the warps of one launch.
type Order struct {
	Launch int
	Turns  []trace.Turn
}

// Prefix begins the text form of an order: steps:LAUNCH:BLOCK.WARP*TURNS,...
const Prefix = "steps:"

func (o Order) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%d:", Prefix, o.Launch)
	for i := 0; i < len(o.Turns); {
		n := i + 1
		for n < len(o.Turns) && o.Turns[n] == o.Turns[i] {
			n++
		}
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%d.%d", o.Turns[i].Block, o.Turns[i].Warp)
		if n > i+1 {
			fmt.Fprintf(&b, "*%d", n-i)
		}
		i = n
	}
	return b.String()
}

// maxTurns bounds an order.
const maxTurns = 1 << 20

var errOrder = errors.New("want " + Prefix + "LAUNCH:BLOCK.WARP*TURNS, and more of the latter after commas")

// Parse reads what String writes.
func Parse(text string) (o Order, err error) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), Prefix)
	launch, turns, some := strings.Cut(rest, ":")
	n, err := strconv.ParseUint(launch, 10, 31)
	if !ok || !some || err != nil {
		return o, errOrder
	}
	o.Launch = int(n)
	for part := range strings.SplitSeq(turns, ",") {
		t, times, ok := parseTurn(part)
		if !ok || times > maxTurns-len(o.Turns) {
			return Order{}, errOrder
		}
		for range times {
			o.Turns = append(o.Turns, t)
		}
	}
	return o, nil
}

func parseTurn(text string) (t trace.Turn, times int, ok bool) {
	who, many, several := strings.Cut(text, "*")
	block, warp, some := strings.Cut(who, ".")
	b, err1 := strconv.ParseUint(block, 10, 31)
	w, err2 := strconv.ParseUint(warp, 10, 5)
	n := uint64(1)
	var err3 error
	if several {
		n, err3 = strconv.ParseUint(many, 10, 20)
	}
	return trace.Turn{Block: b, Warp: int(w)}, int(n), some && err1 == nil && err2 == nil && err3 == nil && n > 0
}

// Follower has a run follow an order.
type Follower struct {
	Order
	// followed is how many turns were followed, missed how many of them were not possible.
	begun            bool
	followed, missed int
}

// Steer returns what chooses the warps of a launch, nil for another one. A turn that is not possible, and all behind the end of
// the order, are those of the warp whose turn was last, or else of the first one.
func (f *Follower) Steer(l *trace.Launch) func(ready []trace.Turn) int {
	if l.ID != f.Launch {
		return nil
	}
	f.begun = true
	var last trace.Turn
	return func(ready []trace.Turn) int {
		given := f.followed < len(f.Turns)
		if given {
			last = f.Turns[f.followed]
			f.followed++
		}
		if i := slices.Index(ready, last); i >= 0 {
			return i
		}
		if given {
			f.missed++
		}
		return 0
	}
}

// Remarks tells where the run did not follow the order.
func (f *Follower) Remarks() (list []string) {
	switch left := len(f.Turns) - f.followed; {
	case len(f.Turns) == 0:
	case !f.begun:
		list = append(list, fmt.Sprintf("--schedule: launch %d was not run step by step: there is none, or it has clusters or too many blocks", f.Launch))
	case f.missed+left > 0:
		list = append(list, fmt.Sprintf("--schedule: of the order's %d turns, %d were not possible, and the launch ended before the last %d", len(f.Turns), f.missed, left))
	}
	return list
}
