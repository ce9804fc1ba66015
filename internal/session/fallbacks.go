package session

import (
	"fmt"
	"os"
	"strings"

	"github.com/warpgrind/warpgrind/internal/fallback"
	"github.com/warpgrind/warpgrind/internal/report"
)

// FallbackEnv names the environment variable that makes a run fail, with the value "error", where
// something failed that another way replaced.
const FallbackEnv = "WARPGRIND_FALLBACK"

// tellFallbacks puts what failed and was replaced since a point into the report. What users are told is a message, too. It returns an error where the user wants one.
func tellFallbacks(r *report.Report, since fallback.Mark) (err error) {
	r.Environment, err = tellInto(&r.Messages, since)
	return err
}

// tellInto is tellFallbacks for reports of other kinds.
func tellInto(messages *[]string, since fallback.Mark) (*report.Environment, error) {
	list := fallback.Since(since)
	if len(list) == 0 {
		return nil, nil
	}
	e := &report.Environment{}
	var texts []string
	for _, t := range list {
		e.Fallbacks = append(e.Fallbacks, report.Fallback{Way: t.Way.String(), Count: t.Count, Reasons: t.Reasons})
		text := replaced(t)
		if t.Way.Told() {
			*messages = append(*messages, text)
		}
		texts = append(texts, text)
	}
	if os.Getenv(FallbackEnv) == "error" {
		return e, fmt.Errorf("%s=error: %s", FallbackEnv, strings.Join(texts, "; "))
	}
	return e, nil
}

// TellExit is tellInto where a failure is a message and the exit code.
func TellExit(messages *[]string, exit *int, since fallback.Mark) *report.Environment {
	e, err := tellInto(messages, since)
	if err != nil {
		*messages, *exit = append(*messages, err.Error()), ExitUnfinished
	}
	return e
}

// replaced is a sentence for what was replaced.
func replaced(t fallback.Taken) string {
	reasons := strings.Join(t.Reasons, "; ")
	switch t.Way {
	case fallback.GeneratedCode:
		return "kernels ran in the interpreter, several times slower than generated code: " + reasons
	case fallback.Room:
		return "the cache keeps nothing, so that each run compiles again: " + reasons
	case fallback.Libraries:
		return "the program runs without some of warpgrind's libraries: " + reasons
	}
	return reasons
}

// Replaced are the reasons why this process did something slower or lesser than it could.
func Replaced() (reasons []string) {
	for _, t := range fallback.Since(fallback.Mark{}) {
		reasons = append(reasons, replaced(t))
	}
	return reasons
}
