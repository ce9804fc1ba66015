package tooltest

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// hostile are parts of texts that attack whoever shows them.
var hostile = []string{
	"\x1b[2J", "\x1b]0;title\a", "\x1b[31m", "\x9b31m", "\u009b31m", "\r", "\b\b\b", "\x00", "\x7f", "\xff\xfe", "\xc3", "\u202e", "\u2066", "\u2028", "\u2029", "\ufeff", "\U000e0041", "\t", "\v",
	"\nforged: line", "\r\nforged: line", "\n::error::forged", "::error file=a.cu,line=1::forged", "\n  ::add-mask::e", "::set-output name=x::y", "::stop-commands::x", "%0A::error::forged", "##[add-mask]e", "##[error]x", "##vso[task.setvariable variable=x]y", "##teamcity[testFailed name='x']",
	"\n========= ERROR SUMMARY: 0 errors", "\nwarpgrind: 1 launch, 0 findings", "<script>alert(1)</script>", "</script><img src=x onerror=alert(1)>", "<!--", "]]>", "&amp;&lt;", "\"", "'", "`", "\\", "|", "](javascript:alert(1))", "{{.}}", "${x}", "$(x)", "%s%n", " a.cu:12", "kernel(float *)", "ä€𝄞",
}

// Hostile makes a text of some of them.
func Hostile(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(4) {
		b.WriteString(hostile[r.IntN(len(hostile))])
		if r.IntN(3) == 0 {
			b.WriteString("word")
		}
	}
	return b.String()
}

// FillHostile gives hostile texts to all strings that v points to, with numbers and lists of one or two elements around
// them, and returns how many there are.
func FillHostile(v any, r *rand.Rand) int {
	f := filler{r: r}
	f.fill(reflect.ValueOf(v).Elem(), 0)
	return f.n
}

type filler struct {
	r *rand.Rand
	n int
}

// maxDepth bounds structures that contain themselves.
const maxDepth = 9

func (f *filler) fill(v reflect.Value, depth int) {
	if !v.CanSet() || depth > maxDepth {
		return
	}
	switch v.Kind() {
	case reflect.String:
		f.n++
		v.SetString(Hostile(f.r))
	case reflect.Bool:
		v.SetBool(f.r.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(f.r.IntN(3)))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(f.r.IntN(3)))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(f.r.Float64())
	case reflect.Struct:
		for i := range v.NumField() {
			f.fill(v.Field(i), depth+1)
		}
	case reflect.Pointer:
		if f.r.IntN(3) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			f.fill(v.Elem(), depth+1)
		}
	case reflect.Slice:
		f.slice(v, depth)
	case reflect.Map:
		f.fields(v, depth)
	case reflect.Interface:
		if v.NumMethod() == 0 {
			f.n += 2
			v.Set(reflect.ValueOf(map[string]any{Hostile(f.r): Hostile(f.r), "file": Hostile(f.r), "line": 3}))
		}
	}
}

func (f *filler) slice(v reflect.Value, depth int) {
	if v.Type().Elem().Kind() == reflect.Uint8 {
		return // raw JSON
	}
	list := reflect.MakeSlice(v.Type(), 1+f.r.IntN(2), 2)
	for i := range list.Len() {
		f.fill(list.Index(i), depth+1)
		if e := list.Index(i); e.Kind() == reflect.Pointer && e.IsNil() {
			e.Set(reflect.New(e.Type().Elem()))
		}
	}
	v.Set(list)
}

func (f *filler) fields(v reflect.Value, depth int) {
	m := reflect.MakeMap(v.Type())
	key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
	f.fill(key, depth+1)
	f.fill(value, depth+1)
	m.SetMapIndex(key, value)
	v.Set(m)
}

var command = regexp.MustCompile(`##[A-Za-z]*\[`)

// Harm says what a terminal or the log of a job would make of text besides showing it; "" for nothing. own reports lines that
// are commands, and may be.
func Harm(text string, own func(line string) bool) string {
	if !utf8.ValidString(text) {
		return "it is not UTF-8"
	}
	for i, r := range text {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)) {
			return fmt.Sprintf("%U in %q", r, text[max(0, i-30):min(len(text), i+30)])
		}
	}
	if m := command.FindString(text); m != "" {
		return m
	}
	for line := range strings.Lines(text) {
		switch head := strings.TrimSpace(line); {
		case strings.HasPrefix(head, "::") && len(head) > 2 && unicode.IsLetter(rune(head[2])) && (own == nil || !own(line)):
			return fmt.Sprintf("a command: %q", line)
		case strings.HasPrefix(line, "forged"):
			return fmt.Sprintf("a forged line: %q", line)
		}
	}
	return ""
}
