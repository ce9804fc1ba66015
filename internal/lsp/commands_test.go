package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/source"
)

// fake is a runner: it finds a race in a text without a barrier, and repairs it where that is saved.
type fake struct {
	runs chan *Request
	// wait, if set, holds each run up until it is closed or the run is given up.
	wait chan struct{}
	err  error
}

func newFake() *fake { return &fake{runs: make(chan *Request, 10)} }

func (f *fake) run(ctx context.Context, q *Request, found func(*report.Report)) ([]Fix, error) {
	f.runs <- q
	fmt.Fprintf(q.Output, "args %q\n", q.Args)
	if f.wait != nil {
		select {
		case <-ctx.Done():
		case <-f.wait:
		}
	}
	if f.err != nil {
		return nil, f.err
	}
	b, err := os.ReadFile(q.File)
	if err != nil {
		return nil, err
	}
	text := string(b)
	if q.Text != nil {
		text = *q.Text
	}
	r := &report.Report{Sources: []report.Source{{File: q.File, Text: string(b)}}}
	line := 1 + strings.Count(text[:max(0, strings.Index(text, "o[0]"))], "\n")
	if strings.Contains(text, "o[0]") && !strings.Contains(text, "__syncthreads()") {
		race := aRace("")
		race.Primary.Loc.Line, race.Related[0].Loc.Line = line, line-1
		race.Repair = &finding.Repair{Kind: finding.AddBarrier, Call: finding.Syncthreads}
		race.Repair.From = &finding.Point{Pos: source.Pos{File: "k.cu", Line: line - 1, Col: 3}}
		race.Repair.To = &finding.Point{Pos: source.Pos{File: "k.cu", Line: line, Col: 3}}
		r.Findings, r.Summary.Errors = []*finding.Finding{race}, 1
	}
	if found(r); len(r.Findings) == 0 || q.Text != nil {
		return nil, nil
	}
	at := source.Pos{File: q.File, Line: line, Col: 3}
	return []Fix{{r.Findings[0], "add it", []source.Replacement{{From: at, To: at, Text: "__syncthreads(); "}}}}, nil
}

// begun is the next run.
func (f *fake) begun(t *testing.T) *Request {
	t.Helper()
	select {
	case q := <-f.runs:
		return q
	case <-time.After(patience):
		t.Fatal("nothing was run")
	}
	return nil
}

// state is the next phase of a run that the server tells the client.
func (e *editor) state() (s runState) {
	e.t.Helper()
	e.other("warpgrind/run", &s)
	return s
}

// other is the next message of the server with a method; those of others are dropped.
func (e *editor) other(method string, into any) {
	e.t.Helper()
	for {
		select {
		case req := <-e.others:
			if req.Method != method {
				continue
			}
			if err := json.Unmarshal(*req.Params, into); err != nil {
				e.t.Fatal(err)
			}
			return
		case <-time.After(patience):
			e.t.Fatalf("no %s came", method)
		}
	}
}

func (e *editor) uri(name string) string { return uriOf(filepath.Join(e.dir, name)) }

// command is the parameters of a command.
func command(name string, args ...any) any {
	return map[string]any{"command": name, "arguments": args}
}

// refused calls a command that fails, and returns the error.
func (e *editor) refused(params any) *jsonrpc2.Error {
	e.t.Helper()
	var rpc *jsonrpc2.Error
	if err := e.conn.Call(context.Background(), "workspace/executeCommand", params, nil); !errors.As(err, &rpc) {
		e.t.Fatalf("%v: got %v", params, err)
	}
	return rpc
}

