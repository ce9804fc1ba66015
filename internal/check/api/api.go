package api

import (
	"sync"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Details is the rule's part of a finding in JSON.
type Details struct {
	// Call is the function that failed, Error the error's name.
	Call  string `json:"call"`
	Error string `json:"error"`
	// Cleared is set if the program reset the error without reading it.
	Cleared bool `json:"cleared,omitempty"`
	// Code and Text are the error's number and text where every failing call is reported.
	Code int    `json:"code,omitempty"`
	Text string `json:"text,omitempty"`
}

// New makes the checker of Rule.
func New(cfg check.Config) check.Checker { return &checker{all: cfg.AllErrors} }

// Dependent makes the checker that runs with the memory rule where Rule was not chosen: it warns
// of unread errors of calls that later work depends on and that no other rule reports.
func Dependent() check.Checker { return &checker{dependent: true} }

type checker struct {
	all bool // every error, and not only what the program never reads
	// dependent limits unread errors to those of calls that later work depends on.
	dependent bool
	mu        sync.Mutex
	seq       uint64
	set       finding.Set
}

// Observer observes calls that fail, or of them those whose error the program does not read.
func (c *checker) Observer() *trace.Observer {
	if c.all {
		return &trace.Observer{Failed: c.Failed, Unseen: c.Unseen}
	}
	return &trace.Observer{Unread: c.Unread, Unseen: c.Unseen}
}

func (c *checker) Findings() []*finding.Finding { return c.set.Sorted() }

// Unread adds a finding; the same call at the same place with the same error counts up.
func (c *checker) Unread(e *trace.UnreadError) {
	if c.dependent && (e.Launch || e.Cleared || !isDependedOn(e.Call)) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seq++
	f := &finding.Finding{
		Rule: Rule.ID, Kind: "unread", Level: finding.Error, Count: 1, Unit: "call",
		Message: e.Call + " fails with " + e.Error + ", and the program never checks the error",
		Primary: finding.Place{Role: "called here", Loc: check.HostPlace(e.Where)},
		Notes:   []string{effectOf(e.Call).text()},
		Repair:  &finding.Repair{Kind: finding.CheckResult}, Help: "check the result of " + e.Call,
		Details: Details{Call: e.Call, Error: e.Error, Cleared: e.Cleared},
		Key:     e.Call + "\x00" + e.Error + "\x00" + e.Where,
		Witness: [4]uint64{c.seq},
	}
	if c.dependent {
		f.Level = finding.Warning
	}
	if e.Launch {
		f.Kind, f.Unit, f.Primary.Role = "unread-launch", "launch", "launched here"
		f.Message = "launch of " + e.Call + " fails with " + e.Error + ", and the program never checks the error"
		f.Notes = []string{noLaunch.text()}
		f.Repair.Kind, f.Help = finding.CheckLaunch, "check cudaGetLastError() after the launch"
	}
	if e.Cleared {
		f.Notes = append(f.Notes, "a call of cudaGetLastError() whose result is discarded cleared the error")
	}
	c.set.Add(f)
}

// Failed adds a finding for a call that fails. Launches that CUDA refuses are the launch
// rule's.
func (c *checker) Failed(e *trace.FailedCall) {
	if effectOf(e.Call) == noLaunch && !e.Sticky {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seq++
	c.set.Add(&finding.Finding{
		Rule: Rule.ID, Kind: "failed", Level: finding.Error, Count: 1, Unit: "call",
		Message: e.Call + " fails with " + e.Error + ": " + e.Text,
		Primary: finding.Place{Role: "called here", Loc: check.HostPlace(e.Where)},
		Notes:   []string{effectOf(e.Call).text()},
		Details: Details{Call: e.Call, Error: e.Error, Code: e.Code, Text: e.Text},
		Key:     e.Call + "\x00" + e.Error + "\x00" + e.Where,
		Witness: [4]uint64{c.seq},
	})
}

// Unseen adds a note on text that a GPU need not write out: no call flushes its buffer.
func (c *checker) Unseen(e *trace.UnseenText) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.set.Add(&finding.Finding{
		Rule: Rule.ID, Kind: "unseen-printf", Level: finding.Info, Count: 1, Unit: "launch",
		Kernel: finding.Demangle(e.Kernel), Launches: finding.InLaunch(e.Launch),
		Message: "the program ends without waiting for a kernel that calls printf: on a GPU the text may be lost",
		Primary: finding.Place{Role: "launched here", Loc: check.HostPlace(e.Where)},
		Notes: []string{"the text of a kernel is written out at the next launch, a call that waits for the device, a blocking copy, " +
			"cudaDeviceReset or cuCtxDestroy, and not when the program ends"},
		Repair: &finding.Repair{Kind: finding.Synchronize}, Help: "call cudaDeviceSynchronize() before the program ends",
		Key: "unseen",
	})
}
