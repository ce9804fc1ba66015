package session

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/fallback"
	"github.com/warpgrind/warpgrind/internal/report"
)

// TestFallbacks: what was replaced since the session began is in the report, once, with its reasons; a
// message is made of what is slower, and the run fails where the user wants that.
func TestFallbacks(t *testing.T) {
	since := fallback.Now()
	quiet := &report.Report{}
	if err := tellFallbacks(quiet, since); err != nil || quiet.Environment != nil || quiet.Messages != nil {
		t.Errorf("nothing failed: %+v, %v", quiet, err)
	}
	fallback.Took(fallback.GeneratedCode, errors.New("the test's compiler"))
	fallback.Took(fallback.GeneratedCode, errors.New("the test's compiler"))
	fallback.Took(fallback.Cache, errors.New("the test's entry"))
	for _, policy := range []string{"", "error"} {
		t.Setenv(FallbackEnv, policy)
		r := &report.Report{}
		err := tellFallbacks(r, since)
		if (err != nil) != (policy == "error") {
			t.Errorf("%s=%s: %v", FallbackEnv, policy, err)
		}
		if list := r.Environment.Fallbacks; len(list) != 2 || list[0].Way != "generated-code" || list[0].Count != 2 || list[1].Way != "cache" {
			t.Errorf("fallbacks %+v", list)
		}
		if len(r.Messages) != 1 || !strings.Contains(r.Messages[0], "the test's compiler") {
			t.Errorf("messages %q", r.Messages)
		}
	}
}

// TestWaysAreDocumented: the schema and the page of reports have all ways.
func TestWaysAreDocumented(t *testing.T) {
	for file, form := range map[string]string{"report-schema.json": `"%v"`, "REPORTS.md": "`%v`"} {
		text, err := os.ReadFile("docs/" + file)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range fallback.Ways() {
			if !strings.Contains(string(text), fmt.Sprintf(form, w)) {
				t.Errorf("%s lacks %v", file, w)
			}
		}
	}
}