// TestRunCommand: a program is run on request, also where nothing is run by itself, and the client is told
// how that ended.
func TestRunCommand(t *testing.T) {
	f := newFake()
	e := open(t, Options{Run: f.run}, `{"window":{"workDoneProgress":true}}`)
	e.next()
	e.edit("k.cu", program, 1)
	e.next()
	e.notify("textDocument/didSave", map[string]any{"textDocument": textDocument{URI: e.uri("k.cu")}})
	if err := e.refused(command("warpgrind.run")); !strings.Contains(err.Message, "no program was run yet") {
		t.Errorf("again before a run: %v", err)
	}
	for _, args := range [][]any{nil, {e.uri("k.cu")}} {
		if args == nil {
			args = []any{e.uri("k.cu")}
		} else {
			args = nil // again
		}
		var got runState
		e.call("workspace/executeCommand", command("warpgrind.run", args...), &got)
		if got.Phase != done || got.Errors != 1 || got.Patches != 1 || got.URI != e.uri("k.cu") || got.Output != "args [\"7\"]\n" || !strings.Contains(got.Summary, "1 finding") {
			t.Errorf("got %+v", got)
		}
		if q := f.begun(t); q.Text != nil || !q.Asked || !slices.Equal(q.Args, []string{"7"}) {
			t.Errorf("ran %+v", q)
		}
		for _, want := range []string{running, fixing, done} {
			if got := e.state(); got.Phase != want {
				t.Errorf("phase %q, want %q", got.Phase, want)
			}
		}
	}
	// What is not saved is run as it is typed; then no patches are run.
	e.edit("k.cu", program+"// more\n", 2)
	var got runState
	e.call("workspace/executeCommand", command("warpgrind.run", e.uri("k.cu")), &got)
	if q := f.begun(t); got.Errors != 1 || got.Patches != 0 || q.Text == nil || *q.Text != program+"// more\n" {
		t.Errorf("got %+v of %+v", got, q)
	}
	if len(f.runs) > 0 {
		t.Error("run without being asked")
	}
}

// TestRefusedCommands: what cannot be done is refused with the reason.
func TestRefusedCommands(t *testing.T) {
	f := newFake()
	e := open(t, Options{Run: f.run}, "{}")
	for want, p := range map[string]any{
		"no command":      command("warpgrind.dance"),
		"not a file":      command("warpgrind.run", "http://example.com/k.cu"),
		"first argument":  command("warpgrind.run", 1),
		"k.h is not":      command("warpgrind.fix", e.uri("k.h")),
		"json: cannot":    []int{1},
		"no program":      command("warpgrind.run"),
		"no program was ": command("warpgrind.fix"),
	} {
		if err := e.refused(p); err.Code != jsonrpc2.CodeInvalidParams || !strings.Contains(err.Message, want) {
			t.Errorf("%v: got %v, want %q", p, err, want)
		}
	}
	f.err = errors.New("it does not compile")
	var got runState
	e.call("workspace/executeCommand", command("warpgrind.run", e.uri("k.cu")), &got)
	if got.Phase != failed || got.Message != "it does not compile" {
		t.Errorf("got %+v", got)
	}
	if err := e.refused(command("warpgrind.fix", e.uri("k.cu"))); err.Message != "it does not compile" {
		t.Errorf("got %v", err)
	}
}

// TestWithoutRunner: a server that runs nothing has the report only.
func TestWithoutRunner(t *testing.T) {
	s := &server{}
	if got := s.commandNames(); !slices.Equal(got, []string{"warpgrind.report"}) {
		t.Errorf("got %q", got)
	}
}

// TestProgress: a run shows its progress where the client has a place for that, or in the one that the
// command names.
func TestProgress(t *testing.T) {
	f := newFake()
	e := open(t, Options{Run: f.run}, `{"window":{"workDoneProgress":true}}`)
	for _, token := range []string{"", "mine"} {
		p := map[string]any{"command": "warpgrind.run", "arguments": []string{e.uri("k.cu")}}
		want := token
		if token != "" {
			p["workDoneToken"] = token
		}
		e.call("workspace/executeCommand", p, nil)
		if token == "" {
			var made struct{ Token string }
			e.other("window/workDoneProgress/create", &made)
			want = made.Token
		}
		for _, kind := range []string{"begin", "report", "end"} {
			var got struct {
				Token string
				Value progressValue
			}
			e.other("$/progress", &got)
			if got.Token != want || got.Value.Kind != kind || got.Value.Cancellable != (kind == "begin") {
				t.Errorf("got %+v, want %s of %q", got, kind, want)
			}
		}
	}
}

// TestProgressWithoutAnswer: a client that does not answer has its programs run without progress.
func TestProgressWithoutAnswer(t *testing.T) {
	f := newFake()
	server, client := pipes(t)
	go func() { _ = Serve(context.Background(), server, Options{Run: f.run}) }()
	silent := jsonrpc2.NewConn(context.Background(), jsonrpc2.NewBufferedStream(client, jsonrpc2.VSCodeObjectCodec{}), nothing{}, jsonrpc2.SetLogger(quiet{}))
	defer silent.Close()
	file := filepath.Join(t.TempDir(), "k.cu")
	if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := silent.Call(ctx, "initialize", json.RawMessage(`{"capabilities":{"window":{"workDoneProgress":true}}}`), nil); err != nil {
		t.Fatal(err)
	}
	var got runState
	if err := silent.Call(ctx, "workspace/executeCommand", command("warpgrind.run", uriOf(file)), &got); err != nil || got.Phase != done {
		t.Errorf("got %+v, %v", got, err)
	}
}

