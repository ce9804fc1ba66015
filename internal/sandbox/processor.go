package sandbox

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// clockTick is the unit of processor times in /proc (proc_pid_stat(5)).
const clockTick = 10 * time.Millisecond

// deepest bounds the descent through processes that change meanwhile.
const deepest = 64

// Processor is the processor time that a program, the processes that it has started and those that they waited for have used until
// now. It is 0 where /proc does not tell.
func (p *Process) Processor() (sum time.Duration) {
	type process struct {
		parent int
		used   time.Duration
	}
	all := map[int]process{}
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			continue // it has ended
		}
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(f)))
		parent, used := readStat(string(text))
		all[pid] = process{parent, used}
	}
	root := p.cmd.Process.Pid
	for pid, one := range all {
		for at, depth := pid, 0; at > 1 && depth < deepest; at, depth = all[at].parent, depth+1 {
			if at == root {
				sum += one.used
				break
			}
		}
	}
	return sum
}

// readStat takes the parent and the processor times, with those of children that were waited for, from a line of
// proc_pid_stat(5).
func readStat(text string) (parent int, used time.Duration) {
	const ppid, utime, cstime = 1, 11, 14
	fields := strings.Fields(text[strings.LastIndexByte(text, ')')+1:]) // the name may have spaces
	if len(fields) <= cstime {
		return 0, 0
	}
	parent, _ = strconv.Atoi(fields[ppid])
	for _, f := range fields[utime : cstime+1] {
		n, _ := strconv.ParseInt(f, 10, 64)
		used += time.Duration(n) * clockTick
	}
	return parent, used
}
