package report

import (
	"errors"
	"strings"
	"testing"
)

// TestMetricNames holds each metric's name and rule together.
func TestMetricNames(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range Metrics() {
		rule, _, ok := strings.Cut(m.Name, ".")
		if ok != (m.Rule != "") || ok && rule != m.Rule || seen[m.Name] || m.Title == "" {
			t.Errorf("metric %+v", m)
		}
		seen[m.Name] = true
	}
}

func TestKernelMetrics(t *testing.T) {
	r, _ := pageReport()
	ks := r.KernelMetrics()
	if len(ks) != 2 || ks[0].Name != "k(int*)" || ks[1].Name != "l(int*)" {
		t.Fatalf("got %+v", ks)
	}
	for name, want := range map[string]float64{
		"launches": 1, "instructions": 100, "bank.excess": 56, "bank.worst": 32, "coalesce.per_request": 8,
		"coalesce.efficiency": 50, "divergence.efficiency": 75, "divergence.branches": 3,
	} {
		if got, ok := ks[0].Values[name]; !ok || got != want {
			t.Errorf("%s = %v, want %v", name, got, want)
		}
	}
	if _, ok := ks[1].Values["bank.excess"]; ok {
		t.Error("a kernel that the rule did not count has its metric")
	}
}

func TestThresholds(t *testing.T) {
	r, _ := pageReport()
	r.Tools = []string{"race", "bank", "coalesce", "divergence"}
	for _, tc := range []struct{ text, want string }{
		{"bank.excess>55", "k(int*) has bank.excess = 56"},
		{"bank.excess>56", ""},
		{"bank.excess >= 56", "k(int*) has bank.excess = 56"},
		{"coalesce.efficiency<50.5", "k(int*) has coalesce.efficiency = 50"},
		{"instructions>1e2", "l(int*) has instructions = 300"},
		{"k:instructions>1e2", ""},
		{"l*,m:instructions<=300", "l(int*) has instructions = 300"},
		{"nothing:instructions>1", "no kernel that ran has such a name"},
		{"constant.excess>1", "did not check the rule constant"},
	} {
		c, err := ParseThreshold(tc.text)
		if err != nil {
			t.Errorf("%s: %v", tc.text, err)
			continue
		}
		got := strings.Join(c.Check(r), "\n")
		if tc.want == "" && got != "" || !strings.Contains(got, tc.want) || strings.Contains(got, "\n") {
			t.Errorf("%s: %q, want %q", tc.text, got, tc.want)
		}
	}
	for _, text := range []string{"", "bank.excess", "bank.excess>", "bank.excess>x", ">5", "bank.excess=5", "regex:(:bank.excess>5", "bank.excess>1e6 5"} {
		if _, err := ParseThreshold(text); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
	var unknown *MetricError
	if _, err := ParseThreshold("bank.exces>5"); !errors.As(err, &unknown) || unknown.Name != "bank.exces" {
		t.Errorf("got %v", err)
	}
}
