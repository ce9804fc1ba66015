// Package config finds and reads .warpgrind.toml, the settings of a directory and what lies
// below it:
//
//	tool = "race,memory"               # flags of warpgrind by their names
//	suppressions = ["known.txt"]       # files beside it
//	[race-policy]
//	volatile = "allow"
//	[check]                            # for one command alone
//	arch = "sm_90"
//
// A file may come with a repository of somebody else's. It is read only if its user or root
// owns it, and which flags it may set is up to the command (cmd/warpgrind/config.go).
package config

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/warpgrind/warpgrind/internal/source"
)

// Name is the file's name.
const Name = ".warpgrind.toml"

// maxSize bounds a file, in bytes.
const maxSize = 1 << 20

// Setting is one key with its values; only a list has several.
type Setting struct {
	// Key is the path of the key: "check", "arch".
	Key    []string
	Values []string
	List   bool
	At     source.Pos
}

// Name is the key as it is written.
func (s *Setting) Name() string { return strings.Join(s.Key, ".") }

// File is one file, whose settings hold for its directory.
type File struct {
	Path     string
	Settings []Setting
}

// Untrusted is the error for a file that another user could have written.
type Untrusted struct{ Path, Why string }

func (e *Untrusted) Error() string { return e.Path + ": ignored: " + e.Why }

// Find reads the files of dir and the directories above it, outermost first. The search ends
// at the root of a repository (a directory with .git) and at the user's home. What is not
// trusted is left out, and its reason is among the warnings.
func Find(dir, home string) (files []*File, warnings []error, err error) {
	for {
		f, err := Read(filepath.Join(dir, Name))
		var untrusted *Untrusted
		switch {
		case errors.As(err, &untrusted):
			warnings = append(warnings, err)
		case errors.Is(err, os.ErrNotExist):
		case err != nil:
			return nil, warnings, err
		default:
			files = append([]*File{f}, files...)
		}
		up := filepath.Dir(dir)
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil || dir == home || up == dir {
			return files, warnings, nil
		}
		dir = up
	}
}

// Read reads one file.
func Read(path string) (*File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	switch {
	case errors.Is(err, syscall.ELOOP):
		return nil, &Untrusted{path, "it is a symbolic link"}
	case err != nil:
		return nil, err
	}
	defer f.Close()
	if err := trusted(f); err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(f, maxSize+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxSize {
		return nil, fmt.Errorf("%s: more than 1 MiB", path)
	}
	settings, err := parse(path, text)
	return &File{Path: path, Settings: settings}, err
}

// trusted reports whether only this user and root can have written a file: the rule of git's
// safe.directory, for the file and its directory.
func trusted(f *os.File) error {
	dir := filepath.Dir(f.Name())
	for _, x := range []struct {
		path string
		stat func() (os.FileInfo, error)
	}{{f.Name(), f.Stat}, {dir, func() (os.FileInfo, error) { return os.Stat(dir) }}} {
		info, err := x.stat()
		if err != nil {
			return err
		}
		st := info.Sys().(*syscall.Stat_t)
		switch {
		case x.path == f.Name() && !info.Mode().IsRegular():
			return &Untrusted{f.Name(), "it is not a regular file"}
		case st.Uid != 0 && int(st.Uid) != os.Geteuid():
			return &Untrusted{f.Name(), "another user owns " + x.path}
		case info.Mode().Perm()&0o002 != 0 && info.Mode()&os.ModeSticky == 0:
			return &Untrusted{f.Name(), "every user can write " + x.path}
		}
	}
	return nil
}

// parse reads the settings of a file. Errors have file and line.
func parse(path string, text []byte) ([]Setting, error) {
	var all map[string]any // for what the parser below does not look at, such as keys given twice
	if err := toml.Unmarshal(text, &all); err != nil {
		var d *toml.DecodeError
		if errors.As(err, &d) {
			line, _ := d.Position()
			return nil, fmt.Errorf("%s:%d: %s", path, line, strings.TrimPrefix(d.Error(), "toml: "))
		}
		return nil, fmt.Errorf("%s: %s", path, strings.TrimPrefix(err.Error(), "toml: "))
	}
	var p unstable.Parser
	p.Reset(text)
	var out []Setting
	var table []string
	for p.NextExpression() {
		e := p.Expression()
		key, line := keyOf(&p, e)
		at := source.Pos{File: path, Line: line}
		switch e.Kind {
		case unstable.Table:
			table = key
		case unstable.KeyValue:
			s := Setting{Key: append(append([]string(nil), table...), key...), At: at}
			if err := s.take(e.Value()); err != nil {
				return nil, fmt.Errorf("%s:%d: %s: %w", path, line, s.Name(), err)
			}
			out = append(out, s)
		default:
			return nil, fmt.Errorf("%s:%d: want key = value", path, line)
		}
	}
	return out, p.Error()
}

// keyOf is the key of a table or a setting, and its line.
func keyOf(p *unstable.Parser, e *unstable.Node) (key []string, line int) {
	for it := e.Key(); it.Next(); {
		n := it.Node()
		if line == 0 {
			line = p.Shape(n.Raw).Start.Line
		}
		key = append(key, string(n.Data))
	}
	return key, line
}

// take reads the value of a setting.
func (s *Setting) take(v *unstable.Node) error {
	switch v.Kind {
	case unstable.String, unstable.Bool, unstable.Integer, unstable.Float:
		s.Values = append(s.Values, string(v.Data))
		return nil
	case unstable.Array:
		s.List = true
		for it := v.Children(); it.Next(); {
			if it.Node().Kind != unstable.String {
				return errors.New("want a list of strings")
			}
			s.Values = append(s.Values, string(it.Node().Data))
		}
		return nil
	}
	return errors.New("want a string, a number, true, false or a list of strings")
}
