package session

import (
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/watch"
)

// watchPlaces tells every access to the places of Controls.Watch on Stderr, in
// the order of execution. The function that it returns says which there were not.
func (s *session) watchPlaces(arena *mem.Arena) (end func()) {
	if len(s.places) == 0 {
		return func() {}
	}
	s.cfg.Workers = 1
	l := &watch.Listener{W: s.cfg.Stderr, Arena: arena, Places: s.places}
	s.observers = append(s.observers, l.Observer())
	return func() {
		for _, p := range l.Unmet() {
			s.say("--watch %s: no launch had a variable or buffer of that name", p.Text)
		}
	}
}
