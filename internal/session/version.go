package session

import (
	"runtime/debug"
	"strings"
)

// Version is the version of the tool.
const Version = "0.1.0"

// commit is set by the linker where what Go records is not enough: releases are built from a
// tree without a repository.
var commit string

// Build names the version and the commit, however the tool was built: by go build or make in
// a repository, by go install of a version, or by make release.
func Build() string {
	info, _ := debug.ReadBuildInfo()
	if info == nil {
		info = &debug.BuildInfo{}
	}
	return build(commit, info)
}

func build(commit string, info *debug.BuildInfo) string {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	changed := ""
	if commit == "" {
		commit = settings["vcs.revision"]
		if settings["vcs.modified"] == "true" {
			changed = ", with changes"
		}
	}
	if commit == "" { // v0.1.1-0.20260101120000-0123456789ab
		if parts := strings.Split(info.Main.Version, "-"); len(parts) >= 3 {
			commit, _, _ = strings.Cut(parts[len(parts)-1], "+")
		}
	}
	switch {
	case commit != "":
		return Version + " (commit " + commit[:min(len(commit), 12)] + changed + ")"
	case strings.HasPrefix(info.Main.Version, "v"):
		return Version + " (" + info.Main.Version + ")"
	}
	return Version + " (commit unknown)"
}
