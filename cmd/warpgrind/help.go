package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpWidth is the width of help texts in columns.
const helpWidth = 80

// The headings under which the help lists commands; those that are in none of
// them come under "Commands".
var commandGroups = []struct {
	title    string
	commands []string
}{
	{"Check programs", []string{"run", "check", "explore", "barriers", "instrument"}},
	{"Change programs", []string{"fix", "tidy"}},
	{"Build programs", []string{"cc"}},
	{"Recorded launches", []string{"replay", "capsule"}},
	{"Many machines", []string{"suite", "plan"}},
	{"Read results", []string{"explain", "report", "diff"}},
	{"Set up", []string{"setup", "config"}},
	{"Other tools", []string{"compute-sanitizer", "lsp", "mcp", "completion", "man"}},
}

// arrange puts the commands of root under their headings.
func arrange(root *cobra.Command) {
	for _, g := range commandGroups {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title + ":"})
		for _, cmd := range grouped(root, g.commands) {
			cmd.GroupID = g.title
		}
	}
}

// sectionKey is the annotation of a flag that says under which heading of the
// help it is.
const sectionKey = "warpgrind_section"

// section begins a heading of the help for the flags that are added to f until
// the function it returns is called.
func section(f *pflag.FlagSet, title string) (end func()) {
	before := map[string]bool{}
	f.VisitAll(func(g *pflag.Flag) { before[g.Name] = true })
	return func() {
		f.VisitAll(func(g *pflag.Flag) {
			if before[g.Name] || g.Annotations[sectionKey] != nil {
				return
			}
			if g.Annotations == nil {
				g.Annotations = map[string][]string{}
			}
			g.Annotations[sectionKey] = []string{title}
		})
	}
}

// flagSection is a heading with its flags.
type flagSection struct {
	title string
	flags *pflag.FlagSet
}

// flagSections returns the flags of a command by heading, in the order in which
// they were added. Those of no heading come last.
func flagSections(cmd *cobra.Command) []flagSection {
	byTitle := map[string]*pflag.FlagSet{}
	var order []string
	cmd.InitDefaultHelpFlag()
	cmd.InitDefaultVersionFlag()
	cmd.LocalFlags().SortFlags = false
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		title := "Flags"
		if s := f.Annotations[sectionKey]; len(s) > 0 {
			title = s[0]
		}
		if byTitle[title] == nil {
			byTitle[title] = pflag.NewFlagSet(title, pflag.ContinueOnError)
			byTitle[title].SortFlags = false
			order = append(order, title)
		}
		byTitle[title].AddFlag(f)
	})
	var out []flagSection
	for _, t := range order {
		out = append(out, flagSection{t, byTitle[t]})
	}
	return out
}

// writeUsage writes what the help says after a command's description.
func writeUsage(w io.Writer, cmd *cobra.Command) {
	fmt.Fprintf(w, "Usage:\n")
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(w, "  %s command [flags]\n", cmd.CommandPath())
	} else {
		fmt.Fprintf(w, "  %s\n", cmd.UseLine())
	}
	if cmd.Example != "" {
		fmt.Fprintf(w, "\nExamples:\n%s\n", strings.TrimRight(cmd.Example, "\n"))
	}
	writeCommands(w, cmd)
	for _, s := range flagSections(cmd) {
		fmt.Fprintf(w, "\n%s:\n%s", s.title, s.flags.FlagUsagesWrapped(helpWidth))
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(w, "\nRun \"%s command --help\" for more about a command.\n", cmd.CommandPath())
	}
}

// writeCommands lists the commands below cmd under their headings, and the
// topics that have a text only.
func writeCommands(w io.Writer, cmd *cobra.Command) {
	byTitle := map[string][]*cobra.Command{}
	for _, c := range cmd.Commands() {
		switch {
		case c.IsAdditionalHelpTopicCommand():
			byTitle["Topics"] = append(byTitle["Topics"], c)
		case c.GroupID != "":
		case c.IsAvailableCommand() && c.Name() != "help":
			byTitle["Commands"] = append(byTitle["Commands"], c)
		}
	}
	titles := []string{"Commands", "Topics"}
	if !cmd.HasParent() {
		for i, g := range commandGroups {
			titles = slices.Insert(titles, i, g.title)
			byTitle[g.title] = grouped(cmd, g.commands)
		}
	}
	for _, title := range titles {
		if len(byTitle[title]) > 0 {
			fmt.Fprintf(w, "\n%s:\n", title)
		}
		for _, c := range byTitle[title] {
			fmt.Fprintf(w, "  %-17s %s\n", c.Name(), c.Short)
		}
	}
}

// grouped returns the commands below cmd that have one of the names, in their
// order.
func grouped(cmd *cobra.Command, names []string) []*cobra.Command {
	var out []*cobra.Command
	for _, name := range names {
		for _, c := range cmd.Commands() {
			if c.Name() == name && c.IsAvailableCommand() {
				out = append(out, c)
			}
		}
	}
	return out
}
