package engine_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/alu/aluref"
)

// docs/results/PTX.md says which instructions run and which are tested. What is tested
// is not written down anywhere: it is what the programs of this package's
// tests contain, the differential generator's among them, and what package
// alu's tests compare with the reference implementation.

const coveragePage = "../../docs/results/PTX.md"

var updatePage = flag.Bool("update", false, "write "+coveragePage)

// coverage is what the tests have run so far: variants of instructions, and
// special registers.
var coverage = struct {
	sync.Mutex
	variants, registers map[string]bool
}{variants: map[string]bool{}, registers: map[string]bool{}}

// noteCoverage records the instructions of a test's module.
func noteCoverage(m *ptx.Module) {
	coverage.Lock()
	defer coverage.Unlock()
	for _, it := range m.Items {
		if f, ok := it.(*ptx.Func); ok && f.Body != nil {
			noteBlock(f.Body)
		}
	}
}

func noteBlock(b *ptx.Block) {
	for _, s := range b.Stmts {
		switch s := s.(type) {
		case *ptx.Block:
			noteBlock(s)
		case *ptx.Instr:
			coverage.variants[isa.Variant(s.Opcode())] = true
			for _, a := range s.Args {
				noteRegister(a)
			}
		}
	}
}

func noteRegister(o ptx.Operand) {
	if r, ok := o.(*ptx.RegRef); ok {
		if s := isa.Special(r.Name); s != nil {
			coverage.registers[s.Name+s.Suffix] = true
		}
	}
}

// noteReference adds what package alu's tests cover.
func noteReference() {
	for _, op := range alu.All() {
		if aluref.Covers(op) {
			plain, _, _ := strings.Cut(op, ":")
			coverage.variants[isa.Variant(plain)] = true
		}
	}
}

// tested counts the variants of a row that the tests ran.
func tested(d *isa.Desc) int {
	seen := map[string]bool{}
	for i := range d.Forms {
		if !d.Forms[i].Executed {
			continue
		}
		for v := range d.Variants(&d.Forms[i]) {
			if coverage.variants[v] {
				seen[v] = true
			}
		}
	}
	return len(seen)
}

// checkCoverage writes the page, or compares it after a run of all tests: it
// must claim nothing that was not tested. It returns the exit code.
func checkCoverage() int {
	if !ranAll() {
		return 0
	}
	noteReference()
	if *updatePage {
		if err := os.WriteFile(coveragePage, page(tested, func(s *isa.SpecialReg) bool { return coverage.registers[s.Name+s.Suffix] }), 0o666); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return 0
	}
	claimed, code := claims(), 0
	for _, d := range isa.All() {
		if _, run := d.CountVariants(); run > 0 && tested(d) == 0 {
			fmt.Fprintf(os.Stderr, "%s is marked as executed, and no test of this package runs it\n", d.Op)
			code = 1
		}
		if n := tested(d); claimed[d.Op] > n {
			fmt.Fprintf(os.Stderr, "%s claims %d tested variants of %s, there are %d: go generate ./internal/ptx/isa\n", coveragePage, claimed[d.Op], d.Op, n)
			code = 1
		}
	}
	return code
}

// ranAll tells that no flag has left tests out.
func ranAll() bool {
	for _, name := range []string{"run", "skip", "bench", "list", "fuzz"} {
		if f := flag.Lookup("test." + name); f != nil && f.Value.String() != "" {
			return false
		}
	}
	return !testing.Short()
}

var rowPattern = regexp.MustCompile("(?m)^\\| `([^`]+)` \\| \\d+ \\| \\d+ \\| (\\d+) \\|")

// claims reads the tested counts of the page.
func claims() map[string]int {
	text, err := os.ReadFile(coveragePage)
	if err != nil {
		return nil
	}
	m := map[string]int{}
	for _, g := range rowPattern.FindAllStringSubmatch(string(text), -1) {
		m[g[1]], _ = strconv.Atoi(g[2])
	}
	return m
}

