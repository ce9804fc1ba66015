package check

import (
	"fmt"
	"strconv"
	"strings"
)

// Hold lets a block rest before a strong write of one of its warps, until all other blocks have ended or
// only wait. Operation counts such writes of the warp to global memory from 1, without swaps that fail.
type Hold struct {
	Block     uint32
	Warp      int
	Operation uint32
}

func (h Hold) String() string { return fmt.Sprintf("%d.%d.%d", h.Block, h.Warp, h.Operation) }

// Holds is an order for one launch of a run: the default one, but for some holds. The zero Holds is none.
type Holds struct {
	Launch int
	List   []Hold
}

// HoldPrefix begins the text form of holds: hold:LAUNCH:BLOCK.WARP.OPERATION,...
const HoldPrefix = "hold:"

func (s Holds) String() string {
	var list []string
	for _, h := range s.List {
		list = append(list, h.String())
	}
	return fmt.Sprintf("%s%d:%s", HoldPrefix, s.Launch, strings.Join(list, ","))
}

// maxHolds bounds the holds of a schedule that is read.
const maxHolds = 64

// ParseHolds reads what String writes.
func ParseHolds(text string) (Holds, error) {
	wrong := fmt.Errorf("%q: want %sLAUNCH:BLOCK.WARP.OPERATION, and more of the latter after commas", text, HoldPrefix)
	rest, ok := strings.CutPrefix(text, HoldPrefix)
	launch, holds, some := strings.Cut(rest, ":")
	n, err := strconv.ParseUint(launch, 10, 31)
	list := strings.Split(holds, ",")
	if !ok || !some || err != nil || len(list) > maxHolds {
		return Holds{}, wrong
	}
	s := Holds{Launch: int(n)}
	for _, part := range list {
		h, ok := parseHold(part)
		if !ok {
			return Holds{}, wrong
		}
		s.List = append(s.List, h)
	}
	return s, nil
}

func parseHold(text string) (h Hold, ok bool) {
	fields := strings.Split(text, ".")
	if len(fields) != 3 {
		return h, false
	}
	var n [3]uint64
	for i, f := range fields {
		var err error
		if n[i], err = strconv.ParseUint(f, 10, 31); err != nil {
			return h, false
		}
	}
	return Hold{uint32(n[0]), int(n[1]), uint32(n[2])}, n[1] < 32 && n[2] > 0
}
