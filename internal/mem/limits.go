package mem

import (
	"bufio"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// arenaSize is the virtual size of an arena in a process that may have space bytes of
// addresses (RLIMIT_AS). The program maps one and a half arenas and inherits the limit, so
// that with a third of it each process keeps half of its addresses for itself.
func arenaSize(space uint64) uint64 { return fits(DefaultSize, space) }

// SizeFor is the virtual size of an arena with so many bytes of device memory, or of what this process has addresses for.
func SizeFor(device uint64) uint64 {
	return fits(max(DefaultSize, 2*min(device, MaxSize/2)), addressSpace())
}

func fits(size, space uint64) uint64 {
	size = min(size, space/3)
	return max(size-size%(2<<20), minSize)
}

// addressSpace is the process's limit of addresses.
func addressSpace() uint64 {
	var l unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_AS, &l) != nil {
		return unix.RLIM_INFINITY
	}
	return l.Cur
}

// Physical is the machine's memory in bytes, or what its control groups leave the process of
// it. Much memory is told in steps of 256 MiB.
func Physical() uint64 {
	const step = 256 << 20
	var total uint64
	var si unix.Sysinfo_t
	if unix.Sysinfo(&si) == nil {
		total = uint64(si.Totalram) * uint64(si.Unit)
	}
	total = min(total, groupLimit(os.DirFS("/")))
	if total > 2*step {
		total -= total % step
	}
	return total
}

// groupLimit is the least memory limit among the control groups of the process and those
// above them, of both versions of the interface (cgroups(7), "memory.max" and
// "memory.limit_in_bytes"), in the file system root.
func groupLimit(root fs.FS) uint64 {
	least := ^uint64(0)
	groups := memoryGroups(root)
	for _, m := range memoryMounts(root) {
		group, ok := groups[m.version]
		if !ok {
			continue
		}
		file := map[groupVersion]string{groupV1: "memory.limit_in_bytes", groupV2: "memory.max"}[m.version]
		for at := m.folder(group); ; at = path.Dir(at) {
			least = min(least, readLimit(root, path.Join(at, file)))
			if len(at) <= len(m.point) {
				break
			}
		}
	}
	return least
}

type groupVersion int

const (
	groupV1 groupVersion = iota
	groupV2
)

// memoryGroups are the process's groups that may limit its memory: one of each version at most.
func memoryGroups(root fs.FS) map[groupVersion]string {
	out := map[groupVersion]string{}
	eachLine(root, "proc/self/cgroup", func(line string) {
		f := strings.SplitN(line, ":", 3) // number, controllers, path
		switch {
		case len(f) < 3:
		case f[0] == "0" && f[1] == "":
			out[groupV2] = f[2]
		case strings.Contains(","+f[1]+",", ",memory,"):
			out[groupV1] = f[2]
		}
	})
	return out
}

// groupMount is a place where control groups are seen as folders: the group top is at point.
type groupMount struct {
	version    groupVersion
	top, point string
}

// folder is where a group is seen. One outside of what is mounted, as in a container whose
// process sees the name that the group has on the machine, stands for the top.
func (m groupMount) folder(group string) string {
	rest, ok := strings.CutPrefix(path.Clean(group), strings.TrimSuffix(m.top, "/"))
	if !ok || rest != "" && rest[0] != '/' || strings.HasPrefix(rest, "/..") {
		return m.point
	}
	return path.Join(m.point, rest)
}

// memoryMounts reads /proc/self/mountinfo (proc(5)).
func memoryMounts(root fs.FS) (out []groupMount) {
	eachLine(root, "proc/self/mountinfo", func(line string) {
		left, right, ok := strings.Cut(line, " - ")
		l, r := strings.Fields(left), strings.Fields(right)
		if !ok || len(l) < 5 || len(r) < 3 {
			return
		}
		m := groupMount{top: l[3], point: strings.TrimPrefix(l[4], "/")}
		switch {
		case r[0] == "cgroup2":
			m.version = groupV2
		case r[0] == "cgroup" && strings.Contains(","+r[2]+",", ",memory,"):
			m.version = groupV1
		default:
			return
		}
		out = append(out, m)
	})
	return out
}

// readLimit is the number in a file; no limit where there is none, as with "max".
func readLimit(root fs.FS, file string) uint64 {
	b, err := fs.ReadFile(root, file)
	if err != nil {
		return ^uint64(0)
	}
	n, err := strconv.ParseUint(strings.TrimSpace(string(b)), 10, 64)
	if err != nil {
		return ^uint64(0)
	}
	return n
}

func eachLine(root fs.FS, file string, f func(string)) {
	r, err := root.Open(file)
	if err != nil {
		return
	}
	defer r.Close()
	for s := bufio.NewScanner(r); s.Scan(); {
		f(s.Text())
	}
}
