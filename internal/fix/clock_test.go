package fix

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/repair"
	"github.com/warpgrind/warpgrind/internal/session"
)

// TestTrialClock: the time for trials is shared by findings, and no more patches are tried when it is over.
func TestTrialClock(t *testing.T) {
	c := newTrialClock(time.Hour)
	if c.late() {
		t.Error("it is late before it begins")
	}
	c.share(100)
	if left := time.Until(c.shared); c.over() || c.late() || left > generous*time.Hour/100 || left < time.Minute {
		t.Errorf("one of 100 findings has %v", left)
	}
	c.share(1)
	if left := time.Until(c.shared); left > time.Hour || left < 59*time.Minute {
		t.Errorf("the last finding has %v", left)
	}
	c.until = time.Now().Add(-time.Hour)
	if c.share(1); !c.over() || !c.late() {
		t.Error("it is not over")
	}
	var none *trialClock
	if none.share(1); none.over() || none.late() {
		t.Error("a tidier has no clock")
	}
}

// TestFixOutOfTime: what was not tried is told.
func TestFixOutOfTime(t *testing.T) {
	cfg := fixConfig(tidyFile(t, brokenProgram))
	cfg.TrialTime = time.Nanosecond
	r, _, err := Fix(context.Background(), cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Results) == 0 || r.Results[0].Outcome != repair.Manual || r.Results[0].Untried != repair.OutOfTime || r.Results[0].NotTried == 0 || r.Exit != session.ExitFindings ||
		!strings.Contains(strings.Join(r.Messages, "\n"), "patches were not tried: trials end after 1ns") {
		t.Errorf("%+v", r)
	}
}
