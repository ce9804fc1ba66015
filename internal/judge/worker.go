package judge

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"syscall"
	"time"

	"github.com/warpgrind/warpgrind/internal/build"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/kernels"
	"github.com/warpgrind/warpgrind/internal/nvrtc"
	"github.com/warpgrind/warpgrind/internal/sandbox"
	"github.com/warpgrind/warpgrind/internal/session"
)

// A worker is this executable in a sandbox. It reads requests and writes a reply to each, one
// JSON value a line, until its input ends.

// request is one of its fields.
type request struct {
	Compile *compileRequest `json:",omitempty"`
	Run     *runRequest     `json:",omitempty"`
	Seconds float64
}

// reply is what came of a request. Error is a failure that is not the candidate's.
type reply struct {
	Compiled *nvrtc.Compiled `json:",omitempty"`
	Ran      *ran            `json:",omitempty"`
	TimedOut bool            `json:",omitempty"`
	Error    string          `json:",omitempty"`
	// Replaced is why the process has been slower than it could be.
	Replaced []string `json:",omitempty"`
}

type compileRequest struct {
	nvrtc.Code
	Compiler *nvrtc.Compiler
	Form     form
}

// form is what code is compiled to.
type form string

const (
	deviceCode    form = "device code"
	hostProgram   form = "program"   // with device code
	hostReference form = "reference" // in C++
)

// runRequest runs calls from a fresh module.
type runRequest struct {
	kernels.Kernels
	Arch, Tools, Schedule string
	Seed                  uint64
	Instructions          uint64
	// Host is set if a program whose descriptors this worker has inherited launches the kernels.
	Host bool
}

// ran is what a run left.
type ran struct {
	Calls    []kernels.CallResult
	Findings []Finding
	Waits    []bool // by finding
	Launches []kernels.LaunchCost
	Stats    map[string]json.RawMessage
	Printed  uint64
	// Of a program with a host function: see session.Called.
	Crashed, Unfinished bool
	Refusal             kernels.Refusal
	Message             string
}

// runsKernels is the variable in the environment of workers that have device memory.
const runsKernels = "WARPGRIND_RUNS_KERNELS"

// workerArgument0 tells Enter that this process is a worker.
const workerArgument0 = "warpgrind-judge-worker"

// IsWorker reports whether a pool has started this process, so that Enter does not return.
func IsWorker() bool {
	return sandbox.IsSandbox() || len(os.Args) == 2 && os.Args[0] == workerArgument0
}

// Enter makes this process what a pool started it for: a sandbox, or a worker in one. In
// other processes it returns at once. It comes first in main.
func Enter() {
	sandbox.Enter()
	if IsWorker() {
		if os.Getenv(runsKernels) != "" && !session.ClaimMemory() {
			startAgain()
		}
		session.CollectLess()
		work(os.Stdin, os.Stdout)
		os.Exit(0)
	}
}

// startAgain replaces the process, since something lies where device memory has its place.
func startAgain() {
	const variable, most = "WARPGRIND_STARTS", 8
	n, _ := strconv.Atoi(os.Getenv(variable))
	if n < most && os.Setenv(variable, strconv.Itoa(n+1)) == nil {
		_ = syscall.Exec(os.Args[1], os.Args, os.Environ())
	}
}

// work answers requests.
func work(in io.Reader, out io.Writer) {
	// The end of the input also ends what is going on.
	lines := make(chan []byte)
	go func() {
		r := bufio.NewReaderSize(in, 1<<16)
		for {
			line, err := r.ReadBytes('\n')
			if err != nil {
				os.Exit(0)
			}
			lines <- line
		}
	}()
	w := bufio.NewWriterSize(out, 1<<16)
	for line := range lines {
		var q request
		var r reply
		if err := json.Unmarshal(line, &q); err != nil {
			r.Error = err.Error()
		} else {
			r = q.answer()
		}
		if json.NewEncoder(w).Encode(&r) != nil || w.Flush() != nil {
			return
		}
	}
}

// answer carries out a request. A panic is the judge's failure, not its end.
func (q *request) answer() (r reply) {
	defer func() {
		if p := recover(); p != nil {
			r = reply{Error: fmt.Sprint(p)}
		}
	}()
	ctx, stop := context.WithTimeout(context.Background(), time.Duration(q.Seconds*float64(time.Second)))
	defer stop()
	var err error
	switch {
	case q.Compile != nil:
		r.Compiled, err = q.Compile.compile(ctx)
	case q.Run != nil:
		r.Ran, r.TimedOut, err = q.Run.run(ctx)
	}
	if ctx.Err() != nil {
		return reply{TimedOut: true, Ran: r.Ran.hung()}
	}
	if err != nil {
		return reply{Error: err.Error()}
	}
	r.Replaced = session.Replaced()
	return r
}

func (q *compileRequest) compile(ctx context.Context) (*nvrtc.Compiled, error) {
	switch q.Form {
	case hostReference:
		return q.Compiler.Reference(ctx, q.Code)
	case hostProgram:
		return q.Compiler.Program(ctx, q.Code)
	}
	return q.Compiler.Kernels(ctx, q.Code)
}

// run calls the kernels under one schedule.
func (q *runRequest) run(ctx context.Context) (*ran, bool, error) {
	cfg := session.Config{Config: build.Config{Arch: q.Arch}, RunConfig: session.RunConfig{MaxSteps: q.Instructions, Workers: 1, Schedule: q.Schedule, Seed: q.Seed}, CheckConfig: session.CheckConfig{Tools: q.Tools}}
	if q.Host {
		var err error
		if q.Kernels.Host, err = kernels.InheritedHost(sandbox.FirstFile, hostThreads); err != nil {
			return nil, false, err
		}
	}
	res, err := q.Kernels.Call(ctx, cfg)
	var refused *kernels.RefusedError
	if errors.As(err, &refused) {
		return &ran{Refusal: refused.Refusal, Message: refused.Message}, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	out := &ran{Calls: res.Calls, Launches: res.Launches, Printed: res.Printed,
		Crashed: res.Crashed, Unfinished: res.Unfinished, Stats: map[string]json.RawMessage{}}
	for _, f := range res.Findings {
		out.Findings, out.Waits = append(out.Findings, findingOf(f)), append(out.Waits, f.Waits)
	}
	for rule, v := range res.Stats {
		if out.Stats[rule], err = json.Marshal(v); err != nil {
			return nil, false, err
		}
	}
	return out, res.TimedOut, nil
}

func findingOf(f *finding.Finding) Finding {
	return Finding{Rule: f.Rule, Kind: f.Kind, Level: f.Level.String(), Kernel: finding.Demangle(f.Kernel), File: f.Primary.Loc.Pos.File,
		Line: f.Primary.Loc.Pos.Line, Message: f.Message, Count: f.Count, Unit: f.Unit, Access: string(f.Primary.Access)}
}
