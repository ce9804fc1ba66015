package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/warpgrind/warpgrind/internal/mcp"
	"github.com/warpgrind/warpgrind/internal/session"
)

func (c *command) mcpCommand() *cobra.Command {
	o := mcp.Options{Version: session.Version}
	cmd := &cobra.Command{
		Use:   "mcp [flags]",
		Short: "Let agents check programs",
		Long: `A server of the Model Context Protocol on standard input and output, started by
agents. Its tools run, check, repair, replay and judge programs and explain
findings. Results are short: all facts of a finding are asked for by its number.

Programs run in a sandbox, which sees the files below --root, else the client's
roots, else the working directory, read-only, and no network. A
call ends after its time limit or when the client cancels it. The files stay
as they are; a patch is returned as text.`,
		Example: `  warpgrind mcp      as an agent starts it`,
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.Rules = documentation()
			err := mcp.Serve(cmd.Context(), stdio{c.stdin, nil}, client{c.stdout}, o)
			if err != nil && cmd.Context().Err() == nil {
				return usage(err)
			}
			return err
		},
	}
	cmd.Flags().StringArrayVar(&o.Roots, "root", nil, "let calls name the files below `DIR`, instead of those below the client's roots; may be repeated")
	cmd.Flags().BoolVar(&o.AllowWeakSandbox, "allow-weak-sandbox", false, "also where files or the network stay open to programs")
	return cmd
}

// client is the way to the client, which stays open: standard output is closed when the process ends.
type client struct{ io.Writer }

func (client) Close() error { return nil }
