package session

import (
	"io"
	"time"

	"github.com/warpgrind/warpgrind/internal/build"
	"github.com/warpgrind/warpgrind/internal/finding"
)

// Config is one check, in parts by who reads them: the build, the run, the rules, and the report.
type Config struct {
	build.Config
	RunConfig
	CheckConfig
	ReportConfig
}

// RunConfig is how the program runs on the emulated GPU, in which order, and what is kept of its launches.
type RunConfig struct {
	// Args go to the program.
	Args []string
	// Workers is how many blocks run at once; 0 means one per core.
	Workers int
	// DeviceMemory is the memory of each GPU, such as "500M" or "80G"; "" means that of a product of the architecture.
	DeviceMemory string
	// Devices is how many GPUs the program sees, 1 to host.MaxDevices; 0 means 1.
	Devices int
	// Padding is the least distance in bytes between allocations; less than mem.RedZone means that.
	Padding uint64
	// Timeout ends the run; 0 means none.
	Timeout time.Duration
	// Hang is after which time device code counts as stuck that only a thread of the host can
	// release; 0 means host.DefaultPatience.
	Hang time.Duration
	// MaxSteps bounds the instructions of one warp; 0 means the default.
	MaxSteps uint64
	// OnFault is "continue" (the default), where a launch continues after invalid accesses,
	// which then read zeros and write nothing; "stop", which ends the block there; or
	// "kernel", which ends it as well and lets later launches run.
	OnFault string

	// Schedule is the order of blocks, warps and lanes: "default", "reverse" or
	// "random", for which Seed chooses, or check.Holds of one launch.
	Schedule string
	Seed     uint64
	// Runs is how often the program runs, each time under another schedule; 0
	// and 1 mean once.
	Runs int
	// TrialTime is how long Fix tries patches; 0 means DefaultTrialTime.
	TrialTime time.Duration
	// OnlyBlocks are the blocks of each launch that run, the others are skipped: numbers, ranges, "first", "last" and
	// "1/N", as in "first,last,64-127"; "" for all.
	OnlyBlocks string
	// Explore executes launches in all orders; nil for the order of the run alone.
	Explore *Exploration

	// LogLaunches gets a line before each launch, written at once.
	LogLaunches io.Writer
	// ListLaunches gets each launch that has ended as a line of JSON.
	ListLaunches io.Writer
	// DumpBuffers is a directory for the contents of all buffers after each
	// launch; "" for none.
	DumpBuffers string
	// Record is a directory for the launches that are checked as capsules; "" for none. Launches
	// are those of them to record, by number or kernel: "3,10-20,scan*"; "" for all. RecordAll keeps
	// all contents of memory, also what a launch does not access.
	Record, Launches string
	RecordAll        bool
	// Watch are places of memory, "name[i]" or an address, each access to which
	// is told on Stderr.
	Watch []string

	// Progress is told a few times a second how far the running launch has come,
	// and nil once none runs; nil for none. Warn is told in a line of blocks
	// that take long. Both are called from other goroutines.
	Progress func(*Status)
	Warn     func(string)

	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

// CheckConfig is what the rules check, and in which launches.
type CheckConfig struct {
	Tools, RaceModel string
	// RacePolicy is what --race-policy takes; "" means the standard.
	RacePolicy string
	// Predict is a check.Prediction; "" is the default.
	Predict string
	// WatchAll also checks accesses that were proved safe before the launch.
	WatchAll bool
	// LeakCheck is "full" for findings of memory that the program does not free, ""
	// or "no" for none.
	LeakCheck string
	// APIErrors is "all" for the rule api to report every call that fails, "" or "unread" for
	// those whose error the program never reads.
	APIErrors string
	// UnusedMemory lets the rule init report allocations of which at least as many percent
	// are never written; nil for none.
	UnusedMemory *float64
	// Kernel is a pattern of the kernels to check, "" for all, but for those of
	// KernelExclude. Of their launches LaunchSkip are left out and LaunchCount
	// are checked, 0 for all.
	Kernel, KernelExclude   string
	LaunchSkip, LaunchCount int
	// Sample is "1/N" for one block in N or "N" for N blocks of each launch;
	// "" for all.
	Sample string
}

// ReportConfig is what comes into the report, and what its exit code means.
type ReportConfig struct {
	// ErrorLevel is the mildest level that makes the exit code ExitFindings.
	ErrorLevel string
	// LeaveOut reports whether a finding is not wanted; nil for none.
	LeaveOut func(*finding.Finding) bool
	// Suppressions are files with known findings. Those of the report are
	// written to GenSuppressions, unless that is "".
	Suppressions    []string
	GenSuppressions string
	// Listing puts the PTX of the kernels that run into the report, with executions.
	Listing bool
	// Coverage puts into the report which lines, functions and branches of device code were executed.
	Coverage bool
	// Fidelity puts into the report which executed instructions the engine computes exactly.
	Fidelity bool
}
