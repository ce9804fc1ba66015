package patience

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"time"
)

// locked is a buffer for two goroutines.
type locked struct {
	sync.Mutex
	bytes.Buffer
}

func (l *locked) Write(p []byte) (int, error) {
	l.Lock()
	defer l.Unlock()
	return l.Buffer.Write(p)
}

// TestBegin: a wait that lasts has one line, of which no name makes two, and a short one has none.
func TestBegin(t *testing.T) {
	var out locked
	defer Hasten(20*time.Millisecond, &out)()
	Begin(Compiler, "short")()
	end := Begin(Lock, "a\x1b[2J\n::error::forged")
	for Told(Lock) == 0 {
		time.Sleep(5 * time.Millisecond)
	}
	time.Sleep(60 * time.Millisecond)
	end()
	out.Lock()
	defer out.Unlock()
	text := out.String()
	if Told(Lock) != 1 || Told(Compiler) != 0 || strings.Count(text, "\n") != 1 || strings.ContainsRune(text, '\x1b') {
		t.Errorf("%d, %d: %q", Told(Lock), Told(Compiler), text)
	}
}
