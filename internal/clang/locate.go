package clang

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// Source positions
//
// llc prints .loc with file, line and column, but without inlined_at (LLVM 19
// does not for NVPTX). So before llc each debug location of the module is
// replaced by one whose line is a number, and the number in llc's .loc is
// replaced afterwards by the location and the chain of calls it was inlined
// through, as PTX ISA 7.2 and later have it.

// location is a !DILocation.
type location struct {
	line, col int
	// scope and inlinedAt are metadata numbers; inlinedAt is -1 if absent.
	scope, inlinedAt int
}

// scopeNode is a subprogram, lexical block or lexical block file.
type scopeNode struct {
	// parent is the enclosing scope, -1 for a subprogram.
	parent, file int
	// line is where it begins.
	line int
	// linkage is a subprogram's mangled name.
	linkage string
}

// locations holds the debug positions of a module by metadata number.
type locations struct {
	locs   map[int]location
	scopes map[int]scopeNode
	files  map[int]string
}

// parseLocations reads the metadata at the end of a module.
func parseLocations(ir []byte) *locations {
	l := &locations{locs: map[int]location{}, scopes: map[int]scopeNode{}, files: map[int]string{}}
	start := bytes.Index(ir, []byte("\n!"))
	if start < 0 {
		return l
	}
	for rest := ir[start+1:]; len(rest) > 0; {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		if len(line) > 1 && line[0] == '!' {
			l.node(string(line))
		}
	}
	return l
}

// splitNode splits "!12 = distinct !DIFile(...)" into number, kind and body.
func splitNode(s string) (id int, kind, body string, ok bool) {
	num, def, found := strings.Cut(s[1:], " = ")
	id, err := strconv.Atoi(num)
	if !found || err != nil {
		return 0, "", "", false
	}
	def = strings.TrimPrefix(def, "distinct ")
	kind, body, ok = strings.Cut(def, "(")
	return id, kind, strings.TrimSuffix(body, ")"), ok
}

func (l *locations) node(s string) {
	id, kind, body, ok := splitNode(s)
	if !ok {
		return
	}
	switch kind {
	case "!DILocation":
		l.locs[id] = location{intField(body, "line"), intField(body, "column"), refField(body, "scope"), refField(body, "inlinedAt")}
	case "!DISubprogram":
		name := stringField(body, "linkageName")
		if name == "" {
			name = stringField(body, "name")
		}
		l.scopes[id] = scopeNode{-1, refField(body, "file"), intField(body, "line"), name}
	case "!DILexicalBlock", "!DILexicalBlockFile":
		l.scopes[id] = scopeNode{refField(body, "scope"), refField(body, "file"), intField(body, "line"), ""}
	case "!DIFile":
		name, dir := stringField(body, "filename"), stringField(body, "directory")
		if dir != "" && !strings.HasPrefix(name, "/") {
			name = strings.TrimSuffix(dir, "/") + "/" + name
		}
		l.files[id] = name
	}
}

// field returns the text after "name: " in a node's body.
func field(body, name string) (string, bool) {
	key := name + ": "
	for from := 0; ; {
		i := strings.Index(body[from:], key)
		if i < 0 {
			return "", false
		}
		i += from
		if i == 0 || body[i-1] == ' ' {
			return body[i+len(key):], true
		}
		from = i + 1
	}
}

func intField(body, name string) int {
	s, _ := field(body, name)
	return leadingInt(s)
}

func leadingInt(s string) int {
	n := 0
	for i := 0; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		n = n*10 + int(s[i]-'0')
	}
	return n
}

// refField returns the number of a field "!N", -1 if there is none.
func refField(body, name string) int {
	s, ok := field(body, name)
	if !ok || len(s) < 2 || s[0] != '!' || s[1] < '0' || s[1] > '9' {
		return -1
	}
	return leadingInt(s[1:])
}

func stringField(body, name string) string {
	s, ok := field(body, name)
	if !ok || s == "" || s[0] != '"' {
		return ""
	}
	if end := strings.IndexByte(s[1:], '"'); end >= 0 {
		return unescape(s[1 : end+1])
	}
	return ""
}

// unescape undoes LLVM's \xx escapes.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+2 < len(s) {
			if v, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(v))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// rewrite replaces a location's line by its number plus one. Its scope
// becomes that of the outermost call site, which is in the function that
// holds the code.
func (l *locations) rewrite(s string) string {
	if !strings.Contains(s, "!DILocation(") {
		return s
	}
	id, _, _, ok := splitNode(s)
	loc, found := l.locs[id]
	if !ok || !found {
		return s
	}
	line := id + 1
	if loc.line == 0 {
		line = 0
	}
	for depth := 0; loc.inlinedAt >= 0 && depth < maxInlineDepth; depth++ {
		loc = l.locs[loc.inlinedAt]
	}
	return fmt.Sprintf("!%d = !DILocation(line: %d, column: 1, scope: !%d)", id, line, loc.scope)
}

// maxInlineDepth bounds the chains that are followed.
const maxInlineDepth = 1000

// place is a resolved location.
type place struct {
	file      string
	line, col int
	// function is the mangled name of the function that the place lies in.
	function string
}

// chain returns the places of a number, the outermost call site first, the
// code's own place last; nil for an unknown number.
func (l *locations) chain(number int) []place {
	var ps []place
	id := number - 1
	for depth := 0; id >= 0 && depth < maxInlineDepth; depth++ {
		loc, ok := l.locs[id]
		if !ok {
			break
		}
		ps = append(ps, l.resolve(loc))
		id = loc.inlinedAt
	}
	for i, j := 0, len(ps)-1; i < j; i, j = i+1, j-1 {
		ps[i], ps[j] = ps[j], ps[i]
	}
	return ps
}

// resolve finds a location's file and function.
func (l *locations) resolve(loc location) place {
	p := place{line: loc.line, col: loc.col}
	for s, depth := loc.scope, 0; s >= 0 && depth < maxInlineDepth; depth++ {
		n, ok := l.scopes[s]
		if !ok {
			break
		}
		if p.file == "" && n.file >= 0 {
			p.file = l.files[n.file]
		}
		p.function = n.linkage
		s = n.parent
	}
	return p
}
