package report

import (
	"fmt"
	"strconv"
	"strings"
)

// worthTelling is how many accesses must not have been watched for the text to
// say so: below, it made no difference to anyone.
const worthTelling = 10_000

// pruned says of how many accesses the race rule knew before they came that
// they cannot race, and did not watch them; "" for none or few.
func pruned(r *Report) string {
	var s map[string]any
	if !decode(r.Stats["race"], &s) {
		return ""
	}
	var parts []string
	for _, space := range []string{"global", "shared"} {
		if text := prunedOf(s, space); text != "" {
			parts = append(parts, text)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "proved race-free at launch and not checked: " + strings.Join(parts, "; ")
}

// incomplete reports that the race rule could not remember all accesses; "" where it could.
func incomplete(r *Report) string {
	var s struct {
		Launches uint64 `json:"incomplete_launches"`
	}
	if !decode(r.Stats["race"], &s) || s.Launches == 0 {
		return ""
	}
	return "race: some accesses of " + count(s.Launches, "launch", "launches") + " were too many to remember, so a race may have been missed"
}

// prunedOf is pruned for one memory.
func prunedOf(stats map[string]any, space string) string {
	n := func(what string) uint64 {
		x, _ := stats[space+"_"+what].(float64)
		return uint64(x)
	}
	sites, accesses := n("sites_pruned"), n("accesses_pruned")
	if accesses < worthTelling {
		return ""
	}
	return fmt.Sprintf("of %s memory %s of %s and %s of %s", space,
		strconv.FormatUint(sites, 10), count(sites+n("sites_watched"), "instruction", "instructions"),
		strconv.FormatUint(accesses, 10), count(accesses+n("accesses_watched"), "access", "accesses"))
}
