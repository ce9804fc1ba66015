// Package visible writes text that others have chosen: names and messages in a saved report, a capsule or a job, the text of
// a program. Whatever it holds, a terminal shows it instead of obeying it, a line stays one line, and a continuous integration
// system finds no command in it.
//
// Everything that goes to terminals and logs goes through Fprintf or Log, and all JSON and XML through JSON and XML.
package visible

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line makes text part of a line: white space becomes blanks, and what has no shape of its own an escape such as \x1b.
func Line(s string) string {
	return escape(s, func(r rune) string {
		if r == '\n' || r == '\t' || r == '\r' {
			return " "
		}
		return ""
	})
}

// Lines is Line for text of several lines, which may have tabs.
func Lines(s string) string {
	return escape(strings.ReplaceAll(s, "\r\n", "\n"), func(r rune) string {
		if r == '\n' || r == '\t' {
			return string(r)
		}
		return ""
	})
}

// Log makes text of several lines ready for a log: Lines without commands.
func Log(s string) string { return withoutCommands(Lines(s)) }

// Fprintf is fmt.Fprintf for terminals and logs: strings and errors among the arguments are parts of lines, and no line
// becomes a command by them. The format is trusted, and so are arguments of type Trusted.
func Fprintf(w io.Writer, format string, args ...any) (int, error) {
	return io.WriteString(w, Sprintf(format, args...))
}

// Sprintf is Fprintf to a string.
func Sprintf(format string, args ...any) string {
	list := make([]any, len(args))
	for i, a := range args {
		switch a := a.(type) {
		case Trusted:
			list[i] = string(a)
		case string:
			list[i] = Line(a)
		case error:
			list[i] = Line(a.Error())
		case fmt.Stringer:
			list[i] = Line(a.String())
		default:
			list[i] = a
		}
	}
	return withoutCommands(fmt.Sprintf(format, list...))
}

// Trusted is text of our own, such as one with colors.
type Trusted string

// escape replaces the runes that must not be written as they are; as gives what stands for one in particular, "" for an escape.
func escape(s string, as func(rune) string) string {
	if isPlain(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case !hidden(r):
			b.WriteString(s[i : i+n])
		case as(r) != "":
			b.WriteString(as(r))
		case r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			fmt.Fprintf(&b, `\u{%x}`, r)
		}
		i += n
	}
	return b.String()
}

// isPlain reports whether text has nothing but visible ASCII.
func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// hidden reports whether a rune acts instead of showing: control characters, those that separate lines, change the direction
// of the text or have no width.
func hidden(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co, unicode.Cs)
}

// Commands in the log of a job: GitHub's runner obeys ::name:: at the start of a line, behind blanks (and colors), and ##[name] anywhere;
// Azure Pipelines ##vso[...] and TeamCity ##teamcity[...], which begin a line.
var (
	atStart  = regexp.MustCompile(`(?m)^((?:\s|\x1b\[[\d;]*m)*):(:[A-Za-z][\w-]*)`)
	anywhere = regexp.MustCompile(`##([A-Za-z]*)\[`)
)

// withoutCommands puts a backslash into what a runner would take as a command.
func withoutCommands(s string) string {
	if strings.Contains(s, "::") {
		s = atStart.ReplaceAllString(s, `$1\:$2`)
	}
	if strings.Contains(s, "##") {
		s = anywhere.ReplaceAllString(s, `##$1\[`)
	}
	return s
}

// Data and Property are text in a workflow command of GitHub's, escaped as its own toolkit does.
func Data(s string) string {
	return strings.NewReplacer("%", "%25", "\n", "%0A", "\t", " ").Replace(anywhere.ReplaceAllString(Lines(s), `##$1\[`))
}

// Property is Data for the part before the message.
func Property(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(Data(s))
}

// JSON escapes in JSON what acts on a terminal, or in a log, and may stand in a string of JSON. The value stays the same.
func JSON(b []byte) []byte {
	return rewrite(b, func(r rune) string {
		if r > 0xffff {
			hi, lo := (r-0x10000)>>10+0xd800, (r-0x10000)&0x3ff+0xdc00
			return fmt.Sprintf(`\u%04x\u%04x`, hi, lo)
		}
		return fmt.Sprintf(`\u%04x`, r)
	})
}

// XML is JSON for XML, whose text may also begin lines.
func XML(b []byte) []byte {
	b = rewrite(b, func(r rune) string { return fmt.Sprintf("&#x%x;", r) })
	if bytes.Contains(b, []byte("::")) {
		b = atStart.ReplaceAll(b, []byte("${1}&#x3a;${2}"))
	}
	return b
}

// rewrite replaces hidden runes beyond ASCII's control characters, which no encoder leaves in a string, and the bracket of
// what would be a command.
func rewrite(b []byte, as func(rune) string) []byte {
	acts := func(r rune) bool { return r >= 0x7f && hidden(r) }
	if bytes.Contains(b, []byte("##")) {
		b = anywhere.ReplaceAll(b, []byte("##${1}"+strings.ReplaceAll(as('['), "$", "$$")))
	}
	if bytes.IndexFunc(b, acts) < 0 {
		return b
	}
	var out bytes.Buffer
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if acts(r) {
			out.WriteString(as(r))
		} else {
			out.Write(b[:n])
		}
		b = b[n:]
	}
	return out.Bytes()
}

// JSONWriter passes on what is written to it by JSON. Each write has whole values.
func JSONWriter(w io.Writer) io.Writer { return through{w, JSON} }

type through struct {
	w  io.Writer
	by func([]byte) []byte
}

func (t through) Write(b []byte) (int, error) {
	if _, err := t.w.Write(t.by(b)); err != nil {
		return 0, err
	}
	return len(b), nil
}
