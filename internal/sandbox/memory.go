package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// The kernel's limits on resources count private memory, process by process, and bound no number of processes of the superuser. What
// they leave open is measured here while a program runs: the memory of all its processes together, shared memory once, files without
// a name with all their blocks, mapped or not, what sockets may hold, and the number of its threads.
//
// Shared memory of other kinds can outlive its mappings, and a file that was sent over a socket and closed is in no process. A program that is Alone
// has no use for them, and cannot make them (see filter). One with SharedOnFiles has the files of its directory instead, which are counted
// by their file system, whoever holds them. System V's segments and queues, and pages lent to pipes, are refused to all.

// Errors of programs that took more than they may.
var (
	ErrMemory  = errors.New("out of memory")
	ErrThreads = errors.New("too many processes and threads")
)

// socketBytes is the most that a Unix socket may have sent and its peer not read (socket(7), wmem_default): filter refuses to raise it.
var socketBytes = sync.OnceValue(func() uint64 {
	const usual = 212992
	text, _ := os.ReadFile("/proc/sys/net/core/wmem_default")
	n, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 32)
	if err != nil {
		return usual
	}
	return n
})

// usage is what processes hold.
type usage struct {
	private, shared uint64 // bytes
	files           uint64 // bytes of files without a name, and of those of the directory that counts as memory
	sockets         uint64 // bytes
	threads         uint64
}

// bytes is the memory altogether: files without a name may be mapped.
func (u *usage) bytes() uint64 { return u.private + u.sockets + max(u.shared, u.files) }

// Memory is the memory in bytes of the program and all processes that it has started. Forked processes share much of theirs: it counts once.
func (p *Process) Memory() uint64 {
	u := p.exceeds(0)
	return u.bytes()
}

// exceeds measures the processes, exactly if they seem to hold more than a limit. That takes longer.
func (p *Process) exceeds(limit uint64) usage {
	pids := p.processes()
	u := p.measure(pids, false)
	if len(pids) > 1 && u.bytes() > limit {
		if exact := p.measure(pids, true); exact.private > 0 {
			u = exact
		}
	}
	return u
}

// processes are the program's first process and its descendants. Those whose parent has ended are children of the first
// (PR_SET_CHILD_SUBREAPER).
func (p *Process) processes() []int {
	pids := []int{p.cmd.Process.Pid}
	if p.alone {
		return pids
	}
	for i := 0; i < len(pids) && len(pids) < mostProcesses; i++ {
		files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pids[i]))
		for _, f := range files {
			text, _ := os.ReadFile(f) // of a thread that has ended: none
			for _, word := range strings.Fields(string(text)) {
				if pid, err := strconv.Atoi(word); err == nil && !slices.Contains(pids, pid) {
					pids = append(pids, pid)
				}
			}
		}
	}
	return pids
}

// mostProcesses bounds what is looked at.
const mostProcesses = 1024

// measure adds up processes; exact divides pages by how many of them map each.
func (p *Process) measure(pids []int, exact bool) (u usage) {
	first := fmt.Sprintf("/proc/%d/", pids[0])
	if p.inside != "" {
		u.files = used(first + "root" + p.inside)
	}
	if p.sockets {
		// All of the namespace, those too that wait in others' queues; the first line has the names of columns.
		text, _ := os.ReadFile(first + "net/unix")
		u.sockets = socketBytes() * uint64(max(bytes.Count(text, []byte("\n")), 1)-1)
	}
	seen := map[[2]uint64]bool{}
	for _, pid := range pids {
		dir := fmt.Sprintf("/proc/%d/", pid)
		status := fields(dir + "status")
		u.threads += status["Threads"]
		if exact {
			rollup := fields(dir + "smaps_rollup")
			u.private += 1024 * (rollup["Pss_Anon"] + rollup["SwapPss"])
			u.shared += 1024 * rollup["Pss_Shmem"]
		} else {
			u.private += 1024 * (status["RssAnon"] + status["VmSwap"])
			u.shared += 1024 * status["RssShmem"]
		}
		u.private += 1024 * (status["VmPTE"] + status["HugetlbPages"])
		u.files += unnamed(dir+"fd", seen)
	}
	return u
}

// used is the number of bytes in use in the file system of a directory, 0 where it is not there yet.
func used(dir string) uint64 {
	var fs unix.Statfs_t
	if unix.Statfs(dir, &fs) != nil || fs.Type != unix.TMPFS_MAGIC {
		return 0
	}
	return (fs.Blocks - fs.Bfree) * uint64(fs.Bsize)
}

// fields are the numbers of a file of proc(5) with a name and a number in each line.
func fields(file string) map[string]uint64 {
	text, _ := os.ReadFile(file) // of a process that has ended: none
	numbers := map[string]uint64{}
	for line := range bytes.Lines(text) {
		name, value, _ := bytes.Cut(line, []byte(":"))
		if words := bytes.Fields(value); len(words) > 0 {
			if n, err := strconv.ParseUint(string(words[0]), 10, 64); err == nil {
				numbers[string(name)] = n
			}
		}
	}
	return numbers
}

// unnamed is the size in memory of the open files without a name (memfd_create(2)) that are not seen yet.
func unnamed(dir string, seen map[[2]uint64]bool) (size uint64) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		file := filepath.Join(dir, e.Name())
		if to, err := os.Readlink(file); err != nil || !strings.HasPrefix(to, "/memfd:") {
			continue
		}
		var st unix.Stat_t
		if unix.Stat(file, &st) != nil || seen[[2]uint64{st.Dev, st.Ino}] {
			continue
		}
		seen[[2]uint64{st.Dev, st.Ino}] = true
		size += uint64(st.Blocks) * 512
	}
	return size
}