// TestCoveragePage wants the rest of the page to be what the table gives.
func TestCoveragePage(t *testing.T) {
	got, err := os.ReadFile(coveragePage)
	if err != nil {
		t.Fatal(err)
	}
	claimed := claims()
	lines := map[string]bool{}
	for _, l := range strings.Split(string(got), "\n") {
		lines[l] = true
	}
	want := page(func(d *isa.Desc) int { return claimed[d.Op] }, func(s *isa.SpecialReg) bool {
		return lines[registerRow(s, true)]
	})
	if *updatePage && !ranAll() { // the counts stay
		if err := os.WriteFile(coveragePage, want, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if !*updatePage && !bytes.Equal(got, want) {
		t.Error(coveragePage + " is stale: go generate ./internal/ptx/isa")
	}
}

const pageHead = `# PTX coverage

Made from the instruction table (internal/ptx/isa) and the tests by ` + "`go generate ./internal/ptx/isa`" + `; do not edit.

Every instruction below parses, prints and is checked for its modifiers and operands. A variant is an opcode with all
its modifiers and types; those that differ in memory order, scope or caching only count as one. "run" is the variants
that the engine executes: a kernel that reaches another one stops with an "unsupported instruction" message that names
it. "tested" is those among them that tests run: on registers against a second implementation of the arithmetic
(internal/warp/alu/aluref), by each set of vector instructions, or in a whole kernel (internal/engine). Instructions with
free modifiers have no count. "PTX" and "sm" are the versions that introduced the instruction. The reference is the
section of that title in NVIDIA's "Parallel Thread Execution ISA".
`

// page renders the page with the given counts.
func page(tested func(*isa.Desc) int, registerTested func(*isa.SpecialReg) bool) []byte {
	var b bytes.Buffer
	b.WriteString(pageHead)
	var all, run, test, rows int
	for _, d := range isa.All() {
		v, r := d.CountVariants()
		all, run, test = all+v, run+r, test+tested(d)
		if d.Executed {
			rows++
		}
	}
	fmt.Fprintf(&b, "\n%d instructions, %d of them run; %d variants, of which %d run and %d are tested.\n", len(isa.All()), rows, all, run, test)
	for c := range isa.NumClasses {
		classRows(&b, c, tested)
	}
	b.WriteString("\n## Not executed\n\n| instruction | forms | reason |\n| --- | --- | --- |\n")
	for _, d := range isa.All() {
		for _, why := range isa.WhyNot(d.Op) {
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", d.Op, why[0], why[1])
		}
	}
	b.WriteString("| `tcgen05.mma` | K = 96 of sm_103 | the text of the PTX ISA leaves to figures where its scales are; a kernel that asks for it in a descriptor stops |\n")
	b.WriteString("| `cp.async.bulk.tensor` | `.im2col::w`, `.im2col::w::128` | the text of the PTX ISA leaves to figures which pixels are read |\n")
	b.WriteString("\n## Special registers\n\n| register | type | components | runs | tested | section |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, s := range isa.Specials() {
		b.WriteString(registerRow(&s, registerTested(&s)) + "\n")
	}
	return b.Bytes()
}

func classRows(b *bytes.Buffer, c isa.Class, tested func(*isa.Desc) int) {
	name := c.String()
	fmt.Fprintf(b, "\n## %s%s\n\n| instruction | variants | run | tested | PTX | sm | section |\n| --- | --- | --- | --- | --- | --- | --- |\n",
		strings.ToUpper(name[:1]), name[1:])
	for _, d := range isa.All() {
		if d.Class != c {
			continue
		}
		all, run := d.CountVariants()
		if all == 0 {
			fmt.Fprintf(b, "| `%s` | any | %s | | %d.%d | %d | %s |\n", d.Op, yes(d.Executed), d.PTX[0], d.PTX[1], d.SM, d.Section)
			continue
		}
		fmt.Fprintf(b, "| `%s` | %d | %d | %d | %d.%d | %d | %s |\n", d.Op, all, run, tested(d), d.PTX[0], d.PTX[1], d.SM, d.Section)
	}
}

func registerRow(s *isa.SpecialReg, tested bool) string {
	name := s.Name
	if s.Count > 0 {
		name += fmt.Sprintf("0%s..%s%d%s", s.Suffix, s.Name, s.Count-1, s.Suffix)
	}
	return fmt.Sprintf("| `%s` | %v | %s | %s | %s | %s |", name, s.Type, s.Components, yes(s.Executed), yes(tested), s.Section)
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return ""
}
