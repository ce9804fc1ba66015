package session

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/warpgrind/warpgrind/internal/build"
	"github.com/warpgrind/warpgrind/internal/host"
	"github.com/warpgrind/warpgrind/internal/report"
)

// A program that was built with warpgrind's runtime and runs by itself starts
// warpgrind at its first CUDA call, as internal/shim/runtime/engine.cpp says,
// with one open file: a connection to it.
const attachSocket = 3

// AttachedProgram is the command line of the program that has started this process, nil where it
// cannot be read.
func AttachedProgram() []string {
	text, err := os.ReadFile(attachedProc("cmdline"))
	if err != nil || len(text) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00")
}

// attachedProc is the path of a file of /proc about the program that has started this process, ""
// where that is not known.
func attachedProc(file string) string {
	peer, err := unix.GetsockoptUcred(attachSocket, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("/proc/%d/%s", peer.Pid, file)
}

// Attach is Check for a program that runs already and has started this process. tell ends that
// with the exit code that it shall have, 0 for its own; if it ends before others of its programs,
// foundCode is that code for findings so far.
func Attach(ctx context.Context, cfg Config, foundCode int) (r *report.Report, tell func(code int), err error) {
	if cfg.Runs > 1 {
		return nil, nil, &build.UsageError{Err: errors.New("--runs: a running program cannot be restarted; use warpgrind run")}
	}
	if cfg.Arch == "" {
		cfg.Arch = build.BuiltFor(attachedProc("exe"))
	}
	s, err := NewSession(cfg)
	if err != nil {
		return nil, nil, &build.UsageError{Err: err}
	}
	f := os.NewFile(attachSocket, "socket")
	c, err := net.FileConn(f)
	f.Close()
	program, ok := c.(*net.UnixConn)
	if err != nil || !ok {
		return nil, nil, &build.UsageError{Err: errors.New("--attach is for programs that start warpgrind")}
	}
	s.soFar = func() int { return s.codeSoFar(foundCode) }
	var server *host.Server
	r, err = s.serve(ctx, func(ctx context.Context, h *host.Server) (host.Exit, error) {
		server = h
		return host.Exit{}, server.ServeUntilIdle(ctx, program)
	})
	if server == nil {
		return r, func(int) {}, err
	}
	return r, server.Tell, err
}

// codeSoFar is found if there are findings that count for the exit code already.
func (s *Session) codeSoFar(found int) int {
	for _, c := range s.checkers {
		for _, f := range c.Findings() {
			if f.Level >= s.Level {
				return found
			}
		}
	}
	return 0
}
