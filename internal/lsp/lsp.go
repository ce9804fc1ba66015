// Package lsp is a language server: it shows in an editor what the last run
// found, in the place where its lines are by now, and while one types what can
// be said without running. Hovering over a finding explains its rule.
//
// It speaks the Language Server Protocol 3.17.
package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/warpgrind/warpgrind/internal/finding"
)

// Checker says what is wrong with a CUDA source without running it. text is the
// file as the editor has it. The error is about the check itself; what is found
// before stays.
type Checker func(ctx context.Context, file, text string) ([]*finding.Finding, error)

// Options say what a server knows.
type Options struct {
	Version string
	Rules   []finding.Rule
	// Check is nil if nothing is checked while one types.
	Check Checker
	// Run runs programs: those that the client's user names by a command, and with OnSave each source
	// that is saved, or whose last run's findings no longer fit its text. It is nil if nothing is run.
	Run    Runner
	OnSave bool
	// Reports are patterns (package path/filepath) of saved reports, relative
	// to the workspace's folder. The youngest file counts.
	Reports []string
	// Delay is how long nothing has to be typed before a check begins, Pause before a program is run
	// again; Poll how often the saved reports are examined.
	Delay, Pause, Poll time.Duration
}

// Serve answers one client until it says goodbye or hangs up. The error says
// that a pattern is wrong or that the client hung up without goodbye.
func Serve(ctx context.Context, client io.ReadWriteCloser, o Options) error {
	for _, p := range o.Reports {
		if _, err := filepath.Match(p, ""); err != nil {
			return fmt.Errorf("%q: %w", p, err)
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &server{
		o: o, ctx: ctx, docs: map[string]*document{}, ran: map[string]*savedRun{}, static: map[string]*checked{},
		sent: map[string]publishParams{}, disk: map[string][]string{}, maps: map[*string][]int{},
		jobs: map[string]*job{}, waiting: map[jsonrpc2.ID]context.CancelFunc{},
	}
	s.mu.Lock() // until conn is there
	s.conn = jsonrpc2.NewConn(ctx, jsonrpc2.NewBufferedStream(client, jsonrpc2.VSCodeObjectCodec{}), s, jsonrpc2.SetLogger(quiet{}))
	s.mu.Unlock()
	<-s.conn.DisconnectNotify()
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.goodbye && ctx.Err() == nil {
		return errors.New("the editor hung up")
	}
	return nil
}

// quiet is a log that nothing reads: standard error belongs to the editor.
type quiet struct{}

func (quiet) Printf(string, ...any) {}

// document is a file that is open in the editor.
type document struct {
	version int
	text    string
	lines   []string
	cancel  context.CancelFunc // of the check that is to come or runs
	again   context.CancelFunc // of the run that is to come
}

// server is one session with an editor. Files are named by their paths.
type server struct {
	o    Options
	ctx  context.Context
	conn *jsonrpc2.Conn

	mu            sync.Mutex
	root          string
	utf8, watches bool
	progress      bool // the client shows progress that the server begins
	client        clientOptions
	ready         bool // the client has said "initialized"
	goodbye       bool // it has said "shutdown"
	docs          map[string]*document
	run           *savedRun
	ran           map[string]*savedRun // what the server ran, by source
	static        map[string]*checked
	sent          map[string]publishParams           // what the editor shows, by file
	disk          map[string][]string                // lines of files that are not open
	maps          map[*string][]int                  // where lines have gone, by the first old one
	jobs          map[string]*job                    // the runs that have not ended, by source
	last          string                             // the source that a command ran last
	tokens        int                                // how many the server has made for progress
	waiting       map[jsonrpc2.ID]context.CancelFunc // gives up a command that was not answered yet
}

// checked is what was said of a file without running it, and its text then.
type checked struct {
	findings []*finding.Finding
	lines    []string
}

// Handle takes one message after the other. A command is begun in its turn and answered when it is done,
// which may be after a run; the messages behind it do not wait for that.
func (s *server) Handle(ctx context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request) {
	if req.Method != "workspace/executeCommand" {
		jsonrpc2.HandlerWithError(s.handle).SuppressErrClosed().Handle(ctx, conn, req)
		return
	}
	s.mu.Lock()
	result := s.execute(req)
	until, cancel := context.WithCancel(s.ctx)
	s.waiting[req.ID] = cancel
	s.mu.Unlock()
	answer := func(context.Context, *jsonrpc2.Conn, *jsonrpc2.Request) (any, error) {
		defer s.answered(req.ID)
		return result(until)
	}
	go jsonrpc2.HandlerWithError(answer).SuppressErrClosed().Handle(ctx, conn, req)
}

// answered forgets a command.
func (s *server) answered(id jsonrpc2.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting[id]()
	delete(s.waiting, id)
}

func (s *server) handle(_ context.Context, _ *jsonrpc2.Conn, req *jsonrpc2.Request) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.goodbye && req.Method != "exit" {
		return nil, errShutDown
	}
	switch req.Method {
	case "initialize":
		return answer(req, s.initialize)
	case "initialized":
		s.start()
	case "textDocument/didOpen", "textDocument/didChange":
		return answer(req, s.changed)
	case "textDocument/didSave":
		s.reload()
		return answer(req, func(p *documentParams) any {
			s.saved(pathOf(p.TextDocument.URI))
			return nil
		})
	case "textDocument/didClose":
		return answer(req, s.closed)
	case "textDocument/hover":
		return answer(req, func(p *hoverParams) any { return s.hover(p) })
	case "textDocument/codeAction":
		return answer(req, func(p *codeActionParams) any { return s.codeActions(p) })
	case "workspace/didChangeWatchedFiles":
		s.reload()
	case "window/workDoneProgress/cancel":
		return answer(req, s.cancelProgress)
	case "$/cancelRequest":
		return answer(req, s.cancelRequest)
	case "shutdown":
		s.goodbye = true
	case "exit":
		go s.conn.Close()
	default:
		if !req.Notif {
			return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: "no method " + req.Method}
		}
	}
	return nil, nil
}

