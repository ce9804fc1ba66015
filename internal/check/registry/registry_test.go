package registry

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/trace"
)

var update = flag.Bool("update", false, "write docs/RULES.md and docs/rules")

// TestRulePages keeps docs/RULES.md and docs/rules what the rules' values say.
func TestRulePages(t *testing.T) {
	const docs = "../../../docs/"
	var b strings.Builder
	b.WriteString("# Rules\n\nThese pages are generated from the rules' documentation, which `warpgrind explain --all RULE` prints as well.\n" +
		"Rules with a star run by default (without `--tool`).\n\n| rule | what it finds |\n| --- | --- |\n")
	for _, r := range All() {
		star := ""
		if r.Default {
			star = " *"
		}
		b.WriteString("| <a id=\"" + r.ID + "\"></a>[" + r.ID + "](rules/" + r.ID + ".md)" + star + " | " + r.Title + " |\n")
		hold(t, docs+"rules/"+r.ID+".md", report.Markdown(r.Rule))
	}
	hold(t, docs+"RULES.md", b.String())
	pages, err := os.ReadDir(docs + "rules")
	if err != nil || len(pages) != len(All()) {
		t.Errorf("%d pages of %d rules (%v)", len(pages), len(All()), err)
	}
}

// hold compares a page with what it has to be, or writes it.
func hold(t *testing.T, name, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(name)
	if err != nil || string(got) != want {
		t.Errorf("%s is not what the rules say (%v): go test ./internal/check/registry -update", name, err)
	}
}

// TestExplainIsShort: "warpgrind explain RULE" prints at most 40 lines
// before the example; what is longer belongs in Rule.More.
func TestExplainIsShort(t *testing.T) {
	for _, r := range All() {
		text, _, _ := strings.Cut(report.Explain(r.Rule, false), "\nExample:\n")
		if n := strings.Count(text, "\n"); n > 40 {
			t.Errorf("explain %s prints %d lines before the example", r.ID, n)
		}
		for _, line := range strings.Split(report.Explain(r.Rule, true), "\n") {
			if n := len([]rune(line)); n > 100 {
				t.Errorf("explain %s has a line of %d columns: %s", r.ID, n, line)
			}
		}
	}
}

func TestRulesAreComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range All() {
		if r.ID == "" || r.Title == "" || r.Doc == "" || r.Fix == "" || len(r.References) == 0 || !r.Runs() && !r.Looks() {
			t.Errorf("rule %q lacks documentation or a part that finds something", r.ID)
		}
		if seen[r.ID] {
			t.Errorf("two rules are called %q", r.ID)
		}
		seen[r.ID] = true
		if r.Runs() && r.New(check.Config{}) == nil {
			t.Errorf("rule %q makes no checker", r.ID)
		}
	}
}

func TestSelect(t *testing.T) {
	for tools, want := range map[string]string{
		"":              "race memory init sync hang launch assert",
		"default":       "race memory init sync hang launch assert",
		"bank":          "bank",
		"bank,race":     "race bank",
		"race, race":    "race",
		"default,bank":  "race memory init sync hang launch assert bank",
		"all":           "race memory init sync hang launch assert api bank coalesce constant divergence occupancy schedule",
		"rice":          "unknown tool \"rice\": want race, memory, init, sync, hang, launch, assert, api, bank, coalesce, constant, divergence, occupancy, schedule or all",
		"race,all,none": "unknown tool \"none\": want race, memory, init, sync, hang, launch, assert, api, bank, coalesce, constant, divergence, occupancy, schedule or all",
	} {
		rs, err := Select(tools)
		var ids []string
		for _, r := range rs {
			ids = append(ids, r.ID)
		}
		got := strings.Join(ids, " ")
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("Select(%q) = %q, want %q", tools, got, want)
		}
	}
}

