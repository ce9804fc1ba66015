package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/suite"
)

// naming is what the names of output files can have in them.
type naming struct {
	// test is --test, the name of the test in merged reports; "" for that of the environment.
	test string
	// jobFlag is --job: of a job of a plan what its result is to name; see suite.Job.Flag.
	jobFlag string
	planned *report.Job
	suite   []report.Suite
	// shardFlag is --shard.
	shardFlag string
	// shard is the shard that this process does, program the program with its arguments; set by about.
	shard   suite.Shard
	program []string
}

// about completes n with what runs.
func (n *naming) about(run *report.Run) (err error) {
	n.program = slices.Concat(run.Program, run.Args)
	if n.jobFlag != "" {
		j, of, err := suite.ParseJob(n.jobFlag)
		if err != nil {
			return usage(err)
		}
		n.planned = &report.Job{ID: j.ID, Name: j.Name, Suite: of.Suite}
		n.suite = []report.Suite{{ID: of.Suite, Jobs: of.Count}}
		n.shard = suite.Shard{Count: 1}
	}
	if n.shard.Count == 0 {
		n.shard, err = suite.ProgramShard(n.shardFlag)
	}
	if err != nil {
		return usage(err)
	}
	if n.shardFlag != "" {
		for _, v := range n.shard.Environment() {
			err = errors.Join(err, os.Setenv(v[0], v[1]))
		}
	}
	return err
}

// name is the test's: --test, that of Bazel or pytest, or the program with its arguments.
func (n *naming) name() string {
	if name := n.given(); name != "" {
		return name
	}
	if len(n.program) == 0 {
		return "warpgrind"
	}
	return strings.Join(append([]string{filepath.Base(n.program[0])}, n.program[1:]...), " ")
}

// given is the name that the user or a test framework has given, "" for none.
func (n *naming) given() string {
	if n.test != "" {
		return n.test
	}
	if name := os.Getenv("TEST_TARGET"); name != "" {
		if run := os.Getenv("TEST_RUN_NUMBER"); run != "" {
			name += " (run " + run + ")"
		}
		return name
	}
	name := os.Getenv("PYTEST_CURRENT_TEST") // "test_a.py::test_b (call)"
	if i := strings.LastIndex(name, " ("); i > 0 {
		name = name[:i]
	}
	return name
}

// job is what a merged report calls the run, nil where it is to find a name itself. Only a name
// from --test means the same work in each run.
func (n *naming) job() *report.Job {
	if n.planned != nil {
		return n.planned
	}
	name := n.given()
	if name == "" {
		return nil
	}
	if !n.shard.Whole() {
		name += " (shard " + n.shard.String() + ")"
	}
	j := &report.Job{Name: name}
	if n.test != "" {
		j.ID = digest(name)
	}
	return j
}

// suites says of which shards the report is.
func (n *naming) suites() []report.Suite {
	if n.shard.Whole() {
		return n.suite
	}
	return []report.Suite{{ID: n.name(), Count: n.shard.Count, Have: []int{n.shard.Index}}}
}

func digest(words ...string) string {
	h := sha256.New()
	for _, w := range words {
		fmt.Fprintf(h, "%q\n", w)
	}
	return hex.EncodeToString(h.Sum(nil)[:6])
}

// file fills in a file's name: %p is the process, %n the index of the shard from 0, %t the
// test's name, %q{NAME} a variable of the environment and %% a percent sign.
func (n *naming) file(option, s string) (string, error) {
	if _, err := namePattern(option, s); err != nil {
		return "", err
	}
	return escape.ReplaceAllStringFunc(s, func(m string) string {
		switch m {
		case "%%":
			return "%"
		case "%p":
			return strconv.Itoa(os.Getpid())
		case "%n":
			return strconv.Itoa(n.shard.Index)
		case "%t":
			return asFileName(n.name())
		}
		return os.Getenv(m[3 : len(m)-1])
	}), nil
}

// escape matches a placeholder in a file name.
var escape = regexp.MustCompile(`%(q\{\w*\}|.?)`)

// namePattern returns s in its shortest form if file takes it.
func namePattern(option, s string) (string, error) {
	for _, m := range escape.FindAllString(s, -1) {
		if !strings.HasPrefix(m, "%q{") && !slices.Contains([]string{"%%", "%p", "%n", "%t"}, m) {
			return s, usage(fmt.Errorf("--%s %q: %s is none of %%p, %%n, %%t, %%q{NAME} and %%%%", option, s, m))
		}
	}
	return filepath.Clean(s), nil
}

// maxTestName bounds a test's name in a file's, in bytes.
const maxTestName = 80

// asFileName is a name with what file names may have on all systems.
func asFileName(name string) string {
	name = strings.Trim(strings.Map(func(r rune) rune {
		if r < 0x80 && (strings.ContainsRune("._+=-", r) || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z') {
			return r
		}
		return '-'
	}, name), "-.")
	if name == "" {
		return "test"
	}
	return name[:min(len(name), maxTestName)]
}

// ofTerminals are the beginnings of variables of the environment that differ from one terminal or
// job to the next and not from test to test.
var ofTerminals = []string{"_=", "SHLVL=", "OLDPWD=", "PWD=", "TERM", "COLUMNS=", "LINES=", "SSH_", "DISPLAY=", "WINDOW", "XDG_", "DBUS_", "TMUX", "STY=",
	"VTE_", "COLORTERM=", "LS_COLORS=", "PYTEST_CURRENT_TEST=", "INVOCATION_ID=", "JOURNAL_STREAM="}

// inDirectory is the file for the result in a directory that results of many programs go to. The
// same test has the same file each time; tests that differ in their environment alone have not.
func (n *naming) inDirectory(dir string) string {
	words := slices.Concat([]string{n.name(), n.shard.String()}, n.program)
	if wd, err := os.Getwd(); err == nil {
		words = append(words, wd)
	}
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		return slices.ContainsFunc(ofTerminals, func(p string) bool { return strings.HasPrefix(v, p) })
	})
	slices.Sort(env)
	return filepath.Join(dir, asFileName(n.name())+"-"+digest(slices.Concat(words, env)...)+".json")
}
