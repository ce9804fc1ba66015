package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/source"
)

const program = `#include "k.h"
__global__ void k(int *o) {
  __shared__ int s[64];
  s[threadIdx.x] = 1;
  /* 𝔘 */ o[0] = s[threadIdx.x + 1];
}
`

// patience is how long a test waits for what must come.
const patience = 20 * time.Second

// editor is the client's side of a session.
type editor struct {
	t      *testing.T
	dir    string
	conn   *jsonrpc2.Conn
	shown  chan publishParams
	served chan error
	others chan *jsonrpc2.Request // of the server, besides diagnostics
}

// open starts a session in a folder that holds k.cu and a report of it.
func open(t *testing.T, o Options, capabilities string) *editor {
	t.Helper()
	e := &editor{t: t, dir: t.TempDir(), shown: make(chan publishParams, 100), served: make(chan error, 1), others: make(chan *jsonrpc2.Request, 100)}
	e.write("k.cu", program)
	e.save("warpgrind.json", aRace(""), aLaunch())
	if o.Reports == nil {
		o.Reports = []string{"warpgrind*.json"}
	}
	server, client := pipes(t)
	go func() { e.served <- Serve(context.Background(), server, o) }()
	handler := jsonrpc2.HandlerWithError(func(_ context.Context, _ *jsonrpc2.Conn, req *jsonrpc2.Request) (any, error) {
		var p publishParams
		if req.Method == "textDocument/publishDiagnostics" {
			if err := json.Unmarshal(*req.Params, &p); err != nil {
				t.Error(err)
			}
			e.shown <- p
		} else {
			e.others <- req
		}
		return nil, nil
	})
	e.conn = jsonrpc2.NewConn(context.Background(), jsonrpc2.NewBufferedStream(client, jsonrpc2.VSCodeObjectCodec{}), handler, jsonrpc2.SetLogger(quiet{}))
	t.Cleanup(func() { e.conn.Close() })
	var got initializeResult
	e.call("initialize", json.RawMessage(`{"rootUri":"`+uriOf(e.dir)+`","capabilities":`+capabilities+`,"initializationOptions":{"runStates":true,"programArguments":["7"]}}`), &got)
	if got.ServerInfo.Name != "warpgrind" || !got.Capabilities.HoverProvider || got.Capabilities.TextDocumentSync.Change != 1 {
		t.Errorf("initialize: %+v", got)
	}
	e.notify("initialized", struct{}{})
	return e
}

func (e *editor) write(name, text string) {
	e.t.Helper()
	if err := os.WriteFile(filepath.Join(e.dir, name), []byte(text), 0o644); err != nil {
		e.t.Fatal(err)
	}
}

// save writes a report of program with findings.
func (e *editor) save(name string, fs ...*finding.Finding) {
	e.t.Helper()
	r := &report.Report{Findings: fs, Sources: []report.Source{{File: "k.cu", Text: program}}}
	var b strings.Builder
	if err := report.JSON(&b, r, ""); err != nil {
		e.t.Fatal(err)
	}
	e.write(name, b.String())
}

// pipes are the two ends of a connection as an editor makes it.
func pipes(t *testing.T) (a, b io.ReadWriteCloser) {
	t.Helper()
	ar, bw, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	br, aw, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	return end{ar, aw}, end{br, bw}
}

type end struct {
	io.ReadCloser
	w io.WriteCloser
}

func (e end) Write(b []byte) (int, error) { return e.w.Write(b) }
func (e end) Close() error                { return errors.Join(e.w.Close(), e.ReadCloser.Close()) }

func place(role string, line, col int) finding.Place {
	return finding.Place{Role: role, Loc: source.Location{Pos: source.Pos{File: "k.cu", Line: line, Col: col}}, Thread: &finding.Thread{}}
}

