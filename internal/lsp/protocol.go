package lsp

import (
	"encoding/json"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/sourcegraph/jsonrpc2"
)

// The structures of the protocol that this server uses, with the fields that it
// looks at (Language Server Protocol Specification 3.17).

type initializeParams struct {
	RootURI          string `json:"rootUri"`
	RootPath         string `json:"rootPath"`
	WorkspaceFolders []struct {
		URI string `json:"uri"`
	} `json:"workspaceFolders"`
	Capabilities struct {
		General struct {
			PositionEncodings []string `json:"positionEncodings"`
		} `json:"general"`
		Workspace struct {
			DidChangeWatchedFiles struct {
				DynamicRegistration bool `json:"dynamicRegistration"`
			} `json:"didChangeWatchedFiles"`
		} `json:"workspace"`
		Window struct {
			WorkDoneProgress bool `json:"workDoneProgress"`
		} `json:"window"`
	} `json:"capabilities"`
	Options clientOptions `json:"initializationOptions"`
}

// clientOptions are what a client may tell this server at the start.
type clientOptions struct {
	// ProgramArguments are those of every program that is run.
	ProgramArguments []string `json:"programArguments"`
	// RunStates asks for a notification each time a run begins, has found something or ends.
	RunStates bool `json:"runStates"`
}

// folder is the workspace's first folder, "" if there is none.
func (p *initializeParams) folder() string {
	for _, f := range p.WorkspaceFolders {
		if path := pathOf(f.URI); path != "" {
			return path
		}
	}
	if path := pathOf(p.RootURI); path != "" {
		return path
	}
	return p.RootPath
}

type initializeResult struct {
	Capabilities serverCapabilities `json:"capabilities"`
	ServerInfo   serverInfo         `json:"serverInfo"`
}

type serverInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type serverCapabilities struct {
	PositionEncoding   string      `json:"positionEncoding"`
	TextDocumentSync   syncOptions `json:"textDocumentSync"`
	HoverProvider      bool        `json:"hoverProvider"`
	CodeActionProvider bool        `json:"codeActionProvider"`

	ExecuteCommandProvider commandOptions `json:"executeCommandProvider"`
}

type commandOptions struct {
	Commands         []string `json:"commands"`
	WorkDoneProgress bool     `json:"workDoneProgress"`
}

type commandParams struct {
	Command   string            `json:"command"`
	Arguments []json.RawMessage `json:"arguments"`
	Token     json.RawMessage   `json:"workDoneToken"`
}

type cancelParams struct {
	ID jsonrpc2.ID `json:"id"`
}

type tokenParams struct {
	Token json.RawMessage `json:"token"`
}

// progressValue begins, reports or ends progress.
type progressValue struct {
	Kind        string `json:"kind"`
	Title       string `json:"title,omitempty"`
	Message     string `json:"message,omitempty"`
	Cancellable bool   `json:"cancellable,omitempty"`
}

type syncOptions struct {
	OpenClose bool `json:"openClose"`
	// Change is 1: the client sends the whole text.
	Change int  `json:"change"`
	Save   bool `json:"save"`
}

type textDocument struct {
	URI     string `json:"uri"`
	Version int    `json:"version"`
	Text    string `json:"text"`
}

type documentParams struct {
	TextDocument   textDocument `json:"textDocument"`
	ContentChanges []struct {
		Text string `json:"text"`
	} `json:"contentChanges"`
}

type hoverParams struct {
	TextDocument textDocument `json:"textDocument"`
	Position     position     `json:"position"`
}

type codeActionParams struct {
	TextDocument textDocument `json:"textDocument"`
	Range        span         `json:"range"`
}

// position is a line and a character, both from 0; characters are UTF-16 units
// unless UTF-8 was agreed on.
type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

func (p position) before(q position) bool {
	return p.Line < q.Line || p.Line == q.Line && p.Character < q.Character
}

// span is from Start to before End.
type span struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

// touches reports whether two spans have a place in common, their ends
// included.
func (s span) touches(t span) bool { return !s.End.before(t.Start) && !t.End.before(s.Start) }

type location struct {
	URI   string `json:"uri"`
	Range span   `json:"range"`
}

type related struct {
	Location location `json:"location"`
	Message  string   `json:"message"`
}

type diagnostic struct {
	Range    span      `json:"range"`
	Severity int       `json:"severity"`
	Code     string    `json:"code"`
	Source   string    `json:"source"`
	Message  string    `json:"message"`
	Related  []related `json:"relatedInformation,omitempty"`
}

type publishParams struct {
	URI         string       `json:"uri"`
	Version     int          `json:"version,omitempty"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

type markup struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

type hover struct {
	Contents markup `json:"contents"`
	Range    *span  `json:"range,omitempty"`
}

type textEdit struct {
	Range   span   `json:"range"`
	NewText string `json:"newText"`
}

type workspaceEdit struct {
	Changes map[string][]textEdit `json:"changes"`
}

type codeAction struct {
	Title       string        `json:"title"`
	Kind        string        `json:"kind"`
	Preferred   bool          `json:"isPreferred,omitempty"`
	Diagnostics []diagnostic  `json:"diagnostics"`
	Edit        workspaceEdit `json:"edit"`
}

type registration struct {
	ID      string         `json:"id"`
	Method  string         `json:"method"`
	Options map[string]any `json:"registerOptions"`
}

// pathOf returns the file that a URI names, "" if it names none.
func pathOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return ""
	}
	return filepath.Clean(u.Path)
}

// uriOf returns the URI of a file.
func uriOf(path string) string {
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// cudaSource reports whether a file is one that can be compiled by itself.
func cudaSource(path string) bool { return strings.HasSuffix(path, ".cu") }
