package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/registry"
	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/session"
)

// failOn are the conditions on metrics under which the command fails.
type failOn struct {
	texts      []string
	thresholds []*report.Threshold
	met        bool // one of them, by the report that apply saw
}

func (o *failOn) flag(f *pflag.FlagSet) {
	f.StringArrayVar(&o.texts, "fail-on", nil, "fail if a kernel's metric meets `CONDITION`: 'bank.excess>1e6', or for some kernels 'scan*:coalesce.efficiency<80' (see warpgrind help metrics)")
}

// parse reads the conditions. tools is the value of --tool, which has to have the
// rules that count what they compare.
func (o *failOn) parse(tools string) error {
	o.thresholds = nil
	if len(o.texts) == 0 {
		return nil
	}
	rules, err := registry.Select(tools)
	if err != nil {
		return usage(err)
	}
	for _, text := range o.texts {
		t, err := report.ParseThreshold(text)
		var unknown *report.MetricError
		switch {
		case errors.As(err, &unknown):
			return usage(fmt.Errorf("--fail-on '%s': %w%s; warpgrind help metrics lists them", text, err, didYouMean(unknown.Name, metricNames())))
		case err != nil:
			return usage(fmt.Errorf("--fail-on '%s': %w", text, err))
		}
		runs := func(r check.Rule) bool { return r.ID == t.Rule() }
		if t.Rule() != "" && !slices.ContainsFunc(rules, runs) {
			return usage(fmt.Errorf("--fail-on '%s' needs the rule %s: add it to --tool", text, t.Rule()))
		}
		o.thresholds = append(o.thresholds, t)
	}
	return nil
}

// apply compares the report with the conditions: where one is met the run has failed,
// which its messages and its exit code say from then on.
func (o *failOn) apply(r *report.Report) {
	for _, t := range o.thresholds {
		met := t.Check(r)
		r.Messages = append(r.Messages, met...)
		if o.met = o.met || len(met) > 0; o.met && r.Exit == session.ExitClean {
			r.Exit = session.ExitFindings
		}
	}
}

func metricNames() []string {
	var out []string
	for _, m := range report.Metrics() {
		out = append(out, m.Name)
	}
	return out
}
