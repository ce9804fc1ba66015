package host

import (
	"context"
	"errors"
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
