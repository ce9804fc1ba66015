package session

import (
	"context"
	"testing"
	"time"
)

// TestSettled: a run waits for the memory of one that was left, and not longer than it may.
func TestSettled(t *testing.T) {
	left := make(chan struct{})
	unsettled.runs = append(unsettled.runs, left)
	short, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if err := settled(short); err == nil {
		t.Error("it does not wait")
	}
	time.AfterFunc(20*time.Millisecond, func() { close(left) })
	if err := settled(t.Context()); err != nil || len(unsettled.runs) > 0 {
		t.Errorf("%v, %d runs are left", err, len(unsettled.runs))
	}
}
