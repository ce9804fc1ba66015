package clang

import (
	"errors"
	"os"
	"strings"
)

// depFlags make clang list the files that it reads.
func depFlags(file string) []string { return []string{"-MD", "-MF", file, "-MT", "unit"} }

// dependencies reads a list that clang wrote, if it did.
func (j *job) dependencies(name string) []string {
	text, err := os.ReadFile(j.file(name))
	if err != nil {
		return nil
	}
	files, err := parseDepFile(string(text))
	if err != nil {
		return nil
	}
	return without(files, j.dir+"/", j.emptySource())
}

// parseDepFile returns the prerequisites of a rule in a Makefile's syntax, as
// compilers and linkers write it.
func parseDepFile(text string) ([]string, error) {
	_, text, ok := strings.Cut(text, ":")
	if !ok {
		return nil, errors.New("no rule in the list of dependencies")
	}
	var files []string
	var word strings.Builder
	flush := func() {
		if word.Len() > 0 {
			files = append(files, word.String())
			word.Reset()
		}
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		next := byte(0)
		if i+1 < len(text) {
			next = text[i+1]
		}
		switch {
		case c == '\\' && next == '\n', c == '$' && next == '$' && word.WriteByte('$') == nil:
			i++
		case c == '\\' && (next == ' ' || next == '#' || next == '\\'):
			word.WriteByte(next)
			i++
		case c == '\n':
			flush()
			return files, nil // further rules are for headers without a recipe
		case c == ' ' || c == '\t':
			flush()
		default:
			word.WriteByte(c)
		}
	}
	flush()
	return files, nil
}
