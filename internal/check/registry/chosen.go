package registry

import (
	"errors"
	"fmt"
	"slices"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/api"
	"github.com/warpgrind/warpgrind/internal/check/memory"
	"github.com/warpgrind/warpgrind/internal/check/schedule"
)

// WithSchedule has the schedule rule among rules where there are several runs,
// and only there.
func WithSchedule(rules []check.Rule, runs int) ([]check.Rule, error) {
	rules = slices.DeleteFunc(slices.Clone(rules), func(r check.Rule) bool { return r.ID == schedule.Rule.ID })
	switch {
	case runs < 0:
		return nil, fmt.Errorf("--runs %d: want 1 or more", runs)
	case runs > 1:
		return append(rules, schedule.Rule), nil
	case len(rules) == 0:
		return nil, errors.New("--tool schedule needs --runs 2 or more")
	}
	return rules, nil
}

// has reports whether a rule is among rules.
func has(rules []check.Rule, id string) bool {
	return slices.ContainsFunc(rules, func(r check.Rule) bool { return r.ID == id })
}

// ReadErrors reports whether errors of API calls that the program does not read are wanted.
func ReadErrors(rules []check.Rule) bool { return has(rules, api.Rule.ID) }

// DependOnCalls reports whether only those of these errors are wanted that later work depends on:
// they belong to the rule api, but the memory rule is of little use without them.
func DependOnCalls(rules []check.Rule) bool {
	return !ReadErrors(rules) && has(rules, memory.Rule.ID)
}

// Dependent makes the checker of such errors.
func Dependent() check.Checker { return api.Dependent() }
