package explore

import (
	"errors"
	"fmt"
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

// Steer returns what chooses the warps of a launch in an order, nil for another launch. Behind its end the warp whose turn was
// last continues, or else the first one.
func (o Order) Steer(l *trace.Launch) func(ready []trace.Turn) int {
	if len(o.Turns) == 0 || l.ID != o.Launch {
		return nil
	}
	turns, last := o.Turns, trace.Turn{}
	return func(ready []trace.Turn) int {
		if len(turns) > 0 {
			last, turns = turns[0], turns[1:]
		}
		for i, t := range ready {
			if t == last {
				return i
			}
		}
		return 0
	}
}
