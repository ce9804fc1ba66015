package engine

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// maxPlaces bounds the places that a report of a stopped block lists.
const maxPlaces = 16

// place is where threads of a block are, and what they do there.
type place struct {
	text    string
	threads int
	// warps with their lanes, in order.
	warps []string
}

// whereabouts says for each place where threads of the block are which these
// are, at most n places; there is at least one line.
func (b *block) whereabouts(n int) []string {
	var list []*place
	byText := map[string]*place{}
	for k, w := range b.warps {
		if b.done[k] {
			continue
		}
		w.Places(func(p warp.Place) {
			text := b.describe(p)
			x := byText[text]
			if x == nil {
				x = &place{text: text}
				byText[text] = x
				list = append(list, x)
			}
			x.threads += bits.OnesCount32(p.Mask)
			x.warps = append(x.warps, fmt.Sprintf("warp %d %s", k, lanes(p.Mask, w.Exist)))
		})
	}
	if len(list) == 0 {
		return []string{"all threads have exited"}
	}
	var out []string
	for i, x := range list {
		if i == n && n > 1 {
			out = append(out, fmt.Sprintf("and %d more places", len(list)-n))
		}
		if i >= n {
			break
		}
		out = append(out, x.String())
	}
	return out
}

// maxWarps bounds the warps that one line lists.
const maxWarps = 4

func (x *place) String() string {
	list := x.warps
	more := ""
	if len(list) > maxWarps {
		more = fmt.Sprintf(" and %d more", len(list)-maxWarps)
		list = list[:maxWarps]
	}
	text := x.text
	if x.threads == 1 {
		verb, rest, _ := strings.Cut(text, " ")
		text = verb + "s " + rest
	}
	return fmt.Sprintf("%s %s (%s%s)", plural(x.threads, "thread"), text, strings.Join(list, ", "), more)
}

// lanes writes a mask as ranges: "lanes 0-3, 7", or nothing for all that exist.
func lanes(mask, exist uint32) string {
	if mask == exist {
		return "all lanes"
	}
	parts := trace.LaneRanges(mask)
	if bits.OnesCount32(mask) == 1 {
		return "lane " + parts[0]
	}
	return "lanes " + strings.Join(parts, ",")
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// describe says what a group of lanes does.
func (b *block) describe(p warp.Place) string {
	at := position(p.Site)
	switch {
	case p.Barrier:
		return "wait at the barrier " + at
	case p.Registers:
		return "wait for registers " + at
	case p.Waits && p.Site == nil:
		return "wait for other lanes"
	case p.Waits:
		return "wait for other lanes " + at
	}
	if x := b.r.prog.Loops().Waiting(p.PC); x != nil {
		return "run in " + loopName(x)
	}
	return "run " + at
}

// loopName names a loop by its lines.
func loopName(x *program.Loop) string {
	first, last, ok := x.Lines()
	switch {
	case !ok:
		return "a loop " + position(x.Site())
	case first.Line == last.Line:
		return fmt.Sprintf("the loop at %s:%d", first.File, first.Line)
	}
	return fmt.Sprintf("the loop at %s:%d-%d", first.File, first.Line, last.Line)
}

func position(s *trace.Site) string {
	switch {
	case s == nil:
		return "at an unknown place"
	case s.Loc.IsValid():
		return "at " + s.Loc.Pos.String()
	}
	return fmt.Sprintf("at line %d of the PTX", s.PTXLine)
}
