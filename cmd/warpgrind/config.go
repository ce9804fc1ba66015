package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/warpgrind/warpgrind/internal/config"
	"github.com/warpgrind/warpgrind/internal/driver"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/visible"
)

// fileFlags are the flags that .warpgrind.toml may set: what is checked, how, and how it is
// reported. None of them starts a program of the file's choice or writes a file; those that
// read files read such beside it (localFlags). The file may come from anywhere.
var fileFlags = []string{
	"tool", "arch", "race-model", "race-policy", "leak-check", "api-errors", "unused-memory", "watch-all", "padding", "build",
	"format", "color", "print-limit", "full-names", "limits", "quiet", "error-level", "error-exitcode", "fail-on",
	"kernel", "kernel-exclude", "launch-skip", "launch-count", "sample", "suppressions",
	"schedule", "predict", "seed", "runs", "jobs", "devices", "device-memory", "timeout", "on-fault", "max-steps",
	"define", "include", "std", "optimize", "cuda-version",
}

// passing are exit codes that test drivers count as success or as a skipped test (77 of Automake and Meson).
var passing = []string{"0", "77"}

// localFlags name files, which lie beside the file that names them or below.
var localFlags = []string{"suppressions", "include"}

// configCommands are the commands that the file is for.
var configCommands = []string{"run", "check", "barriers"}

// configEnv names the environment variable that turns the search off.
const configEnv = "WARPGRIND_CONFIG"

// configured sets the flags of a command that the user has not given to what the files say.
func (c *command) configured(cmd *cobra.Command, _ []string) error {
	_, err := c.configure(cmd)
	return err
}

// configure does so and returns where each flag's value comes from.
func (c *command) configure(cmd *cobra.Command) (map[string]source.Pos, error) {
	from := map[string]source.Pos{}
	files, err := c.configFiles()
	if err != nil {
		return nil, usage(err)
	}
	given := map[string]bool{} // by the user, and not by a file
	cmd.Flags().Visit(func(f *pflag.Flag) { given[f.Name] = true })
	for _, special := range []bool{false, true} { // those for one command come later, and count
		for _, f := range files {
			for i := range f.Settings {
				s := &f.Settings[i]
				name, command := settingOf(s)
				if err := checkSetting(s, name, command); err != nil {
					return nil, usage(fmt.Errorf("%v: %w", s.At, err))
				}
				if (command != "") != special || !isFor(cmd, name, command) || given[name] && name != "suppressions" {
					continue
				}
				if err := set(cmd.Flags(), s, name); err != nil {
					return nil, usage(fmt.Errorf("%v: %w", s.At, err))
				}
				from[name] = s.At
			}
		}
	}
	return from, nil
}

// isFor reports whether a setting of a flag, for one command or for all, is for cmd. Commands
// have rules of their own: a --tool for all is that of run.
func isFor(cmd *cobra.Command, flag, command string) bool {
	if flag == "tool" && command == "" {
		command = "run"
	}
	return cmd.Flags().Lookup(flag) != nil && (command == "" || command == cmd.Name())
}

