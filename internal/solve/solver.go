package solve

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"sync"
	"time"
)

// Status holds the facts about a query.
type Status uint8

// The statuses.
const (
	Unknown Status = iota // not decided; the answer says why
	Sat                   // there is a model
	Unsat                 // there is none
)

// String returns "unknown", "sat" or "unsat".
func (s Status) String() string { return [...]string{"unknown", "sat", "unsat"}[s] }

// Answer is what came of a query.
type Answer struct {
	Status Status
	// Model has the variables of the query where the status is Sat.
	Model Model
	// Reason says why the status is Unknown, as "not decided: z3 not found".
	Reason string
	// Steps is z3's work on it, in its own units, translating the question
	// included; nothing for what was known.
	Steps uint64
}

// Options bound a solver. The zero value has the defaults.
type Options struct {
	// Path is the program; "" means z3 as PATH has it.
	Path string
	// Steps bounds the work of one query in z3's own units, so that the same
	// query has the same answer on a slow machine; 0 means a million, about
	// a second.
	Steps uint64
	// Timeout ends a query that Steps does not, as a last resort: processor time, or
	// time in which z3 does nothing; 0 means 20 s.
	Timeout time.Duration
	// Queries bounds how many are asked in all; 0 means 20000.
	Queries int
	// MemoryMB bounds z3's memory; 0 means 1024.
	MemoryMB int
}

func (o Options) filled() Options {
	if o.Path == "" {
		o.Path = "z3"
	}
	if o.Steps == 0 {
		o.Steps = 1_000_000
	}
	if o.Timeout == 0 {
		o.Timeout = 20 * time.Second
	}
	if o.Queries == 0 {
		o.Queries = 20_000
	}
	if o.MemoryMB == 0 {
		o.MemoryMB = 1024
	}
	return o
}

// Solver answers queries, one after the other, and remembers the answers. It
// may be used from several goroutines. The zero Solver is not ready: use New.
type Solver struct {
	opts Options

	mu      sync.Mutex
	cache   map[string]known
	proc    *process
	asked   int
	deaths  int
	stuck   int    // questions in a row that took too long
	missing string // why z3 cannot be used at all
}

// New makes a solver; z3 is started by the first query that needs it.
func New(o Options) *Solver { return &Solver{opts: o.filled(), cache: map[string]known{}} }

// Close ends z3.
func (s *Solver) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.end()
}

// Asked returns how many queries z3 has worked on.
func (s *Solver) Asked() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

// known is an answer, and the steps that were allowed for it.
type known struct {
	Answer
	within uint64
}

// Check asks whether all terms can be true. A model that z3 gives is tried on
// the terms before it is believed.
func (s *Solver) Check(ctx context.Context, terms ...*Term) Answer {
	return s.CheckWithin(ctx, s.opts.Steps, terms...)
}

// CheckWithin is Check with a bound on z3's work of its own, as Options.Steps;
// with none z3 is not asked, but earlier answers are used.
// Parts of the question that have no variable in common are asked each by
// itself, and each only once, whatever its variables are called.
func (s *Solver) CheckWithin(ctx context.Context, steps uint64, terms ...*Term) Answer {
	all := And(terms...)
	switch {
	case all.IsTrue():
		return Answer{Status: Sat, Model: Model{}}
	case all.IsFalse():
		return Answer{Status: Unsat}
	}
	known := settle(all)
	if known.never {
		return Answer{Status: Unsat}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	out := Answer{Status: Sat, Model: Model{}}
	for _, p := range parts(known.terms) {
		a := s.part(ctx, steps, p)
		work := out.Steps + a.Steps
		switch {
		case a.Status == Unsat:
			return Answer{Status: Unsat, Steps: work}
		case a.Status == Unknown || out.Status == Unknown && a.Status == Sat:
			out = Answer{Reason: cmp.Or(out.Reason, a.Reason)}
		default:
			maps.Copy(out.Model, a.Model)
		}
		out.Steps = work
	}
	if out.Status == Sat {
		known.complete(out.Model)
		if Eval(all, out.Model) != 1 {
			return undecided("z3's model does not fit")
		}
	}
	return out
}

// part answers a part of a question. Its model has the variables' own names.
func (s *Solver) part(ctx context.Context, steps uint64, p part) Answer {
	if p.all.IsFalse() {
		return Answer{Status: Unsat}
	}
	k, ok := s.cache[p.script]
	if !ok {
		if k.Model, ok = guess(p); ok {
			k.Status = Sat
			s.cache[p.script] = k
		}
	}
	if ok = ok && (k.Status != Unknown || steps <= k.within); !ok {
		var lasting bool
		k.Answer, lasting = s.ask(ctx, steps, p)
		if k.within = steps; lasting {
			s.cache[p.script] = k
		}
	}
	a := k.Answer
	if ok {
		a.Steps = 0
	}
	if a.Status == Sat {
		a.Model = Model{}
		for i, v := range p.vars {
			a.Model[v.name] = k.Model[numbered(i)]
		}
	}
	return a
}

func undecided(format string, args ...any) Answer {
	return Answer{Reason: "not decided: " + fmt.Sprintf(format, args...)}
}

// maxDeaths is how often z3 may end before it is given up, and how many questions
// in a row it may take too long for.
const maxDeaths = 3

// ask has z3 answer. The answer is lasting where asking again would give the
// same.
func (s *Solver) ask(ctx context.Context, steps uint64, p part) (a Answer, lasting bool) {
	switch {
	case steps == 0:
		return undecided("more work than z3 is given for one kernel"), false
	case s.missing != "":
		return undecided("%s", s.missing), false
	case ctx.Err() != nil:
		return undecided("interrupted"), false
	case s.asked >= s.opts.Queries:
		return undecided("more than %d questions to z3", s.opts.Queries), false
	}
	weight := weigh(p.all)
	if weight > mostWeight || weight/gatesPerStep > steps {
		return undecided("a question with too many products and quotients for z3"), true
	}
	if s.proc == nil {
		if s.proc, s.missing = start(s.opts); s.proc == nil {
			return undecided("%s", s.missing), false
		}
	}
	s.asked++
	within, cancel := s.proc.working(ctx, s.opts.Timeout)
	defer cancel()
	a, err := s.proc.query(within, fmt.Sprintf("(set-option :rlimit %d)\n", steps)+p.script, p.vars)
	if err == nil {
		s.stuck = 0
		a.Steps += weight
		return a, true
	}
	s.end()
	a = s.failed(ctx, within, err)
	a.Steps = steps + weight
	return a, false
}

// failed says why a question that ended z3 has no answer, and gives z3 up where
// that comes again and again.
func (s *Solver) failed(ctx, within context.Context, err error) Answer {
	switch {
	case ctx.Err() != nil:
		return undecided("interrupted")
	case within.Err() != nil:
		if s.stuck++; s.stuck >= maxDeaths {
			s.missing = fmt.Sprintf("z3 took longer than %v %d times", s.opts.Timeout, s.stuck)
		}
		return undecided("z3 took longer than %v", s.opts.Timeout)
	}
	if s.deaths++; s.deaths >= maxDeaths {
		s.missing = fmt.Sprintf("z3 ended %d times", s.deaths)
	}
	return undecided("%v", err)
}

// end ends the process, if there is one.
func (s *Solver) end() {
	if s.proc != nil {
		s.proc.kill()
		s.proc = nil
	}
}
