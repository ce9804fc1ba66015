package session

import (
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/watch"
)

// watchPlaces tells every access to the places of Config.Watch on Stderr, in
// the order of execution. The function that it returns says which there were not.
func (s *Session) watchPlaces(arena *mem.Arena) (end func()) {
	if len(s.places) == 0 {
		return func() {}
	}
	s.Cfg.Workers = 1
	l := &watch.Listener{W: s.Cfg.Stderr, Arena: arena, Places: s.places}
	s.Observers = append(s.Observers, l.Observer())
	return func() {
		for _, p := range l.Unmet() {
			s.Say("--watch %s: no launch had a variable or buffer of that name", p.Text)
		}
	}
}
