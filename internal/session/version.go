package session

import (
	"runtime/debug"
	"strings"
)

// Version is the version of the tool.
const Version = "0.1.0"

// commit is set by the linker where what Go records is not enough: make does so, since Go may be
// told to record nothing (GOFLAGS=-buildvcs=false), and releases are built from a tree without a
// repository.
var commit string

// archived is the commit in an archive of the sources, which git puts in (.gitattributes).
const archived = "$Format:%H$"

// Build names the version and the commit, however the tool was built: by go build or make in
// a repository or an archive of one, by go install of a version, or by make release.
func Build() string {
	info, _ := debug.ReadBuildInfo()
	if info == nil {
		info = &debug.BuildInfo{}
	}
	linked := commit
	if linked == "" && !strings.HasPrefix(archived, "$") {
		linked = archived
	}
	return named(linked, info)
}

func named(commit string, info *debug.BuildInfo) string {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	changed := ""
	if commit, dirty := strings.CutSuffix(commit, "+dirty"); dirty {
		return Version + " (commit " + short(commit) + ", with changes)"
	}
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
		return Version + " (commit " + short(commit) + changed + ")"
	case strings.HasPrefix(info.Main.Version, "v"):
		return Version + " (" + info.Main.Version + ")"
	}
	return Version + " (commit unknown)"
}

// short is the beginning of a commit's name.
func short(commit string) string { return commit[:min(len(commit), 12)] }