var errShutDown = &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "the server has been shut down"}

// answer decodes a request's parameters and calls f with them.
func answer[P any](req *jsonrpc2.Request, f func(*P) any) (any, error) {
	var p P
	if req.Params != nil {
		if err := json.Unmarshal(*req.Params, &p); err != nil {
			return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: err.Error()}
		}
	}
	return f(&p), nil
}

func (s *server) initialize(p *initializeParams) any {
	s.root = p.folder()
	s.utf8 = slices.Contains(p.Capabilities.General.PositionEncodings, "utf-8")
	s.watches = p.Capabilities.Workspace.DidChangeWatchedFiles.DynamicRegistration
	s.progress = p.Capabilities.Window.WorkDoneProgress
	s.client = p.Options
	encoding := "utf-16"
	if s.utf8 {
		encoding = "utf-8"
	}
	return &initializeResult{
		Capabilities: serverCapabilities{
			PositionEncoding: encoding, TextDocumentSync: syncOptions{OpenClose: true, Change: 1, Save: true},
			HoverProvider: true, CodeActionProvider: true, ExecuteCommandProvider: commandOptions{Commands: s.commandNames(), WorkDoneProgress: true},
		},
		ServerInfo: serverInfo{"warpgrind", s.o.Version},
	}
}

// start shows the known findings and keeps looking for newer reports.
func (s *server) start() {
	s.ready = true
	s.reload()
	s.publish()
	if s.watches {
		go s.watchReports()
	}
	if s.o.Poll <= 0 {
		return
	}
	go func() {
		t := time.NewTicker(s.o.Poll)
		defer t.Stop()
		for {
			select {
			case <-s.ctx.Done():
				return
			case <-t.C:
				s.mu.Lock()
				s.reload()
				s.mu.Unlock()
			}
		}
	}()
}

// watchReports asks the client to tell when a report changes.
func (s *server) watchReports() {
	var watchers []map[string]any
	for _, p := range s.o.Reports {
		watchers = append(watchers, map[string]any{"globPattern": p})
	}
	r := registration{"reports", "workspace/didChangeWatchedFiles", map[string]any{"watchers": watchers}}
	// A client that refuses is polled.
	_ = s.conn.Call(s.ctx, "client/registerCapability", map[string]any{"registrations": []registration{r}}, nil)
}

// reload looks for a newer report, and shows it.
func (s *server) reload() {
	r := newest(s.root, s.o.Reports, s.run)
	if r == s.run {
		return
	}
	s.run = r
	clear(s.disk)
	clear(s.maps)
	s.publish()
}

// changed takes a document's new text.
func (s *server) changed(p *documentParams) any {
	file := pathOf(p.TextDocument.URI)
	if file == "" {
		return nil
	}
	text := p.TextDocument.Text
	if n := len(p.ContentChanges); n > 0 {
		text = p.ContentChanges[n-1].Text
	}
	d := s.docs[file]
	if d == nil {
		d = &document{cancel: func() {}, again: func() {}}
		s.docs[file] = d
	}
	d.version, d.text, d.lines = p.TextDocument.Version, text, splitLines(text)
	clear(s.maps)
	s.check(file, d)
	s.publish()
	s.runAgain(file, d)
	return nil
}

func (s *server) closed(p *documentParams) any {
	file := pathOf(p.TextDocument.URI)
	if d := s.docs[file]; d != nil {
		d.cancel()
		d.again()
		if j := s.jobs[file]; j != nil && !j.asked {
			j.cancel()
		}
		delete(s.docs, file)
		delete(s.static, file)
		delete(s.disk, file)
		clear(s.maps)
		s.publish()
	}
	return nil
}

// check looks at a document without running it, once nothing has been typed for
// a while. A check that runs for an older text is given up.
func (s *server) check(file string, d *document) {
	if s.o.Check == nil || !cudaSource(file) {
		return
	}
	d.cancel()
	ctx, cancel := context.WithCancel(s.ctx)
	d.cancel = cancel
	text, lines := d.text, d.lines
	go func() {
		defer cancel()
		select {
		case <-ctx.Done():
			return
		case <-time.After(s.o.Delay):
		}
		found, err := s.o.Check(ctx, file, text)
		s.mu.Lock()
		defer s.mu.Unlock()
		if ctx.Err() == nil && err == nil {
			s.static[file] = &checked{found, lines}
			s.publish()
		}
	}()
}

// publish sends the diagnostics of the files whose editor shows others, also to
// say that there are none any more.
func (s *server) publish() {
	if !s.ready {
		return
	}
	all := s.all()
	for file := range s.sent {
		if all[file] == nil {
			all[file] = []marked{}
		}
	}
	for _, file := range slices.Sorted(maps.Keys(all)) {
		p := publishParams{URI: uriOf(file), Diagnostics: []diagnostic{}}
		if d := s.docs[file]; d != nil {
			p.Version = d.version
		}
		for _, m := range all[file] {
			p.Diagnostics = append(p.Diagnostics, m.diag)
		}
		if reflect.DeepEqual(p, s.sent[file]) {
			continue
		}
		if s.sent[file] = p; len(p.Diagnostics) == 0 {
			delete(s.sent, file)
		}
		// A client that has hung up ends the session elsewhere.
		_ = s.conn.Notify(s.ctx, "textDocument/publishDiagnostics", p)
	}
}
