package session

import (
	"context"
	"errors"
	"net"
	"os"

	"github.com/warpgrind/warpgrind/internal/host"
	"github.com/warpgrind/warpgrind/internal/report"
)

// A program that was built with warpgrind's runtime and runs by itself starts
// warpgrind at its first CUDA call, as internal/shim/runtime/engine.cpp says,
// with two open files: a connection to it, and a pipe for the exit code that it
// shall have.
const (
	attachSocket = 3
	attachStatus = 4
)

// Attach is Check for a program that runs already and has started this
// process.
func Attach(ctx context.Context, cfg Config) (*report.Report, error) {
	if cfg.Runs > 1 {
		return nil, &UsageError{errors.New("--runs: a running program cannot be restarted; use warpgrind run")}
	}
	s, err := newSession(cfg)
	if err != nil {
		return nil, &UsageError{err}
	}
	f := os.NewFile(attachSocket, "socket")
	c, err := net.FileConn(f)
	f.Close()
	program, ok := c.(*net.UnixConn)
	if err != nil || !ok {
		return nil, &UsageError{errors.New("--attach is for programs that start warpgrind")}
	}
	defer program.Close()
	return s.serve(ctx, func(ctx context.Context, server *host.Server) (host.Exit, error) {
		return host.Exit{}, server.ServeUntilIdle(ctx, program)
	})
}

// EndAttached tells the program the exit code that it shall have; 0 means its
// own.
func EndAttached(code int) error {
	f := os.NewFile(attachStatus, "status")
	defer f.Close()
	_, err := f.Write([]byte{byte(code)})
	return err
}
