package suite

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"
	"text/template"

	"github.com/warpgrind/warpgrind/internal/visible"
)

// Target is how a plan is written for an engine.
type Target struct {
	// Command is "warpgrind suite" with its flags and inputs, without shard and report.
	Command []string
	Shards  int
	// Name names the job, Results is a directory that all shards can write to.
	Name, Results string
	// Image and Volume are for Kubernetes: the container's image, and the claim of the volume with
	// inputs and results, which is mounted at the working directory.
	Image, Volume string
	// Timeout bounds a shard in minutes.
	Timeout int
}

// Engines lists what Write takes.
func Engines() []string { return []string{"list", "json", "github", "slurm", "kubernetes", "bazel"} }

// Write writes the plan for an engine.
func (p *Plan) Write(w io.Writer, engine string, t Target) error {
	switch engine {
	case "list":
		for _, j := range p.Jobs {
			if _, err := visible.Fprintf(w, "%s  %s\n", j.ID, shellLine(append([]string{"warpgrind"}, j.Args...))); err != nil {
				return err
			}
		}
		return nil
	case "json":
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(p)
	case "bazel":
		return p.bazel(w)
	}
	text, ok := templates[engine]
	if !ok {
		return fmt.Errorf("--for %q: want %s", engine, strings.Join(Engines(), ", "))
	}
	if engine == "github" && strings.Contains(strings.Join(t.Command, " "), "${{") {
		return errors.New("a name with ${{, which GitHub would replace")
	}
	return template.Must(template.New(engine).Funcs(functions).Parse(text)).Execute(w, view{t, p})
}

// view is what a template sees.
type view struct {
	Target
	Plan *Plan
}

// Line is the command of a shard for a shell. shard and save, what --shard and --save get, are
// written as they are: they may have variables.
func (v view) Line(shard, save string) string {
	return shellLine(v.Command[:2]) + " --shard " + shard + " --save " + save + " " + shellLine(v.Command[2:])
}

// Words are the words of the command of a shard, for Kubernetes, which replaces $(NAME).
func (v view) Words(shard, save string) []string {
	words := append([]string{}, v.Command[:2]...)
	words = append(words, "--shard", shard, "--save", save)
	words = append(words, v.Command[2:]...)
	for i := range words {
		words[i] = strings.ReplaceAll(words[i], "$(", "$$(")
	}
	return words
}

// Indices are the shards from 1.
func (v view) Indices() string {
	var out []string
	for i := range v.Shards {
		out = append(out, strconv.Itoa(i+1))
	}
	return strings.Join(out, ", ")
}

var functions = template.FuncMap{
	"yaml": func(s string) (string, error) { // JSON strings are YAML
		b, err := json.Marshal(s)
		return string(b), err
	},
	"add":   func(a, b int) int { return a + b },
	"quote": func(s string) string { return shellLine([]string{s}) },
}

