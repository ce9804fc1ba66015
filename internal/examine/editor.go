package examine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"github.com/warpgrind/warpgrind/internal/build"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/scratch"
	"github.com/warpgrind/warpgrind/internal/session"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/trial"
)

// CheckText is CheckStatic of a CUDA source that is being edited: text is what
// it would be if it were saved as file. What the compiler says is wrong with it
// comes as findings of rule "compile". The error is one of CheckStatic.
func CheckText(ctx context.Context, cfg StaticConfig, file, text string) ([]*finding.Finding, error) {
	file, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	copied, remove, err := typed(&cfg.Config, file, text)
	if err != nil {
		return nil, err
	}
	defer remove()
	cfg.Inputs = []string{copied}
	r, err := CheckStatic(ctx, cfg)
	if err != nil {
		if found := compileErrors(err); found != nil {
			return found, nil
		}
		return nil, err
	}
	return r.Findings, nil
}

// RunText compiles and runs the program of a source whose text is not saved, as Check does. The report is
// about the file that it would be.
func RunText(ctx context.Context, cfg session.Config, file, text string) (*report.Report, error) {
	file, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	copied, remove, err := typed(&cfg, file, text)
	if err != nil {
		return nil, err
	}
	defer remove()
	cfg.Inputs = []string{copied}
	return trial.Check(ctx, cfg)
}

// typed writes a text that an editor has not saved to a file of its own, whose lines count as those of
// the file that it would be, and which includes what lies beside that one.
func typed(cfg *session.Config, file, text string) (copied string, remove func(), err error) {
	dir, remove, err := scratch.Dir()
	if err != nil {
		return "", nil, err
	}
	copied = filepath.Join(dir, filepath.Base(file))
	if err := os.WriteFile(copied, fmt.Appendf(nil, "#line 1 %s\n%s", strconv.Quote(file), text), 0o600); err != nil {
		remove()
		return "", nil, err
	}
	cfg.Includes = append([]string{filepath.Dir(file)}, cfg.Includes...)
	return copied, remove, nil
}

// compilerLine is the form of clang's messages.
var compilerLine = regexp.MustCompile(`(?m)^(/[^:\n]+):(\d+):(\d+): (?:fatal )?error: (.*)$`)

// compileErrors are the errors in what a compiler said, each place once; nil if
// there are none.
func compileErrors(err error) []*finding.Finding {
	var wrong *build.UsageError
	if !errors.As(err, &wrong) {
		return nil
	}
	var out []*finding.Finding
	seen := map[source.Pos]bool{}
	for _, m := range compilerLine.FindAllStringSubmatch(err.Error(), -1) {
		line, _ := strconv.Atoi(m[2]) // digits
		col, _ := strconv.Atoi(m[3])
		at := source.Pos{File: m[1], Line: line, Col: col}
		if !seen[at] {
			out = append(out, &finding.Finding{Rule: "compile", Level: finding.Error, Message: m[4], Primary: finding.Place{Loc: source.Location{Pos: at}}})
		}
		seen[at] = true
	}
	return out
}
