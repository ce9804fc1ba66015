package repair_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/repair"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/source"
)

// assemblyCase is a kernel of inline assembly, and what candidates make of the line.
type assemblyCase struct {
	name string
	kind finding.RepairKind
	// code is the kernel's body, line the one of it that a finding is at, counted from 1.
	code string
	line int
	// want are bodies each of which is made by a candidate that changes the text of an instruction; there are no others.
	want []string
}

var assemblyCases = []assemblyCase{
	{"count", "count-whole-warps", `asm volatile("bar.sync 1, 40;" ::: "memory");`, 1,
		[]string{`asm volatile("bar.sync 1, 64;" ::: "memory");`, `asm volatile("bar.sync 1;" ::: "memory");`}},
	{"two literals", "count-whole-warps", "asm volatile(\"bar.sync 1\" // the barrier\n\", 40;\" ::: \"memory\");", 1,
		[]string{"asm volatile(\"bar.sync 1\" // the barrier\n\", 64;\" ::: \"memory\");", "asm volatile(\"bar.sync 1\" // the barrier\n\";\" ::: \"memory\");"}},
	{"a number in two literals", "count-whole-warps", `asm volatile("bar.sync 1, 4" /* , 9 */ "0;" ::: "memory");`, 1,
		[]string{`asm volatile("bar.sync 1, 64" /* , 9 */ ";" ::: "memory");`, `asm volatile("bar.sync 1" /* , 9 */ ";" ::: "memory");`}},
	{"a comma in two literals", "count-whole-warps", `asm volatile("bar.sync 1" ", " "33;" ::: "memory");`, 1,
		[]string{`asm volatile("bar.sync 1" ", " "64;" ::: "memory");`, `asm volatile("bar.sync 1" "" ";" ::: "memory");`}},
	{"escapes", "count-whole-warps", `asm volatile("membar.gl;\n\tbar.sync\t1,\x20\64\060;\n" ::: "memory");`, 1,
		[]string{`asm volatile("membar.gl;\n\tbar.sync\t1,\x2064;\n" ::: "memory");`, `asm volatile("membar.gl;\n\tbar.sync\t1;\n" ::: "memory");`}},
	{"raw literal", "count-whole-warps", `asm volatile(R"x(bar.sync 1, 40;)x" ::: "memory");`, 1,
		[]string{`asm volatile(R"x(bar.sync 1, 64;)x" ::: "memory");`, `asm volatile(R"x(bar.sync 1;)x" ::: "memory");`}},
	{"joined lines", "count-whole-warps", "asm volatile(\"bar.sync 1, 4\\\n0;\" ::: \"memory\");", 1,
		[]string{"asm volatile(\"bar.sync 1, 64\\\n;\" ::: \"memory\");", "asm volatile(\"bar.sync 1\\\n;\" ::: \"memory\");"}},
	{"several instructions", "count-whole-warps", `asm volatile("{ .reg .pred p; setp.eq.u32 p, %0, 40; @p bar.sync 2, 41; bar.arrive 3, 64; }" :: "r"(n) : "memory");`, 1,
		[]string{`asm volatile("{ .reg .pred p; setp.eq.u32 p, %0, 40; @p bar.sync 2, 64; bar.arrive 3, 64; }" :: "r"(n) : "memory");`,
			`asm volatile("{ .reg .pred p; setp.eq.u32 p, %0, 40; @p bar.sync 2; bar.arrive 3, 64; }" :: "r"(n) : "memory");`}},
	{"reduction", "count-whole-warps", `asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; barrier.red.popc.aligned.u32 %0, 1, 40, p; }" : "=r"(n) : "r"(n) : "memory");`, 1,
		[]string{`asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; barrier.red.popc.aligned.u32 %0, 1, 64, p; }" : "=r"(n) : "r"(n) : "memory");`}},
	{"operand", "count-whole-warps", `asm volatile("bar.sync %0, %1;" :: "r"(1), "r"(n - 8) : "memory");`, 1,
		[]string{`asm volatile("bar.sync %0, %1;" :: "r"(1), "r"(((n - 8) + 31) / 32 * 32) : "memory");`, `asm volatile("bar.sync %0;" :: "r"(1), "r"(n - 8) : "memory");`}},
	{"named operand", "count-whole-warps", `asm volatile("bar.sync %[id], %[count];" :: [id] "r"(1), [count] "r"(n) : "memory");`, 1,
		[]string{`asm volatile("bar.sync %[id], %[count];" :: [id] "r"(1), [count] "r"(((n) + 31) / 32 * 32) : "memory");`,
			`asm volatile("bar.sync %[id];" :: [id] "r"(1), [count] "r"(n) : "memory");`}},
	// Not a barrier with a count.
	{"comment", "count-whole-warps", `asm volatile("/* bar.sync 1, 40; */ bar.sync 1; // bar.sync 1, 41;" ::: "memory");`, 1, nil},
	{"names", "count-whole-warps", `asm volatile("{ .reg .b32 bar_sync, sync; bar_sync: mov.u32 sync, 40; }" ::: "memory");`, 1, nil},
	{"whole warps", "count-whole-warps", `asm volatile("barrier.arrive 1, 64;" ::: "memory");`, 1, nil},
	{"another opcode", "count-whole-warps", `asm volatile("barrier.cluster.arrive; barrier.cluster.wait; prefetch.global.L1 [%0];" :: "l"(out) : "memory");`, 1, nil},
	{"macro", "count-whole-warps", `asm volatile(WHICH " 1, 40;" ::: "memory");`, 1, nil},
	{"macro of a statement", "count-whole-warps", `SYNC(1, 40);`, 1, nil},
	{"printed", "count-whole-warps", `printf("bar.sync 1, 40;");`, 1, nil},

	{"order", "count-arrivals", `asm volatile("{ .reg .b64 s; mbarrier.arrive.relaxed.cta.shared::cta.b64 s, [%0]; }" :: "r"(n) : "memory");`, 1,
		[]string{`asm volatile("{ .reg .b64 s; mbarrier.arrive.release.cta.shared::cta.b64 s, [%0]; }" :: "r"(n) : "memory");`}},
	{"order in two literals", "count-arrivals", `asm volatile("mbarrier.arrive.rel" "axed.cta.shared::cta.b64 _, [%0];" :: "r"(n) : "memory");`, 1,
		[]string{`asm volatile("mbarrier.arrive.release" ".cta.shared::cta.b64 _, [%0];" :: "r"(n) : "memory");`}},
	{"names with an order", "count-arrivals", `asm volatile("{ .reg .b64 relaxed; mbarrier.arrive.shared::cta.b64 relaxed, [%0]; }" :: "r"(n) : "memory");`, 1, nil},
	{"parity", "count-arrivals", `asm volatile("{ .reg .pred p; W: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @!p bra W; }" :: "r"(n), "r"(n / 2) : "memory");`, 1,
		[]string{`asm volatile("{ .reg .pred p; W: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @!p bra W; }" :: "r"(n), "r"((n / 2) ^ 1) : "memory");`}},
	{"parity first", "count-arrivals", `asm volatile("{ .reg .pred p; W: mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %0; @!p bra W; }" :: "r"(n / 2), "r"(n) : "memory");`, 1,
		[]string{`asm volatile("{ .reg .pred p; W: mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %0; @!p bra W; }" :: "r"((n / 2) ^ 1), "r"(n) : "memory");`}},
	{"parity that is constant", "count-arrivals", `asm volatile("{ .reg .pred p; W: mbarrier.test_wait.parity.b64 p, [%0], 1; @!p bra W; }" :: "l"(out) : "memory");`, 1,
		[]string{`asm volatile("{ .reg .pred p; W: mbarrier.test_wait.parity.b64 p, [%0], 0; @!p bra W; }" :: "l"(out) : "memory");`}},
	{"a token", "count-arrivals", `asm volatile("{ .reg .pred p; .reg .b64 parity; mbarrier.arrive.b64 parity, [%0]; W: mbarrier.test_wait.b64 p, [%0], parity; @!p bra W; }" :: "l"(out) : "memory");`, 1, nil},

	{"tensor load", "write-tensor-memory", `asm volatile("tcgen05.ld.sync.aligned.32x32b.x2.b32 {%0, %1}, [%2];" : "=r"(n), "=r"(n) : "r"(n + 1));`, 1,
		[]string{`asm volatile("{ .reg .b32 zero; mov.b32 zero, 0; tcgen05.st.sync.aligned.32x32b.x2.b32 [%0], {zero, zero}; tcgen05.wait::st.sync.aligned; }" ::"r"(n + 1) : "memory"); asm volatile("tcgen05.ld.sync.aligned.32x32b.x2.b32 {%0, %1}, [%2];" : "=r"(n), "=r"(n) : "r"(n + 1));`}},
	{"tensor load of halves", "write-tensor-memory", `asm volatile("tcgen05.ld.sync.aligned.32x32b.x1.pack::16b.b32 {%0}, [%1];" : "=r"(n) : "r"(n));`, 1, nil},
	{"tensor store", "write-tensor-memory", `asm volatile("tcgen05.st.sync.aligned.32x32b.x1.b32 [%0], {%1};" :: "r"(n), "r"(n));`, 1, nil},
	{"product", "write-tensor-memory", `asm volatile("{ .reg .pred p; setp.ne.u32 p, %4, 0;\n @q tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p; }" :: "r"(n), "l"(out), "l"(out), "r"(n), "r"(n));`, 1,
		[]string{`asm volatile("{ .reg .pred p; setp.ne.u32 p, %4, 0;\n setp.ne.u32 p, 0, 0; @q tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p; }" :: "r"(n), "l"(out), "l"(out), "r"(n), "r"(n));`}},
	{"number of a barrier", "fewer-barriers", `asm volatile("bar.sync 17, 64; barrier.arrive 3, 64;" ::: "memory");`, 1, []string{`asm volatile("bar.sync 1, 64; barrier.arrive 3, 64;" ::: "memory");`}},
	{"number of a barrier that is an operand", "fewer-barriers", `asm volatile("bar.sync %0, 17;" :: "r"(n) : "memory");`, 1, []string{`asm volatile("bar.sync %0, 17;" :: "r"((n) % 16) : "memory");`}},
	{"columns", "allocate-in-order", `asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 48;" :: "r"(n) : "memory");`, 1,
		[]string{`asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 64;" :: "r"(n) : "memory");`}},
	{"scope of no instruction", "scope", `asm volatile("atomic.acq_rel.cta.global.add.u32 %0, [%1], 1;" : "=r"(n) : "l"(out) : "memory");`, 1, nil},
	{"scope of an atomic", "scope", `asm volatile("red.release.cta.global.add.u32 [%0], 1;" :: "l"(out) : "memory");`, 1,
		[]string{`asm volatile("red.release.cluster.global.add.u32 [%0], 1;" :: "l"(out) : "memory");`, `asm volatile("red.release.gpu.global.add.u32 [%0], 1;" :: "l"(out) : "memory");`,
			`asm volatile("red.release.sys.global.add.u32 [%0], 1;" :: "l"(out) : "memory");`}},
	{"scope of a fence", "scope", `asm volatile("membar.cta; bar.cta.sync 0; ld.shared::cta.u32 %0, [%0];" : "+r"(n) :: "memory");`, 1,
		[]string{`asm volatile("membar.gl; bar.cta.sync 0; ld.shared::cta.u32 %0, [%0];" : "+r"(n) :: "memory");`, `asm volatile("membar.sys; bar.cta.sync 0; ld.shared::cta.u32 %0, [%0];" : "+r"(n) :: "memory");`}},
}

