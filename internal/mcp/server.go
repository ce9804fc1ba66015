package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/judge"
)

// Options are those of a server.
type Options struct {
	Version string
	// Rules are those that explain knows.
	Rules []finding.Rule
	// AllowWeakSandbox runs programs also where files or the network stay open to them.
	AllowWeakSandbox bool
	// Roots are the directories whose files calls may name, instead of the client's roots; nil for these.
	Roots []string
}

// progressPause is how often a long call reports that it continues.
const progressPause = 2 * time.Second

const instructions = `warpgrind runs CUDA programs without a GPU and reports what is wrong with them. Call run on a program; read its findings; call finding for all facts of one; repair, by fix or by hand; run again until exit is 0. Code without a main program: check.`

// parallel is how many calls run programs at once; each may use all cores, and much memory. More wait, which their time limits do not count.
const parallel = 4

type server struct {
	// ctx ends the calls when the server ends.
	ctx     context.Context
	mu      sync.Mutex // of the beginning of calls
	calls   sync.WaitGroup
	slots   chan struct{}
	runner  *runner
	roots   []string
	rules   []finding.Rule
	reports reports
	// judges starts the judge when the first job comes.
	judges func() (*judge.Judge, error)
}

// Serve answers a client until it closes the connection or ctx ends.
func Serve(ctx context.Context, in io.ReadCloser, out io.WriteCloser, o Options) error {
	v, closeAll, err := newServer(ctx, o)
	if err != nil {
		return err
	}
	defer closeAll()
	s := sdk.NewServer(&sdk.Implementation{Name: "warpgrind", Title: "warpgrind", Version: o.Version}, &sdk.ServerOptions{Instructions: instructions})
	v.addTools(s)
	client := &input{ReadCloser: in}
	err = s.Run(ctx, &sdk.IOTransport{Reader: client, Writer: out})
	if ctx.Err() == nil && client.ended.Load() {
		return nil // also with calls that have no answer yet
	}
	return err
}

// maxMessage bounds a message of a client in bytes. Each is a line ("Model Context Protocol", "Transports", stdio).
const maxMessage = 64 << 20

// input is what comes from a client.
type input struct {
	io.ReadCloser
	ended atomic.Bool
	// line is how many bytes of a message have come.
	line int
}

func (r *input) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	if at := bytes.LastIndexByte(p[:n], '\n'); at >= 0 {
		r.line = n - at - 1
	} else {
		r.line += n
	}
	if r.line > maxMessage {
		return 0, fmt.Errorf("a message of more than %d MiB", maxMessage>>20)
	}
	if errors.Is(err, io.EOF) {
		r.ended.Store(true)
	}
	return n, err
}

func newServer(ctx context.Context, o Options) (v *server, closeAll func(), err error) {
	r, remove, err := newRunner(o.AllowWeakSandbox)
	if err != nil {
		return nil, nil, err
	}
	v = &server{slots: make(chan struct{}, parallel), runner: r, rules: o.Rules}
	if v.roots, err = directories(o.Roots); err == nil && len(v.roots) < len(o.Roots) {
		err = fmt.Errorf("not every root of %s exists", strings.Join(o.Roots, ", "))
	}
	if err != nil {
		remove()
		return nil, nil, err
	}
	var stop context.CancelFunc
	v.ctx, stop = context.WithCancel(ctx)
	var started *judge.Judge
	v.judges = sync.OnceValues(func() (*judge.Judge, error) {
		j, err := judge.New(judge.Config{AllowWeakSandbox: o.AllowWeakSandbox})
		started = j
		return j, err
	})
	return v, func() {
		v.mu.Lock()
		stop()
		v.mu.Unlock()
		v.calls.Wait()
		remove()
		if started != nil {
			started.Close()
		}
	}, nil
}

// begin registers a call that runs programs. The context it returns ends with the server, which waits until done is called.
func (v *server) begin(ctx context.Context) (_ context.Context, done func(), err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if err := v.ctx.Err(); err != nil {
		return nil, nil, err
	}
	v.calls.Add(1)
	ctx, cancel := context.WithCancel(ctx)
	unlink := context.AfterFunc(v.ctx, cancel)
	return ctx, func() { unlink(); cancel(); v.calls.Done() }, nil
}

// slot waits until few others run programs.
func (v *server) slot(ctx context.Context) (free func(), err error) {
	select {
	case v.slots <- struct{}{}:
		return func() { <-v.slots }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// progress reports that a call continues, to a client that asked for that, until the result is called.
func (v *server) progress(ctx context.Context, q *sdk.CallToolRequest) (stop func()) {
	token := q.Params.GetProgressToken()
	if token == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		begun := time.Now()
		for {
			select {
			case <-ctx.Done():
				return
			case <-time.After(progressPause):
			}
			s := time.Since(begun).Round(time.Second)
			// A client that does not read loses its progress; the call's result says what counts.
			_ = q.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: token, Progress: s.Seconds(), Message: "running for " + s.String()})
		}
	}()
	return cancel
}
