package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/warpgrind/warpgrind/internal/judge"
	"github.com/warpgrind/warpgrind/internal/session"
	"github.com/warpgrind/warpgrind/internal/userfile"
	"github.com/warpgrind/warpgrind/internal/visible"
)

// judgeFlags are those of judge and serve.
func judgeFlags(f *pflag.FlagSet, cfg *judge.Config, folder *string) {
	f.SortFlags = false
	f.StringVar(folder, "folder", "", "look for the jobs' files below `DIR` (default: where the jobs are)")
	f.IntVarP(&cfg.Workers, "jobs", "j", 0, "judge `N` jobs at once; 0 means one for each core")
	f.StringVar(&cfg.Clang, "clang", "", "compile with the clang at `PATH`")
	f.BoolVar(&cfg.AllowWeakSandbox, "allow-weak-sandbox", false, "also where files or the network stay open to candidates")
	f.BoolVar(&cfg.NoSeconds, "no-seconds", false, "leave out the times, so that equal jobs give equal verdicts")
}

func (c *command) judgeCommand() *cobra.Command {
	var cfg judge.Config
	var folder, output string
	cmd := &cobra.Command{
		Use:   "judge [flags] JOBS.jsonl",
		Short: "Judge candidate kernels against references",
		Long: `Reads jobs, one JSON object a line, and writes a verdict for each: whether the
kernel compiles, is right for several inputs and under several schedules, what
the rules find, what it costs, and whether it cheats. Compilers and candidates
run in a sandbox. "-" reads standard input. docs/JUDGE.md describes jobs and
verdicts.`,
		Example: `  warpgrind judge jobs.jsonl -o verdicts.jsonl
  generate | warpgrind judge - --no-seconds`,
		Args: oneArgument,
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.judge(cmd.Context(), cfg, args[0], folder, output)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&output, "output", "o", "", "write the verdicts to `FILE` instead of standard output")
	judgeFlags(f, &cfg, &folder)
	return cmd
}

func (c *command) judge(ctx context.Context, cfg judge.Config, name, folder, output string) error {
	in, out := c.stdin, io.Writer(c.stdout)
	if name != "-" {
		f, err := userfile.Open(name)
		if err != nil {
			return usage(err)
		}
		defer f.Close()
		if in = f; folder == "" {
			folder = filepath.Dir(name)
		}
	}
	cfg.Messages = c.stderr
	j, err := judge.New(cfg)
	if err != nil {
		return err
	}
	defer j.Close()
	if output != "" {
		f, err := userfile.Create(output)
		if err != nil {
			return usage(err)
		}
		defer f.Close()
		out = f
	}
	correct, others, err := j.Stream(ctx, in, out, folder)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.stderr, "warpgrind: %d jobs: %d correct, %d not\n", correct+others, correct, others)
	if others > 0 {
		c.code = session.ExitFindings
	}
	return nil
}

func (c *command) serveCommand() *cobra.Command {
	var cfg judge.Config
	var folder, socket string
	cmd := &cobra.Command{
		Use:   "serve [flags] --socket PATH",
		Short: "Judge candidate kernels for programs that connect",
		Long: `Listens on a Unix socket, which only this user can connect to. Each connection
sends jobs and gets verdicts, one JSON object a line, in its order; jobs of all
connections are judged at once. It runs until it is interrupted.`,
		Example: `  warpgrind serve --socket /run/user/1000/warpgrind.sock
  socat - UNIX-CONNECT:/run/user/1000/warpgrind.sock < jobs.jsonl`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if socket == "" {
				return usage(errors.New("serve: name the socket with --socket PATH"))
			}
			cfg.Messages = c.stderr
			j, err := judge.New(cfg)
			if err != nil {
				return err
			}
			defer j.Close()
			l, err := judge.Listen(socket)
			if err != nil {
				return usage(err)
			}
			_, _ = visible.Fprintf(c.stderr, "warpgrind: listening on %s\n", socket)
			return j.Serve(cmd.Context(), l, folder)
		},
	}
	f := cmd.Flags()
	f.StringVar(&socket, "socket", "", "listen on the Unix socket `PATH`")
	judgeFlags(f, &cfg, &folder)
	return cmd
}
