package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/source"
)

// codeCanceled is the protocol's code of a request that the client has canceled.
const codeCanceled = -32800

// result is what a command answers, once that is there. It is called without the server's lock.
type result func(ctx context.Context) (any, error)

// commands are what a client may ask for, by name. Each gets the file that the command's first argument
// names, "" if there is none, and is begun under the server's lock.
var commands = map[string]func(s *server, file string, p *commandParams) (result, error){
	"warpgrind.run":    (*server).runCommand,
	"warpgrind.fix":    (*server).fixCommand,
	"warpgrind.report": (*server).reportCommand,
	"warpgrind.stop":   (*server).stopCommand,
}

// commandNames are the commands of this session: without a runner there is only the report.
func (s *server) commandNames() []string {
	if s.o.Run == nil {
		return []string{"warpgrind.report"}
	}
	return slices.Sorted(maps.Keys(commands))
}

// execute begins a command.
func (s *server) execute(req *jsonrpc2.Request) result {
	r, err := s.begun(req)
	if err != nil {
		return func(context.Context) (any, error) { return nil, err }
	}
	return r
}

func (s *server) begun(req *jsonrpc2.Request) (result, error) {
	if s.goodbye {
		return nil, errShutDown
	}
	var p commandParams
	if req.Params != nil {
		if err := json.Unmarshal(*req.Params, &p); err != nil {
			return nil, invalid("%v", err)
		}
	}
	if !slices.Contains(s.commandNames(), p.Command) {
		return nil, invalid("no command %q", p.Command)
	}
	var uri, file string
	if len(p.Arguments) > 0 {
		if err := json.Unmarshal(p.Arguments[0], &uri); err != nil {
			return nil, invalid("the first argument of %s is the URI of a file: %v", p.Command, err)
		}
		if file = pathOf(uri); file == "" {
			return nil, invalid("%s: not a file: %s", p.Command, uri)
		}
	}
	return commands[p.Command](s, file, &p)
}

func invalid(format string, args ...any) error {
	return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: fmt.Sprintf(format, args...)}
}

// cancelRequest gives up a command that the client does not wait for any longer.
func (s *server) cancelRequest(p *cancelParams) any {
	if cancel := s.waiting[p.ID]; cancel != nil {
		cancel()
	}
	return nil
}

// runCommand runs a program, without an argument the one that was run last. It answers the run's state
// at its end.
func (s *server) runCommand(file string, p *commandParams) (result, error) {
	if file == "" {
		file = s.last
	}
	if err := runnable(file); err != nil {
		return nil, err
	}
	s.last = file
	j := s.begin(file, true, p.Token)
	return func(ctx context.Context) (any, error) {
		if err := s.wait(ctx, j); err != nil {
			return nil, err
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		state := j.state
		state.Output = j.output.String()
		return state, nil
	}, nil
}

// runnable reports why a file cannot be run, nil if it can.
func runnable(file string) error {
	switch {
	case file == "":
		return invalid("no program was run yet")
	case !cudaSource(file):
		return invalid("%s is not a CUDA source (.cu)", filepath.Base(file))
	}
	return nil
}

// wait waits for the end of a run. A client that cancels the command stops the run.
func (s *server) wait(ctx context.Context, j *job) error {
	select {
	case <-j.done:
		return nil
	case <-ctx.Done():
		j.cancel()
		<-j.done
		return &jsonrpc2.Error{Code: codeCanceled, Message: "canceled"}
	}
}

// fixCommand answers the patches that remove errors of a program and were run, nothing if there are none.
// The program is run if no run of its text is there or under way.
func (s *server) fixCommand(file string, p *commandParams) (result, error) {
	if err := runnable(file); err != nil {
		return nil, err
	}
	if d := s.docs[file]; d != nil && !onDisk(file, d.text) {
		return nil, invalid("%s: save it first: patches are run with the files on disk", filepath.Base(file))
	}
	clear(s.disk)
	clear(s.maps)
	if r := s.ran[file]; r != nil {
		if fix := s.patch(r); fix != nil {
			return func(context.Context) (any, error) { return fix, nil }, nil
		}
	}
	j := s.jobs[file]
	if j == nil || j.text != nil || !slices.Equal(j.texts[file], s.lines(file)) {
		j = s.begin(file, true, p.Token)
	}
	return func(ctx context.Context) (any, error) {
		if err := s.wait(ctx, j); err != nil {
			return nil, err
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if j.state.Phase == failed {
			return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: j.state.Message}
		}
		if r := s.ran[file]; r != nil && j.state.Phase == done {
			if fix := s.patch(r); fix != nil {
				return fix, nil
			}
		}
		return nil, nil
	}, nil
}

// page is what "warpgrind.report" answers.
type page struct {
	Title string `json:"title"`
	HTML  string `json:"html"`
}

// reportCommand answers the report of a program, or the newest one, as a page.
func (s *server) reportCommand(file string, _ *commandParams) (result, error) {
	r := s.reportOf(file)
	if r == nil {
		return nil, invalid("no report yet: run a program first")
	}
	o := report.Options{Dir: s.root, Files: &source.Files{}, Rules: s.o.Rules}
	r.report.Unpack(o)
	for name, lines := range r.lines { // as they were run
		if lines != nil {
			o.Files.Add(name, []byte(strings.Join(lines, "\n")))
		}
	}
	return func(context.Context) (any, error) {
		var b strings.Builder
		if err := report.HTML(&b, r.report, o); err != nil {
			return nil, err
		}
		return &page{"warpgrind: " + filepath.Base(r.file), b.String()}, nil
	}, nil
}

// stopCommand stops the run of a source, or all runs, and answers how many those were.
func (s *server) stopCommand(file string, _ *commandParams) (result, error) {
	n := s.stop(file)
	return func(context.Context) (any, error) { return n, nil }, nil
}
