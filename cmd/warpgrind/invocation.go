package main

import (
	"os"
	"strconv"
	"time"

	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/session"
)

// invocation is the run that begins now.
func invocation(cfg session.Config) *report.Run {
	return &report.Run{Command: os.Args, Program: cfg.Inputs, Args: cfg.Args, Started: now()}
}

// now is the time in seconds, or that of SOURCE_DATE_EPOCH, with which builds that are to
// be reproducible set the clock.
func now() time.Time {
	if n, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64); err == nil {
		return time.Unix(n, 0).UTC()
	}
	return time.Now().UTC().Truncate(time.Second)
}