// shellLine joins words as a shell takes them.
func shellLine(words []string) string {
	var out []string
	for _, w := range words {
		if w == "" || strings.ContainsAny(w, " \t\n'\"\\$`*?[]{}()<>|&;#~!") {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		out = append(out, w)
	}
	return strings.Join(out, " ")
}

// templates are the texts by engine.
//
//	github: a workflow (GitHub, "Workflow syntax for GitHub Actions"): a matrix of shards, and a job that merges
//	slurm: a job array for sbatch
//	kubernetes: an Indexed Job (Kubernetes, "Jobs"), whose shards are tried again one by one
var templates = map[string]string{
	"github": `# A workflow for .github/workflows: {{len .Plan.Jobs}} jobs of suite {{.Plan.Suite}} in {{.Shards}} shards, and one report.
# Made by warpgrind plan --for github.
name: {{yaml .Name}}
on: [push, pull_request]
permissions:
  contents: read
jobs:
  shard:
    runs-on: ubuntu-24.04
    timeout-minutes: {{.Timeout}}
    strategy:
      fail-fast: false
      matrix:
        shard: [{{.Indices}}]
    steps:
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
      - uses: warpgrind/warpgrind@main # pin the commit of a release
      - run: {{yaml (.Line "\"$SHARD\"" "\"$RESULT\"")}}
        env:
          SHARD: ${{"{{"}} matrix.shard {{"}}"}}/{{.Shards}}
          RESULT: shard-${{"{{"}} matrix.shard {{"}}"}}.json
      - uses: actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2
        if: always()
        with:
          name: shard-${{"{{"}} matrix.shard {{"}}"}}
          path: shard-*.json
          overwrite: true
  report:
    needs: shard
    if: always()
    runs-on: ubuntu-24.04
    permissions:
      contents: read
      security-events: write # for upload-sarif
    steps:
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
      - uses: warpgrind/warpgrind@main # pin the commit of a release
      - uses: actions/download-artifact@d3f86a106a0bac45b974a628896c90dbdf5c8093 # v4.3.0
        with:
          path: results
          merge-multiple: true
      - run: warpgrind report --merge --format github --format sarif=suite.sarif --format html=suite.html results
      - uses: actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2
        if: always()
        with:
          name: report
          path: suite.html
      - uses: github/codeql-action/upload-sarif@ce28f5bb42b7a9f2c824e633a3f6ee835bab6858 # v3.29.0
        if: always()
        with:
          sarif_file: suite.sarif
`,
	"slurm": `#!/bin/bash
# {{len .Plan.Jobs}} jobs of suite {{.Plan.Suite}} in {{.Shards}} shards, as a job array. Made by warpgrind plan --for slurm.
#
#   id=$(sbatch --parsable suite.sbatch)
#   sbatch --dependency=afterany:$id --wrap {{quote (print "warpgrind report --merge -o suite.html -o suite.sarif " .Results)}}
#
# A shard that failed is run again alone, with its number: sbatch --array=2 suite.sbatch
#SBATCH --job-name={{quote .Name}}
#SBATCH --array=0-{{add .Shards -1}}
#SBATCH --time={{.Timeout}}
#SBATCH --requeue
#SBATCH --open-mode=append
mkdir -p {{quote .Results}} || exit
{{.Line (printf "$((SLURM_ARRAY_TASK_ID + 1))/%d" .Shards) (quote (print .Results "/shard-%n.json"))}}
`,
	"kubernetes": `# {{len .Plan.Jobs}} jobs of suite {{.Plan.Suite}} in {{.Shards}} shards, as an Indexed Job. Made by warpgrind plan --for kubernetes.
# Once it has ended: warpgrind report --merge -o suite.html {{.Results}}
apiVersion: batch/v1
kind: Job
metadata:
  name: {{yaml .Name}}
spec:
  completions: {{.Shards}}
  parallelism: {{.Shards}}
  completionMode: Indexed
  backoffLimitPerIndex: 3
  maxFailedIndexes: {{.Shards}}
  podFailurePolicy:
    rules:
      # Findings and programs that fail are results: another try gives the same.
      - action: FailIndex
        onExitCodes:
          containerName: warpgrind
          operator: In
          values: [1, 2, 3, 4, 5, 6]
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: warpgrind
          image: {{yaml .Image}}
          command:
{{- range .Words (printf "/%d" .Shards) (print .Results "/shard-%n.json")}}
            - {{yaml .}}
{{- end}}
          workingDir: /work
          volumeMounts:
            - name: work
              mountPath: /work
      volumes:
        - name: work
          persistentVolumeClaim:
            claimName: {{yaml .Volume}}
`,
}

// bazelRule is a rule that needs no rule set: a test that is warpgrind itself, with a capsule and
// its objects as data, so that its result is cached as long as none of them changes.
const bazelRule = `"""Tests of capsules. Made by warpgrind plan --for bazel, with one test for each job."""

def _test(ctx):
    test = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.symlink(output = test, target_file = ctx.executable.warpgrind, is_executable = True)
    return [DefaultInfo(executable = test, runfiles = ctx.runfiles(files = ctx.files.data))]

warpgrind_test = rule(
    implementation = _test,
    test = True,
    attrs = {
        "data": attr.label_list(allow_files = True),
        "warpgrind": attr.label(executable = True, cfg = "exec", allow_single_file = True, mandatory = True),
    },
)
`

// Bazel is the file that the tests load: warpgrind.bzl, beside BUILD.bazel.
func Bazel() string { return bazelRule }

// bazel writes a BUILD file: a test for each job. It belongs in the directory in which the plan was made,
// whose inputs lie below it.
func (p *Plan) bazel(w io.Writer) error {
	var b strings.Builder
	b.WriteString("# " + strconv.Itoa(len(p.Jobs)) + " tests of suite " + p.Suite + ". Made by warpgrind plan --for bazel.\n")
	b.WriteString("load(\":warpgrind.bzl\", \"warpgrind_test\")\n\nDIR = package_name() + \"/\" if package_name() else \"\"\n")
	seen := map[string]bool{}
	for _, j := range p.Jobs {
		if j.Needs == nil {
			return fmt.Errorf("%s: Bazel's tests are of capsules", j.Input)
		}
		if path.IsAbs(j.Input) || strings.HasPrefix(j.Input, "../") {
			return fmt.Errorf("%s: not below the working directory, where BUILD.bazel is to be", j.Input)
		}
		name := labelName(j.Name)
		for n := 2; seen[name]; n++ {
			name = fmt.Sprintf("%s_%d", labelName(j.Name), n)
		}
		seen[name] = true
		fmt.Fprintf(&b, "\nwarpgrind_test(\n    name = %q,\n    args = [", name)
		for _, a := range append(j.Args[:len(j.Args)-1:len(j.Args)-1], "--job", p.Flag(&j)) {
			fmt.Fprintf(&b, "%q, ", bazelWord(a))
		}
		fmt.Fprintf(&b, "DIR + %q],\n    data = [\n        %q,\n", bazelWord(j.Input), j.Input)
		for _, f := range j.Needs {
			fmt.Fprintf(&b, "        %q,\n", path.Join(path.Dir(j.Input), f))
		}
		b.WriteString("    ],\n    warpgrind = \"warpgrind\",\n)\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// bazelWord is a word as Bazel takes it in args, which are split like a shell's words and have
// variables.
func bazelWord(s string) string { return strings.ReplaceAll(shellLine([]string{s}), "$", "$$") }

// labelName is a name with the characters that Bazel's names of targets may have.
func labelName(name string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 && (strings.ContainsRune("_.+=-@", r) || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z') {
			return r
		}
		return '_'
	}, name)
}
