// Package session is one check: a program runs once on the emulated GPU, and what the rules find becomes a report. It is the
// place where the parts are wired together.
//
//	PrepareSession ── a Config to values, rules to checkers (prepare.go, controls.go)
//	  │
//	  ├─ Executable ── package build: sources to an executable
//	  ├─ Run ── serve: arena, observers, device.Device, host.Server; the program runs
//	  │           │ events go from engine and host to the checkers; the filter (filter.go) leaves
//	  │           │ out launches that were not asked for
//	  └─ Finish ── findings, counts and messages to a report.Report with its exit code (finish.go)
//
// A Config has four parts, by who reads them: build.Config, RunConfig, CheckConfig and ReportConfig (config.go).
//
// # What stands above it
//
// Package trial repeats and changes a check (other schedules, a barrier less, a capsule's launch again) and compares; fix tries
// repairs by such trials; kernels runs kernels without a program; examine checks kernels without a run and takes from here what
// reports have in common. They add to a Session before it runs: Observers, LaunchObservers, Edit, Replaced, and with Partial set they
// conclude it themselves (Part, in part.go).
//
// # What holds
//
//   - The same program and Config give the same report, byte for byte, at any number of workers.
//   - One run of a process has the arena's addresses: a run waits for the end of earlier ones (settle.go).
//   - What failed and was replaced by something slower is in the report (fallbacks.go), and ends the run under WARPGRIND_FALLBACK=error.
//   - A check that did not finish is not clean: exitCode decides by the first of bug, fallback, unsupported call, load error, room, time.
package session
