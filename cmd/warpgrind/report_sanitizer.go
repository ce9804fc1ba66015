package main

import (
	"strings"

	"github.com/warpgrind/warpgrind/internal/session"
)

// sanitizerTools are compute-sanitizer's tools as sets of rules.
var sanitizerTools = map[string]string{
	"memcheck":  "memory,launch,assert,hang",
	"racecheck": "race",
	"initcheck": "init",
	"synccheck": "sync,hang",
}

// translateTools replaces compute-sanitizer's names in a --tool value. found
// marks that there was one.
func translateTools(tools string) (rules string, found bool) {
	names := strings.Split(tools, ",")
	for i, n := range names {
		if r, ok := sanitizerTools[strings.TrimSpace(n)]; ok {
			names[i], found = r, true
		}
	}
	return strings.Join(names, ","), found
}

// applySanitizer lets run stand in for compute-sanitizer: with one of its tools
// the report has its form, unless another one is asked for.
func applySanitizer(cfg *session.Config, out *outputs) {
	var found bool
	cfg.Tools, found = translateTools(cfg.Tools)
	if found && len(out.formats) == 0 {
		out.formats = []string{"compute-sanitizer"}
	}
}
