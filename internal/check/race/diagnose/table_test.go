package diagnose

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestTable holds the table complete: each cause that is declared has a row, a clause for
// the top line and a mention in docs/RACES.md, and whatever the evidence is, some row
// decides the cause and the repair.
func TestTable(t *testing.T) {
	source, err := os.ReadFile("cause.go")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../../../docs/RACES.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[Cause]bool{}
	for i, r := range table {
		rows[r.cause] = true
		if (r.cause == "") != (r.reason == nil) || r.cause == "" && r.repair == nil {
			t.Errorf("row %d (%s) needs a cause with its reason, or a repair", i, r.cause)
		}
	}
	declared := regexp.MustCompile(`Cause = "([a-z-]+)"`).FindAllSubmatch(source, -1)
	if len(declared) < 20 {
		t.Fatalf("%d causes are declared, want all of them", len(declared))
	}
	for _, m := range declared {
		c := Cause(m[1])
		if !rows[c] {
			t.Errorf("%s has no row", c)
		}
		if clauses[c] == "" {
			t.Errorf("%s has no clause for the top line", c)
		}
		if !strings.Contains(string(page), "`"+string(c)+"`") {
			t.Errorf("docs/RACES.md does not mention %s", c)
		}
	}
	if last := table[len(table)-1]; last.cause != "" || !last.when(nil) {
		t.Error("the last row has to be a repair for whatever is left")
	}
}
