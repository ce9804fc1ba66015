package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/warpgrind/warpgrind/internal/suite"
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

// sanitizer parses a command line of compute-sanitizer.
func sanitizer(t *testing.T, line string) (*sanitizerFlags, []string, error) {
	t.Helper()
	var s sanitizerFlags
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	s.add(f)
	if err := f.Parse(joinToggles(strings.Fields(line))); err != nil {
		t.Fatal(err)
	}
	if err := s.check(); err != nil {
		return nil, nil, err
	}
	args, err := s.arguments(f.Args())
	return &s, args, err
}

func TestSanitizerArguments(t *testing.T) {
	_, got, err := sanitizer(t, "--tool racecheck --kernel-name kns=scan --log-file log%q{RANK}%% --error-exitcode 1 --leak-check full --padding 512 --print-limit 0 ./app -x -- y")
	want := "--quiet --tool racecheck --api-errors all --color never --error-exitcode 1 --print-limit 0 --launch-skip 0 --launch-count 0 --leak-check full --padding 512 --jobs 0 --format compute-sanitizer=log%q{RANK}%% --kernel regex:(?:scan) ./app -- -x -- y"
	if err != nil || strings.Join(got, " ") != want {
		t.Errorf("got %v, %v", got, err)
	}
	for line, want := range map[string]string{
		"--tool memcheck --report-api-errors no app": "--tool memcheck --",
		"app": "--tool memcheck,api --",
		"--tool racecheck --racecheck-deadlock-timeout 100 app":                   "--tool racecheck,hang,sync --",
		"--track-unused-memory yes --tool initcheck app":                          "--unused-memory 0 ",
		"--tool=initcheck --track-unused-memory --unused-memory-threshold 50 app": "--unused-memory 50 ",
		"--kernel-name-exclude kns=delta,kne=_Z5gammaPi app":                      "--kernel-exclude regex:(?:delta)|(?:^_Z5gammaPi$) ",
		"--kernel-name regex=a{1,2},kns --kernel-regex kns=b app":                 "--kernel regex:(?:a{1,2},kns)|(?:b) ",
		"--xml yes --save out.xml app":                                            "--format sanitizer-xml=out.xml ",
		"-c 3 -s 2 app --xml":                                                     "app -- --xml",
	} {
		if _, got, err := sanitizer(t, line); err != nil || !strings.Contains(strings.Join(got, " "), want) {
			t.Errorf("%s: %v, %v, want %q", line, got, err, want)
		}
	}
	for line, want := range map[string]string{
		"--tool x app": `--tool "x": want`, "--kernel-name scan app": "want kne=NAME", "--report-api-errors some app": "want all", "--xml app": "--xml needs --save",
		"--log-file a%x app": "%x is none of", "--tool memcheck": "no application", "--generate-coredump app": "no GPU whose state", "--mode attach app": "cannot be attached to",
		"--unused-memory-threshold 101 app": "want 0 to 100",
	} {
		if _, _, err := sanitizer(t, line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
}

// manualOptions are all options of the Compute Sanitizer User Manual, "Command Line Options".
var manualOptions = strings.Fields(`check-device-heap check-bulk-copy check-exit-code check-optix-leaks check-warpgroup-mma coredump-behavior
	coredump-name demangle destroy-on-device-error dump-kernel-launches error-exitcode force-blocking-launches force-synchronization-limit
	generate-coredump help ignore-getprocaddress-notfound injection-path injection-path32 kernel-name kernel-name-exclude language
	launch-count launch-skip launch-timeout log-file max-connections kill mode num-callers-device num-callers-host num-cuda-barriers nvtx
	port prefix preload-library print-level print-limit print-session-details quiet read require-cuda-init save save-session-details
	strip-paths support-32bit suppressions target-processes target-processes-filter tool version xml show-backtrace backtrace-short
	check-cache-control detect-missing-module-unload leak-check padding report-api-errors report-device-side-allocation-failure
	track-stream-ordered-races racecheck-continue-on-deadlock racecheck-deadlock-timeout racecheck-detect-level racecheck-filter-cluster-id
	racecheck-memcpy-async racecheck-num-workers racecheck-report racecheck-trace-sync check-api-memory-access check-optix
	initcheck-address-space track-unused-memory unused-memory-threshold unused-shared-memory-report-limit missing-barrier-init-is-fatal`)

// TestSanitizerOptions: each option of the manual is accepted or refused with a reason, and
// the page says which.
func TestSanitizerOptions(t *testing.T) {
	page, err := os.ReadFile("../../docs/SANITIZER.md")
	if err != nil {
		t.Fatal(err)
	}
	cmd := (&command{}).sanitizerCommand()
	cmd.InitDefaultHelpFlag()
	for _, name := range manualOptions {
		if cmd.Flags().Lookup(name) == nil {
			t.Errorf("--%s is unknown", name)
		}
		if !regexp.MustCompile("`--" + name + `\b[^-]`).Match(page) {
			t.Errorf("docs/SANITIZER.md has nothing on --%s", name)
		}
	}
}

func TestFileNames(t *testing.T) {
	for _, name := range []string{"TEST_TARGET", "PYTEST_CURRENT_TEST", "TEST_RUN_NUMBER"} {
		t.Setenv(name, "")
	}
	t.Setenv("RANK", "3")
	n := naming{shard: suite.Shard{Index: 1, Count: 4}, program: []string{"dir/app.cu", "a b"}}
	for name, want := range map[string]string{
		"": "", "a.json": "a.json", "a%q{RANK}-%n%%": "a3-1%", "%t.json": "app.cu-a-b.json", "r-%p": fmt.Sprint("r-", os.Getpid()),
	} {
		if got, err := n.file("output", name); err != nil || got != want {
			t.Errorf("%s is %q, %v; want %q", name, got, err, want)
		}
	}
	for _, bad := range []string{"%", "a%x", "%q", "%q{"} {
		if got, err := n.file("output", bad); err == nil {
			t.Errorf("%s is %q, want an error", bad, got)
		}
	}
	t.Setenv("PYTEST_CURRENT_TEST", "tests/test_a.py::test_b[1-2] (call)")
	if j := n.job(); j == nil || j.Name != "tests/test_a.py::test_b[1-2] (shard 2/4)" || j.ID != "" {
		t.Errorf("the job is %+v", j)
	}
	if n.test = "mine"; n.job().ID == "" {
		t.Error("a named test has no ID")
	}
	one := n.inDirectory("d")
	t.Setenv("SHLVL", "77")
	if two := n.inDirectory("d"); two != one {
		t.Errorf("%s and %s differ from shell to shell", one, two)
	}
	t.Setenv("MODE", "2")
	if two := n.inDirectory("d"); two == one {
		t.Errorf("tests with different environments share %s", one)
	}
}
