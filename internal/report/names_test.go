package report

import (
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/finding"
)

func TestShortNames(t *testing.T) {
	const policy = "detail::Policy<int, 128, 8, (detail::Order)1, detail::Traits<float> >"
	long := func(op, n string) string {
		return "cub::Kernel<" + policy + ", float*, detail::Wrapper<std::integral_constant<int, 7>, " + op + ">, " + n + ">(float*, int)"
	}
	for _, tc := range []struct{ in, want []string }{
		{[]string{"scan<int>(int*)", "scan<float>(float*)"}, []string{"scan<int>(int*)", "scan<float>(float*)"}},
		{[]string{long("plus", "4")}, []string{"cub::Kernel<...>"}},
		{[]string{long("plus", "4"), long("plus", "8")}, []string{"cub::Kernel<..., 4>", "cub::Kernel<..., 8>"}},
		{[]string{long("plus", "4"), long("minus", "4")},
			[]string{"cub::Kernel<..., detail::Wrapper<..., plus>, ...>", "cub::Kernel<..., detail::Wrapper<..., minus>, ...>"}},
		{[]string{"(anonymous namespace)::" + long("plus", "4")}, []string{"(anonymous namespace)::cub::Kernel<...>"}},
		{[]string{"a<" + strings.Repeat("x", 100)}, []string{"a<" + strings.Repeat("x", 100)}},
		{[]string{strings.Repeat("k", 120) + "(int*)"}, []string{strings.Repeat("k", 120) + "(int*)"}},
	} {
		var fs []*finding.Finding
		for _, name := range tc.in {
			fs = append(fs, &finding.Finding{KernelName: name})
		}
		n := shortNames(kernelNames(fs, nil))
		for i, name := range tc.in {
			if got := n.of(name); got != tc.want[i] {
				t.Errorf("%s: %s, want %s", name, got, tc.want[i])
			}
		}
	}
}

// TestTextFoldsNames shows a template's name in text, the whole of it on request and in JSON.
func TestTextFoldsNames(t *testing.T) {
	a, b := mend("_Z1k", "s", 10, 12, "atomic"), mend("_Z1l", "s", 10, 12, "atomic")
	arg := strings.Repeat("detail::", 20)
	a.KernelName, b.KernelName = "k<"+arg+"A>(int*)", "k<"+arg+"B>(int*)"
	r := &Report{Findings: Group([]*finding.Finding{a, b}, rules)}
	text := render(t, "text", r, Options{Width: 400})
	if !strings.Contains(text, "in kernel k<"+arg+"A>,") || !strings.Contains(text, "also in kernel k<"+arg+"B>\n") {
		t.Errorf("the arguments that differ are missing:\n%s", text)
	}
	r = &Report{Findings: Group([]*finding.Finding{a}, rules)}
	if text := render(t, "text", r, Options{Width: 400}); !strings.Contains(text, "in kernel k<...>,") {
		t.Errorf("not folded:\n%s", text)
	}
	if text := render(t, "text", r, Options{Width: 400, FullNames: true}); !strings.Contains(text, a.KernelName) {
		t.Errorf("not whole:\n%s", text)
	}
	if text := render(t, "json", r, Options{}); !strings.Contains(text, a.KernelName) {
		t.Errorf("JSON has no whole name:\n%s", text)
	}
}

// TestTextFoldsNamesInProse shows short names of the kernels that a finding's sentences name; which ones these are, the finding says.
func TestTextFoldsNamesInProse(t *testing.T) {
	arg := strings.Repeat("detail::", 20)
	first, then := "k<"+arg+"A, 1>", "k<"+arg+"A, 2>"
	f := mend("_Z1k", "s", 10, 12, "atomic")
	f.KernelName, f.Named = then+"(int*)", []string{first, then}
	f.Message, f.Notes = "race with kernel "+first, []string{"kernel " + then + " may begin before kernel " + first + " ends"}
	f.Help = "call it in kernel " + first
	r := &Report{Findings: Group([]*finding.Finding{f}, rules), Limits: &Limits{Unsupported: []Limit{{Instruction: "x", KernelName: first, Count: 1}}}}
	text := render(t, "text", r, Options{Width: 400})
	for _, want := range []string{"race with kernel k<..., 1>\n", "kernel k<..., 2> may begin before kernel k<..., 1> ends\n", "call it in kernel k<..., 1>\n", "in kernel k<..., 2>,", "x in k<..., 1> ("} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q:\n%s", want, text)
		}
	}
	if text := render(t, "text", r, Options{Width: 400, FullNames: true}); !strings.Contains(text, f.Notes[0]) || !strings.Contains(text, f.Help) {
		t.Errorf("not whole:\n%s", text)
	}
	if text := render(t, "json", r, Options{}); !strings.Contains(text, "race with kernel k<"+arg) && !strings.Contains(text, `"named_kernels"`) {
		t.Errorf("JSON has no whole names:\n%s", text)
	}
}

func TestShortName(t *testing.T) {
	long := "a::kernel<" + strings.Repeat("b::type<int>, ", 10) + "3>(float*)"
	for name, want := range map[string]string{long: "a::kernel<...>", "kernel<int>(float*)": "kernel<int>(float*)", "kernel": "kernel"} {
		if got := ShortName(name); got != want {
			t.Errorf("ShortName(%q) = %q, want %q", name, got, want)
		}
	}
}
