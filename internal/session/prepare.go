package session

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/cache"
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/registry"
	"github.com/warpgrind/warpgrind/internal/fallback"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/proofs"
	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/source"
)

// NewSession prepares a run; a rule that needs none is refused.
func NewSession(cfg Config) (*Session, error) {
	s, err := PrepareSession(cfg)
	if err != nil {
		return nil, err
	}
	for _, r := range s.Rules {
		if !r.Runs() {
			return nil, fmt.Errorf("--tool %s: only warpgrind check has this rule", r.ID)
		}
	}
	dirs := []string{cfg.DumpBuffers}
	if cfg.Explore != nil {
		dirs = append(dirs, cfg.Explore.Dir)
	}
	for _, dir := range dirs {
		if err := makeWritable(dir); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// makeWritable makes a directory of results, "" for none: that nothing can be written there is known before the program runs.
func makeWritable(dir string) error {
	if dir == "" {
		return nil
	}
	err := os.MkdirAll(dir, 0o777)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".warpgrind-")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// PrepareSession reads what holds whether anything runs or not.
func PrepareSession(cfg Config) (*Session, error) {
	s := &Session{Since: fallback.Now(), Cfg: cfg, Files: &source.Files{}, proofs: &proofs.Cache{From: proofs.Worthwhile}, Overwritten: map[string]uint64{}}
	var err error
	if s.Arch, err = arch.Parse(cmp.Or(cfg.Arch, arch.Default)); err != nil {
		return nil, err
	}
	if s.Level, err = finding.ParseLevel(cmp.Or(cfg.ErrorLevel, "error")); err != nil {
		return nil, err
	}
	model, err := check.ParseRaceModel(cmp.Or(cfg.RaceModel, check.RaceModelOf(s.Arch).String()))
	if err != nil {
		return nil, err
	}
	policy, err := check.ParseRacePolicy(cfg.RacePolicy)
	if err != nil {
		return nil, err
	}
	if s.controls, err = cfg.prepare(); err != nil {
		return nil, err
	}
	if cfg.DeviceMemory != "" {
		n, ok := cache.ParseSize(cfg.DeviceMemory)
		if !ok {
			return nil, fmt.Errorf("--device-memory %q: want a size such as 500M or 80G", cfg.DeviceMemory)
		}
		s.memory = uint64(n)
	}
	if err = checkLeaks(cfg.LeakCheck); err != nil {
		return nil, err
	}
	if err = checkOnFault(cfg.OnFault); err != nil {
		return nil, err
	}
	if err = checkAPIErrors(cfg.APIErrors); err != nil {
		return nil, err
	}
	if s.Rules, err = registry.Select(cfg.Tools); err != nil {
		return nil, err
	}
	if s.Rules, err = registry.WithSchedule(s.Rules, cfg.Runs); err != nil {
		return nil, err
	}
	if len(s.holds.List) > 0 && !slices.ContainsFunc(s.Rules, func(r check.Rule) bool { return r.ID == "race" }) {
		return nil, errors.New("--schedule " + check.HoldPrefix + "... needs the rule race")
	}
	s.Report = &report.Report{
		Files:  s.Files,
		Schema: report.Schema, Version: Version, Arch: s.Arch.String(), RaceModel: model.String(),
	}
	c := check.Config{Arch: s.Arch, RaceModel: model, RacePolicy: policy, Predict: s.predict, Holds: s.holds, AllErrors: cfg.APIErrors == "all", Unused: cfg.UnusedMemory, Files: s.Files, Text: s.proofs.Form}
	if !cfg.WatchAll {
		c.Private, c.Equivalent = s.proofs.Private, s.proofs.Equivalent
	}
	for _, r := range s.Rules {
		s.Report.Tools = append(s.Report.Tools, r.ID)
		if r.Runs() {
			s.checkers = append(s.checkers, r.New(c))
		}
	}
	s.explores(c)
	return s, nil
}
