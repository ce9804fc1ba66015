package mem

import (
	"testing"
	"testing/fstest"
)

const (
	mountV1 = "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n"
	mountV2 = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
)

func TestGroupLimit(t *testing.T) {
	const none = ^uint64(0)
	for _, c := range []struct {
		name, mounts, groups string
		files                map[string]string
		want                 uint64
	}{
		{"no groups", "", "", nil, none},
		{"version 2, own group", mountV2, "0::/user.slice/a\n", map[string]string{"user.slice/a/memory.max": "1073741824\n"}, 1 << 30},
		{"version 2, a group above", mountV2, "0::/user.slice/a\n",
			map[string]string{"user.slice/a/memory.max": "max\n", "user.slice/memory.max": "2147483648\n"}, 2 << 30},
		{"version 2, the least of several", mountV2, "0::/a/b\n",
			map[string]string{"a/b/memory.max": "4294967296\n", "a/memory.max": "1073741824\n", "memory.max": "2147483648\n"}, 1 << 30},
		{"version 2, another group's", mountV2, "0::/a\n", map[string]string{"b/memory.max": "1\n"}, none},
		{"version 2 in a container", mountV2, "0::/\n", map[string]string{"memory.max": "536870912\n"}, 1 << 29},
		{"version 2, a group outside the namespace", mountV2, "0::/../../x\n", map[string]string{"memory.max": "536870912\n"}, 1 << 29},
		{"version 1, own group", mountV1, "5:cpu:/\n4:memory:/docker/1\n", map[string]string{"memory/docker/1/memory.limit_in_bytes": "3221225472\n"}, 3 << 30},
		{"version 1, a group above", mountV1, "4:memory:/docker/1\n", map[string]string{
			"memory/docker/1/memory.limit_in_bytes": "9223372036854771712\n", "memory/docker/memory.limit_in_bytes": "1073741824\n"}, 1 << 30},
		{"version 1 with other controllers", "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory,hugetlb\n", "4:hugetlb,memory:/a\n",
			map[string]string{"memory/a/memory.limit_in_bytes": "1073741824\n"}, 1 << 30},
		{"version 1 in a container", "35 31 0:32 /docker/1 /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n", "4:memory:/docker/1/sub\n",
			map[string]string{"memory/sub/memory.limit_in_bytes": "1073741824\n", "memory/memory.limit_in_bytes": "2147483648\n"}, 1 << 30},
		{"version 1, a name that begins alike", "35 31 0:32 /docker/1 /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n", "4:memory:/docker/12\n",
			map[string]string{"memory/2/memory.limit_in_bytes": "1\n", "memory/memory.limit_in_bytes": "2147483648\n"}, 2 << 30},
		{"both versions", mountV1 + "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n", "4:memory:/a\n0::/a\n",
			map[string]string{"memory/a/memory.limit_in_bytes": "2147483648\n", "unified/a/memory.max": "1073741824\n"}, 1 << 30},
		{"no number", mountV2, "0::/a\n", map[string]string{"a/memory.max": "many\n"}, none},
		{"damaged", "x - \n - \n1 2 3 4 - cgroup2\n", "nothing\n::\n", nil, none},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := fstest.MapFS{
				"proc/self/mountinfo": {Data: []byte(c.mounts)},
				"proc/self/cgroup":    {Data: []byte(c.groups)},
			}
			for name, text := range c.files {
				root["sys/fs/cgroup/"+name] = &fstest.MapFile{Data: []byte(text)}
			}
			if got := groupLimit(root); got != c.want {
				t.Errorf("limit %d, want %d", got, c.want)
			}
		})
	}
}

// TestArenaSize: an arena and, in the program, the second view of its half fit into any
// limit of addresses with half of it left.
func TestArenaSize(t *testing.T) {
	for gb := uint64(6); gb < 2000; gb++ {
		space := gb << 30
		size := arenaSize(space)
		if size+size/2 > space/2 || size < min(DefaultSize, space/4) || size%(2*pageSize) != 0 {
			t.Errorf("%d GiB of addresses: an arena of %d bytes", gb, size)
		}
	}
	if got := arenaSize(^uint64(0)); got != DefaultSize {
		t.Errorf("no limit: an arena of %d bytes", got)
	}
	if got := arenaSize(1 << 20); got != minSize {
		t.Errorf("no room: an arena of %d bytes", got)
	}
}
