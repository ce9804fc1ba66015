// Package early listens to signals while the other packages of the process are being initialized, which takes most of the time
// until main begins. Until a process listens, a signal ends it without a word.
//
// The linker initializes a package as soon as its imports are, in the order of paths: this package must import next to nothing,
// and no package that others import may import it.
package early

import (
	"context"

	"github.com/warpgrind/warpgrind/internal/interrupt"
)

var signals = interrupt.Listen()

// Context is interrupt.Context for the signals since the process began to listen.
func Context(parent context.Context) (context.Context, context.CancelFunc) {
	return interrupt.Context(parent, signals)
}

// Leave gives signals back what they do by default, also to one that has come: for a process that is to become another one.
func Leave() { interrupt.Leave(signals) }