// nothing answers no request.
type nothing struct{}

func (nothing) Handle(context.Context, *jsonrpc2.Conn, *jsonrpc2.Request) {}

// TestStop: a run ends when the user stops it, cancels its progress or gives the command up. A new run of
// the same program stops the old one without a word of its own.
func TestStop(t *testing.T) {
	f := newFake()
	f.wait = make(chan struct{})
	e := open(t, Options{Run: f.run}, "{}")
	run := command("warpgrind.run", e.uri("k.cu"))
	token := map[string]any{"command": "warpgrind.run", "arguments": []string{e.uri("k.cu")}, "workDoneToken": 5}
	stops := []struct {
		params any
		stop   func()
	}{
		{run, func() {
			var n int
			if e.call("workspace/executeCommand", command("warpgrind.stop", e.uri("k.cu")), &n); n != 1 {
				t.Errorf("stopped %d", n)
			}
		}},
		{run, func() { e.call("workspace/executeCommand", command("warpgrind.stop"), nil) }},
		{token, func() { e.notify("window/workDoneProgress/cancel", map[string]any{"token": 5}) }},
	}
	for i, x := range stops {
		ended := make(chan runState)
		go func() {
			var got runState
			if err := e.conn.Call(context.Background(), "workspace/executeCommand", x.params, &got); err != nil {
				t.Error(err)
			}
			ended <- got
		}()
		f.begun(t)
		x.stop()
		if got := <-ended; got.Phase != stopped || got.Errors != 0 {
			t.Errorf("%d: got %+v", i, got)
		}
		for _, want := range []string{running, stopped} {
			if got := e.state().Phase; got != want {
				t.Errorf("%d: phase %q, want %q", i, got, want)
			}
		}
	}

	given, err := e.conn.DispatchCall(context.Background(), "workspace/executeCommand", run, jsonrpc2.PickID(jsonrpc2.ID{Num: 700}))
	if err != nil {
		t.Fatal(err)
	}
	f.begun(t)
	e.notify("$/cancelRequest", map[string]any{"id": 699}) // of no command
	e.notify("$/cancelRequest", map[string]any{"id": 700})
	var rpc *jsonrpc2.Error
	if err := given.Wait(context.Background(), nil); !errors.As(err, &rpc) || rpc.Code != codeCanceled {
		t.Errorf("got %v", err)
	}
	e.state()
	e.state()

	first := make(chan runState)
	go func() {
		var got runState
		_ = e.conn.Call(context.Background(), "workspace/executeCommand", run, &got)
		first <- got
	}()
	f.begun(t)
	go func() { f.begun(t); close(f.wait) }()
	e.call("workspace/executeCommand", run, nil)
	if got := <-first; got.Phase != stopped {
		t.Errorf("the first of two: %+v", got)
	}
	for _, want := range []string{running, running, fixing, done} {
		if got := e.state().Phase; got != want {
			t.Errorf("two runs: phase %q, want %q", got, want)
		}
	}
	e.next()
	if n := 0; true {
		if e.call("workspace/executeCommand", command("warpgrind.stop"), &n); n != 0 {
			t.Errorf("stopped %d", n)
		}
	}
}

// TestFixCommand: the patches of a program are answered, after a run if there was none; for a text that is
// not saved there are none.
func TestFixCommand(t *testing.T) {
	f := newFake()
	e := open(t, Options{Run: f.run}, "{}")
	e.next()
	e.edit("k.cu", program, 1)
	fix := command("warpgrind.fix", e.uri("k.cu"))
	for range 2 { // the second takes what the first has found
		var got *patch
		e.call("workspace/executeCommand", fix, &got)
		want := textEdit{span{position{4, 2}, position{4, 2}}, "__syncthreads(); "}
		if got == nil || got.Title != "Add it (verified)" || !slices.Equal(got.Edit.Changes[e.uri("k.cu")], []textEdit{want}) {
			t.Fatalf("got %+v", got)
		}
	}
	if f.begun(t); len(f.runs) > 0 {
		t.Error("run again")
	}
	e.edit("k.cu", program+"\n", 2)
	if err := e.refused(fix); !strings.Contains(err.Message, "save it first") {
		t.Errorf("not saved: %v", err)
	}
	e.write("k.cu", "__syncthreads();\n")
	e.edit("k.cu", "__syncthreads();\n", 3)
	var got *patch
	if e.call("workspace/executeCommand", fix, &got); got != nil {
		t.Errorf("a clean program: %+v", got)
	}
}

