package trial

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/session"
	"github.com/warpgrind/warpgrind/internal/shim"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/study"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Barriers runs the program once as it is and once without each of its
// barriers, and says what each is needed for: what its absence shows that the
// first run does not. The barrier is taken out of the device code, nothing is
// compiled again. The error is a *UsageError, or a bug.
func Barriers(ctx context.Context, cfg session.Config) (*study.Report, error) {
	s, st, remove, err := beginStudy(ctx, cfg)
	if err != nil {
		return nil, err
	}
	defer remove()
	return st.barriers(ctx, s)
}

// barriers is Barriers with all made ready; s does the first run.
func (st *Multirun) barriers(ctx context.Context, s *session.Session) (*study.Report, error) {
	var all []study.Barrier
	s.Edit = func(m *ptx.Module) { all = append(all, study.Barriers(m, Own)...) }
	reached := &reach{at: map[source.Pos]bool{}}
	s.Observers = append(s.Observers, reached.observer())
	began := time.Now()
	if err := st.First(ctx, s); err != nil {
		return nil, err
	}
	s.Conclude()
	limit := max(20*time.Since(began), 10*time.Second)
	out := &study.Report{Schema: report.Schema, Exit: s.Report.Exit, Messages: s.Report.Messages, Environment: s.Report.Environment}
	switch {
	case s.Report.Exit == session.ExitFindings:
		out.Messages = append(out.Messages, "the unchanged program already has findings: see warpgrind run")
		out.Exit = session.ExitClean
	case s.Report.Exit != session.ExitClean:
		return out, nil
	}
	slices.SortFunc(all, func(a, b study.Barrier) int { return a.At.Compare(b.At) })
	for _, b := range slices.Compact(all) {
		r := study.Result{File: b.At.File, Line: b.At.Line, Column: b.At.Col, Source: sourceLine(s, b.At)}
		if !reached.at[b.At] {
			r.Verdict = study.NotReached
		} else if err := st.judge(ctx, s, b, limit, &r); err != nil {
			return nil, err
		}
		out.Barriers = append(out.Barriers, r)
	}
	return out, nil
}

// judge fills in the verdict on a barrier that is reached.
func (st *Multirun) judge(ctx context.Context, first *session.Session, b study.Barrier, limit time.Duration, r *study.Result) (err error) {
	switch {
	case ctx.Err() != nil:
		r.Verdict, r.Why = study.NotTried, []string{"interrupted"}
	case b.Result:
		r.Verdict, r.Why = study.NotTried, []string{"its result is used"}
	default:
		r.Verdict, r.Why, err = st.without(ctx, first, b, limit)
	}
	return err
}

// without runs the program without a barrier; first is the run as it is.
func (st *Multirun) without(ctx context.Context, first *session.Session, b study.Barrier, limit time.Duration) (study.Verdict, []string, error) {
	cfg := st.Cfg
	if cfg.Timeout == 0 || limit < cfg.Timeout {
		cfg.Timeout = limit
	}
	s, diffs, err := st.Again(ctx, cfg, func(s *session.Session) {
		s.Edit = func(m *ptx.Module) { study.Remove(m, b, Own) }
	})
	if err != nil {
		return "", nil, err
	}
	diffs, out, err := st.differences(ctx, first, s, diffs)
	if err != nil {
		return "", nil, err
	}
	known := first.Found
	if st.Noise != nil {
		known = slices.Concat(known, st.Noise.found)
	}
	why := newFindings(known, s.Found)
	for _, d := range diffs {
		if d.Index < 0 {
			why = append(why, fmt.Sprintf("%s differ after launch %d", d.Buffer, d.Launch))
			continue
		}
		why = append(why, fmt.Sprintf("%s[%d] is %s, not %s, after launch %d", d.Name, d.Index, d.Now, d.Was, d.Launch))
	}
	if out != nil {
		why = append(why, fmt.Sprintf("%s is %s, not %s", out.What, out.Now, out.Was))
	}
	if len(why) == 0 {
		return study.NotNeeded, nil, nil
	}
	return study.Needed, why, nil
}

// newFindings describes the findings that the run as it is does not have, the
// worst first.
func newFindings(before, now []*finding.Finding) []string {
	known := map[string]bool{}
	id := func(f *finding.Finding) string { return f.Rule + "\x00" + f.Kernel + "\x00" + f.Key }
	for _, f := range before {
		known[id(f)] = true
	}
	var out []string
	for _, f := range now {
		if known[id(f)] {
			continue
		}
		line := fmt.Sprintf("%s: %s", f.Rule, f.Message)
		if f.Primary.Loc.IsValid() {
			line += fmt.Sprintf(" (%s:%d)", filepath.Base(f.Primary.Loc.File), f.Primary.Loc.Line)
		}
		if !slices.Contains(out, line) {
			out = append(out, line)
		}
	}
	return out
}

// sourceLine is the text of a line.
func sourceLine(s *session.Session, at source.Pos) string {
	text, _ := s.Files.Line(at.File, at.Line)
	text, _, _ = strings.Cut(text, "//")
	return strings.TrimSpace(text)
}

// Own tells the user's sources from warpgrind's headers and the system's.
func Own(file string) bool { return !strings.HasPrefix(file, "/usr/") && !isHeader(file) }

// isHeader reports whether a file is one of warpgrind's CUDA headers, wherever
// they have been unpacked.
func isHeader(file string) bool {
	i := strings.LastIndex(file, "/include/")
	if i < 0 {
		return false
	}
	_, err := fs.Stat(shim.Files, file[i+1:])
	return err == nil
}

// reach notes the barriers that a run reaches.
type reach struct {
	mu sync.Mutex
	at map[source.Pos]bool
}

func (r *reach) observer() *trace.Observer {
	return &trace.Observer{Launch: func(*trace.Launch) []*trace.LaunchObserver {
		return []*trace.LaunchObserver{{Block: r.newBlock, MarksWritten: true}}
	}}
}

func (r *reach) newBlock() *trace.BlockObserver {
	b := &reachBlock{r: r, seen: map[*trace.Site]bool{}}
	return &trace.BlockObserver{Barrier: b.Barrier, WarpSync: b.WarpSync}
}

type reachBlock struct {
	r    *reach
	seen map[*trace.Site]bool
}

// Barrier is for trace.BlockObserver.
func (b *reachBlock) Barrier(e *trace.Barrier) { b.note(e.Site) }

// WarpSync is for trace.BlockObserver.
func (b *reachBlock) WarpSync(e *trace.WarpSync) { b.note(e.Site) }

func (b *reachBlock) note(s *trace.Site) {
	if s == nil || b.seen[s] {
		return
	}
	b.seen[s] = true
	b.r.mu.Lock()
	defer b.r.mu.Unlock()
	b.r.at[study.Sources(Own).Place(s.Loc)] = true
}
