package host

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// stillness is for how long nothing has happened in the programs of a run: they made no request, and they and all that
// was started beside them used next to no processor time. Programs that have made no request yet are not known otherwise.
type stillness struct {
	since, looked time.Time
	handled       uint64
	used          time.Duration
	busy          bool // processor time was used since lasts was called
}

// stillnessTick is how often processor times are read.
const stillnessTick = time.Second

// look reads processor times, once in a while; it takes no lock. Next to none is a twentieth of a processor.
func (st *stillness) look(starter int) {
	now := time.Now()
	if now.Sub(st.looked) < stillnessTick {
		return
	}
	used := processorTime(os.Getpid(), starter)
	st.busy = st.busy || used-st.used > now.Sub(st.looked)/20
	st.looked, st.used = now, used
}

// lasts is called by who waits, who has called look.
func (st *stillness) lasts(s *Server) time.Duration {
	now := time.Now()
	if st.since.IsZero() || st.busy || s.underway > 0 || s.handled != st.handled {
		st.since, st.handled, st.busy = now, s.handled, false
	}
	return now.Sub(st.since)
}

// clockTick is the unit of processor times in /proc (proc_pid_stat(5)).
const clockTick = 10 * time.Millisecond

// processorTime is what some processes and all that descend from them have used, without this process itself.
func processorTime(roots ...int) (sum time.Duration) {
	type process struct {
		parent int
		used   time.Duration
	}
	all := map[int]process{}
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			continue
		}
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(f)))
		_, rest, _ := strings.Cut(string(text[max(0, strings.LastIndexByte(string(text), ')')):]), " ") // the name may have spaces
		fields := strings.Fields(rest)
		if len(fields) < 13 {
			continue
		}
		parent, _ := strconv.Atoi(fields[1])
		user, _ := strconv.ParseInt(fields[11], 10, 64)
		system, _ := strconv.ParseInt(fields[12], 10, 64)
		all[pid] = process{parent, time.Duration(user+system) * clockTick}
	}
	isRoot := map[int]bool{}
	for _, r := range roots {
		isRoot[r] = r > 0
	}
	for pid, p := range all {
		if pid == os.Getpid() {
			continue
		}
		for at, depth := pid, 0; at > 1 && depth < 64; at, depth = all[at].parent, depth+1 {
			if isRoot[at] {
				sum += p.used
				break
			}
		}
	}
	return sum
}
