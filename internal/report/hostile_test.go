package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/coverage"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// hostileReport is a saved report whose texts attack. Some of its findings have the shape of real ones.
func hostileReport(t *testing.T, r *rand.Rand) (*Report, Options, int) {
	t.Helper()
	var made Report
	n := tooltest.FillHostile(&made, r)
	for len(made.Findings) < 3 {
		f := &finding.Finding{}
		n += tooltest.FillHostile(f, r)
		made.Findings = append(made.Findings, f)
	}
	rules := []string{"race", "memory", "init", "sync", "hang", "launch", "api", "bank"}
	for i, f := range made.Findings {
		f.Primary.Loc.Line, f.Level = 1+r.IntN(3), finding.Level(r.IntN(3))
		if i > 0 {
			f.Rule = rules[r.IntN(len(rules))]
		}
	}
	if made.Coverage == nil {
		made.Coverage = &coverage.Result{}
		n += tooltest.FillHostile(made.Coverage, r)
	}
	withoutNulls(&made)
	made.Schema = Schema
	var b bytes.Buffer
	if err := JSON(&b, &made, ""); err != nil {
		t.Fatal(err)
	}
	read, err := Read(bytes.NewReader(b.Bytes()), "hostile")
	if err != nil {
		t.Fatalf("%v\n%s", err, b.Bytes())
	}
	files := &source.Files{}
	for _, f := range read.Findings {
		files.Add(f.Primary.Loc.File, []byte("x = 1; "+tooltest.Hostile(r)+"\n::error::forged\nforged: line\n"))
	}
	return read, Options{Files: files, Color: false, FullNames: r.IntN(2) == 0, Limits: r.IntN(2) == 0, Width: 40 + r.IntN(100)}, n
}

// withoutNulls drops what Read refuses.
func withoutNulls(r *Report) {
	r.Suppressed = slices.DeleteFunc(r.Suppressed, func(s Suppressed) bool { return s.Finding == nil })
	for _, p := range r.Parts {
		withoutNulls(p)
	}
}

var ownColor = regexp.MustCompile(`\x1b\[(1(;3[0-9])?|0)m`)

var ownCommand = regexp.MustCompile(`^::(error|warning|notice) [^:]*::[^\n]*\n$`)

// TestHostileTexts writes reports whose texts attack in all formats.
func TestHostileTexts(t *testing.T) {
	rounds, values := 12, 0
	if tooltest.Long() {
		rounds = 400
	}
	r := rand.New(rand.NewPCG(4, 7))
	for round := range rounds {
		rep, o, n := hostileReport(t, r)
		if round%3 == 0 {
			other, _, more := hostileReport(t, r)
			rep, n = Merge([]*Report{rep, other}, []string{tooltest.Hostile(r), tooltest.Hostile(r)}, nil), n+more
		}
		for _, format := range append(Formats(), "summary", "colors") {
			var b bytes.Buffer
			var err error
			switch o.Color = format == "colors"; {
			case o.Color:
				err = Text(&b, rep, o)
				b = *bytes.NewBuffer(ownColor.ReplaceAll(b.Bytes(), nil))
			case format == "summary":
				err = JobSummary(&b, rep, o)
			default:
				err = Write(&b, rep, format, o)
			}
			if err != nil {
				t.Fatalf("%s: %v", format, err)
			}
			values += n
			if text := wrongWith(format, b.String()); text != "" {
				t.Fatalf("%s: %s", format, text)
			}
		}
	}
	t.Logf("%d values", values)
}

// wrongWith describes the first fault of a report in a format, "" if there is none.
func wrongWith(format, text string) string {
	shown := text
	if format == "html" {
		i := strings.Index(text, `id="data">`)
		j := strings.Index(text[i:], "</script>")
		if i < 0 || j < 0 || !json.Valid([]byte(text[i+len(`id="data">`):i+j])) {
			return "invalid JSON in the page"
		}
		shown = text[i : i+j]
	}
	if format == "junit" { // the text of an element may have lines
		shown = strings.ReplaceAll(shown, "\nforged", "\n forged")
	}
	own := func(line string) bool { return format == "github" && ownCommand.MatchString(line) }
	if harm := tooltest.Harm(shown, own); harm != "" {
		return harm
	}
	switch format {
	case "json", "sarif":
		if !json.Valid([]byte(text)) {
			return "invalid JSON"
		}
	case "junit", "sanitizer-xml":
		d := xml.NewDecoder(strings.NewReader(text))
		for {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				return err.Error()
			}
		}
	case "html":
		if strings.Count(text, "<script") != 2 || strings.Contains(text, "<img") {
			return "it has markup of others"
		}
	case "summary":
		if strings.Contains(text, "<") {
			return "it has markup"
		}
	}
	return ""
}
