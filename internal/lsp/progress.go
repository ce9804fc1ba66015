package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"time"
)

// progress is a place where the client shows how far a run has come; nil where it shows none.
type progress struct {
	s     *server
	token json.RawMessage
}

// createLimit is how long a run waits for the client to make a place for its progress.
const createLimit = time.Second

// beginProgress shows that a run begins: by the token of the command that asks for it, else in a place
// that the client makes for the server. Only a run that the user asked for can be canceled there, as
// clients show such progress in the foreground; "warpgrind.stop" stops every run.
func (s *server) beginProgress(j *job, token json.RawMessage) *progress {
	s.mu.Lock()
	create := len(token) == 0
	if create && s.progress {
		s.tokens++
		token = json.RawMessage(fmt.Sprintf("%q", fmt.Sprintf("warpgrind-%d", s.tokens)))
	}
	if len(token) > 0 {
		j.token = string(token)
	}
	s.mu.Unlock()
	if len(token) == 0 {
		return nil
	}
	if create {
		ctx, cancel := context.WithTimeout(j.ctx, createLimit)
		defer cancel()
		if s.conn.Call(ctx, "window/workDoneProgress/create", tokenParams{token}, nil) != nil {
			return nil
		}
	}
	p := &progress{s, token}
	p.send(progressValue{Kind: "begin", Title: "warpgrind: " + filepath.Base(j.file), Message: "running", Cancellable: j.asked})
	return p
}

func (p *progress) report(message string) { p.send(progressValue{Kind: "report", Message: message}) }
func (p *progress) end(message string)    { p.send(progressValue{Kind: "end", Message: message}) }

func (p *progress) send(v progressValue) {
	if p == nil {
		return
	}
	// A client that has hung up ends the session elsewhere.
	_ = p.s.conn.Notify(p.s.ctx, "$/progress", map[string]any{"token": p.token, "value": v})
}

// cancelProgress stops the run whose progress the user has canceled.
func (s *server) cancelProgress(p *tokenParams) any {
	for _, j := range s.jobs {
		if j.token != "" && j.token == string(p.Token) {
			j.cancel()
		}
	}
	return nil
}
