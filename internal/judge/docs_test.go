package judge

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// TestPage holds that docs/JUDGE.md names all fields of jobs and verdicts, and all reasons.
func TestPage(t *testing.T) {
	text, err := os.ReadFile("../../docs/JUDGE.md")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, m := range regexp.MustCompile("`\"?([a-z_]+)\"?`").FindAllSubmatch(text, -1) {
		named[string(m[1])] = true
	}
	for _, v := range []any{Job{}, Argument{}, Launch{}, HostFunction{}, Reference{}, Data{}, Tolerance{}, Limits{}, Verdict{}} {
		for _, f := range fields(reflect.TypeOf(v)) {
			if !named[f] {
				t.Errorf("docs/JUDGE.md does not name the field %s of %T", f, v)
			}
		}
	}
	for _, r := range append(order, Correct) {
		if !named[string(r)] {
			t.Errorf("docs/JUDGE.md does not name the reason %s", r)
		}
	}
}

// fields are the names in JSON of a structure's fields.
func fields(t reflect.Type) (list []string) {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			list = append(list, fields(f.Type)...)
			continue
		}
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
			list = append(list, name)
		}
	}
	return list
}

// TestPageExample judges the page's example.
func TestPageExample(t *testing.T) {
	tooltest.NeedsClang(t)
	text, err := os.ReadFile("../../docs/JUDGE.md")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile("(?s)```json\n(.*?)```").FindSubmatch(text)
	if m == nil {
		t.Fatal("there is no example")
	}
	if v := stream(t, newJudge(t), "", strings.ReplaceAll(string(m[1]), "\n", " "))[0]; !v.Correct {
		t.Errorf("the example is judged %s: %+v", v.Verdict, v.Reasons)
	}
}
