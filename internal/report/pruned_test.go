package report

import (
	"encoding/json"
	"testing"
)

// TestPruned gives statistics as they are, and as a saved report has them.
func TestPruned(t *testing.T) {
	type stats struct {
		SitesWatched   int    `json:"global_sites_watched,omitempty"`
		SitesPruned    int    `json:"global_sites_pruned,omitempty"`
		Watched        uint64 `json:"global_accesses_watched,omitempty"`
		Pruned         uint64 `json:"global_accesses_pruned,omitempty"`
		SharedPruned   uint64 `json:"shared_accesses_pruned,omitempty"`
		SharedWatched  uint64 `json:"shared_accesses_watched,omitempty"`
		SharedSites    uint64 `json:"shared_sites_pruned,omitempty"`
		SharedSitesAll uint64 `json:"shared_sites_watched,omitempty"`
	}
	const head = "proved race-free at launch and not checked: "
	for _, c := range []struct {
		stats any
		want  string
	}{
		{nil, ""},
		{stats{SitesWatched: 3, Watched: 1 << 20}, ""},
		{stats{SitesPruned: 1, Pruned: worthTelling - 1}, ""},
		{stats{SitesPruned: 1, Pruned: 12345}, head + "of global memory 1 of 1 instruction and 12345 of 12345 accesses"},
		{stats{SitesPruned: 1, SitesWatched: 2, Pruned: 10000, Watched: 1, SharedSitesAll: 4, SharedPruned: 20000, SharedWatched: 5},
			head + "of global memory 1 of 3 instructions and 10000 of 10001 accesses; of shared memory 0 of 4 instructions and 20000 of 20005 accesses"},
	} {
		r := &Report{Stats: map[string]any{"race": c.stats}}
		if got := pruned(r); got != c.want {
			t.Errorf("%+v: %q, want %q", c.stats, got, c.want)
		}
		var saved Report
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &saved); err != nil {
			t.Fatal(err)
		}
		if got := pruned(&saved); got != c.want {
			t.Errorf("%+v, saved: %q, want %q", c.stats, got, c.want)
		}
	}
}

// TestIncomplete: a report says where accesses were too many to remember.
func TestIncomplete(t *testing.T) {
	type stats struct {
		Launches int `json:"incomplete_launches"`
	}
	const rest = " were too many to remember, so a race may have been missed"
	for n, want := range map[int]string{0: "", 1: "race: some accesses of 1 launch" + rest, 12: "race: some accesses of 12 launches" + rest} {
		if got := incomplete(&Report{Stats: map[string]any{"race": stats{n}}}); got != want {
			t.Errorf("%d launches: %q, want %q", n, got, want)
		}
	}
	if got := incomplete(&Report{}); got != "" {
		t.Errorf("no statistics: %q", got)
	}
}