// configFiles are the files for the working directory, outermost first.
func (c *command) configFiles() ([]*config.File, error) {
	if os.Getenv(configEnv) == "off" {
		return nil, nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	home, _ := os.UserHomeDir()
	files, warnings, err := config.Find(dir, home)
	for _, w := range warnings {
		_, _ = visible.Fprintf(c.stderr, "warpgrind: %v\n", w)
	}
	return files, err
}

// settingOf is the flag that a setting is for, and the command if it is for one alone.
func settingOf(s *config.Setting) (flag, command string) {
	key := s.Key
	if len(key) > 1 && slices.Contains(configCommands, key[0]) {
		command, key = key[0], key[1:]
	}
	if len(key) == 2 && key[0] == "race-policy" {
		return "race-policy", command
	}
	return strings.Join(key, "."), command
}

// checkSetting refuses what no command has, and what a file may not set.
func checkSetting(s *config.Setting, name, command string) error {
	if slices.Contains(fileFlags, name) {
		return nil
	}
	if flagsOf(command).Lookup(name) != nil {
		return fmt.Errorf("%s: only the command line and WARPGRIND_OPTIONS may set this", s.Name())
	}
	return fmt.Errorf("unknown key %s%s", s.Name(), didYouMean(name, slices.Concat(fileFlags, configCommands)))
}

// flagsOf are the flags of a command, those of run for "".
func flagsOf(name string) *pflag.FlagSet {
	c := &command{}
	switch name {
	case "check":
		return c.checkCommand().Flags()
	case "barriers":
		return c.barriersCommand().Flags()
	}
	return c.runCommand().Flags()
}

// set gives a flag the values of a setting.
func set(f *pflag.FlagSet, s *config.Setting, name string) error {
	values := slices.Clone(s.Values)
	flag := f.Lookup(name)
	_, many := flag.Value.(pflag.SliceValue)
	switch {
	case s.List && !many && name != "tool" && name != "race-policy":
		return fmt.Errorf("%s: want one value", s.Name())
	case s.List && !many:
		values = []string{strings.Join(values, ",")}
	case name == "race-policy" && s.Key[len(s.Key)-1] != name: // of a table
		value := s.Key[len(s.Key)-1] + "=" + values[0]
		if before := flag.Value.String(); before != "" {
			value = before + "," + value
		}
		values = []string{value}
	}
	for _, v := range values {
		switch {
		case slices.Contains(localFlags, name):
			var err error
			if v, err = beside(s.At.File, v); err != nil {
				return fmt.Errorf("%s: %w", s.Name(), err)
			}
		case name == "error-exitcode" && slices.Contains(passing, v):
			return fmt.Errorf("%s %s: only the command line and WARPGRIND_OPTIONS may let findings pass", s.Name(), v)
		case name == "format" && strings.Contains(v, "="):
			return fmt.Errorf("%s: %q: only the command line and WARPGRIND_OPTIONS may write files", s.Name(), v)
		case name == "tool":
			if err := checkTools(v); err != nil {
				return err
			}
		}
		if err := f.Set(name, v); err != nil {
			want := wantedBy[flag.Value.Type()]
			if want == "" {
				return fmt.Errorf("%s %q: %w", s.Name(), v, err)
			}
			return fmt.Errorf("%s %q: want %s", s.Name(), v, want)
		}
	}
	return nil
}

// beside is the path of a file that a settings file names. Neither dots nor links lead out of
// the directory of that file.
func beside(file, name string) (string, error) {
	dir, err := filepath.EvalSymlinks(filepath.Dir(file))
	if err != nil {
		return "", err
	}
	if !filepath.IsLocal(name) {
		return "", fmt.Errorf("%q: want a path below %s", name, filepath.Dir(file))
	}
	path := filepath.Join(dir, name)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		if rel, err := filepath.Rel(dir, real); err != nil || !filepath.IsLocal(rel) {
			return "", fmt.Errorf("%q: leads out of %s", name, filepath.Dir(file))
		}
	}
	return path, nil
}

func (c *command) configCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "config [run | check | barriers]",
		Short: "Show the settings that hold here, and where each comes from",
		Long: `Shows the settings that hold in the working directory for a command (default
run), and where each comes from: a file ` + config.Name + `, the environment
(WARPGRIND_OPTIONS, of run only), or the default. Flags on the command line beat
the environment, which beats files, and of those the nearest counts.

The file is searched from the working directory upwards, to the root of the
repository or the home directory. Its keys are flags, by their long names; those
in a table [run], [check] or [barriers] are for one command. Suppressions of all
files add up. Flags that name programs or write files are refused there.`,
		Example:   "  warpgrind config\n  warpgrind config check",
		ValidArgs: configCommands,
		Args:      cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			name := "run"
			if len(args) > 0 {
				name = args[0]
			}
			if len(args) > 1 || !slices.Contains(configCommands, name) {
				return usage(errors.New("config takes one of run, check and barriers"))
			}
			return c.showConfig(name)
		},
	}
}

// showConfig writes the settings of a command as a file would have them.
func (c *command) showConfig(name string) error {
	cmd := map[string]func() *cobra.Command{"run": c.runCommand, "check": c.checkCommand, "barriers": c.barriersCommand}[name]()
	byEnv := map[string]bool{}
	if name == "run" {
		options, err := driver.Options()
		if err != nil {
			return err
		}
		if err := cmd.Flags().Parse(longFlags(options)); err != nil {
			return usage(fmt.Errorf("%s: %w", driver.OptionsEnv, err))
		}
		cmd.Flags().Visit(func(f *pflag.Flag) { byEnv[f.Name] = true })
	}
	from, err := c.configure(cmd)
	if err != nil {
		return err
	}
	var lines [][2]string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		at, set := from[f.Name]
		if !slices.Contains(fileFlags, f.Name) && !byEnv[f.Name] {
			return
		}
		origin := "default"
		switch {
		case set && byEnv[f.Name]:
			origin = driver.OptionsEnv + " and " + at.String()
		case set:
			origin = at.String()
		case byEnv[f.Name]:
			origin = driver.OptionsEnv
		}
		lines = append(lines, [2]string{f.Name + " = " + tomlValue(f), origin})
	})
	width := 0
	for _, l := range lines {
		width = max(width, min(len(l[0]), 40))
	}
	for _, l := range lines {
		_, _ = visible.Fprintf(c.stdout, "%-*s  # %s\n", width, l[0], l[1])
	}
	return nil
}

// tomlValue is a flag's value as a file has it.
func tomlValue(f *pflag.Flag) string {
	if many, ok := f.Value.(pflag.SliceValue); ok {
		var list []string
		for _, v := range many.GetSlice() {
			list = append(list, strconv.Quote(v))
		}
		return "[" + strings.Join(list, ", ") + "]"
	}
	switch f.Value.Type() {
	case "string", "duration":
		return strconv.Quote(f.Value.String())
	}
	return f.Value.String()
}