func aRace(more string) *finding.Finding {
	return &finding.Finding{
		Rule: "race", Kind: "RAW", Level: finding.Error, KernelName: "k(int*)", Message: "RAW on shared variable s[1]" + more,
		Primary: place("read by", 5, 21), Related: []finding.Place{place("written by", 4, 3)},
		Notes: []string{"value read: 1"}, Help: "add __syncthreads() between line 4 and line 5",
	}
}

func aLaunch() *finding.Finding {
	return &finding.Finding{Rule: "launch", Level: finding.Warning, Message: "launch refused"}
}

func (e *editor) call(method string, params, result any) {
	e.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := e.conn.Call(ctx, method, params, result); err != nil {
		e.t.Fatalf("%s: %v", method, err)
	}
}

func (e *editor) notify(method string, params any) {
	e.t.Helper()
	if err := e.conn.Notify(context.Background(), method, params); err != nil {
		e.t.Fatalf("%s: %v", method, err)
	}
}

// edit opens a file or changes it.
func (e *editor) edit(name, text string, version int) {
	e.t.Helper()
	doc := textDocument{URI: uriOf(filepath.Join(e.dir, name)), Version: version}
	if version == 1 {
		doc.Text = text
		e.notify("textDocument/didOpen", map[string]any{"textDocument": doc})
		return
	}
	e.notify("textDocument/didChange", map[string]any{"textDocument": doc, "contentChanges": []map[string]string{{"text": text}}})
}

// next is the diagnostics that come next, all of one file.
func (e *editor) next() publishParams {
	e.t.Helper()
	select {
	case p := <-e.shown:
		return p
	case <-time.After(patience):
		e.t.Fatal("no diagnostics came")
	}
	return publishParams{}
}

// none ends the session and fails if diagnostics have come that nothing took.
func (e *editor) none() {
	e.t.Helper()
	e.call("shutdown", nil, nil)
	e.notify("exit", nil)
	if err := <-e.served; err != nil {
		e.t.Errorf("Serve: %v", err)
	}
	if len(e.shown) > 0 {
		e.t.Errorf("not expected: %+v", <-e.shown)
	}
}

func TestLastRun(t *testing.T) {
	e := open(t, Options{}, "{}")
	p := e.next()
	if p.URI != uriOf(filepath.Join(e.dir, "k.cu")) || len(p.Diagnostics) != 2 {
		t.Fatalf("got %+v", p)
	}
	launch, race := p.Diagnostics[0], p.Diagnostics[1]
	if launch.Code != "launch" || launch.Severity != 2 || launch.Range.Start.Line != 0 {
		t.Errorf("a finding without a place: %+v", launch)
	}
	// The letter before it is two UTF-16 units and four bytes.
	want := span{position{4, 18}, position{4, 36}}
	if race.Range != want || race.Severity != 1 || race.Code != "race" || race.Source != "warpgrind" {
		t.Errorf("got %+v, want it at %+v", race, want)
	}
	if race.Message != "RAW on shared variable s[1]\nhelp: add __syncthreads() between line 4 and line 5" {
		t.Errorf("message %q", race.Message)
	}
	if len(race.Related) != 1 || race.Related[0].Location.Range.Start != (position{3, 2}) || !strings.HasPrefix(race.Related[0].Message, "written by thread (0,0,0)") {
		t.Errorf("related %+v", race.Related)
	}
	e.none()
}

func TestUTF8(t *testing.T) {
	e := open(t, Options{}, `{"general":{"positionEncodings":["utf-16","utf-8"]}}`)
	if got := e.next().Diagnostics[1].Range.Start; got != (position{4, 20}) {
		t.Errorf("starts at %+v", got)
	}
	e.none()
}

