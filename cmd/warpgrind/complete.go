package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/warpgrind/warpgrind/internal/check/registry"
	"github.com/warpgrind/warpgrind/internal/report"
)

// choices are the values of flags that take one of a few, for completion.
var choices = map[string][]string{
	"race-model":   {"its", "lockstep", "thread"},
	"build":        {"source", "optimized"},
	"color":        {"auto", "always", "never"},
	"error-level":  {"error", "warning", "info"},
	"schedule":     {"default", "reverse", "random"},
	"predict":      {"off", "on", "deep"},
	"frontend":     {"clang", "nvcc"},
	"cuda-version": {"11", "12", "13"},
	"nan":          {"equal", "differ"},
	"zero":         {"equal", "differ"},
	"analysis":     {"symbolic", "gpudrano"},
	"scheme":       {"boyer-race", "boyer-bank", "grace-stmt", "grace-addr", "coalesce"},
	"table":        {"shared", "device"},
	"arch":         {"sm_70", "sm_75", "sm_80", "sm_86", "sm_89", "sm_90"},
}

// fileArguments are the extensions of the files that commands take.
var fileArguments = map[string][]string{"report": {"json"}}

// completions tells the shells what can stand where, for every command below
// root that knows no better by itself.
func completions(root *cobra.Command) {
	for _, cmd := range root.Commands() {
		for name, values := range choices {
			registerFlag(cmd, name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
		}
		registerFlag(cmd, "format", completeFormat(cmd))
		registerFlag(cmd, "tool", completeTools(cmd))
		for _, dir := range []string{"dump-buffers", "include", "cuda-path"} {
			registerFlag(cmd, dir, func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
				return nil, cobra.ShellCompDirectiveFilterDirs
			})
		}
		if ext := fileArguments[cmd.Name()]; ext != nil {
			cmd.ValidArgsFunction = cobra.FixedCompletions(ext, cobra.ShellCompDirectiveFilterFileExt)
		}
	}
}

func registerFlag(cmd *cobra.Command, name string, f cobra.CompletionFunc) {
	if cmd.Flags().Lookup(name) != nil {
		cobra.CheckErr(cmd.RegisterFlagCompletionFunc(name, f))
	}
}

// completeFormat offers the forms of the report; after FORM= a file comes.
func completeFormat(cmd *cobra.Command) cobra.CompletionFunc {
	values := report.Formats()
	if cmd.Flags().Lookup("save") == nil {
		values = []string{"text", "json"}
	}
	return func(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if strings.Contains(typed, "=") {
			return nil, cobra.ShellCompDirectiveDefault
		}
		return values, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}

// completeTools offers the rules, also after a comma; to those who type as for
// compute-sanitizer its tools.
func completeTools(cmd *cobra.Command) cobra.CompletionFunc {
	var values []cobra.Completion
	if cmd.Name() == "compute-sanitizer" {
		values = []cobra.Completion{"memcheck", "racecheck", "initcheck", "synccheck"}
	} else {
		values = append(ruleCompletions(), cobra.CompletionWithDesc("all", "every rule"))
	}
	return func(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		done := typed[:strings.LastIndexByte(typed, ',')+1]
		var out []cobra.Completion
		for _, v := range values {
			out = append(out, done+v)
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	}
}

// ruleCompletions are the rules with their titles.
func ruleCompletions() []cobra.Completion {
	var out []cobra.Completion
	for _, r := range registry.All() {
		out = append(out, cobra.CompletionWithDesc(r.ID, r.Title))
	}
	return out
}
