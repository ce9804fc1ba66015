package fix

import (
	"fmt"
	"time"

	"github.com/warpgrind/warpgrind/internal/repair"
)

// DefaultTrialTime is how long fix tries patches where it is not told.
const DefaultTrialTime = 10 * time.Minute

// trialClock bounds the time in which patches are tried, and what part of it one finding may have. A trial that has begun ends.
type trialClock struct {
	all time.Duration
	// until is when it is over; it begins with the first finding, when the program as it is has been run under all schedules.
	until time.Time
	// shared is until when patches of the current finding are tried.
	shared time.Time
}

func newTrialClock(d time.Duration) *trialClock {
	if d == 0 {
		d = DefaultTrialTime
	}
	return &trialClock{all: d}
}

// generous is how many times its part of the time a finding may use, as most need less.
const generous = 4

// share gives the next of some findings its part of the time that is left.
func (c *trialClock) share(findings int) {
	if c != nil {
		if c.until.IsZero() {
			c.until = time.Now().Add(c.all)
		}
		left := time.Until(c.until)
		c.shared = time.Now().Add(min(left, generous*left/time.Duration(max(findings, 1))))
	}
}

// over reports whether no more patches of a finding are to be tried.
func (c *trialClock) over() bool { return c != nil && time.Now().After(c.shared) }

// late reports whether half as much time again has passed.
func (c *trialClock) late() bool {
	return c != nil && !c.until.IsZero() && time.Now().After(c.until.Add(c.all/2))
}

// report tells what was not tried.
func (c *trialClock) report(r *repair.Report) {
	patches, findings := 0, 0
	for _, x := range r.Results {
		if x.NotTried > 0 && x.Outcome != repair.Fixed && x.Outcome != repair.Gone {
			patches += x.NotTried
			findings++
		}
	}
	if findings > 0 {
		r.Messages = append(r.Messages, fmt.Sprintf("of %d findings %d patches were not tried: trials end after %v (--trial-time)", findings, patches, c.all))
	}
}
