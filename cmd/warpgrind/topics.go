package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/session"
)

// entry is a line of a reference: a name and what it means.
type entry struct{ name, text string }

// exitCodes are those of the commands that check programs; package session has their names.
var exitCodes = []entry{
	{"0", "checked, no findings at error level"},
	{"1", "findings at error level (see --error-level); --error-exitcode sets another number"},
	{"2", "usage error, or the program does not compile"},
	{"3", "the program failed, or exceeded --timeout"},
	{"4", "nothing was checked: no kernel ran"},
	{"5", "the program uses an unsupported feature"},
	{"6", "a bug in warpgrind"},
	{"7", "not finished: warpgrind or its compiler was killed, the system refused it memory, descriptors or disk space, or a file of results could not be written"},
	{"128+N", "interrupted by signal N, such as 130 after Ctrl-C; earlier findings are still reported and give 1"},
}

// variables are the variables that users set.
var variables = []entry{
	{"WARPGRIND_OPTIONS", "flags for each \"warpgrind run\", and for programs built by \"warpgrind cc\" that are started directly"},
	{"WARPGRIND_CONFIG", "\"off\": no .warpgrind.toml is read"},
	{"WARPGRIND", "the warpgrind that such a program starts, instead of the one that built it"},
	{"WARPGRIND_CACHE_DIR", "cache directory for compiled code, instead of $XDG_CACHE_HOME/warpgrind; \"off\" disables the cache"},
	{"WARPGRIND_CACHE_SIZE", "size limit of that directory, such as 500M; default 1G"},
	{session.FallbackEnv, "\"error\": a run fails with exit code 7 where something slower replaced what failed: kernels in the interpreter without generated code, or a damaged result in the cache that was made again"},
	{"CUDA_VISIBLE_DEVICES", "which of the emulated GPUs a process of the program sees, and in which order: numbers or identifiers, as on a GPU; without --devices there are as many as the highest number needs"},
	{"CUDA_HOME, CUDA_PATH", "NVIDIA's CUDA toolkit, for Thrust, CUB and libcu++; --cuda-path overrides it"},
	{"NVCC_PREPEND_FLAGS, NVCC_APPEND_FLAGS", "options of nvcc, for each \"warpgrind cc\""},
	{"XDG_DATA_HOME", "its subdirectory warpgrind/ holds the runtime library that programs are linked with; default ~/.local/share"},
	{"WARPGRIND_REPORT", "for programs built with \"warpgrind instrument\": the file for their findings, as JSON"},
	{"NO_COLOR", "set to anything: no colors on a terminal"},
	{"TERM", "\"dumb\": no progress line"},
	{"GITHUB_STEP_SUMMARY", "with --format github on standard output: the file to which the job summary is appended"},
	{"TEST_TOTAL_SHARDS, TEST_SHARD_INDEX, TEST_SHARD_STATUS_FILE, GTEST_TOTAL_SHARDS, GTEST_SHARD_INDEX", "the shard that warpgrind suite does, and that a program under warpgrind run does by itself"},
	{"SLURM_ARRAY_TASK_ID, SLURM_ARRAY_TASK_COUNT, SLURM_ARRAY_TASK_MIN, JOB_COMPLETION_INDEX", "the same for warpgrind suite; Kubernetes tells no count: --shard /N"},
	{"XML_OUTPUT_FILE, TEST_UNDECLARED_OUTPUTS_DIR", "of Bazel: the file for JUnit, unless the program writes it, and the directory for warpgrind.html, warpgrind.sarif and warpgrind.json"},
	{"TEST_TARGET, PYTEST_CURRENT_TEST", "name of the test in merged reports, unless --test has it"},
	{"GITHUB_WORKSPACE, CI_PROJECT_DIR", "root of the repository: paths in annotations, SARIF and JUnit are relative to it"},
	{"WARPGRIND_AUTOTUNE", "\"first\": Triton's autotuner in a program that uses PyTorch compiles and runs one configuration of a kernel instead of each"},
	{"WARPGRIND_DEBUG", "set to anything: an internal error prints its stack"},
	{"WARPGRIND_CPUPROFILE", "file for a CPU profile of warpgrind itself"},
}

// topic is a command without a run, which cobra lists as a help topic.
func topic(name, short, intro string, entries []entry) *cobra.Command {
	return &cobra.Command{Use: name, Short: short, Long: intro + "\n\n" + reference(entries)}
}

func topics() []*cobra.Command {
	return []*cobra.Command{
		topic("exit-codes", "Exit codes of the checking commands",
			"\"run\", \"report\" and \"barriers\" exit with one of these codes:", exitCodes),
		topic("metrics", "Metrics of --fail-on and of the report page",
			"Metrics of a kernel over all its launches, with the metric of Nsight Compute that counts\nthe same. The part before the dot is the rule that counts it:", metricEntries()),
		topic("environment", "Environment variables", "Environment variables that warpgrind reads:", variables),
	}
}

func metricEntries() []entry {
	var out []entry
	for _, m := range report.Metrics() {
		e := entry{m.Name, m.Title}
		if m.Nsight != "" {
			e.text += "; " + m.Nsight
		}
		out = append(out, e)
	}
	return out
}

// reference formats entries as a list with hanging lines.
func reference(entries []entry) string {
	var b strings.Builder
	width := 0
	for _, e := range entries {
		width = max(width, len(e.name))
	}
	if width > 12 { // names on lines of their own
		for _, e := range entries {
			fmt.Fprintf(&b, "  %s\n%s", e.name, wrapped(e.text, "      "))
		}
		return b.String()
	}
	for _, e := range entries {
		text := wrapped(e.text, strings.Repeat(" ", width+4))
		fmt.Fprintf(&b, "  %-*s%s", width, e.name, text[width+2:])
	}
	return b.String()
}

// wrapped breaks text into lines of the help's width, each after indent.
func wrapped(text, indent string) string {
	var b strings.Builder
	line := indent
	for _, word := range strings.Fields(text) {
		if len(line)+1+len(word) > helpWidth && line != indent {
			b.WriteString(line + "\n")
			line = indent
		}
		if line != indent {
			line += " "
		}
		line += word
	}
	return b.String() + line + "\n"
}
