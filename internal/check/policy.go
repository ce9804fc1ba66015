package check

import (
	"fmt"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
)

// Verdict is what a race that not all take for one counts as.
type Verdict struct {
	// Set is set if the user has decided; Allow if it is not reported, else
	// it has the level.
	Set, Allow bool
	Level      finding.Level
}

// Or returns the verdict's level, or l where the user has not decided; ok is
// false where nothing is to be reported.
func (v Verdict) Or(l finding.Level) (level finding.Level, ok bool) {
	if !v.Set {
		return l, true
	}
	return v.Level, !v.Allow
}

// RacePolicy decides what counts as a race where experts differ. The zero value
// is the standard.
type RacePolicy struct {
	// Volatile is for two volatile or relaxed accesses that nothing orders,
	// SameValue for writes of one value, WarpSync for accesses of one warp
	// without a __syncwarp, Host for accesses of host code, Staged for copies from pageable memory that the
	// host does not wait for.
	Volatile, SameValue, WarpSync, Host, Staged Verdict
	// FenceToAcquire is set if the result of an atomic, or a barrier after a flag
	// was read, orders what follows only with a fence.
	FenceToAcquire bool
}

// ParseRacePolicy reads what --race-policy takes: parts "name=verdict" with
// commas between them, "" for the standard.
func ParseRacePolicy(s string) (p RacePolicy, err error) {
	if s == "" {
		return p, nil
	}
	verdicts := map[string]*Verdict{"volatile": &p.Volatile, "same-value": &p.SameValue, "warp-sync": &p.WarpSync, "host": &p.Host, "staged": &p.Staged}
	for _, part := range strings.Split(s, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		v := verdicts[name]
		switch {
		case name == "acquire" && (value == "fence" || value == "atomic"):
			p.FenceToAcquire = value == "fence"
			continue
		case name == "acquire":
			return p, fmt.Errorf("race policy %q: acquire is atomic or fence", part)
		case v == nil:
			return p, fmt.Errorf("race policy %q: want volatile, same-value, warp-sync, host, staged or acquire", part)
		}
		*v = Verdict{Set: true, Allow: value == "allow"}
		if !v.Allow {
			if v.Level, err = finding.ParseLevel(value); err != nil {
				return p, fmt.Errorf("race policy %q: want allow, info, warning or error", part)
			}
		}
	}
	return p, nil
}
