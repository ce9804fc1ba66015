package judge

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

var soakFor = flag.Duration("soak", 0, "how long TestSoak serves jobs; -test.timeout has to be longer")

// use is what the process of a server takes.
type use struct{ megabytes, descriptors, threads, goroutines int }

func used(t *testing.T) (u use) {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		if n := 0; strings.HasPrefix(line, "VmRSS:") {
			fmt.Sscan(strings.TrimPrefix(line, "VmRSS:"), &n)
			u.megabytes = n >> 10
		}
	}
	count := func(dir string) int { list, _ := os.ReadDir(dir); return len(list) }
	u.descriptors, u.threads, u.goroutines = count("/proc/self/fd"), count("/proc/self/task"), runtime.NumGoroutine()
	return u
}

// TestSoak serves mixed jobs to three clients at once for long, each tenth of which leaves without reading, each third of whose jobs is
// no job. The process does not grow after the first third of the time, and no verdict is wrong.
func TestSoak(t *testing.T) {
	if *soakFor == 0 {
		t.Skip("takes as long as -args -soak TIME says")
	}
	tooltest.NeedsClang(t)
	path := filepath.Join(t.TempDir(), "socket")
	l, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	go newJudge(t).Serve(t.Context(), l, "")
	good := candidates()
	programs := slices.Concat(cheats, publicCheats, channels, honest)
	source := hostMain(programs)
	for i := range programs {
		p := &programs[i]
		want := p.want
		if want == "" {
			want = Correct
		}
		good = append(good, candidate{p.name, p.line(source, i), []Reason{want}})
	}
	end := time.Now().Add(*soakFor)
	var jobs, bad, left atomic.Int64
	var clients sync.WaitGroup
	for k := range 3 {
		clients.Go(func() {
			for r := rand.New(rand.NewPCG(uint64(k), 47)); time.Now().Before(end); {
				c, err := net.Dial("unix", path)
				if err != nil {
					t.Error(err)
					return
				}
				soakClient(t, c, r, good, &jobs, &bad, &left)
				c.Close()
			}
		})
	}
	var uses []use
	for tick := time.NewTicker(*soakFor / 45); time.Now().Before(end); {
		<-tick.C
		uses = append(uses, used(t))
		t.Logf("%v left, %d jobs, %d lines that are none, %d clients that left: %+v", time.Until(end).Round(time.Second), jobs.Load(), bad.Load(), left.Load(), uses[len(uses)-1])
	}
	clients.Wait()
	third := len(uses) / 3
	before, after := mean(uses[third:2*third]), mean(uses[2*third:])
	if after.megabytes > before.megabytes+8 || after.descriptors > before.descriptors+16 || after.threads > before.threads+4 || after.goroutines > before.goroutines+8 {
		t.Errorf("it grows: %+v, then %+v", before, after)
	}
}

// soakClient sends some jobs over a connection, and reads the verdicts or leaves.
func soakClient(t *testing.T, c net.Conn, r *rand.Rand, good []candidate, jobs, bad, left *atomic.Int64) {
	in, leaves := bufio.NewReader(c), r.IntN(10) == 0
	for i := range 1 + r.IntN(5) {
		job, line := &good[r.IntN(len(good))], hostileLine(r, i)
		if isJob := r.IntN(3) > 0; isJob {
			line = []byte(job.line)
			jobs.Add(1)
		} else {
			job = &candidate{name: "no job", want: []Reason{InvalidJob}}
			bad.Add(1)
		}
		if _, err := c.Write(append(line, '\n')); err != nil {
			t.Error(err)
			return
		}
		if leaves {
			left.Add(1)
			return
		}
		var v Verdict
		answer, err := in.ReadBytes('\n')
		if err == nil {
			err = json.Unmarshal(answer, &v)
		}
		if err != nil || !slices.Contains(job.want, v.Verdict) {
			t.Errorf("%s: %s %v, %v; want %v", job.name, v.Verdict, v.Reasons, err, job.want)
		}
	}
}

// mean has the mean of each number: at each moment three jobs are at another point.
func mean(list []use) (m use) {
	for _, u := range list {
		m = use{m.megabytes + u.megabytes, m.descriptors + u.descriptors, m.threads + u.threads, m.goroutines + u.goroutines}
	}
	n := max(len(list), 1)
	return use{m.megabytes / n, m.descriptors / n, m.threads / n, m.goroutines / n}
}
