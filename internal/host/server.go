// Package host is the CUDA runtime as the emulated device sees it: memory,
// modules, streams and events of the programs under test, the checks of their
// API calls, and the socket on which they come.
//
// A program under test is linked with the shim (internal/shim/runtime), which
// turns each API call into a request, on a connection for each of its threads. Work is
// enqueued at the call. It runs there too, if nothing is before it in its stream, until it ends
// or all its threads wait for a change of memory; then the host and other streams continue. This
// is what becomes of a piece of work (queue.go):
//
//	waiting ── all that it is ordered after has ended ──► running ────────► ended
//	                                                      │     ▲
//	          all its threads wait for a change of memory ▼     │ other work, or the host, may have made one
//	                                                      parked
//	                                                      └── nothing ever will ──► running, to its fault
//
// The server's lock guards its data. It is open while device code runs: whose turn it is (enter,
// leave) is a matter of its own. While a module is loaded or a kernel lowered, calls that have
// nothing to do with the runner have turns, and while NVRTC compiles, all calls (turn.go).
package host

import (
	"context"
	"crypto/sha256"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Config is what a Server needs. Arena, Arch and Runner are required.
type Config struct {
	Arena  *mem.Arena
	Arch   *arch.Arch
	Runner Runner
	Hooks  Hooks
	// Observer, if set, sees the events of the run that are the server's: launches and
	// copies in streams, what orders them, and what CUDA refuses.
	Observer *trace.Observer
	// Multiprocessors is how many the device claims; 0 means 16.
	Multiprocessors int
	// Devices is how many devices there are, all alike; 0 means 1, and more
	// than MaxDevices are cut to that.
	Devices int
	// Forgive lets calls after a kernel's fault succeed, as if the kernel had ended in order.
	Forgive bool
	// SoFar is the exit code for the program that has started the server, if it ends before
	// others that the server serves; nil means that it waits for them.
	SoFar func() int
	// Choose, if set, chooses which of n pieces of work runs next, or that the host continues,
	// where the program's streams leave that open; nil means the first that was enqueued.
	Choose func(n int) int
	// Now is the time of events, time.Now if nil.
	Now func() time.Time
	// Patience is for how long parked work waits for threads of the host that may release it;
	// 0 means 20 seconds.
	Patience time.Duration
	// Compile compiles CUDA source to PTX for NVRTC; nil means that there is
	// no compiler.
	Compile func(context.Context, Source) (Compiled, error)
	// Library makes a part of one of the replacements for NVIDIA's closed libraries: the PTX
	// of a module of it, or for "" the shared library, whose path it returns; nil means that
	// there is no compiler.
	Library func(ctx context.Context, library, module string) (string, error)
}

// mostPids bounds Server.pids.
const mostPids = 1 << 12

// MaxDevices bounds Config.Devices.
const MaxDevices = 64

const defaultMultiprocessors = 16

// DefaultPatience is Config.Patience where none is given.
const DefaultPatience = 20 * time.Second

// Server serves the programs under test. Several may be connected; their
// requests are executed one at a time.
type Server struct {
	cfg Config
	// socket is where programs connect, owner the user whose programs may.
	socket string
	owner  uint32

	// mu guards the server and its processes. busy is set if device code runs, for which
	// mu is open, though no piece of work has its turn; free signals that it has stopped. runs
	// is the program whose piece of work runs.
	mu   sync.Mutex
	busy bool
	runs *process
	free sync.Cond
	// preparing is set while the runner loads a module or lowers a kernel: mu is open, and
	// only calls that have nothing to do with the runner have turns.
	preparing bool

	// starter is the process that has started the server, 0 for none, farewell the connection
	// on which it awaits the exit code, open the number of connections, and idle is called
	// when no program is left.
	starter  int
	farewell *net.UnixConn
	open     int
	idle     func()

	processes int // ever connected
	launches  atomic.Int64
	enqueued  uint64                          // pieces of work, and copies that the program carries out
	texts     map[moduleKey][sha256.Size]byte // of modules that were ever loaded
	used      [MaxDevices]uint64              // bytes of device memory allocated
	shared    []*event                        // made with cudaEventInterprocess
	handles   uint64                          // of streams and events that were ever made
	programs  map[uint64]*process             // connected, by token
	strangers map[*net.UnixConn]bool          // connections before their first request
	dismissed bool                            // the program that was to be run has ended
	pids      []int                           // of the programs that ever connected, up to mostPids

	// teams are the communicators of identifiers that were given, nil without ranks; brought is how many bytes the
	// meetings hold.
	teams         map[string]*team
	teamsByNumber []*team
	meetings      map[uint64]*meeting
	lastMeeting   uint64
	brought       uint64
	// underway counts the requests whose turn it is, or that wait, but not for other ranks; handled those that were
	// answered.
	underway int
	handled  uint64

	conns sync.WaitGroup
	// abandoned is set when work on a kernel did not end with the check.
	abandoned atomic.Bool
	// unfinished is that work.
	unfinished sync.WaitGroup
}

// New returns a server that has no program yet.
func New(cfg Config) *Server {
	if cfg.Multiprocessors <= 0 {
		cfg.Multiprocessors = defaultMultiprocessors
	}
	if cfg.Patience <= 0 {
		cfg.Patience = DefaultPatience
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Observer != nil {
		cfg.Hooks = observed(cfg.Observer, cfg.Arena, cfg.Hooks)
	}
	cfg.Devices = min(max(cfg.Devices, 1), MaxDevices)
	s := &Server{cfg: cfg, owner: uint32(os.Geteuid()), texts: map[moduleKey][sha256.Size]byte{}, programs: map[uint64]*process{}, strangers: map[*net.UnixConn]bool{},
		teams: map[string]*team{}, meetings: map[uint64]*meeting{}}
	s.free.L = &s.mu
	return s
}

// Processes returns how many programs have connected.
func (s *Server) Processes() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.processes
}

// Launches returns how many kernels were launched, rejected ones excluded.
func (s *Server) Launches() int { return int(s.launches.Load()) }
