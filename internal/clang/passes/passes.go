// Package passes is what happens to a program's LLVM IR between clang, opt and llc: one
// list of passes over one parsed module (irtext.Module).
//
// To add a pass: its function in a file of its own, a row in List where it belongs, and
// its golden test, an IR file of the pass's name in testdata (see TestPasses).
package passes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/clang/irtext"
	"github.com/warpgrind/warpgrind/internal/pragma"
)

// Stage is when a pass runs.
type Stage uint8

// The stages of a compilation.
const (
	// Read is for what is read off the IR as clang wrote it.
	Read Stage = iota
	// BeforeOpt is before anything is optimized.
	BeforeOpt
	// BeforeLLC is on the way from opt to llc.
	BeforeLLC
	// Host is for the host side, before anything is optimized.
	Host
)

// Pass is a row of the list.
type Pass struct {
	Name  string
	Stage Stage
	// KeepsSource is set if only the source-keeping build has the pass.
	KeepsSource bool
	// Does says what the pass does, and why.
	Does string
	run  func(m *irtext.Module, s *State)
}

// List has all passes in the order in which they run.
var List = []Pass{
	{"variable-types", Read, false, "reads the types of shared, global and constant variables off the debug information, for the names of elements in reports", variableTypes},
	{"cluster-dims", Read, false, "reads what our macro __cluster_dims__ noted: clang does not know the attribute", clusterDims},
	{"restricted-params", Read, true, "reads which parameters are const __restrict__, which compilers may load through the read-only path", restrictedParams},

	{"coverage", BeforeOpt, false, "turns clang's coverage counters into markers, and the coverage mapping into a directive", coverageMarks},
	{"align", BeforeOpt, true, "aligns accesses as the source's types promise, as nvcc does; clang goes by the variable and would split them", align},
	{"subarrays", BeforeOpt, true, "marks pointers into dynamic shared memory that the program made arrays of its own, so that reports know them", subarrays},
	{"shared-addresses", BeforeOpt, false, "stores addresses of shared variables that clang would copy from a constant, which cannot hold them", storeSharedAddresses},
	{"plain-debug", BeforeOpt, false, "takes out debug information but for positions: opt and llc would carry it along", plainDebug},
	{"grid-constants", BeforeOpt, false, "reads which parameters are __grid_constant__, which clang 19 does not know", gridConstants},
	{"child-grids", BeforeOpt, false, "makes launches in device code of calls: clang does not know them", childGrids},
	{"inline-accumulators", BeforeOpt, true, "inlines functions that get the accumulators of matrix instructions by reference, as nvcc does; else they would be in memory while wgmma works on them", inlineAccumulators},
	{"bound", BeforeOpt, true, "checks subscripts of members and rows, where an index that is too big hits a neighbor and shows nowhere", bound},
	{"mark", BeforeOpt, true, "marks accesses so that optimization neither drops, moves, merges nor splits them", mark},
	{"unset", BeforeOpt, true, "gives variables without an initializer a value that LLVM cannot choose", unset},
	{"assumptions", BeforeOpt, false, "keeps what the program assumes, what it declares unreachable and the ranges of enumerations as traps where kernels are checked without running", keepAssumptions},
	{"define", BeforeOpt, true, "takes off what LLVM would conclude from undefined behavior, which is to be shown", define},

	{"initializer-names", BeforeLLC, false, "names the constants of local aggregates as the variables that they initialize, for reports", nameInitializers},
	{"scopes", BeforeLLC, false, "marks where the scopes of local variables end that the function may use after that", markScopes},
	{"lower", BeforeLLC, false, "makes of marked accesses what llc keeps, and of positions numbers that outlast llc", lower},
	{"grid-constant-addresses", BeforeLLC, false, "gives __grid_constant__ parameters an address in the parameter space; llc would copy those that are written or handed on", gridConstantAddresses},

	{"unread", Host, false, "lets host code tell the runtime of error codes that it does not read", tellUnread},
}

// State is what passes are told about a compilation, and what they find out.
type State struct {
	// KeepSource asks for the source-keeping build, RDC for relocatable device code.
	KeepSource, RDC bool
	// Assumptions keeps what the program assumes.
	Assumptions bool
	// Major is the version of LLVM, SM the target.
	Major, SM int

	// Locations are those that the numbers in the IR for llc stand for.
	Locations *irtext.Locations
	// directives are those for the end of the PTX, clusters the cluster dimensions of
	// kernels by name.
	directives strings.Builder
	clusters   map[string]string
	// gridConstants are the numbers of a kernel's __grid_constant__ parameters, by name.
	gridConstants map[string][]int
}

// Run carries out the passes of a stage.
func Run(stage Stage, m *irtext.Module, s *State) {
	for _, p := range List {
		if p.Stage == stage && (s.KeepSource || !p.KeepsSource) {
			p.run(m, s)
		}
	}
}

// directive adds a directive for the reports to the PTX.
func (s *State) directive(d fmt.Stringer) {
	s.directives.WriteString(pragma.Text(d) + ";\n")
}

// Annotate adds to PTX what was read off the IR.
func (s *State) Annotate(ptx []byte) []byte {
	return append(addClusters(ptx, s.clusters), s.directives.String()...)
}

func hasAnyPrefix(s string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}