// TestAssembly: which instructions of inline assembly a repair changes, and that it changes these words alone.
func TestAssembly(t *testing.T) {
	var b strings.Builder
	b.WriteString("#include <cstdio>\n#define WHICH \"bar.sync\"\n#define SYNC(id, n) asm volatile(\"bar.sync \" #id \", \" #n \";\" ::: \"memory\")\n")
	first := make([]int, len(assemblyCases))
	bodies := make([]string, len(assemblyCases))
	for i, c := range assemblyCases {
		b.WriteString("__global__ void k" + string(rune('A'+i/26)) + string(rune('a'+i%26)) + "(int *out, int n)\n{\n")
		first[i] = strings.Count(b.String(), "\n")
		bodies[i] = c.code + "\nout[0] = n;\n}\n"
		b.WriteString(bodies[i])
	}
	text := b.String()
	p, file, texts := programOf(t, text)
	for i, c := range assemblyCases {
		f := &finding.Finding{Primary: finding.Place{Loc: source.Location{Pos: source.Pos{File: file, Line: first[i] + c.line}}}, Repair: &finding.Repair{Kind: c.kind}}
		var made []string
		for _, patch := range repair.Candidates(p, f) {
			if strings.HasPrefix(patch.What, "move") {
				continue // TestKinds has these
			}
			after := string(code.Apply(texts, []*code.Patch{patch}, true)[file])
			if strings.Count(after, "\n") != strings.Count(text, "\n") {
				t.Errorf("%s: %s: lines have moved", c.name, patch.What)
				continue
			}
			lines := strings.SplitAfter(after, "\n")
			made = append(made, strings.TrimSuffix(strings.Join(lines[first[i]:first[i]+strings.Count(bodies[i], "\n")-2], ""), "\n"))
		}
		slices.Sort(made)
		made = slices.Compact(made)
		want := slices.Clone(c.want)
		slices.Sort(want)
		if !slices.Equal(made, want) {
			t.Errorf("%s: made\n\t%s\nwant\n\t%s", c.name, strings.Join(made, "\n\t"), strings.Join(want, "\n\t"))
		}
	}
}
