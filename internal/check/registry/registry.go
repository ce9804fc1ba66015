// Package registry lists the rules and chooses among them.
package registry

import (
	"fmt"
	"strings"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/api"
	"github.com/warpgrind/warpgrind/internal/check/bank"
	"github.com/warpgrind/warpgrind/internal/check/coalesce"
	"github.com/warpgrind/warpgrind/internal/check/constant"
	"github.com/warpgrind/warpgrind/internal/check/divergence"
	"github.com/warpgrind/warpgrind/internal/check/initialized"
	"github.com/warpgrind/warpgrind/internal/check/launch"
	"github.com/warpgrind/warpgrind/internal/check/memory"
	"github.com/warpgrind/warpgrind/internal/check/occupancy"
	"github.com/warpgrind/warpgrind/internal/check/race"
	"github.com/warpgrind/warpgrind/internal/check/schedule"
	"github.com/warpgrind/warpgrind/internal/check/sync"
	"github.com/warpgrind/warpgrind/internal/check/undefined"
	"github.com/warpgrind/warpgrind/internal/finding"
)

// All returns every rule, in the order of the documentation.
func All() []check.Rule {
	return []check.Rule{race.Rule, memory.Rule, initialized.Rule, sync.Rule, sync.Hang, launch.Rule, launch.Assert, api.Rule,
		bank.Rule, coalesce.Rule, constant.Rule, divergence.Rule, occupancy.Rule, schedule.Rule, undefined.Rule}
}

// Rules are all rules' documentation, ranks and so on, by ID.
func Rules() finding.Rules {
	rules := finding.Rules{}
	for _, r := range All() {
		rules[r.ID] = r.Rule
	}
	return rules
}

// Select returns the rules that a --tool value names: IDs separated by commas,
// "default" or "" for the correctness rules, "all" for every rule that observes runs.
// The rules come in the order of All, each once. The error names the unknown ID and
// lists the known ones.
func Select(tools string) ([]check.Rule, error) {
	want := map[string]bool{}
	for _, t := range strings.Split(tools, ",") {
		if t = strings.TrimSpace(t); t == "" {
			t = "default"
		}
		want[t] = true
	}
	var out []check.Rule
	for _, r := range All() {
		if want["all"] && r.Runs() || want[r.ID] || want["default"] && r.Default {
			out = append(out, r)
		}
		delete(want, r.ID)
	}
	delete(want, "all")
	delete(want, "default")
	for _, t := range strings.Split(tools, ",") {
		if t = strings.TrimSpace(t); want[t] {
			return nil, fmt.Errorf("unknown tool %q: want %s or all", t, strings.Join(IDs(), ", "))
		}
	}
	return out, nil
}

// Find returns the rule with an ID.
func Find(id string) (check.Rule, bool) {
	for _, r := range All() {
		if r.ID == id {
			return r, true
		}
	}
	return check.Rule{}, false
}

// PerBlock reports whether the blocks of a launch can be checked apart by a rule.
func PerBlock(id string) bool {
	r, ok := Find(id)
	return ok && r.PerBlock
}

// IDs lists the names of the rules that observe runs.
func IDs() []string { return named((*check.Rule).Runs) }

// StaticIDs lists those of the rules that say something without running a
// program.
func StaticIDs() []string { return named((*check.Rule).Looks) }

// AllIDs lists the names of all rules.
func AllIDs() []string { return named(func(*check.Rule) bool { return true }) }

func named(is func(*check.Rule) bool) (ids []string) {
	for _, r := range All() {
		if is(&r) {
			ids = append(ids, r.ID)
		}
	}
	return ids
}
