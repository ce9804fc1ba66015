package finding

import (
	"encoding/json"
	"fmt"
)

// Launches is the set of launch IDs that showed a finding, kept as ranges.
type Launches struct {
	ranges []idRange
}

// idRange holds first to last, both inclusive.
type idRange struct{ first, last int }

// InLaunch is the set of one launch.
func InLaunch(id int) Launches { return Launches{[]idRange{{id, id}}} }

// Count returns the number of launches.
func (l Launches) Count() int {
	n := 0
	for _, r := range l.ranges {
		n += r.last - r.first + 1
	}
	return n
}

// First returns the smallest ID, or -1 of the empty set.
func (l Launches) First() int {
	if len(l.ranges) == 0 {
		return -1
	}
	return l.ranges[0].first
}

// Last returns the largest ID, or -1 of the empty set.
func (l Launches) Last() int {
	if len(l.ranges) == 0 {
		return -1
	}
	return l.ranges[len(l.ranges)-1].last
}

// launchesJSON is the JSON form: it has no more than a report needs.
type launchesJSON struct {
	Count int `json:"count"`
	First int `json:"first"`
	Last  int `json:"last"`
}

// MarshalJSON writes count, first and last.
func (l Launches) MarshalJSON() ([]byte, error) {
	return json.Marshal(launchesJSON{l.Count(), l.First(), l.Last()})
}

// UnmarshalJSON reads a set with the same count, first and last. Which
// launches lie between is not in the JSON.
func (l *Launches) UnmarshalJSON(b []byte) error {
	var j launchesJSON
	if err := json.Unmarshal(b, &j); err != nil {
		return err
	}
	if j.Count < 0 || j.Count > 0 && (j.First < 0 || j.Last-j.First+1 < j.Count) {
		return fmt.Errorf("launches: count %d does not fit first %d and last %d", j.Count, j.First, j.Last)
	}
	l.ranges = nil
	if j.Count > 1 {
		l.ranges = append(l.ranges, idRange{j.First, j.First + j.Count - 2})
	}
	if j.Count > 0 {
		l.ranges = appendRange(l.ranges, idRange{j.Last, j.Last})
	}
	return nil
}

// Union returns the launches of both sets. Sets that grow at the end, as they
// do while a program runs, cost the size of the smaller one.
func (l Launches) Union(m Launches) Launches {
	if l.First() > m.First() {
		l, m = m, l
	}
	rs := l.ranges
	if len(rs) == 0 || len(m.ranges) == 0 || m.First() >= rs[len(rs)-1].first {
		for _, r := range m.ranges {
			rs = appendRange(rs, r)
		}
		return Launches{rs}
	}
	return Launches{mergeRanges(rs, m.ranges)}
}

// mergeRanges merges two ordered lists of ranges into a new one.
func mergeRanges(a, b []idRange) []idRange {
	out := make([]idRange, 0, len(a)+len(b))
	for len(a) > 0 || len(b) > 0 {
		if len(b) == 0 || len(a) > 0 && a[0].first <= b[0].first {
			out = appendRange(out, a[0])
			a = a[1:]
		} else {
			out = appendRange(out, b[0])
			b = b[1:]
		}
	}
	return out
}

// appendRange adds r, which begins no earlier than the last range.
func appendRange(rs []idRange, r idRange) []idRange {
	if n := len(rs); n > 0 && r.first <= rs[n-1].last+1 {
		rs[n-1].last = max(rs[n-1].last, r.last)
		return rs
	}
	return append(rs, r)
}
