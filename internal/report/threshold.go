package report

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/pattern"
)

// Threshold is a condition on a metric under which a run fails, as --fail-on has it:
// "bank.excess>1e6", or "transpose*:coalesce.efficiency<80" for some kernels.
type Threshold struct {
	text   string
	kernel *pattern.Pattern // nil for all
	metric *Metric
	over   func(a, b float64) bool
	limit  float64
}

// thresholdForm has kernels, metric, comparison and number.
var thresholdForm = regexp.MustCompile(`^(?:(.+):)?\s*([a-z_]+(?:\.[a-z_]+)?)\s*(>=|<=|>|<)\s*(\S+)\s*$`)

var comparisons = map[string]func(a, b float64) bool{
	">": func(a, b float64) bool { return a > b }, ">=": func(a, b float64) bool { return a >= b },
	"<": func(a, b float64) bool { return a < b }, "<=": func(a, b float64) bool { return a <= b },
}

// MetricError is a threshold on a metric that there is not.
type MetricError struct{ Name string }

func (e *MetricError) Error() string { return fmt.Sprintf("there is no metric %q", e.Name) }

// ParseThreshold reads a threshold. The error is a *MetricError if the metric is
// unknown.
func ParseThreshold(text string) (*Threshold, error) {
	m := thresholdForm.FindStringSubmatch(text)
	if m == nil {
		return nil, errors.New("want [KERNELS:]METRIC, one of > >= < <=, and a number, as in 'bank.excess>1e6'")
	}
	t := &Threshold{text: text, over: comparisons[m[3]]}
	if m[1] != "" {
		p, err := pattern.Compile(m[1])
		if err != nil {
			return nil, err
		}
		t.kernel = &p
	}
	i := slices.IndexFunc(metrics, func(x Metric) bool { return x.Name == m[2] })
	if i < 0 {
		return nil, &MetricError{m[2]}
	}
	t.metric = &metrics[i]
	var err error
	if t.limit, err = strconv.ParseFloat(m[4], 64); err != nil {
		return nil, fmt.Errorf("%q is not a number", m[4])
	}
	return t, nil
}

// Rule is the rule that has to run for the threshold, "" if any run will do.
func (t *Threshold) Rule() string { return t.metric.Rule }

// Check returns a line for each kernel of r that meets the threshold. Where there was
// nothing to compare it returns a line as well: that must not pass for a success.
func (t *Threshold) Check(r *Report) []string {
	if t.Rule() != "" && !slices.Contains(r.Tools, t.Rule()) {
		return []string{fmt.Sprintf("--fail-on '%s': the run did not check the rule %s", t.text, t.Rule())}
	}
	var out []string
	matched := false
	for _, k := range r.KernelMetrics() {
		if t.kernel != nil && !t.kernel.MatchKernel(k.Kernel) {
			continue
		}
		matched = true
		if v, ok := k.Values[t.metric.Name]; ok && t.over(v, t.limit) {
			out = append(out, fmt.Sprintf("--fail-on '%s': %s has %s = %s", t.text, k.Name, t.metric.Name, formatValue(v)))
		}
	}
	if t.kernel != nil && !matched {
		out = append(out, fmt.Sprintf("--fail-on '%s': no kernel that ran has such a name", t.text))
	}
	return out
}

// formatValue writes counts in full and other values with two decimals.
func formatValue(v float64) string {
	if v == float64(uint64(v)) {
		return strconv.FormatUint(uint64(v), 10)
	}
	return strings.TrimSuffix(strconv.FormatFloat(v, 'f', 2, 64), ".00")
}
