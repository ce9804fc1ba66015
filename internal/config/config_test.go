package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"tool = 'race'\n\nwatch-all = true\njobs = 4 # four":    "tool=[race]@1 watch-all=[true]@3 jobs=[4]@4",
		"suppressions = [\n 'a',\n 'b',\n]":                     "suppressions=[a b]@1",
		"[check]\narch = \"sm_90\"\n[race-policy]\nhost='info'": "check.arch=[sm_90]@2 race-policy.host=[info]@4",
		"check.arch = 'sm_90'":                                  "check.arch=[sm_90]@1",
		"\ntool = ":                                             "f:2:",
		"tool = 'a'\ntool = 'b'":                                "f:2:",
		"tool = {a = 1}":                                        "f:1: tool: want a string",
		"a = [1, 2]":                                            "f:1: a: want a list of strings",
		"\n[[check]]\narch='sm_80'":                             "f:2: want key = value",
		"when = 2020-01-01":                                     "f:1: when: want a string",
	} {
		got := ""
		settings, err := parse("f", []byte(text))
		if err != nil {
			got = err.Error()
		}
		for _, s := range settings {
			got += fmt.Sprintf(" %s=%v@%d", s.Name(), s.Values, s.At.Line)
		}
		if got = strings.TrimSpace(got); !strings.HasPrefix(got, want) || err == nil && got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// TestFind reads upwards to the root of the repository, and trusts no one else's files.
func TestFind(t *testing.T) {
	top := t.TempDir()
	repo := filepath.Join(top, "repo")
	deep := filepath.Join(repo, "a", "b")
	write(t, filepath.Join(top, Name), "tool = 'outside'")
	write(t, filepath.Join(repo, Name), "tool = 'repo'")
	write(t, filepath.Join(deep, Name), "tool = 'deep'")
	if err := os.Mkdir(filepath.Join(repo, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	check := func(home, want string) {
		t.Helper()
		files, warnings, err := Find(deep, home)
		var got []string
		for _, f := range files {
			got = append(got, f.Settings[0].Values...)
		}
		if err != nil || strings.Join(got, " ")+fmt.Sprint(len(warnings)) != want {
			t.Errorf("got %v, %v, %v, want %s", got, warnings, err, want)
		}
	}
	check("", "repo deep0")
	check(deep, "deep0")
	if err := os.Chmod(filepath.Join(deep, Name), 0o666); err != nil {
		t.Fatal(err)
	}
	check("", "repo1")
	if err := os.Remove(filepath.Join(deep, Name)); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(top, Name), filepath.Join(deep, Name)); err != nil {
		t.Fatal(err)
	}
	check("", "repo1")
	if os.Geteuid() != 0 {
		return
	}
	if err := os.Chown(filepath.Join(repo, Name), 65534, 65534); err != nil {
		t.Fatal(err)
	}
	check("", "2")
	_, err := Read(filepath.Join(repo, Name))
	var untrusted *Untrusted
	if !errors.As(err, &untrusted) || !strings.Contains(err.Error(), "another user owns") {
		t.Errorf("%v", err)
	}
}

// TestReadRefuses reads what is not a file of settings, or too long for one.
func TestReadRefuses(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	long := filepath.Join(dir, "long")
	write(t, long, strings.Repeat("#\n", maxSize/2)+"\n")
	for path, want := range map[string]string{pipe: "not a regular file", long: "more than 1 MiB"} {
		if _, err := Read(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", filepath.Base(path), err, want)
		}
	}
	write(t, long, strings.Repeat("#\n", maxSize/2))
	if _, err := Read(long); err != nil {
		t.Error(err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("a = ['b']\n[c]\nd.e = 1"))
	f.Fuzz(func(_ *testing.T, text []byte) { _, _ = parse("f", text) })
}
