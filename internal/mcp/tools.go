package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/report"
)

// Time limits of a call.
const (
	usualLimit = 60 * time.Second
	mostLimit  = 10 * time.Minute
)

// target is what run, check and fix take.
type target struct {
	Files   []string `json:"files" jsonschema:"CUDA sources of one program, or one executable (run) or PTX file (check); below a root, relative ones to the first root"`
	Options []string `json:"options,omitempty" jsonschema:"options of the warpgrind command, such as --tool=all, --arch=sm_90, -DN=64, -Iinclude; names of files in them are absolute"`
	Args    []string `json:"args,omitempty" jsonschema:"arguments of the program"`
	Seconds float64  `json:"seconds,omitempty" jsonschema:"time limit of the call; 60 without it, 600 at most"`
}

type replayed struct {
	Capsule string   `json:"capsule" jsonschema:"a recorded launch, below a root"`
	Options []string `json:"options,omitempty" jsonschema:"options of warpgrind replay"`
	Seconds float64  `json:"seconds,omitempty" jsonschema:"time limit of the call"`
}

type asked struct {
	Report string `json:"report,omitempty" jsonschema:"name of the report; the last one without it"`
	Number int    `json:"number" jsonschema:"number of the finding"`
}

type explained struct {
	Rule string `json:"rule,omitempty" jsonschema:"a rule; all rules without it"`
}

type judged struct {
	Job     map[string]any `json:"job" jsonschema:"a job as docs/JUDGE.md describes it"`
	Seconds float64        `json:"seconds,omitempty" jsonschema:"time limit of the call"`
}

// repaired is the result of fix.
type repaired struct {
	Exit  int    `json:"exit" jsonschema:"0 if the patch repairs all errors, 1 if not"`
	Patch string `json:"patch" jsonschema:"a unified diff, verified by running the patched program under several schedules; empty where nothing helps"`
	Notes string `json:"notes" jsonschema:"what became of each finding"`
}

// addTools offers all tools.
func (v *server) addTools(s *sdk.Server) {
	sdk.AddTool(s, &sdk.Tool{Name: "run", Description: "Compiles and runs a CUDA program on an emulated GPU, and reports data races, bad memory accesses, reads of uninitialized memory, misused barriers, hangs and invalid launches; with the option --tool=all also bank conflicts, uncoalesced accesses and divergence."},
		withRoots(v, v.checking("run")))
	sdk.AddTool(s, &sdk.Tool{Name: "check", Description: "Analyzes the kernels of CUDA sources without running them; for code without a main program, or for all inputs."},
		withRoots(v, v.checking("check")))
	sdk.AddTool(s, &sdk.Tool{Name: "fix", Description: "Looks for a patch that removes the errors of a program. Each patch was run. The files stay as they are: apply the patch yourself."}, withRoots(v, v.fix))
	sdk.AddTool(s, &sdk.Tool{Name: "replay", Description: "Checks a recorded launch (a capsule) again."}, withRoots(v, v.replay))
	sdk.AddTool(s, &sdk.Tool{Name: "finding", Description: "Returns all that is known of a finding: both accesses, threads, notes, repair, values."},
		func(_ context.Context, _ *sdk.CallToolRequest, in asked) (*sdk.CallToolResult, map[string]any, error) {
			raw, err := v.reports.finding(in.Report, in.Number)
			if err != nil {
				return nil, nil, err
			}
			out := map[string]any{}
			return nil, out, json.Unmarshal(raw, &out)
		})
	sdk.AddTool(s, &sdk.Tool{Name: "explain", Description: "Explains a rule: what its findings mean, an example, its repair."}, v.explain)
	sdk.AddTool(s, &sdk.Tool{Name: "judge", Description: "Judges a candidate kernel against a reference: whether it compiles, is right for several inputs and schedules, has findings, and whether it cheats."}, withRoots(v, v.judge))
}

// ofTheServer are options that would change the form of the result, or that write files, which stay in the sandbox.
var ofTheServer = []string{"h", "help", "format", "o", "output", "save", "apply", "i", "interactive", "list-launches", "record", "dump-buffers", "gen-suppressions"}

