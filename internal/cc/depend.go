package cc

import (
	"path/filepath"
	"strings"

	"github.com/warpgrind/warpgrind/internal/clang"
	"github.com/warpgrind/warpgrind/internal/userfile"
)

// writeDepend writes what an output was made from, in a Makefile's syntax, if
// the command line asks for it (-MD, -MMD).
func (d *driver) writeDepend(output string, p *clang.Product) error {
	dep := d.cmd.Depend
	if !dep.Write {
		return nil
	}
	file := dep.File
	if file == "" {
		file = strings.TrimSuffix(output, filepath.Ext(output)) + ".d"
	}
	targets := dep.Targets
	if len(targets) == 0 {
		targets = []string{output}
	}
	files := p.Files
	if dep.NoSystem {
		files = d.userFiles(files)
	}
	return userfile.Write(file, []byte(rule(targets, files, dep.Phony)))
}

// userFiles leaves out the headers of the system and of CUDA.
func (d *driver) userFiles(files []string) []string {
	system := []string{"/usr/include/", "/usr/lib/", d.tc.ResourceDir + "/"}
	if include, err := clang.Headers(); err == nil {
		system = append(system, include+"/")
	}
	for i, w := range d.flags.Both {
		if w == "-isystem" && i+1 < len(d.flags.Both) {
			system = append(system, strings.TrimSuffix(d.flags.Both[i+1], "/")+"/")
		}
	}
	var out []string
	for _, f := range files {
		if !hasAnyPrefix(filepath.Clean(f), system) {
			out = append(out, f)
		}
	}
	return out
}

func hasAnyPrefix(s string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// rule writes a rule, with one for each header if phony.
func rule(targets, files []string, phony bool) string {
	var b strings.Builder
	b.WriteString(strings.Join(targets, " ") + ":")
	for _, f := range files {
		b.WriteString(" \\\n  " + makeQuote(f))
	}
	b.WriteString("\n")
	for i, f := range files {
		if phony && i > 0 {
			b.WriteString("\n" + makeQuote(f) + ":\n")
		}
	}
	return b.String()
}

// makeQuote escapes what make would take as syntax.
func makeQuote(name string) string {
	return strings.NewReplacer(" ", `\ `, "#", `\#`, "$", "$$").Replace(name)
}
