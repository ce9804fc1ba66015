// Savetofix measures how long an editor waits, from saving a CUDA source to the repair that the language
// server offers for it and that was run. It takes one barrier after the other away from a program, saves
// that, as an editor would, and waits for the finding and then for the quick fix.
//
//	go run ./scripts/savetofix [-warpgrind bin/warpgrind] [-program kernels.cu] [flags of warpgrind lsp]
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

func main() {
	tool := flag.String("warpgrind", "bin/warpgrind", "the command to measure")
	program := flag.String("program", "scripts/savetofix/kernels.cu", "a correct program with barriers")
	flag.Parse()
	if err := measure(*tool, *program, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "savetofix:", err)
		os.Exit(1)
	}
}

// patience is how long one repair may take.
const patience = 5 * time.Minute

func measure(tool, program string, flags []string) error {
	text, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "savetofix")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	e, err := start(tool, dir, filepath.Join(dir, filepath.Base(program)), flags)
	if err != nil {
		return err
	}
	fmt.Printf("%s: %d lines\n\n", filepath.Base(program), bytes.Count(text, []byte("\n")))
	fmt.Println("| line | barrier | finding, s | repair, s | |\n| ---: | --- | ---: | ---: | --- |")
	var findings, repairs []float64
	lines := strings.SplitAfter(string(text), "\n")
	for i, line := range lines {
		_, comment, ok := strings.Cut(line, "__syncthreads();")
		if !ok {
			continue
		}
		without := slices.Clone(lines)
		without[i] = strings.Replace(line, "__syncthreads();", "", 1)
		found, repaired, title, err := e.save(strings.Join(without, ""))
		if err != nil {
			return fmt.Errorf("line %d: %w", i+1, err)
		}
		fmt.Printf("| %d | %s | %.2f | %.2f | %s |\n", i+1, strings.Trim(comment, " /\n"), found.Seconds(), repaired.Seconds(), title)
		findings, repairs = append(findings, found.Seconds()), append(repairs, repaired.Seconds())
	}
	if len(repairs) == 0 {
		return fmt.Errorf("%s has no barrier", program)
	}
	fmt.Printf("\nmedian: finding after %.2f s, repair after %.2f s; longest: %.2f s, %.2f s\n",
		median(findings), median(repairs), slices.Max(findings), slices.Max(repairs))
	cpu, err := e.end()
	fmt.Printf("CPU time of the server, the compilers and the programs: %.2f s each\n", cpu.Seconds()/float64(len(repairs)))
	return err
}

func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}

// state is the server's notification of how far a run has come.
type state struct {
	Phase   string
	Patches int
	Message string
}

// editor is a client of the server with one open file.
type editor struct {
	cmd     *exec.Cmd
	conn    *jsonrpc2.Conn
	file    string
	uri     string
	version int
	states  chan state
}

// start starts the server, and opens a file that is not there yet.
func start(tool, dir, file string, flags []string) (*editor, error) {
	tool, err := filepath.Abs(tool)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(tool, append([]string{"lsp", "--run"}, flags...)...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	e := &editor{cmd: cmd, file: file, uri: (&url.URL{Scheme: "file", Path: file}).String(), states: make(chan state, 100)}
	handler := jsonrpc2.HandlerWithError(func(_ context.Context, _ *jsonrpc2.Conn, req *jsonrpc2.Request) (any, error) {
		var s state
		if req.Method == "warpgrind/run" && json.Unmarshal(*req.Params, &s) == nil {
			e.states <- s
		}
		return nil, nil
	})
	stream := jsonrpc2.NewBufferedStream(pipe{out, in}, jsonrpc2.VSCodeObjectCodec{})
	e.conn = jsonrpc2.NewConn(context.Background(), stream, handler)
	params := map[string]any{
		"rootUri": (&url.URL{Scheme: "file", Path: dir}).String(), "capabilities": map[string]any{},
		"initializationOptions": map[string]any{"runStates": true},
	}
	if err := e.conn.Call(context.Background(), "initialize", params, nil); err != nil {
		return nil, err
	}
	return e, e.conn.Notify(context.Background(), "initialized", struct{}{})
}

// end ends the server, and returns the CPU time of it and of what it has run.
func (e *editor) end() (time.Duration, error) {
	if err := e.conn.Call(context.Background(), "shutdown", nil, nil); err != nil {
		return 0, err
	}
	if err := e.conn.Notify(context.Background(), "exit", nil); err != nil {
		return 0, err
	}
	err := e.cmd.Wait()
	return e.cmd.ProcessState.UserTime() + e.cmd.ProcessState.SystemTime(), err
}

type pipe struct {
	io.ReadCloser
	w io.WriteCloser
}

func (p pipe) Write(b []byte) (int, error) { return p.w.Write(b) }

// save saves a text, and waits for what its run finds and for the quick fix of that.
func (e *editor) save(text string) (found, repaired time.Duration, title string, err error) {
	e.version++
	doc := map[string]any{"uri": e.uri, "version": e.version}
	method, params := "textDocument/didChange", map[string]any{"textDocument": doc, "contentChanges": []any{map[string]any{"text": text}}}
	if e.version == 1 {
		doc["text"] = text
		method, params = "textDocument/didOpen", map[string]any{"textDocument": doc}
	}
	if err := e.conn.Notify(context.Background(), method, params); err != nil {
		return 0, 0, "", err
	}
	time.Sleep(2 * time.Second) // one looks at what was typed before saving it; the check while typing ends
	if err := os.WriteFile(e.file, []byte(text), 0o600); err != nil {
		return 0, 0, "", err
	}
	// The server may be running what was typed, which ends before the run of what was saved begins.
	for len(e.states) > 0 {
		<-e.states
	}
	if err := e.conn.Notify(context.Background(), "textDocument/didSave", map[string]any{"textDocument": doc}); err != nil {
		return 0, 0, "", err
	}
	began, ours := time.Now(), false
	for limit := time.After(patience); ; {
		select {
		case s := <-e.states:
			if ours = ours || s.Phase == "running"; !ours {
				continue
			}
			switch s.Phase {
			case "fixing":
				found = time.Since(began)
			case "failed":
				return 0, 0, "", fmt.Errorf("not run: %s", s.Message)
			case "done":
				title, err = e.quickFix()
				if repaired = time.Since(began); found == 0 {
					found, title = repaired, "nothing was found"
				}
				return found, repaired, title, err
			}
		case <-limit:
			return 0, 0, "", fmt.Errorf("no end after %v", patience)
		}
	}
}

// quickFix is the title of the repair that the editor offers.
func (e *editor) quickFix() (string, error) {
	params := map[string]any{
		"textDocument": map[string]any{"uri": e.uri}, "context": map[string]any{"diagnostics": []any{}},
		"range": map[string]any{"start": map[string]any{"line": 0, "character": 0}, "end": map[string]any{"line": 1 << 20, "character": 0}},
	}
	var actions []struct{ Title string }
	if err := e.conn.Call(context.Background(), "textDocument/codeAction", params, &actions); err != nil {
		return "", err
	}
	for _, a := range actions {
		if strings.Contains(a.Title, "verified") {
			return a.Title, nil
		}
	}
	return "no repair was found", nil
}
