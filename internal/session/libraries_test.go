package session

import (
	"testing"

	"github.com/warpgrind/warpgrind/internal/trace"
)

func TestLaunchSites(t *testing.T) {
	var s launchSites
	on := s.observer()
	for id, where := range []string{"a.cu:1", "a.cu:1", "", "a.cu:7"} {
		on.Enqueued(&trace.Enqueued{Launch: id + 1, Where: where})
	}
	for id, want := range []int{0, 1, 1, 0, 7, 7} {
		if got := s.of(id).Line; got != want {
			t.Errorf("launch %d: line %d, want %d", id, got, want)
		}
	}
	if len(s.list) != 3 {
		t.Errorf("%d entries, want one for each run of launches from one place", len(s.list))
	}
}
