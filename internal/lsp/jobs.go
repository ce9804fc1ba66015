package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/userfile"
)

// The phases of a run, as a client is told.
const (
	running = "running"
	fixing  = "fixing" // its findings are shown, and patches for them are being run
	done    = "done"
	failed  = "failed" // nothing could be run; the message has the reason
	stopped = "stopped"
)

// runState is how far a run has come.
type runState struct {
	URI      string  `json:"uri"`
	Phase    string  `json:"phase"`
	Errors   int     `json:"errors"`
	Warnings int     `json:"warnings"`
	Infos    int     `json:"infos"`
	Patches  int     `json:"patches"` // that remove findings and were run
	Seconds  float64 `json:"seconds"`
	Summary  string  `json:"summary,omitempty"`
	Message  string  `json:"message,omitempty"`
	Output   string  `json:"output,omitempty"` // of the program, in the answer to a command
}

// job is a run that was begun.
type job struct {
	file   string
	asked  bool
	text   *string             // what is run in place of the file on disk, or nil
	texts  map[string][]string // the files that are open, as the run began
	ctx    context.Context
	cancel context.CancelFunc
	began  time.Time
	output output
	token  string // of its progress, as the protocol writes it; "" for none
	// done is closed when the run has ended; state is guarded by the server's lock.
	done  chan struct{}
	state runState
	// replaced is set if a newer run of the same program has stopped this one.
	replaced bool
}

// begin runs a program. A run of it that has not ended is given up. asked is set for one that the user
// has named; token is where the client shows its progress, nil where the server asks for such a place.
func (s *server) begin(file string, asked bool, token json.RawMessage) *job {
	if old := s.jobs[file]; old != nil {
		old.replaced = true
		old.cancel()
	}
	j := &job{file: file, asked: asked, texts: map[string][]string{}, began: time.Now(), done: make(chan struct{})}
	j.ctx, j.cancel = context.WithCancel(s.ctx)
	for name, open := range s.docs {
		j.texts[name] = open.lines
	}
	if d := s.docs[file]; d != nil {
		d.again()
		if !onDisk(file, d.text) {
			text := d.text
			j.text = &text
		}
	}
	s.jobs[file] = j
	s.enter(j, running)
	go s.do(j, token)
	return j
}

// onDisk reports whether a file holds a text. Editors take a byte order mark away.
func onDisk(file, text string) bool {
	b, err := userfile.Read(file)
	return err == nil && string(bytes.TrimPrefix(b, []byte("\ufeff"))) == text
}

// do runs a job to its end.
func (s *server) do(j *job, token json.RawMessage) {
	defer j.cancel()
	p := s.beginProgress(j, token)
	run := &savedRun{file: j.file, folders: []string{filepath.Dir(j.file)}}
	q := &Request{File: j.file, Text: j.text, Args: s.client.ProgramArguments, Asked: j.asked, Output: &j.output}
	fixes, err := s.o.Run(j.ctx, q, func(r *report.Report) { s.found(j, run, r, p) })

	s.mu.Lock()
	defer s.mu.Unlock()
	with := *run
	if with.fixes = fixes; run.report != nil && len(fixes) > 0 && j.ctx.Err() == nil {
		s.show(&with, j.texts)
		j.state.Patches = len(fixes)
	}
	switch {
	case j.ctx.Err() != nil:
		s.enter(j, stopped)
	case err != nil && run.report == nil:
		j.state.Message = err.Error()
		s.enter(j, failed)
	default:
		s.enter(j, done)
	}
	p.end(j.state.Summary)
	if s.jobs[j.file] == j {
		delete(s.jobs, j.file)
	}
	close(j.done)
}

// found shows what a run has found, unless it was given up.
func (s *server) found(j *job, run *savedRun, r *report.Report, p *progress) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if j.ctx.Err() != nil {
		return
	}
	run.report, run.modified = r, time.Now()
	s.show(run, j.texts)
	j.state.Errors, j.state.Warnings, j.state.Infos = r.Summary.Errors, r.Summary.Warnings, r.Summary.Infos
	j.state.Summary = strings.TrimPrefix(report.SummaryLine(r), "warpgrind: ")
	if j.text == nil && r.Summary.Errors > 0 {
		s.enter(j, fixing)
		p.report("looking for patches")
	}
}

// enter notes a run's phase and sends it to a client that has asked for that. A run that a newer one
// stops ends silently: the newer one's phases are sent.
func (s *server) enter(j *job, phase string) {
	j.state.URI, j.state.Phase, j.state.Seconds = uriOf(j.file), phase, time.Since(j.began).Seconds()
	if s.client.RunStates && !j.replaced {
		// A client that has hung up ends the session elsewhere.
		_ = s.conn.Notify(s.ctx, "warpgrind/run", j.state)
	}
}

// stop gives up the run of a source, or all runs for "", and reports how many those were.
func (s *server) stop(file string) (n int) {
	for _, j := range s.jobs {
		if file == "" || j.file == file {
			j.cancel()
			n++
		}
	}
	return n
}

// saved runs a source that was saved, where that is wanted.
func (s *server) saved(file string) {
	if s.o.Run != nil && s.o.OnSave && s.docs[file] != nil && cudaSource(file) {
		s.begin(file, false, nil)
	}
}

// runAgain runs the text of a source after a pause in typing if what its last run has found there does
// not fit it any more.
func (s *server) runAgain(file string, d *document) {
	d.again()
	if s.o.Run == nil || !s.o.OnSave || !cudaSource(file) || !s.outdated(file) {
		return
	}
	ctx, cancel := context.WithCancel(s.ctx)
	d.again = cancel
	go func() {
		defer cancel()
		select {
		case <-ctx.Done():
			return
		case <-time.After(s.o.Pause):
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if j := s.jobs[file]; ctx.Err() == nil && (j == nil || !j.asked) {
			s.begin(file, false, nil)
		}
	}()
}

// outdated reports whether a finding of the newest run that was about a file is not shown in it for
// what has changed there since.
func (s *server) outdated(file string) bool {
	for _, r := range s.runs() {
		if r.lines[file] == nil {
			continue
		}
		return slices.ContainsFunc(r.findings(), func(f *finding.Finding) bool {
			at, _ := s.anchor(f.Primary.Loc)
			_, _, ok := s.mark(f, r.lines)
			return at.File == file && !ok
		})
	}
	return false
}

// reportOf is the last run of a source, else the newest that is about the file, else the newest of all;
// nil if there is none.
func (s *server) reportOf(file string) *savedRun {
	if r := s.ran[file]; r != nil {
		return r
	}
	runs := s.runs()
	for _, r := range runs {
		if r.lines[file] != nil {
			return r
		}
	}
	if len(runs) > 0 {
		return runs[0]
	}
	return nil
}

// maxOutput is how much of what a program prints is kept.
const maxOutput = 64 << 10

// output keeps the end of what a program prints.
type output struct {
	mu   sync.Mutex
	text []byte
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.text = append(o.text, b...); len(o.text) > 2*maxOutput {
		o.text = slices.Clone(o.text[len(o.text)-maxOutput:])
	}
	return len(b), nil
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return strings.ToValidUTF8(string(o.text[max(0, len(o.text)-maxOutput):]), "\ufffd")
}
