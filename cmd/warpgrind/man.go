package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/cpuguy83/go-md2man/v2/md2man"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/warpgrind/warpgrind/internal/session"
)

func (c *command) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "man FOLDER",
		Short:   "Write the manual pages to a directory",
		Long:    "Writes a manual page for warpgrind and for each of its commands, in section 1.",
		Example: "  warpgrind man ~/.local/share/man/man1 && man warpgrind-run",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage(fmt.Errorf("man takes the directory to write to"))
			}
			if err := os.MkdirAll(args[0], 0o777); err != nil {
				return usage(err)
			}
			return writeManual(args[0], cmd.Root())
		},
	}
}

// writeManual writes the page of cmd and those of the commands below it.
func writeManual(dir string, cmd *cobra.Command) error {
	name := filepath.Join(dir, pageName(cmd)+".1")
	err := writeFile(name, func(w io.Writer) error {
		_, err := w.Write(md2man.Render([]byte(manPage(cmd))))
		return err
	})
	for _, sub := range cmd.Commands() {
		if err == nil && !cmd.HasParent() && sub.IsAvailableCommand() && sub.Name() != "help" {
			err = writeManual(dir, sub)
		}
	}
	return err
}

func pageName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// manPage is a command's page in the Markdown of go-md2man.
func manPage(cmd *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s 1 \"\" \"warpgrind %s\" \"warpgrind\"\n===\n", strings.ToUpper(pageName(cmd)), session.Version)
	fmt.Fprintf(&b, "# NAME\n%s - %s\n\n", pageName(cmd), strings.ToLower(cmd.Short[:1])+cmd.Short[1:])
	line := cmd.UseLine()
	if cmd.HasAvailableSubCommands() {
		line = cmd.CommandPath() + " command [flags]"
	}
	fmt.Fprintf(&b, "# SYNOPSIS\n**%s**%s\n\n", cmd.CommandPath(), strings.TrimPrefix(escapeMan(line), cmd.CommandPath()))
	text := cmd.Long
	if text == "" {
		text = cmd.Short + "."
	}
	fmt.Fprintf(&b, "# DESCRIPTION\n%s\n\n", escapeMan(text))
	manCommands(&b, cmd)
	for _, s := range flagSections(cmd) {
		fmt.Fprintf(&b, "# %s\n", strings.ToUpper(s.title))
		s.flags.VisitAll(func(f *pflag.Flag) { manFlag(&b, f) })
	}
	if cmd.Example != "" {
		fmt.Fprintf(&b, "# EXAMPLES\n```\n%s\n```\n\n", strings.TrimRight(cmd.Example, "\n"))
	}
	manReferences(&b, cmd)
	return b.String()
}

// manCommands lists the commands below cmd.
func manCommands(b *strings.Builder, cmd *cobra.Command) {
	heading := "# COMMANDS\n"
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() && sub.Name() != "help" {
			fmt.Fprintf(b, "%s**%s**(1)\n: %s\n\n", heading, pageName(sub), escapeMan(sub.Short))
			heading = ""
		}
	}
}

func manFlag(b *strings.Builder, f *pflag.Flag) {
	value, text := pflag.UnquoteUsage(f)
	name := "**--" + f.Name + "**"
	if f.Shorthand != "" {
		name = "**-" + f.Shorthand + "**, " + name
	}
	switch {
	case f.NoOptDefVal != "" && value != "":
		name += "[=" + value + "]"
	case value != "":
		name += " *" + value + "*"
	}
	if d := f.DefValue; d != "" && d != "0" && d != "0s" && d != "false" && d != "[]" {
		text += " (default: " + d + ")"
	}
	fmt.Fprintf(b, "%s\n: %s\n\n", name, escapeMan(text))
}

// manReferences closes a page: the root's has what is common to all.
func manReferences(b *strings.Builder, cmd *cobra.Command) {
	if cmd.HasParent() {
		fmt.Fprintf(b, "# SEE ALSO\n**%s**(1), for exit codes and environment variables\n", pageName(cmd.Root()))
		return
	}
	for _, s := range []struct {
		title   string
		entries []entry
	}{{"EXIT CODES", exitCodes}, {"ENVIRONMENT", variables}} {
		fmt.Fprintf(b, "# %s\n", s.title)
		for _, e := range s.entries {
			fmt.Fprintf(b, "**%s**\n: %s\n\n", e.name, escapeMan(e.text))
		}
	}
}

// escapeMan keeps Markdown from reading marks into plain text.
func escapeMan(s string) string {
	return strings.NewReplacer("\\", "\\\\", "*", "\\*", "_", "\\_", "<", "\\<", "[", "\\[", "`", "\\`").Replace(s)
}
