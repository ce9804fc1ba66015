package irtext

import (
	"strconv"
	"strings"
)

// Node is a node of a module's metadata: of "!12 = distinct !DIFile(...)" Kind is
// "!DIFile" and Body what is between the parentheses; of "!12 = !{...}" Kind is "!{".
type Node struct{ Kind, Body string }

// Nodes are the nodes of a module by number.
type Nodes map[int]Node

// Nodes are the metadata of the module.
func (m *Module) Nodes() Nodes {
	if m.nodes != nil {
		return m.nodes
	}
	m.nodes = Nodes{}
	for _, l := range m.Lines {
		if id, n, ok := l.Node(); ok {
			m.nodes[id] = n
		}
	}
	return m.nodes
}

// Node reads a line of metadata.
func (l *Line) Node() (id int, n Node, ok bool) {
	if !l.HasPrefix("!") {
		return 0, n, false
	}
	num, def, found := strings.Cut(l.Text[1:], " = ")
	id, err := strconv.Atoi(num)
	if !found || err != nil {
		return 0, n, false
	}
	def = strings.TrimPrefix(def, "distinct ")
	if body, ok := strings.CutPrefix(def, "!{"); ok {
		return id, Node{"!{", strings.TrimSuffix(body, "}")}, true
	}
	n.Kind, n.Body, ok = strings.Cut(def, "(")
	n.Body = strings.TrimSuffix(n.Body, ")")
	return id, n, ok
}

// List returns the numbers in a node "!{!1, !2}".
func (n Node) List() (out []int) {
	if n.Kind != "!{" {
		return nil
	}
	for _, s := range strings.Split(n.Body, ", ") {
		if n, err := strconv.Atoi(strings.TrimPrefix(s, "!")); err == nil {
			out = append(out, n)
		}
	}
	return out
}

// Field returns the text after "name: " in the node's body, "" without one.
func (n Node) Field(name string) string {
	key := name + ": "
	for from := 0; ; {
		i := strings.Index(n.Body[from:], key)
		if i < 0 {
			return ""
		}
		i += from
		if i == 0 || n.Body[i-1] == ' ' {
			return n.Body[i+len(key):]
		}
		from = i + 1
	}
}

// Is reports whether a field begins with a text.
func (n Node) Is(field, prefix string) bool { return strings.HasPrefix(n.Field(field), prefix) }

// Int returns the number of a field, 0 if there is none.
func (n Node) Int(name string) int { return LeadingInt(n.Field(name)) }

// Ref returns the number of a field "!N", -1 if there is none.
func (n Node) Ref(name string) int {
	s := n.Field(name)
	if len(s) < 2 || s[0] != '!' || s[1] < '0' || s[1] > '9' {
		return -1
	}
	return LeadingInt(s[1:])
}

// Quoted returns the text of a field in quotes.
func (n Node) Quoted(name string) string {
	s := n.Field(name)
	if s == "" || s[0] != '"' {
		return ""
	}
	if end := strings.IndexByte(s[1:], '"'); end >= 0 {
		return unescape(s[1 : end+1])
	}
	return ""
}

// LeadingInt reads the digits at the front of a text.
func LeadingInt(s string) int {
	n := 0
	for i := 0; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		n = n*10 + int(s[i]-'0')
	}
	return n
}

// unescape undoes LLVM's escapes: \\, and \xx in hexadecimal.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if strings.HasPrefix(s[i:], `\\`) {
			i++
		} else if s[i] == '\\' && i+2 < len(s) {
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
