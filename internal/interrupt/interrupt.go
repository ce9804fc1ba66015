// Package interrupt ends work at a signal of the user: Ctrl-C, a supervisor's request, a
// terminal that closes.
package interrupt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"
	"time"
)

// cause is why a context ended.
type cause struct{ signal syscall.Signal }

func (c cause) Error() string { return "interrupted: " + c.signal.String() }

// Is makes the cause of a context's end a context.Canceled, as the context's error is.
func (c cause) Is(target error) bool { return target == context.Canceled }

// How long a process may still take after the first signal until it has a line, and until it is ended: its output may go to a
// pipe that is full.
var (
	lateAfter = 10 * time.Second
	endAfter  = time.Minute
)

// Listen returns a channel that gets the signals by which users end a run: SIGINT, SIGTERM and SIGHUP.
func Listen() chan os.Signal {
	signals := make(chan os.Signal, 2)
	listen(signals)
	return signals
}

func listen(signals chan<- os.Signal) {
	Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
}

// Context ends at the first signal that a channel of Listen gets, or has got. The second one ends the process at once, with a line that says
// so, and the process does not outlive the first one by more than a minute.
func Context(parent context.Context, signals chan os.Signal) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(parent)
	listen(signals) // again after Leave
	over := make(chan struct{})
	go func() {
		select {
		case s := <-signals:
			cancel(cause{s.(syscall.Signal)})
			last(s.(syscall.Signal), signals, over)
		case <-ctx.Done():
		}
		signal.Stop(signals)
	}()
	return ctx, sync.OnceFunc(func() { cancel(nil); close(over) })
}

// Leave stops listening. A signal that the channel already has ends the process.
func Leave(signals chan os.Signal) {
	signal.Stop(signals)
	select {
	case s := <-signals:
		end(s.(syscall.Signal), "interrupted")
		os.Exit(128 + int(s.(syscall.Signal)))
	default:
	}
}

// last waits for the end after the first signal.
func last(first syscall.Signal, signals <-chan os.Signal, over <-chan struct{}) {
	late, most := time.After(lateAfter), time.After(endAfter)
	for {
		select {
		case s := <-signals:
			end(s.(syscall.Signal), "interrupted again: ended without a report")
		case <-late:
			go say("interrupted, and still ends what it has begun or writes its output; a second signal ends it at once")
		case <-most:
			end(first, "interrupted, and its output cannot be written: ended without the rest")
		case <-over:
			return
		}
	}
}

// end ends the process as a signal does by itself. Its last words are short: standard error may be a pipe that is full, too.
func end(s syscall.Signal, why string) {
	said := make(chan struct{})
	go func() { say(why); close(said) }()
	select {
	case <-said:
	case <-time.After(time.Second):
	}
	signal.Reset(s)
	_ = syscall.Kill(os.Getpid(), s)
}

func say(text string) { fmt.Fprintln(os.Stderr, "warpgrind: "+text) }

// Notify is signal.Notify, except that ignored signals stay so: SIGHUP under nohup, SIGINT in
// the background of a script. What a process ignores, the programs that it starts ignore too.
func Notify(c chan<- os.Signal, signals ...syscall.Signal) {
	for _, s := range slices.DeleteFunc(signals, func(s syscall.Signal) bool { return signal.Ignored(s) }) {
		signal.Notify(c, s)
	}
}

// ExitCode is what a shell reports of a process that ended as ctx did: 128 and the signal's
// number, that of SIGINT where no signal ended it.
func ExitCode(ctx context.Context) int {
	c := cause{syscall.SIGINT}
	errors.As(context.Cause(ctx), &c)
	return 128 + int(c.signal)
}
