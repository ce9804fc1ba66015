package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/warpgrind/warpgrind/internal/fix"
	"github.com/warpgrind/warpgrind/internal/repair"
	"github.com/warpgrind/warpgrind/internal/session"
	"github.com/warpgrind/warpgrind/internal/userfile"
	"github.com/warpgrind/warpgrind/internal/visible"
)

// patchFlags are the flags of the commands that patch sources.
type patchFlags struct {
	formats    []string // of which the first is a diff
	format     string
	apply, ask bool
}

// add adds the flags; help is that of --format.
func (p *patchFlags) add(f *pflag.FlagSet, help string) {
	f.BoolVar(&p.apply, "apply", false, "write the patches into the files")
	f.BoolVarP(&p.ask, "interactive", "i", false, "show each patch and ask whether to write it into the\nfiles; the program gets no input")
	f.StringVar(&p.format, "format", p.formats[0], help)
}

// configure sets where the program reads and writes, and returns who chooses among the patches,
// nil for all.
func (p *patchFlags) configure(c *command, cfg *session.Config) (fix.Choose, error) {
	if !slices.Contains(p.formats, p.format) {
		last := len(p.formats) - 1
		return nil, usage(fmt.Errorf("--format %q: want %s or %s", p.format, strings.Join(p.formats[:last], ", "), p.formats[last]))
	}
	cfg.Stdin, cfg.Stdout, cfg.Stderr = c.stdin, c.stderr, c.stderr
	if !p.ask {
		return nil, nil
	}
	if p.format != p.formats[0] {
		return nil, usage(errors.New("--interactive takes no --format"))
	}
	p.apply, cfg.Stdin = true, nil
	return c.ask(), nil
}

// write writes the patched files, if they are to be.
func (p *patchFlags) write(files []repair.Changed) error {
	if !p.apply {
		return nil
	}
	for _, f := range files {
		if err := writeKept(f.File, f.Before, f.After); err != nil {
			return usage(err)
		}
	}
	return nil
}

// writeKept writes a file that still has the text that it was read with.
func writeKept(file, before, after string) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	if now, err := userfile.Read(file); err != nil {
		return err
	} else if string(now) != before {
		return fmt.Errorf("%s was changed meanwhile: nothing is written to it", file)
	}
	return os.WriteFile(file, []byte(after), info.Mode().Perm())
}

// ask asks the user about each patch.
func (c *command) ask() fix.Choose {
	in := bufio.NewReader(c.stdin)
	all, none := false, false
	return func(o *repair.Offer) (bool, error) {
		if all || none {
			return all, nil
		}
		fmt.Fprintln(c.stderr, visible.Log(o.Why))
		var diff strings.Builder
		if err := o.Diff(&diff, workingDir()); err != nil {
			return false, err
		}
		fmt.Fprint(c.stderr, visible.Log(diff.String()))
		for {
			_, _ = visible.Fprintf(c.stderr, "%s [y,n,a,q,?]? ", o.What)
			line, err := in.ReadString('\n')
			switch answer := strings.TrimSpace(line); {
			case answer == "y":
				return true, nil
			case answer == "n":
				return false, nil
			case answer == "a":
				all = true
				return true, nil
			case answer == "q" || err != nil: // also at the end of the input
				none = true
				return false, nil
			}
			fmt.Fprintln(c.stderr, "y: write this patch; n: do not; a: write this and all others; q: write this and all others not")
		}
	}
}