// arguments are those of a command for a target, whose files have to be below a root.
func (t *target) arguments(roots []string, first ...string) ([]string, error) {
	if len(t.Files) == 0 {
		return nil, fmt.Errorf("name a file")
	}
	args := append(first, t.Options...)
	for _, o := range t.Options {
		if !strings.HasPrefix(o, "-") || strings.Trim(o, "-") == "" {
			return nil, fmt.Errorf("option %q does not begin with - and a name; write an option and its value as one, such as --tool=all", o)
		}
		name, _, _ := strings.Cut(o, "=")
		letter := !strings.HasPrefix(o, "--") && slices.Contains(ofTheServer, o[1:2]) // maybe with its value behind it
		if letter || slices.Contains(ofTheServer, strings.TrimLeft(name, "-")) {
			return nil, fmt.Errorf("option %s is not for tools: they choose the form of the result, and write no files", name)
		}
	}
	for _, f := range t.Files {
		file, err := within(roots, f)
		if err != nil {
			return nil, err
		}
		args = append(args, file)
	}
	if len(t.Args) > 0 {
		args = append(append(args, "--"), t.Args...)
	}
	return args, nil
}

func limitOf(seconds float64) time.Duration {
	if !(seconds > 0) {
		return usualLimit
	}
	return time.Duration(min(seconds, mostLimit.Seconds()) * float64(time.Second))
}

// checking is a tool that runs a command with a report.
func (v *server) checking(command string) rooted[target, *checked] {
	return func(ctx context.Context, q *sdk.CallToolRequest, roots []string, in target) (*checked, error) {
		args, err := in.arguments(roots, command, "--quiet", "--format=json", "--output=-")
		if err != nil {
			return nil, err
		}
		return v.report(ctx, in.Seconds, roots, args)
	}
}

func (v *server) replay(ctx context.Context, q *sdk.CallToolRequest, roots []string, in replayed) (*checked, error) {
	t := target{Files: []string{in.Capsule}, Options: in.Options}
	args, err := t.arguments(roots, "replay", "--quiet", "--format=json", "--output=-")
	if err != nil {
		return nil, err
	}
	return v.report(ctx, in.Seconds, roots, args)
}

// report runs a command, and reads the report that it writes. Where there is none, its messages are the error.
func (v *server) report(ctx context.Context, seconds float64, roots, args []string) (*checked, error) {
	o, err := v.runner.run(ctx, limitOf(seconds), roots, args...)
	if err != nil {
		return nil, err
	}
	r, err := report.Read(strings.NewReader(o.stdout), "the command")
	if err != nil {
		return nil, fmt.Errorf("exit code %d: %s", o.exit, tail(o.stderr, messageBytes))
	}
	c := briefOf(r, v.reports.keep(r))
	c.Output = tail(o.stderr, messageBytes)
	return c, nil
}

func (v *server) fix(ctx context.Context, q *sdk.CallToolRequest, roots []string, in target) (*repaired, error) {
	limit := limitOf(in.Seconds)
	// The trials end before the call does, so that what they found is not lost.
	args, err := in.arguments(roots, "fix", "--trial-time="+(limit/2).String())
	if err != nil {
		return nil, err
	}
	o, err := v.runner.run(ctx, limit, roots, args...)
	if err != nil {
		return nil, err
	}
	if o.exit > 1 {
		return nil, fmt.Errorf("exit code %d: %s", o.exit, tail(o.stderr, messageBytes))
	}
	if len(o.stdout) > patchBytes {
		return nil, fmt.Errorf("the patch is longer than %d bytes", patchBytes)
	}
	return &repaired{Exit: o.exit, Patch: o.stdout, Notes: tail(o.stderr, messageBytes)}, nil
}

func (v *server) judge(ctx context.Context, q *sdk.CallToolRequest, roots []string, in judged) (map[string]any, error) {
	j, err := v.judges()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, limitOf(in.Seconds))
	defer cancel()
	line, err := json.Marshal(in.Job)
	if err != nil {
		return nil, err
	}
	var verdict bytes.Buffer
	if _, _, err := j.Stream(ctx, bytes.NewReader(line), &verdict, roots[0]); err != nil {
		return nil, err
	}
	out := map[string]any{}
	return out, json.Unmarshal(verdict.Bytes(), &out)
}

func (v *server) explain(_ context.Context, _ *sdk.CallToolRequest, in explained) (*sdk.CallToolResult, map[string][]finding.Rule, error) {
	var list []finding.Rule
	for _, r := range v.rules {
		if in.Rule == "" || r.ID == in.Rule {
			list = append(list, r)
		}
	}
	if len(list) == 0 {
		return nil, nil, fmt.Errorf("no rule %s", strconv.Quote(in.Rule))
	}
	return nil, map[string][]finding.Rule{"rules": list}, nil
}
