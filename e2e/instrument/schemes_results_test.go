package instrument

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/e2e"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/source"
)

// result is what a scheme or a rule says, by place: hazards, pairs of lines, or
// numbers. A hazard in brackets may be: another order of the same race.
type result map[string]string

// compare counts what is the same and lists the rest.
func (got result) compare(want result) (same int, differences []string) {
	for place, what := range got {
		switch strings.Trim(want[place], "()") {
		case what:
			same++
		case "":
			differences = append(differences, place+": only the scheme: "+what)
		default:
			differences = append(differences, place+": the scheme "+what+", the emulator "+want[place])
		}
	}
	for place, what := range want {
		if got[place] == "" && !strings.HasPrefix(what, "(") {
			differences = append(differences, place+": only the emulator: "+what)
		}
	}
	slices.Sort(differences)
	return same, differences
}

// emulated is what the emulator's rules say of a program, by scheme; those of
// GRace are not in it where lanes of a warp wait for each other, which in lockstep
// has no end.
func (p tableProgram) emulated(t *testing.T, bin string) map[string]result {
	t.Helper()
	thread := emulatorReport(t, bin, p.args("--tool", "race,bank,coalesce", "--race-model", "thread")...)
	out := map[string]result{"boyer-race": emulatorRaces(thread.Findings, p.waw), "boyer-bank": thread.numbers("bank"), "coalesce": thread.numbers("coalesce")}
	lockstep := emulatorReport(t, bin, p.args("--tool", "race", "--race-model", "lockstep", "--max-steps", fmt.Sprint(mostSteps/8))...)
	if !slices.ContainsFunc(lockstep.Findings, func(f finding.Finding) bool { return f.Rule == "hang" }) {
		pairs := racingPairs(lockstep.Findings)
		out["grace-stmt"], out["grace-addr"] = pairs, anyRace(len(pairs) > 0)
	}
	return out
}

// schemeResult is the same for what a scheme reports.
func schemeResult(scheme string, r instrumentReport) result {
	switch scheme {
	case "boyer-race":
		out := result{}
		for _, f := range r.Findings {
			out.hazard(f.Primary.Loc, f.Kind, true)
			if f.Kind == "WAW" {
				out["WAW"] = "a hazard"
			}
		}
		return out
	case "grace-stmt":
		return racingPairs(r.Findings)
	case "grace-addr":
		return anyRace(len(r.Findings) > 0)
	}
	out := numbers{}
	for _, source := range r.Stats[scheme] {
		for _, s := range source.Sites {
			out.add(s.Location.File, s.Location.Line, siteNumbers{s.Requests + s.Accesses, s.Conflicts, s.Passes + s.Lines})
		}
	}
	return out.result()
}

// hazard notes a hazard at a place.
func (got result) hazard(at source.Location, kind string, certain bool) {
	place := fmt.Sprintf("%s:%d %s", filepath.Base(at.File), at.Line, kind)
	switch {
	case certain:
		got[place] = "a hazard"
	case got[place] == "":
		got[place] = "(a hazard)"
	}
}

// emulatorRaces are the hazards in shared memory, each at its later access, with
// those of two writes where waw says so. A scheme may see the accesses in the other
// order, which is a hazard at the other one: its own barriers and calls change who
// comes first.
func emulatorRaces(all []finding.Finding, waw bool) result {
	out := result{}
	for _, f := range e2e.Separate(all) {
		var d struct {
			Space         string
			RAW, WAR, WAW uint64
		}
		text, _ := json.Marshal(f.Details)
		if json.Unmarshal(text, &d) != nil || f.Rule != "race" || d.Space != "shared" {
			continue
		}
		for _, p := range append([]finding.Place{f.Primary}, f.Related...) {
			switch read := strings.HasPrefix(p.Role, "read"); {
			case d.RAW+d.WAR > 0 && read:
				out.hazard(p.Loc, "RAW", d.RAW > 0)
			case d.RAW+d.WAR > 0:
				out.hazard(p.Loc, "WAR", d.WAR > 0)
			}
			if waw && d.WAW > 0 { // at either of them
				out.hazard(p.Loc, "WAW", false)
				out["WAW"] = "a hazard"
			}
		}
	}
	return out
}

// racingPairs are the pairs of lines that race in shared memory.
func racingPairs(all []finding.Finding) result {
	out := result{}
	for _, pair := range racingLines(all) {
		out["lines "+pair] = "a race"
	}
	return out
}

func anyRace(yes bool) result {
	if yes {
		return result{"the program": "races"}
	}
	return nil
}

// numbers are sums by place.
type numbers map[string]siteNumbers

func (n numbers) add(file string, line int, s siteNumbers) {
	place := fmt.Sprintf("%s:%d", filepath.Base(file), line)
	sum := n[place]
	n[place] = siteNumbers{sum.requests + s.requests, sum.conflicts + s.conflicts, sum.passes + s.passes}
}

func (n numbers) result() result {
	out := result{}
	for place, s := range n {
		out[place] = fmt.Sprintf("%d, %d, %d", s.requests, s.conflicts, s.passes)
	}
	return out
}

// ruleReport is what is needed of the emulator's report.
type ruleReport struct {
	Findings []finding.Finding
	Stats    map[string]json.RawMessage
}

func emulatorReport(t *testing.T, bin string, args ...string) ruleReport {
	t.Helper()
	got := e2e.Run(t, bin, append([]string{"-q", "--format", "json"}, args...)...)
	var r ruleReport
	if err := json.Unmarshal(got.Report, &r); err != nil {
		t.Fatalf("%v: exit code %d: %v\n%s", args, got.Exit, err, got.Stderr)
	}
	return r
}

// numbers are those of a performance rule.
func (r ruleReport) numbers(rule string) result {
	var kernels []struct {
		Sites []struct {
			Location                              source.Location
			Requests, Conflicts, Passes, Accesses uint64
			Lines                                 float64 `json:"lines_per_access"`
		}
	}
	json.Unmarshal(r.Stats[rule], &kernels)
	out := numbers{}
	for _, k := range kernels {
		for _, s := range k.Sites {
			n := siteNumbers{s.Requests, s.Conflicts, s.Passes}
			if rule == "coalesce" {
				n = siteNumbers{requests: s.Accesses, passes: uint64(math.Round(s.Lines * float64(s.Accesses)))}
			}
			out.add(s.Location.File, s.Location.Line, n)
		}
	}
	return out.result()
}
