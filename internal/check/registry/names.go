package registry

import (
	"maps"
	"slices"
	"strings"
)

// A Name is a word that reports use beside the rule's ID: the kind of a finding, or its
// cause in JSON.
type Name struct {
	// Rules are the IDs of the rules whose findings have it.
	Rules []string
	// Text says what it is; "" where the rule's page does.
	Text string
}

// kinds are the kinds of findings by rule, and what they are.
var kinds = map[string]map[string]string{
	"race": {
		"lifetime":    "shared memory that may be accessed while its block is not there: before it starts, or after it exits",
		"RAW":         "read after write: a thread reads what another thread writes, and nothing orders the two; the write came first in this run",
		"WAR":         "write after read: a thread overwrites what another thread reads, and nothing orders the two; the read came first in this run",
		"WAW":         "write after write: two threads write to the same place, and nothing orders the two",
		"early-read":  "found without running: a read of global memory that may come before griddepcontrol.wait",
		"early-write": "found without running: a write to global memory that may come before griddepcontrol.wait",
		"read-write":  "found without running: a thread may read what another thread writes",
		"write-write": "found without running: two threads may write to the same place",
	},
	"memory": {
		"tensor-lanes":  "an address in tensor memory that is in the lanes of the first warp of each four, by another warp",
		"out-of-bounds": "an access outside the object that it means",
		"after-return":  "an access to a local variable of a function that has returned",
		"after-scope":   "an access to a local variable whose scope has ended",
		"misaligned":    "an address that is not a multiple of the access's size",
		"read-only":     "a write to memory that may only be read",
		"invalid-free":  "a free of what is not an allocation",
		"double-free":   "a free of an allocation that was freed before",
		"stack":         "recursion deeper than the stack",
		"leak":          "memory that is not freed when the program ends, or columns of tensor memory when the block does",
		"bad-copy":      "a copy or fill that CUDA refuses",
		"host-access":   "host code that follows a device pointer",
	},
	"init": {
		"global": "a read of global memory that is uninitialized", "shared": "a read of shared memory that is uninitialized",
		"local": "a read of a local variable that is uninitialized", "constant": "a read of constant memory that the host never filled",
		"register": "a read of a register that is not set", "copied": "uninitialized memory that is copied to the host",
		"unused": "an allocation that is never written", "tensor": "a read of tensor memory that is uninitialized",
		"response": "the first block of a response to clusterlaunchcontrol.try_cancel that canceled nothing, and whose value is used",
		"lane":     "a shuffle that reads a lane that does not take part, and whose value is used",
	},
	"sync": {
		"divergent": "a barrier that some threads of the block do not reach", "exited": "a barrier after some threads have exited",
		"unreachable": "a barrier that no thread reaches", "redundant": "a barrier with no memory access since the one before",
		"tensor-map":  "a tensor map in global memory that a block uses without a fence for it",
		"mask":        "a mask that omits lanes that execute the operation, or names lanes that never reach it",
		"absent-lane": "a shuffle that reads a lane that does not take part", "split": "a barrier whose arrive and wait do not match",
		"barrier": "a barrier that is used wrongly, initialized again or overwritten", "deadlock": "threads that wait for each other forever",
		"registers": "a setmaxnreg that sets a number of registers that it must not set",
	},
	"hang": {
		"budget": "a kernel that exceeds --max-steps or can never end", "time": "a kernel that exceeds --timeout",
		"value": "a stream that waits for a value that nothing writes", "collective": "a collective operation whose ranks do not fit together",
	},
	"launch": {"rejected": "a launch that CUDA refuses", "argument": "an argument that the kernel cannot use"},
	"assert": {"assert": "a failed assert()", "trap": "a trap instruction"},
	"api": {"unread": "an error that the program never reads", "unread-launch": "an error of a launch that the program never reads", "failed": "a call that returns an error",
		"unseen-printf": "a kernel that prints, and for which the program does not wait before it ends"},
	"bank":       {"conflict": "lanes that need different words of one bank", "contention": "lanes that update one place by atomic operations"},
	"coalesce":   {"uncoalesced": "a warp's access that transfers far more sectors than needed", "misaligned": "a warp's access that transfers a sector more than needed", "contention": "lanes that update one place by atomic operations"},
	"constant":   {"serialized": "lanes that read different addresses of constant memory"},
	"divergence": {"idle": "lanes that wait while others execute the other path", "partial-warp": "lanes without a thread"},
	"occupancy":  {"low": "fewer resident warps than the multiprocessor holds"},
	"schedule":   {"result": "a buffer that differs from run to run", "output": "output that differs from run to run"},
}

// causes are the causes that the rules declare, by rule; those of faults and of undefined
// behavior are on their rules' pages.
var causes = map[string]string{
	"race": "no-barrier partial-barrier no-syncwarp partial-syncwarp one-instruction in-flight no-proxy-fence issued-early not-started may-have-exited init-not-visible not-atomic lost-update no-fence not-arrived not-awaited " +
		"wrong-phase copies-only narrow-scope mixed-sizes no-lock reused-early test-then-set not-volatile blocks-unordered streams-unordered staged-copy child-unordered grid-unordered " +
		"overlapping-arrays read-only-path host-unordered",
	"init":      "unwritten early-wait stored undefined-lane undefined-response copied-out never-written",
	"occupancy": "resident-blocks shared-memory block-shape",
	"sync":      "exited-warp divergent-barrier different-barriers conditional-barrier mask-excludes mask-too-wide absent-lane initialized-again overwritten-mbarrier arrived-twice never-waited arrived-early map-not-acquired unreachable-barrier value-never-comes rank-missing ranks-differ registers-differ register-count redundant-barrier",
	"memory":    "beyond-object function-returned scope-ended failed-allocation device-pointer-on-host not-freed tensor-leak",
	"bank":      "bank-conflict",
}

// tools are compute-sanitizer's names, and the rule that stands first for each.
var tools = map[string][]string{"memcheck": {"memory"}, "racecheck": {"race"}, "initcheck": {"init"}, "synccheck": {"sync"}}

// FindName returns what a word in a report means; upper and lower case do not matter.
func FindName(word string) (Name, bool) {
	var n Name
	for _, r := range All() {
		for kind, text := range kinds[r.ID] {
			if strings.EqualFold(kind, word) {
				n.Rules = append(n.Rules, r.ID)
				if n.Text != "" {
					n.Text += "; " + r.ID + ": "
				}
				n.Text += text
			}
		}
		for _, cause := range strings.Fields(causes[r.ID]) {
			if strings.EqualFold(cause, word) && len(n.Rules) == 0 {
				n.Rules = append(n.Rules, r.ID)
			}
		}
	}
	if rules := tools[strings.ToLower(word)]; rules != nil {
		n.Rules = rules
	}
	return n, len(n.Rules) > 0
}

// Words are all names that FindName takes.
func Words() (out []string) {
	for _, r := range All() {
		out = append(out, slices.Sorted(maps.Keys(kinds[r.ID]))...)
		out = append(out, strings.Fields(causes[r.ID])...)
	}
	return out
}
