package cc

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/warpgrind/warpgrind/internal/nvcc"
)

// The lines of --verbose and --dryrun begin with "#$ ". Build systems read
// them: CMake takes the toolkit's folder from TOP, the default architecture
// from cicc's -arch, and the linker with its libraries from the line that
// holds what LIBRARIES says.

// printSettings prints the variables.
func (d *driver) printSettings(ctx context.Context) error {
	home, err := d.home(ctx)
	if err != nil {
		return err
	}
	for _, v := range [][2]string{
		{"_NVVM_BRANCH_", "nvvm"}, {"_SPACE_", " "}, {"_CUDART_", "cudart"},
		{"_HERE_", filepath.Join(home.Dir, "bin")}, {"_THERE_", filepath.Join(home.Dir, "bin")}, {"TOP", home.Dir},
		{"NVVMIR_LIBRARY_DIR", filepath.Join(home.Dir, "nvvm", "libdevice")}, {"PATH", os.Getenv("PATH")},
		{"INCLUDES", quoted("-I" + home.Include())}, {"SYSTEM_INCLUDES", ""},
		{"LIBRARIES", quoted("-L"+filepath.Join(home.Lib(), "stubs")) + " " + quoted("-L"+home.Lib())},
	} {
		fmt.Fprintf(d.Stderr, "#$ %s=%s\n", v[0], v[1])
	}
	for _, in := range d.cmd.Inputs {
		if in.Lang == nvcc.CUDA {
			d.step([]string{"cicc", "-arch", fmt.Sprintf("compute_%d", d.sm), in.Path})
		}
	}
	return nil
}

// printLink prints how the program would be linked.
func (d *driver) printLink(ctx context.Context) error {
	home, err := d.home(ctx)
	if err != nil || d.cmd.Phase != nvcc.Link {
		return err
	}
	words := append([]string{quoted(d.launcher()), "-o", quoted(d.programName())}, d.inputNames()...)
	words = append(words, quoted("-L"+filepath.Join(home.Lib(), "stubs")), quoted("-L"+home.Lib()))
	switch d.cmd.Cudart {
	case "none":
	case "shared":
		words = append(words, "-lcudadevrt", "-lcudart")
	default:
		words = append(words, "-lcudadevrt", "-lcudart_static", "-lrt", "-lpthread", "-ldl")
	}
	fmt.Fprintf(d.Stderr, "#$ %s\n", strings.Join(words, " "))
	return nil
}

// dryRun prints, for --dryrun, how the objects and the program would be made. The inputs need not
// be there: configure scripts ask for the line that links, which is the last one, with a name alone.
func (d *driver) dryRun(ctx context.Context) error {
	for _, in := range d.cmd.Inputs {
		if !in.Lang.IsSource() {
			continue
		}
		args, err := d.tc.PreprocessArgs(d.unit(in))
		if err != nil {
			return err
		}
		d.step(append(append([]string{d.tc.Clang}, args...), "-c", in.Path))
	}
	return d.printLink(ctx)
}

func (d *driver) programName() string {
	if d.cmd.Output != "" {
		return d.cmd.Output
	}
	return "a.out"
}

func (d *driver) inputNames() []string {
	var names []string
	for _, in := range d.cmd.Inputs {
		if in.Lang.IsSource() {
			names = append(names, quoted(d.cmd.OutputFor(in, ".o")))
		} else {
			names = append(names, quoted(in.Path))
		}
	}
	return names
}

// step prints a command.
func (d *driver) step(words []string) {
	var line strings.Builder
	for i, w := range words {
		if i > 0 {
			line.WriteByte(' ')
			if strings.ContainsAny(w, " \t\"'\\$") {
				w = quoted(w)
			}
		}
		line.WriteString(w)
	}
	fmt.Fprintf(d.Stderr, "#$ %s\n", line.String())
}

func quoted(s string) string { return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"` }

// launcher is the program that links C++ programs: the one of the same
// installation as clang, if it is there.
func (d *driver) launcher() string {
	dir, base := filepath.Split(d.tc.Clang)
	for _, path := range []string{dir + strings.Replace(base, "clang", "clang++", 1), "/usr/bin/g++"} {
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	return d.tc.Clang
}