// TestEdits keeps findings at their lines until these are changed.
func TestEdits(t *testing.T) {
	e := open(t, Options{}, "{}")
	e.next()
	e.edit("k.cu", program, 1)
	if p := e.next(); p.Version != 1 || len(p.Diagnostics) != 2 {
		t.Fatalf("opened: %+v", p)
	}
	e.edit("k.cu", "// new\n// lines\n"+program, 2)
	p := e.next()
	if len(p.Diagnostics) != 2 || p.Diagnostics[1].Range.Start != (position{6, 18}) || p.Diagnostics[1].Related[0].Location.Range.Start.Line != 5 {
		t.Errorf("moved: %+v", p)
	}
	e.edit("k.cu", strings.Replace(program, "threadIdx.x + 1", "threadIdx.x", 1), 3)
	if p := e.next(); len(p.Diagnostics) != 1 || p.Diagnostics[0].Code != "launch" {
		t.Errorf("after a change of its line: %+v", p)
	}
	// Closed, the file on disk counts again.
	e.notify("textDocument/didClose", map[string]any{"textDocument": textDocument{URI: p.URI}})
	if p := e.next(); len(p.Diagnostics) != 2 {
		t.Errorf("closed: %+v", p)
	}
	e.none()
}

// TestNewRun shows the youngest report, also when the older one disappears.
func TestNewRun(t *testing.T) {
	e := open(t, Options{}, "{}")
	e.next()
	e.save("warpgrind2.json", aRace(" again"))
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(filepath.Join(e.dir, "warpgrind2.json"), later, later); err != nil {
		t.Fatal(err)
	}
	e.write("warpgrind3.json", `{"half":`) // being written, or something else
	e.notify("workspace/didChangeWatchedFiles", struct{}{})
	if p := e.next(); len(p.Diagnostics) != 1 || !strings.Contains(p.Diagnostics[0].Message, "again") {
		t.Errorf("got %+v", p)
	}
	for _, name := range []string{"warpgrind.json", "warpgrind2.json"} {
		if err := os.Remove(filepath.Join(e.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	e.notify("textDocument/didSave", struct{}{})
	if p := e.next(); len(p.Diagnostics) != 0 {
		t.Errorf("without a report: %+v", p)
	}
	e.none()
}

func TestPoll(t *testing.T) {
	e := open(t, Options{Poll: time.Millisecond}, "{}")
	e.next()
	if err := os.Remove(filepath.Join(e.dir, "warpgrind.json")); err != nil {
		t.Fatal(err)
	}
	if p := e.next(); len(p.Diagnostics) != 0 {
		t.Errorf("got %+v", p)
	}
	e.none()
}

func TestHover(t *testing.T) {
	rules := []finding.Rule{{ID: "race", Title: "data race", Doc: "Nothing orders them.", Example: "s[id] = id;", Fix: "Add a barrier."}}
	e := open(t, Options{Rules: rules}, "{}")
	uri := e.next().URI
	at := func(line, character int) any {
		return hoverParams{textDocument{URI: uri}, position{line, character}}
	}
	var got *hover
	e.call("textDocument/hover", at(4, 21), &got)
	if got == nil {
		t.Fatal("no hover")
	}
	for _, want := range []string{"**error[race]**: RAW on shared variable s\\[1]", "kernel `k(int*)`", "- value read: 1", "**help**: add \\_\\_syncthreads()", "Nothing orders them.", "```cuda\ns[id] = id;\n```"} {
		if !strings.Contains(got.Contents.Value, want) {
			t.Errorf("%q lacks %q", got.Contents.Value, want)
		}
	}
	got = nil
	e.call("textDocument/hover", at(2, 0), &got)
	if got != nil {
		t.Errorf("beside a finding: %+v", got)
	}
	e.none()
}

func TestCodeAction(t *testing.T) {
	e := open(t, Options{Rules: []finding.Rule{{ID: "race"}}}, "{}")
	uri := e.next().URI
	var got []codeAction
	e.call("textDocument/codeAction", codeActionParams{textDocument{URI: uri}, span{position{4, 18}, position{4, 18}}}, &got)
	if len(got) != 1 || len(got[0].Edit.Changes[uri]) != 1 {
		t.Fatalf("got %+v", got)
	}
	edit := got[0].Edit.Changes[uri][0]
	if edit.Range.Start != (position{4, 0}) || edit.NewText != "  // warpgrind: ignore race\n" {
		t.Errorf("got %+v", edit)
	}
	e.call("textDocument/codeAction", codeActionParams{textDocument{URI: uri}, span{position{1, 0}, position{2, 0}}}, &got)
	if len(got) != 0 {
		t.Errorf("beside a finding: %+v", got)
	}
	e.none()
}

// TestTyping checks what is typed, and of several texts the last one only. What
// a run found too is shown once.
func TestTyping(t *testing.T) {
	texts := make(chan string, 10)
	check := func(ctx context.Context, file, text string) ([]*finding.Finding, error) {
		texts <- text
		if strings.Contains(text, "broken") {
			return nil, errors.New("does not compile")
		}
		abs := func(f *finding.Finding) *finding.Finding {
			f.Primary.Loc.File = file
			return f
		}
		bank := &finding.Finding{Rule: "bank", Level: finding.Info, Message: "2-way", Primary: place("", 3, 0)}
		race := aRace("")
		race.Related = nil
		return []*finding.Finding{abs(bank), abs(race)}, nil
	}
	e := open(t, Options{Check: check}, "{}")
	e.next()
	e.edit("k.cu", program, 1)
	e.next() // the version
	<-texts
	p := e.next()
	if len(p.Diagnostics) != 3 || p.Diagnostics[1].Code != "bank" || p.Diagnostics[1].Range != (span{position{2, 2}, position{2, 23}}) {
		t.Errorf("got %+v", p)
	}
	// Text that cannot be checked leaves what was said, at its lines.
	e.edit("k.cu", "\n"+program+"broken", 2)
	<-texts
	if p := e.next(); len(p.Diagnostics) != 3 || p.Diagnostics[1].Range.Start.Line != 3 {
		t.Errorf("got %+v", p)
	}
	e.edit("other.cuh", "int x;", 1) // not a source by itself
	e.none()
	if len(texts) > 0 {
		t.Errorf("checked %q", <-texts)
	}
}

// TestGivenUp: the check of a text that is followed by another one ends.
func TestGivenUp(t *testing.T) {
	const last = "the last text"
	check := func(ctx context.Context, file, text string) ([]*finding.Finding, error) {
		if text != last {
			<-ctx.Done()
		}
		f := &finding.Finding{Rule: "bank", Message: text, Primary: place("", 1, 0)}
		f.Primary.Loc.File = file
		return []*finding.Finding{f}, nil
	}
	e := open(t, Options{Check: check}, "{}")
	for i := range 20 {
		e.edit("k.cu", strings.Repeat("x", i), i+1)
	}
	e.edit("k.cu", last, 21)
	for {
		for _, d := range e.next().Diagnostics {
			if d.Code == "bank" && d.Message != last {
				t.Errorf("shown: %q", d.Message)
			}
			if d.Message == last {
				return
			}
		}
	}
}

func TestUnknownMethod(t *testing.T) {
	e := open(t, Options{}, `{"workspace":{"didChangeWatchedFiles":{"dynamicRegistration":true}}}`)
	e.next()
	e.notify("$/setTrace", struct{}{})
	var rpc *jsonrpc2.Error
	if err := e.conn.Call(context.Background(), "textDocument/rename", nil, nil); !errors.As(err, &rpc) || rpc.Code != jsonrpc2.CodeMethodNotFound {
		t.Errorf("got %v", err)
	}
	if err := e.conn.Call(context.Background(), "textDocument/hover", []int{1}, nil); !errors.As(err, &rpc) || rpc.Code != jsonrpc2.CodeInvalidParams {
		t.Errorf("got %v", err)
	}
	e.conn.Close()
	if err := <-e.served; err == nil {
		t.Error("a client that hangs up is not an error")
	}
}

func TestBadPattern(t *testing.T) {
	if err := Serve(context.Background(), nil, Options{Reports: []string{"[a"}}); err == nil {
		t.Error("no error")
	}
}

// TestRerun: a source is run when it is saved. What the patches remove can be repaired while the text is
// the one that was run, and is shown while nothing between its accesses has changed.
func TestRerun(t *testing.T) {
	runs := make(chan string, 10)
	race := aRace(" in a run")
	point := func(line int) *finding.Point {
		return &finding.Point{Pos: source.Pos{File: "k.cu", Line: line, Col: 3}}
	}
	race.Repair = &finding.Repair{Kind: finding.AddBarrier, Call: finding.Syncthreads, From: point(4), To: point(5)}
	run := func(_ context.Context, q *Request, found func(*report.Report)) ([]Fix, error) {
		file := q.File
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		runs <- file
		r := &report.Report{Sources: []report.Source{{File: file, Text: string(text)}}}
		if strings.Contains(string(text), "__syncthreads()") {
			found(r)
			return nil, nil
		}
		r.Findings = []*finding.Finding{race}
		found(r)
		at := source.Pos{File: file, Line: 5, Col: 11} // behind the letter of two units
		member := *race
		member.Primary.Loc.File = file
		return []Fix{{&member, "add it", []source.Replacement{{From: at, To: at, Text: "__syncthreads(); "}}}}, nil
	}
	e := open(t, Options{Run: run, OnSave: true, Pause: time.Hour}, "{}")
	uri := e.next().URI
	e.edit("k.cu", program, 1)
	e.next()
	save := func() { e.notify("textDocument/didSave", map[string]any{"textDocument": textDocument{URI: uri}}) }
	actions := func(line int) []codeAction {
		var got []codeAction
		e.call("textDocument/codeAction", codeActionParams{textDocument{URI: uri}, span{position{line, 18}, position{line, 18}}}, &got)
		return got
	}
	if got := actions(4); len(got) != 0 {
		t.Errorf("without a run: %+v", got)
	}
	save()
	if p := e.next(); len(p.Diagnostics) != 1 || !strings.Contains(p.Diagnostics[0].Message, "in a run") {
		t.Fatalf("after a run: %+v", p)
	}
	var got []codeAction
	for began := time.Now(); len(got) == 0 && time.Since(began) < patience; {
		got = actions(4)
	}
	if len(got) != 1 || got[0].Title != "Add it (verified)" || !got[0].Preferred {
		t.Fatalf("got %+v", got)
	}
	if edit := got[0].Edit.Changes[uri]; len(edit) != 1 || edit[0] != (textEdit{span{position{4, 11}, position{4, 11}}, "__syncthreads(); "}) {
		t.Errorf("got %+v", edit)
	}
	// Another text than was run.
	e.edit("k.cu", "\n"+program, 2)
	if p := e.next(); len(p.Diagnostics) != 1 || p.Diagnostics[0].Range.Start.Line != 5 {
		t.Errorf("moved: %+v", p)
	}
	if got := actions(5); len(got) != 0 {
		t.Errorf("another text was run: %+v", got)
	}
	// Something new between the accesses.
	e.edit("k.cu", strings.Replace(program, "  /* ", "  __syncthreads();\n  /* ", 1), 3)
	if p := e.next(); len(p.Diagnostics) != 0 {
		t.Errorf("stale: %+v", p)
	}
	e.write("k.cu", strings.Replace(program, "  /* ", "  __syncthreads();\n  /* ", 1))
	save()
	for range 2 {
		<-runs
	}
	e.edit("k.cuh", "int x;", 1) // no source by itself
	e.notify("textDocument/didSave", map[string]any{"textDocument": textDocument{URI: uriOf(filepath.Join(e.dir, "k.cuh"))}})
	e.none()
	if len(runs) > 0 {
		t.Errorf("ran %q", <-runs)
	}
}
