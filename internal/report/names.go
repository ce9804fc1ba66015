package report

import (
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
)

// longName is how many characters a kernel's name may have to be shown whole, longArgument
// how many a template argument may have.
const (
	longName     = 96
	longArgument = 32
)

// names are the kernels' names as they are shown, by the whole ones. A name that is not
// in it is shown whole.
type names map[string]string

// of is a kernel's name as it is shown.
func (n names) of(whole string) string { return or(n[whole], whole) }

// kernelNames are the kernels that the text of a report names.
func kernelNames(fs []*finding.Finding, l *Limits) (out []string) {
	for _, f := range fs {
		for _, m := range append([]*finding.Finding{f}, f.Members...) {
			out = append(append(out, or(m.KernelName, m.Kernel)), m.Named...)
		}
	}
	if l != nil {
		for _, x := range slices.Concat(l.Unsupported, l.Approximate) {
			out = append(out, x.KernelName)
		}
	}
	return out
}

// shortNames folds the long names of kernels: a template's name is left, with the
// arguments in which the kernels of one template differ.
func shortNames(kernels []string) names {
	templates := map[string][]templated{}
	seen := map[string]bool{}
	for _, name := range kernels {
		if seen[name] {
			continue
		}
		seen[name] = true
		if t, ok := parseTemplate(name); ok {
			templates[t.skeleton()] = append(templates[t.skeleton()], t)
		}
	}
	short := names{}
	for _, ts := range templates {
		if slices.ContainsFunc(ts, func(t templated) bool { return len(t.whole) > longName }) {
			fold(ts, short)
		}
	}
	return short
}

// ShortName folds a kernel's name as a report does where it is the only one of its template.
func ShortName(name string) string {
	if t, ok := parseTemplate(name); ok && len(name) > longName {
		return t.folded([]templated{t})
	}
	return name
}

// templated is a name in pieces: "a::b", "<", arguments, ">", "::c", and so on.
type templated struct {
	whole string
	// parts are the texts outside of the template arguments, one more than args.
	parts []string
	args  [][]string
}

func (t *templated) skeleton() string { return strings.Join(t.parts, "<>") }

// parseTemplate takes a demangled name apart. Its parameters are left out. It is not ok for
// a name without template arguments, or one that is not balanced.
func parseTemplate(name string) (t templated, ok bool) {
	t.whole = name
	depth, from := 0, 0
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c == '<' || c == '(' && depth > 0:
			if depth == 0 {
				t.parts, t.args = append(t.parts, name[from:i]), append(t.args, nil)
				from = i + 1
			}
			depth++
		case c == '>' && i > 0 && name[i-1] == '-':
		case (c == '>' || c == ')' || c == ',') && depth == 1:
			k := len(t.args) - 1
			t.args[k] = append(t.args[k], strings.TrimSpace(name[from:i]))
			from = i + 1
			if c != ',' {
				depth--
			}
		case (c == '>' || c == ')') && depth > 0:
			depth--
		case c == '(' && !strings.HasPrefix(name[i:], anonymous):
			t.parts = append(t.parts, name[from:i])
			return t, len(t.args) > 0
		case c == '(':
			i += len(anonymous) - 1
		}
	}
	t.parts = append(t.parts, name[from:])
	return t, depth == 0 && len(t.args) > 0
}

const anonymous = "(anonymous namespace)"

// fold shows the arguments in which templates of one skeleton differ. Where that does not
// tell all apart, their names stay whole. A name with its parameters and one without are of one kernel.
func fold(ts []templated, short names) {
	shown := map[string]templated{}
	folded := make([]string, len(ts))
	for i, t := range ts {
		folded[i] = t.folded(ts)
		if other, ok := shown[folded[i]]; ok && !slices.EqualFunc(t.args, other.args, slices.Equal) {
			return
		}
		shown[folded[i]] = t
	}
	for i, t := range ts {
		short[t.whole] = folded[i]
	}
}

func (t *templated) folded(ts []templated) string {
	var b strings.Builder
	for k, args := range t.args {
		b.WriteString(t.parts[k] + "<" + strings.Join(differing(k, args, ts), ", ") + ">")
	}
	b.WriteString(t.parts[len(t.parts)-1])
	return b.String()
}

// differing are the arguments of list k that not all templates have, with "..." for runs
// of others.
func differing(k int, args []string, ts []templated) (out []string) {
	for i, a := range args {
		same := !slices.ContainsFunc(ts, func(o templated) bool { return i >= len(o.args[k]) || o.args[k][i] != a })
		switch {
		case !same:
			out = append(out, shortArgument(i, k, a, ts))
		case len(out) == 0 || out[len(out)-1] != "...":
			out = append(out, "...")
		}
	}
	return out
}

// shortArgument folds a long argument, against the same one of the other templates.
func shortArgument(i, k int, a string, ts []templated) string {
	t, ok := parseTemplate(a)
	if len(a) <= longArgument || !ok {
		return a
	}
	var others []templated
	for _, o := range ts {
		if i >= len(o.args[k]) {
			continue
		}
		if x, ok := parseTemplate(o.args[k][i]); ok && x.skeleton() == t.skeleton() {
			others = append(others, x)
		}
	}
	return t.folded(others)
}

// prose is a text of a finding with the short names of the kernels that it names.
func (n names) prose(f *finding.Finding, text string) string {
	named := slices.Clone(f.Named)
	slices.SortFunc(named, func(a, b string) int { return len(b) - len(a) }) // a name may begin with another one
	var pairs []string
	for _, name := range named {
		pairs = append(pairs, name, n.of(name))
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// notes are a finding's, with the other kernels that have it.
func (n names) notes(f *finding.Finding) []string {
	var others []string
	for _, m := range f.Members {
		if m.KernelName != f.KernelName {
			if name := n.of(m.KernelName); !slices.Contains(others, name) {
				others = append(others, name)
			}
		}
	}
	var out []string
	if len(others) > 0 {
		out = append(out, "also in kernel "+listed(others, ", "))
	}
	if len(f.Tests) > 0 {
		out = append(out, "in "+count(uint64(len(f.Tests)), "test", "tests")+": "+listed(f.Tests, ", "))
	}
	for _, note := range f.Notes {
		out = append(out, n.prose(f, note))
	}
	return out
}