// TestFaults sends each kind of fault to all rules: one of them reports it.
func TestFaults(t *testing.T) {
	site := &trace.Site{Loc: source.Location{Pos: source.Pos{File: "a.cu", Line: 3, Col: 7}}, PTX: "ld.global.u32 %r1, [%rd1];", PTXLine: 30}
	for _, tc := range []struct {
		fault trace.Fault
		want  string
	}{
		{trace.Fault{Kind: trace.FaultOutOfBounds, Space: trace.SpaceGlobal, Access: trace.Write, Addr: 0x1000, Size: 4, Mask: 3, Message: "write of 4 bytes out of bounds", Notes: []string{"nearest"}},
			"memory/out-of-bounds: write of 4 bytes out of bounds"},
		{trace.Fault{Kind: trace.FaultMisaligned, Space: trace.SpaceShared, Addr: 0x1001, Size: 4}, "memory/misaligned: misaligned read of 4 bytes at 0x1001 in shared memory"},
		{trace.Fault{Kind: trace.FaultReadOnly, Space: trace.SpaceConst, Access: trace.Write, Addr: 8, Size: 8}, "memory/read-only: read-only write of 8 bytes at 0x8 in const memory"},
		{trace.Fault{Kind: trace.FaultStack, Message: "stack overflow"}, "memory/stack: stack overflow"},
		{trace.Fault{Kind: trace.FaultDeadlock, Message: "no thread can continue"}, "sync/deadlock: no thread can continue"},
		{trace.Fault{Kind: trace.FaultBarrier}, "sync/barrier: barrier misused"},
		{trace.Fault{Kind: trace.FaultBudget, Message: "over budget"}, "hang/budget: over budget"},
		{trace.Fault{Kind: trace.FaultAssert, Message: "assertion i < n failed"}, "assert/assert: assertion i < n failed"},
		{trace.Fault{Kind: trace.FaultTrap}, "assert/trap: kernel stopped by trap"},
		{trace.Fault{Kind: trace.FaultFree, Message: "free of a pointer"}, "memory/invalid-free: free of a pointer"},
		{trace.Fault{Kind: trace.FaultDoubleFree, Message: "free of memory"}, "memory/double-free: free of memory"},
		{trace.Fault{Kind: trace.FaultUnsupported}, ""},
	} {
		tc.fault.Site, tc.fault.Block, tc.fault.Warp, tc.fault.Lane = site, 5, 1, 2
		var set finding.Set
		for _, r := range All() {
			if !r.Runs() {
				continue
			}
			c := r.New(check.Config{})
			l := &trace.Launch{Kernel: "_Z1kv", Grid: trace.Dim3{X: 4, Y: 2, Z: 1}, Block: trace.Dim3{X: 64, Y: 1, Z: 1}}
			var los []*trace.LaunchObserver
			if f := c.Observer().Launch; f != nil {
				los = f(l)
			}
			for _, lo := range los {
				if lo.Fault != nil {
					lo.Fault(&tc.fault)
				}
				if lo.End != nil {
					lo.End()
				}
			}
			set.AddAll(c.Findings())
		}
		got := ""
		for _, f := range set.Sorted() {
			got += f.Rule + "/" + f.Kind + ": " + f.Message
			if f.Level != finding.Error || f.KernelName != "k()" || f.Primary.Thread.Block != (finding.Coord{X: 1, Y: 1}) || f.Primary.Thread.Thread.X != 34 {
				t.Errorf("%s: %+v %v", got, f, f.Primary.Thread)
			}
		}
		if got != tc.want {
			t.Errorf("fault %d: got %q, want %q", tc.fault.Kind, got, tc.want)
		}
	}
}

func TestRejected(t *testing.T) {
	r, _ := Find("launch")
	c := r.New(check.Config{})
	l := c.Observer()
	for range 3 {
		l.Rejected(&trace.RejectedLaunch{Kernel: "_Z1kv", Grid: trace.Dim3{X: 1, Y: 1, Z: 1}, Block: trace.Dim3{X: 2048, Y: 1, Z: 1},
			Error: "cudaErrorInvalidConfiguration", Message: "2048 threads per block, at most 1024 on sm_80"})
	}
	l.Rejected(&trace.RejectedLaunch{Kernel: "_Z1kv", Error: "cudaErrorInvalidConfiguration", Message: "a grid of no blocks"})
	fs := c.Findings()
	if len(fs) != 2 || fs[0].Count+fs[1].Count != 4 || fs[0].Level != finding.Error {
		t.Fatalf("got %+v", fs)
	}
}
