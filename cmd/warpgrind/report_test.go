package main

import (
	"fmt"
	"strings"
	"testing"
)

func TestOutputsResolve(t *testing.T) {
	for _, tc := range []struct {
		formats, files []string
		want           string // format=file of each target, or the error
	}{
		{nil, nil, "text="},
		{nil, []string{"a.html", "-"}, "html=a.html text="},
		{nil, []string{"a.xml", "b.SARIF", "c.json", "d"}, "junit=a.xml sarif=b.SARIF json=c.json text=d"},
		{[]string{"json"}, []string{"x"}, "json=x"},
		{[]string{"text", "sarif=a=b", "junit"}, []string{"-", "j"}, "text= sarif=a=b junit=j"},
		{[]string{"text", "json"}, nil, "two formats go to standard output; give each --format its -o FILE"},
		{[]string{"json=a", "sarif=a"}, nil, "two formats go to a"},
		{[]string{"yaml"}, nil, `--format "yaml": want`},
	} {
		o := outputs{formats: tc.formats, files: tc.files}
		got := ""
		if err := o.resolve(); err != nil {
			got = err.Error()
		} else {
			for _, x := range o.targets {
				got += fmt.Sprintf(" %s=%s", x.format, x.file)
			}
			got = got[1:]
		}
		if got != tc.want && !(strings.HasSuffix(tc.want, "want") && strings.HasPrefix(got, tc.want)) {
			t.Errorf("%v %v: got %q, want %q", tc.formats, tc.files, got, tc.want)
		}
	}
}

func TestTranslateTools(t *testing.T) {
	for _, tc := range []struct {
		in, want string
		found    bool
	}{
		{"racecheck", "race", true}, {"memcheck, bank", "memory,launch,assert,hang, bank", true}, {"race", "race", false}, {"", "", false},
	} {
		if got, found := translateTools(tc.in); got != tc.want || found != tc.found {
			t.Errorf("translateTools(%q) = %q, %v", tc.in, got, found)
		}
	}
}

func TestSanitizerArguments(t *testing.T) {
	t.Setenv("RANK", "3")
	s := sanitizerFlags{tool: "racecheck", kernel: "kns=scan", logFile: "log%q{RANK}", exitCode: 1, leaks: "full", padding: 512}
	got, err := s.arguments([]string{"./app", "-x", "--", "y"})
	want := "--quiet --tool racecheck --format compute-sanitizer=log3 --color never --error-exitcode 1 --print-limit 0 --launch-skip 0 --launch-count 0 --leak-check full --padding 512 --kernel *scan* ./app -- -x -- y"
	if err != nil || strings.Join(got, " ") != want {
		t.Errorf("got %v, %v", got, err)
	}
	for tool, want := range map[string]string{"memcheck": "memcheck,api", "racecheck": "racecheck"} {
		if got, err := (&sanitizerFlags{tool: tool, api: "explicit"}).tools(); err != nil || got != want {
			t.Errorf("--tool %s --report-api-errors explicit: %q, %v, want %q", tool, got, err, want)
		}
	}
	for _, s := range []sanitizerFlags{{tool: "x"}, {tool: "memcheck", kernel: "scan"}, {tool: "memcheck", api: "some"}} {
		if _, err := s.arguments([]string{"./app"}); err == nil {
			t.Errorf("%+v: no error", s)
		}
	}
}
