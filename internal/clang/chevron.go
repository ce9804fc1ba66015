package clang

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
)

// nvcc accepts a launch whose chevrons have spaces inside, "k << < g, b >> >
// (x)"; clang does not. Such a source is handed to clang with the chevrons
// closed up, by way of a virtual file system that keeps its name. The spaces
// move in front of the chevrons, so that lines and columns stay.

var (
	openChevron  = regexp.MustCompile(`<<[ \t]+<|<[ \t]+<<|<[ \t]+<[ \t]+<`)
	closeChevron = regexp.MustCompile(`>>[ \t]+>|>[ \t]+>>`)
)

// closeChevrons returns the text with spaced chevrons closed up, and whether
// there were any.
func closeChevrons(src []byte) ([]byte, bool) {
	if !openChevron.Match(src) {
		return src, false
	}
	closeUp := func(m []byte, c byte) []byte {
		out := bytes.Repeat([]byte{' '}, len(m))
		copy(out[len(m)-3:], bytes.Repeat([]byte{c}, 3))
		return out
	}
	out := openChevron.ReplaceAllFunc(src, func(m []byte) []byte { return closeUp(m, '<') })
	return closeChevron.ReplaceAllFunc(out, func(m []byte) []byte { return closeUp(m, '>') }), true
}

// overlay returns the clang arguments that replace a source's text where it
// needs it.
func (j *job) overlay() ([]string, error) {
	text, err := os.ReadFile(j.Source)
	if err != nil {
		return nil, err
	}
	closed, changed := closeChevrons(text)
	closed, moved := movableAlignas(closed)
	if !changed && !moved {
		return nil, nil
	}
	abs, err := filepath.Abs(j.Source)
	if err != nil {
		return nil, err
	}
	copyPath, yaml := j.file("closed.cu"), j.file("vfs.yaml")
	vfs, err := json.Marshal(map[string]any{
		"version": 0, "use-external-names": false,
		"roots": []any{map[string]any{"name": abs, "type": "file", "external-contents": copyPath}},
	})
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(copyPath, closed, 0o666); err != nil {
		return nil, err
	}
	return []string{"-ivfsoverlay", yaml}, os.WriteFile(yaml, vfs, 0o666)
}
