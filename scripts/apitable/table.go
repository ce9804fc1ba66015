package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
)

const (
	// tableFile is the table of the API; its head describes the format.
	tableFile = shim + "api.txt"
	// entryFile is what the runtime library makes of it: entry points, stubs, aliases
	// and the names that cuGetProcAddress finds, as calls of macros.
	entryFile = shim + "runtime/api.inc"
)

// support is how much of a function is supported.
type support int

const (
	full support = iota
	partial
	none
)

func (s support) String() string { return [...]string{"yes", "partly", "no"}[s] }

// function is a row of the table.
type function struct {
	section, name string
	support       support
	note          string
	direct        bool     // its entry point is written by hand
	core          string   // the function of the core that carries it out
	needs         string   // what has to be before the call
	aliases       []string // other names of the same function
	perThread     []string // names of the same with the default stream of the calling thread
	wide          bool     // there is one with 64-bit sizes
	since         string   // NAME, VERSION: whose function it is from then on
}

// hasEntry matches the functions whose entry points are made from the table: those of
// the runtime API and of the driver API.
var hasEntry = regexp.MustCompile(`^cu(?:da)?[A-Z]`)

// versionSuffix is the end of a name that a newer version of a function has.
var versionSuffix = regexp.MustCompile(`_v\d+$`)

// parseTable reads the table of the API.
func parseTable(text string) ([]function, error) {
	var out []function
	section := ""
	for i, line := range strings.Split(text, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if strings.HasPrefix(line, "[") {
			section = strings.Trim(line, "[]")
			continue
		}
		f, err := parseFunction(line)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", tableFile, i+1, err)
		}
		f.section = section
		out = append(out, f)
	}
	return out, nil
}

func parseFunction(line string) (function, error) {
	line, note, _ := strings.Cut(line, "|")
	words := strings.Fields(line)
	if len(words) == 0 {
		return function{}, fmt.Errorf("no name")
	}
	f := function{name: words[0], core: words[0], note: strings.TrimSpace(note)}
	for _, w := range words[1:] {
		if err := f.set(w); err != nil {
			return f, err
		}
	}
	if (f.support == partial) != (f.note != "") {
		return f, fmt.Errorf("%s: a note is for what is partial", f.name)
	}
	return f, nil
}

// set takes a word of a row.
func (f *function) set(word string) error {
	key, value, _ := strings.Cut(word, "=")
	switch key {
	case "none":
		f.support = none
	case "partial":
		f.support = partial
	case "direct":
		f.direct = true
	case "wide":
		f.wide = true
	case "core":
		f.core = value
	case "needs":
		if !slices.Contains([]string{"init", "context", "primary"}, value) {
			return fmt.Errorf("%s needs %q", f.name, value)
		}
		f.needs = value
	case "alias":
		f.aliases = f.with(value)
	case "thread":
		f.perThread = f.with(value)
	case "since":
		name, version, named := strings.Cut(value, ":")
		if !named {
			name, version = versionSuffix.ReplaceAllString(f.name, ""), value
		}
		f.since = name + ", " + version
	default:
		return fmt.Errorf("%s: unknown word %q", f.name, word)
	}
	return nil
}

// with is the function's name with each of the suffixes.
func (f *function) with(suffixes string) []string {
	var out []string
	for s := range strings.SplitSeq(suffixes, ",") {
		out = append(out, f.name+s)
	}
	return out
}

// isRuntime says whether the function is one of the runtime API.
func (f *function) isRuntime() bool { return strings.HasPrefix(f.name, "cuda") }

// library is the folder in internal/shim/libraries that carries the function out, "" for none.
func (f *function) library() string {
	for _, lib := range []string{"cublas", "cufft", "cusparse", "cusolver", "nccl"} {
		if strings.HasPrefix(f.name, lib) {
			return lib
		}
	}
	return ""
}

func functions() ([]function, error) {
	text, err := os.ReadFile(tableFile)
	if err != nil {
		return nil, err
	}
	return parseTable(string(text))
}

// entryMacros are the macros that entryFile calls; those that the including file does
// not define are empty.
var entryMacros = []string{"CORE", "TWIN", "NONE", "ALIAS", "PER_THREAD", "BY_NAME", "SINCE", "RENAMED", "LIBRARY"}

// entries is the text of entryFile.
func entries(list []function) string {
	var b strings.Builder
	b.WriteString("// Made from internal/shim/api.txt by go run ./scripts/apitable; do not edit.\n")
	for _, m := range entryMacros {
		fmt.Fprintf(&b, "#ifndef %s\n#define %s(...)\n#endif\n", m, m)
	}
	for i := range list {
		list[i].entries(&b)
	}
	for _, m := range entryMacros {
		fmt.Fprintf(&b, "#undef %s\n", m)
	}
	return b.String()
}

// entries writes the macro calls of a function.
func (f *function) entries(b *strings.Builder) {
	api := "Driver"
	if f.isRuntime() {
		api = "Runtime"
	} else if strings.HasPrefix(f.name, "curand") {
		api = "Curand"
	}
	lib := f.library()
	if lib != "" {
		api = strings.ToUpper(lib[:1]) + lib[1:]
	}
	needs := map[string]string{"": "Nothing", "init": "Init", "context": "Context", "primary": "Primary"}[f.needs]
	switch {
	case f.support == none:
		fmt.Fprintf(b, "NONE(%s, %s)\n", api, f.name)
	case lib != "" && !f.direct:
		fmt.Fprintf(b, "LIBRARY(%s, %s)\n", lib, f.name)
		if f.wide {
			fmt.Fprintf(b, "LIBRARY(%s, %s_64)\n", lib, f.name)
		}
	case f.direct || !hasEntry.MatchString(f.name):
	case f.core != f.name:
		fmt.Fprintf(b, "TWIN(%s, %s, %s, %s)\n", api, needs, f.name, f.core)
	default:
		fmt.Fprintf(b, "CORE(%s, %s, %s)\n", api, needs, f.name)
	}
	for _, a := range f.aliases {
		fmt.Fprintf(b, "ALIAS(%s, %s)\n", a, f.name)
	}
	for _, p := range f.perThread {
		fmt.Fprintf(b, "PER_THREAD(%s, %s)\n", p, f.name)
	}
	if f.section == "Driver API" {
		fmt.Fprintf(b, "BY_NAME(%s)\n", f.name)
	}
	switch {
	case f.since != "" && f.isRuntime():
		fmt.Fprintf(b, "RENAMED(%s, %s)\n", f.since, f.name)
	case f.since != "":
		fmt.Fprintf(b, "SINCE(%s, %s)\n", f.since, f.name)
	}
}
