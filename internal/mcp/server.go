package mcp

import (
	"context"
	"errors"
	"io"
	"sync"
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
}

// progressPause is how often a long call reports that it goes on.
const progressPause = 2 * time.Second

const instructions = `warpgrind runs CUDA programs without a GPU and reports what is wrong with them. Call run on a program; read its findings; call finding for all facts of one; repair, by fix or by hand; run again until exit is 0. Code without a main program: check.`

type server struct {
	runner  *runner
	rules   []finding.Rule
	reports reports
	// judges starts the judge when the first job comes.
	judges func() (*judge.Judge, error)
}

// Serve answers a client until it closes the connection or ctx ends.
func Serve(ctx context.Context, in io.ReadCloser, out io.WriteCloser, o Options) error {
	v, closeAll, err := newServer(o)
	if err != nil {
		return err
	}
	defer closeAll()
	s := sdk.NewServer(&sdk.Implementation{Name: "warpgrind", Title: "warpgrind", Version: o.Version}, &sdk.ServerOptions{Instructions: instructions})
	v.addTools(s)
	err = s.Run(ctx, &sdk.IOTransport{Reader: in, Writer: out})
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

func newServer(o Options) (v *server, closeAll func(), err error) {
	r, remove, err := newRunner(o.AllowWeakSandbox)
	if err != nil {
		return nil, nil, err
	}
	v = &server{runner: r, rules: o.Rules}
	var started *judge.Judge
	v.judges = sync.OnceValues(func() (*judge.Judge, error) {
		j, err := judge.New(judge.Config{AllowWeakSandbox: o.AllowWeakSandbox})
		started = j
		return j, err
	})
	return v, func() {
		remove()
		if started != nil {
			started.Close()
		}
	}, nil
}

// progress reports that a call goes on, to a client that asked for that, until the result is called.
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
