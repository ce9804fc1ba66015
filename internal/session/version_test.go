package session

import (
	"runtime/debug"
	"testing"
)

func TestBuild(t *testing.T) {
	settings := func(kv ...string) (out []debug.BuildSetting) {
		for i := 0; i < len(kv); i += 2 {
			out = append(out, debug.BuildSetting{Key: kv[i], Value: kv[i+1]})
		}
		return out
	}
	for _, tc := range []struct {
		linked string
		info   debug.BuildInfo
		want   string
	}{
		{"0123456789abcdef", debug.BuildInfo{}, "(commit 0123456789ab)"},
		{"0123456789abcdef+dirty", debug.BuildInfo{}, "(commit 0123456789ab, with changes)"},
		{"", debug.BuildInfo{Settings: settings("vcs.revision", "fedcba9876543210", "vcs.modified", "false")}, "(commit fedcba987654)"},
		{"", debug.BuildInfo{Settings: settings("vcs.revision", "fedcba9876543210", "vcs.modified", "true")}, "(commit fedcba987654, with changes)"},
		{"", debug.BuildInfo{Main: debug.Module{Version: "v0.1.1-0.20260101120000-0123456789ab"}}, "(commit 0123456789ab)"},
		{"", debug.BuildInfo{Main: debug.Module{Version: "v0.1.1-0.20260101120000-0123456789ab+dirty"}}, "(commit 0123456789ab)"},
		{"", debug.BuildInfo{Main: debug.Module{Version: "v0.1.0"}}, "(v0.1.0)"},
		{"", debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, "(commit unknown)"},
	} {
		if got, want := named(tc.linked, &tc.info), Version+" "+tc.want; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
