package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// didYouMean is " (did you mean X?)" with the candidate that is nearest to what
// was typed, or "" if none is near.
func didYouMean(typed string, candidates []string) string {
	best, distance := "", len(typed)/3+2
	for _, c := range candidates {
		d := edits(strings.ToLower(typed), strings.ToLower(c))
		if len(typed) > 1 && strings.HasPrefix(c, typed) {
			d = 1
		}
		if d < distance {
			best, distance = c, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %s?)", best)
}

// edits is the number of insertions, deletions, replacements and exchanges of
// neighbors that make b of a (the restricted Damerau-Levenshtein distance).
func edits(a, b string) int {
	var before []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next := make([]int, len(b)+1)
		next[0] = i
		for j := 1; j <= len(b); j++ {
			d := row[j-1]
			if a[i-1] != b[j-1] {
				d++
			}
			next[j] = min(d, row[j]+1, next[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}

// wantedBy says what a flag's type takes.
var wantedBy = map[string]string{
	"int": "a whole number", "uint64": "a non-negative whole number", "uint": "a non-negative whole number",
	"float64": "a number", "duration": "a time such as 30s or 5m, not negative", "bool": "true or false",
}

// flagError says in one line what is wrong with a flag, in our words.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		return usage(fmt.Errorf("unknown flag -%s; see %s --help", unknown.GetSpecifiedName(), cmd.CommandPath()))
	case errors.As(err, &unknown):
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, "--"+f.Name)
			}
		})
		hint := didYouMean("--"+unknown.GetSpecifiedName(), names)
		if hint == "" {
			hint = "; see " + cmd.CommandPath() + " --help"
			if strings.Contains(cmd.Use, "[-- args]") {
				hint = "; arguments of the program come after --"
			}
		}
		return usage(fmt.Errorf("unknown flag --%s%s", unknown.GetSpecifiedName(), hint))
	case errors.As(err, &invalid):
		f := invalid.GetFlag()
		if want := wantedBy[f.Value.Type()]; want != "" {
			return usage(fmt.Errorf("--%s %q: want %s", f.Name, invalid.GetValue(), want))
		}
	}
	return usage(err)
}

// unknownCommand is the error for a first argument that is not a command.
func unknownCommand(root *cobra.Command, name string) error {
	var names []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	if isProgram(name) {
		return usage(fmt.Errorf("unknown command %q; to check a program: warpgrind run %s", name, name))
	}
	hint := didYouMean(name, names)
	if hint == "" {
		hint = "; see warpgrind --help"
	}
	return usage(fmt.Errorf("unknown command %q%s", name, hint))
}

// isProgram reports whether what stands in a command's place is a file to check.
func isProgram(name string) bool {
	return slices.ContainsFunc([]string{".cu", ".cpp", ".cc", ".cxx"}, func(ext string) bool { return strings.HasSuffix(name, ext) }) ||
		strings.ContainsRune(name, '/')
}

// timeLimit is a flag's time, which is not negative.
type timeLimit time.Duration

func (t *timeLimit) Set(s string) error {
	d, err := time.ParseDuration(s)
	if err == nil && d < 0 {
		err = errors.New("negative")
	}
	if err == nil {
		*t = timeLimit(d)
	}
	return err
}

func (t *timeLimit) Type() string   { return "duration" }
func (t *timeLimit) String() string { return time.Duration(*t).String() }

// timeVar defines a flag for a time.
func timeVar(f *pflag.FlagSet, p *time.Duration, name string, value time.Duration, usage string) {
	*p = value
	f.Var((*timeLimit)(p), name, usage)
	if value == 0 {
		f.Lookup(name).DefValue = "0" // none, which the usage text does not show
	}
}
