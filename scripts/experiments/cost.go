package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// cost is what one round of a program's launches costs under the emulator, all of its own
// rules off, net of what the program does besides: the difference of a run of
// many rounds and of a short one, divided by the rounds between them.
type cost struct {
	// instructions are the thread instructions of the first round that a short run has not, the
	// same whenever they are measured.
	instructions float64
	// cpu is the processor time of all processes of a run, host code too: the
	// median, the least and the most of the runs.
	cpu, least, most time.Duration
	short, long      int // rounds of the short runs and of the long ones
}

const (
	// net is the least processor time that the rounds of a long run take.
	net = time.Second
	// budget is what the repetitions of one measurement may take together: those of
	// programs that take many times net are fewer, and there is one of a program that takes
	// more than twice the budget.
	budget = 30 * time.Second
)

// repeated is a build whose rounds the environment says, so that runs of all lengths are
// of one program.
func (b build) repeated() build {
	b.defines = slices.DeleteFunc(slices.Clone(b.defines), func(d string) bool { return strings.HasPrefix(d, b.repeats()+"=") })
	b.defines = append(b.defines, b.repeats()+`=std::atoi(std::getenv("EXPERIMENT_ROUNDS"))`)
	return b
}

// repeats is the macro that says how many rounds there are: of launches, or of the whole
// program where nothing else is said.
func (b build) repeats() string {
	if b.launches {
		return "LAUNCHES"
	}
	return "ROUNDS"
}

// cost measures a build, once however often it is asked for.
func (l *lab) cost(b build) (cost, error) {
	key := fmt.Sprint(b)
	if c, ok := l.costs[key]; ok {
		return c, nil
	}
	c, err := l.costNow(b)
	if err == nil {
		l.costs[key] = c
	}
	return c, err
}

func (l *lab) costNow(b build) (cost, error) {
	exe, err := l.executable(b.repeated())
	if err != nil {
		return cost{}, err
	}
	c := cost{short: 1}
	if b.launches {
		c.short = 0 // nothing but the launches is left out
	}
	short, err := l.timed(exe, c.short)
	if err != nil {
		return cost{}, err
	}
	var long sample
	for n := 1; ; {
		if long, err = l.timed(exe, c.short+n); err != nil {
			return cost{}, err
		}
		if n == 1 { // rounds need not be alike: how many there are depends on the machine
			c.instructions = float64(long.instructions - short.instructions)
		}
		spent := long.cpu - short.cpu
		if spent >= net {
			c.long = c.short + n
			break
		}
		if spent > net/16 {
			n = n*int(net*5/4/spent+1) + 1
		} else {
			n *= 8
		}
	}
	return c, l.spread(exe, &c, []sample{short}, []sample{long})
}

// spread repeats short and long runs in turn.
func (l *lab) spread(exe string, c *cost, short, long []sample) error {
	rounds := min(l.rounds, max(2, int(budget/(long[0].cpu+short[0].cpu))))
	if long[0].cpu > 2*budget {
		rounds = 1
	}
	for len(long) < rounds {
		a, err := l.timed(exe, c.short)
		if err != nil {
			return err
		}
		b, err := l.timed(exe, c.long)
		if err != nil {
			return err
		}
		short, long = append(short, a), append(long, b)
	}
	var all []time.Duration
	for i := range long {
		all = append(all, (long[i].cpu-short[i].cpu)/time.Duration(c.long-c.short))
	}
	slices.Sort(all)
	c.cpu, c.least, c.most = all[len(all)/2], all[0], all[len(all)-1]
	return nil
}

// times writes how much more it costs than the program as it is.
func (c cost) times(plain cost) string {
	return fmt.Sprintf("%s instructions, %s CPU time", ratio(c.instructions, plain.instructions), c.timeRatio(plain))
}

// timeRatio is the ratio of the medians, and that of the extremes.
func (c cost) timeRatio(plain cost) string {
	return fmt.Sprintf("%s (%s to %s)", ratio(int64(c.cpu), int64(plain.cpu)), ratio(int64(c.least), int64(plain.most)), ratio(int64(c.most), int64(plain.least)))
}

// sample is one run.
type sample struct {
	instructions uint64
	cpu          time.Duration
}

// timed runs a program for a number of rounds.
func (l *lab) timed(exe string, rounds int) (sample, error) {
	file := l.dir + "/timed.json"
	out, err := l.command([]string{"EXPERIMENT_ROUNDS=" + strconv.Itoa(rounds)}, "run", "-q", "-j", "1", "--tool", "launch", "--format", "json="+file, exe)
	if err != nil || out.exit > 1 && (out.exit != exitNothingRan || rounds > 0) {
		return sample{}, fmt.Errorf("%s: exit code %d, %v\n%s", exe, out.exit, err, out.stderr)
	}
	if rounds == 0 {
		return sample{0, out.cpu}, nil
	}
	r, err := readReport(file)
	if err != nil {
		return sample{}, err
	}
	return sample{r.Summary.Instructions, out.cpu}, nil
}

// exitNothingRan is warpgrind's exit code where no kernel was launched.
const exitNothingRan = 4

func boyerCost(l *lab) (string, error) {
	plain, err := l.cost(scan)
	if err != nil {
		return "", err
	}
	t := table{{"scan", "paper, device emulation", "thread instructions of a round", "CPU time of a round"}}
	t.row("as it is", "27 ms", number(uint64(plain.instructions)), milliseconds(plain.cpu))
	for _, x := range []struct {
		scheme, paper string
		flags         []string
	}{
		{"boyer-race", "324 ms, 12.0x", nil},
		{"boyer-bank", "71 ms, 2.6x", []string{"--banks", "16"}},
	} {
		c, err := l.cost(scan.with(x.scheme, x.flags...))
		if err != nil {
			return "", err
		}
		t.row(x.scheme, x.paper, ratio(c.instructions, plain.instructions), c.timeRatio(plain))
	}
	return t.String() + "\nA round is a launch of each of the three kernels. The paper's device emulation ran each thread of the block as a thread\n" +
		"of the host, and switching between them was most of its 27 ms; the added code weighs little against that. Here the ratios are those\n" +
		"of the work. The order of the two is reversed because the bank scheme does more here: in the paper one thread tallies the addresses that the\n" +
		"others have stored, here all lanes vote on the passes. An access without a conflict costs a thread 87 instructions more, less than\n" +
		"the 130 of the race scheme, but one with conflicts of two, four and 16 costs 487, 1,044 and 4,335, and with 16 banks scan has many of two.\n" +
		"With 32 banks the bank scheme executes less than the race scheme (4.18 and 4.74 million thread instructions a round). These rounds are\n" +
		"the shortest of the page: much of their time is the handing over between program and emulator, which takes longer on an\n" +
		"idle machine. Beside other work the ratios were 12 and 17.\n", nil
}

func milliseconds(d time.Duration) string { return fmt.Sprintf("%.2f ms", d.Seconds()*1000) }