// TestFixWaits: while a saved source is run, the command takes what that run finds.
func TestFixWaits(t *testing.T) {
	f := newFake()
	f.wait = make(chan struct{})
	e := open(t, Options{Run: f.run, OnSave: true, Pause: time.Hour}, "{}")
	e.next()
	e.edit("k.cu", program, 1)
	e.notify("textDocument/didSave", map[string]any{"textDocument": textDocument{URI: e.uri("k.cu")}})
	f.begun(t)
	time.AfterFunc(20*time.Millisecond, func() { close(f.wait) })
	var got *patch
	if e.call("workspace/executeCommand", command("warpgrind.fix", e.uri("k.cu")), &got); got == nil || len(f.runs) > 0 {
		t.Errorf("got %+v after %d more runs", got, len(f.runs))
	}
}

// TestReportCommand: the page is that of the program's last run, else of a saved report.
func TestReportCommand(t *testing.T) {
	f := newFake()
	e := open(t, Options{Run: f.run, Rules: []finding.Rule{{ID: "race"}}}, "{}")
	e.next()
	report := func(args ...any) (got page) {
		e.call("workspace/executeCommand", command("warpgrind.report", args...), &got)
		return got
	}
	if got := report(e.uri("k.cu")); got.Title != "warpgrind: warpgrind.json" || !strings.Contains(got.HTML, "launch refused") {
		t.Errorf("the saved report: %q", got.Title)
	}
	e.call("workspace/executeCommand", command("warpgrind.run", e.uri("k.cu")), nil)
	for _, args := range [][]any{{e.uri("k.cu")}, {e.uri("unknown.cu")}, nil} {
		got := report(args...)
		if got.Title != "warpgrind: k.cu" || !strings.HasPrefix(got.HTML, "<!DOCTYPE html>") || strings.Contains(got.HTML, "launch refused") {
			t.Errorf("%v: %q", args, got.Title)
		}
	}
	s := &server{docs: map[string]*document{}}
	if _, err := s.reportCommand("", nil); err == nil || !strings.Contains(err.Error(), "no report yet") {
		t.Errorf("got %v", err)
	}
}

// TestRunAgain: an edit that makes a finding out of date has its program run once typing pauses, with the
// text as it is then; another edit has not.
func TestRunAgain(t *testing.T) {
	f := newFake()
	e := open(t, Options{Run: f.run, OnSave: true}, "{}")
	e.next()
	e.edit("k.cu", program, 1)
	e.next()
	e.notify("textDocument/didSave", map[string]any{"textDocument": textDocument{URI: e.uri("k.cu")}})
	f.begun(t)
	for e.state().Phase != done {
	}
	e.edit("k.cu", "// more\n"+program, 2) // the finding moves
	e.edit("k.cu", "// more\n"+strings.Replace(program, "+ 1", "+ 2", 1), 3)
	q := f.begun(t)
	if q.Asked || q.Text == nil || !strings.Contains(*q.Text, "+ 2") {
		t.Errorf("ran %+v", q)
	}
	for e.state().Phase != done {
	}
	var last publishParams
	for len(e.shown) > 0 {
		last = <-e.shown
	}
	if len(last.Diagnostics) != 1 || last.Diagnostics[0].Range.Start.Line != 5 {
		t.Errorf("shown: %+v", last)
	}
	// The report has the text that was run.
	var got page
	e.call("workspace/executeCommand", command("warpgrind.report"), &got)
	if !strings.Contains(got.HTML, "threadIdx.x + 2") {
		t.Error("the page has another source")
	}
	e.none()
	if len(f.runs) > 0 {
		t.Errorf("ran %+v", <-f.runs)
	}
}

// TestNotRunAgain: without the user's leave to run what is saved, nothing is run while one types.
func TestNotRunAgain(t *testing.T) {
	f := newFake()
	e := open(t, Options{Run: f.run}, "{}")
	e.next()
	e.edit("k.cu", program, 1)
	e.next()
	e.edit("k.cu", strings.Replace(program, "+ 1", "+ 2", 1), 2)
	if p := e.next(); len(p.Diagnostics) != 1 {
		t.Errorf("got %+v", p)
	}
	e.none()
	if len(f.runs) > 0 {
		t.Errorf("ran %+v", <-f.runs)
	}
}
