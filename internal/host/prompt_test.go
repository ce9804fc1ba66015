package host

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// TestAbandoned ends the context of work that takes no notice: it is left alone.
func TestAbandoned(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s, released := &Server{}, make(chan struct{})
	defer close(released)
	_, err := promptly(ctx, s, func() (int, error) {
		cancel()
		<-released
		return 1, nil
	})
	if !errors.Is(err, context.Canceled) || !s.Abandoned() {
		t.Errorf("%v, abandoned %v", err, s.Abandoned())
	}
}

// TestPanicIsTold asks for work that panics: that is a bug for the user, not only an error for
// the program.
func TestPanicIsTold(t *testing.T) {
	var told error
	s := &Server{cfg: Config{Hooks: Hooks{Internal: func(err error) { told = err }}}}
	_, err := promptly(t.Context(), s, func() (int, error) { panic("lost") })
	(&process{s: s}).bug("kernel k", err)
	if told == nil || !strings.HasPrefix(told.Error(), "kernel k: panic: lost") {
		t.Errorf("told %v of %v", told, err)
	}
	told = nil
	(&process{s: s}).bug("kernel k", errors.New("no such kernel"))
	if told != nil {
		t.Errorf("told %v", told)
	}
}
