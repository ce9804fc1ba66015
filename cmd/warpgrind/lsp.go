package main

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/warpgrind/warpgrind"
	"github.com/warpgrind/warpgrind/internal/lsp"
)

// The patterns of the reports that lsp shows: those of the habit to say
// --save warpgrind.json, in the workspace's folder or one below.
var savedReports = []string{"warpgrind*.json", "*/warpgrind*.json"}

// typingPause is how long nothing is typed before a source is checked;
// reportPause how often saved reports are looked for, for editors that do not
// watch files.
const (
	typingPause = 300 * time.Millisecond
	reportPause = time.Second
)

func (c *command) lspCommand() *cobra.Command {
	o := lsp.Options{Version: warpgrind.Version, Delay: typingPause, Poll: reportPause}
	cmd := &cobra.Command{
		Use:   "lsp [flags]",
		Short: "Show findings in an editor",
		Long: `A language server on standard input and output, for editors to start. It shows
what the last run found: the youngest report that "warpgrind run --save" has
left in the workspace. Findings stay at their lines while the text changes; one
whose line was changed goes away until the next run. Hovering says what a
finding means.`,
		Example: `  warpgrind run --save warpgrind.json app.cu      and the editor shows it`,
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage(fmt.Errorf("lsp takes no arguments; editors start it"))
			}
			o.Rules = documentation()
			if err := lsp.Serve(cmd.Context(), stdio{c.stdin, c.stdout}, o); err != nil {
				return usage(err)
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringSliceVar(&o.Reports, "report", savedReports, "`FILES` with saved reports, relative to the workspace, with * and ?; the youngest counts")
	f.Bool("stdio", true, "") // editors add it
	cobra.CheckErr(f.MarkHidden("stdio"))
	return cmd
}

// stdio is the connection to the editor.
type stdio struct {
	io.Reader
	io.Writer
}

// Close makes a read that waits return.
func (s stdio) Close() error {
	if c, ok := s.Reader.(io.Closer); ok {
		return c.Close()
	}
	return nil
}
