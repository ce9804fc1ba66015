package trace

import "github.com/warpgrind/warpgrind/internal/shadow"

// PlainObserver lets code that makes accesses by itself enter plain ones to global memory into
// the states of an observer, so that these need not be sent to it.
type PlainObserver struct {
	// Takes reports the sites whose accesses may be entered.
	Takes func(*Site) bool
	Live  *shadow.Live
}

// thePlain is the Plain of the one observer that has it, for sites that the others ignore.
func thePlain(all []*BlockObserver) *PlainObserver {
	var p *PlainObserver
	var others []*BlockObserver
	for _, o := range all {
		switch {
		case o.Plain != nil && p != nil:
			return nil
		case o.Plain != nil:
			p = o.Plain
		case o.Global != nil:
			others = append(others, o)
		}
	}
	if p == nil || len(others) == 0 {
		return p
	}
	rest := allIgnore(others)
	if rest == nil {
		return nil
	}
	return &PlainObserver{Live: p.Live, Takes: func(s *Site) bool { return rest(s) && p.Takes(s) }}
}
