package instrument

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// sortedKernels returns the kernels in the order of their names and places.
func (f *found) sortedKernels() []*kernel {
	var all []*kernel
	for _, k := range f.kernels {
		all = append(all, k)
	}
	slices.SortFunc(all, func(a, b *kernel) int {
		return cmp.Or(strings.Compare(a.body.file.abs, b.body.file.abs), a.body.begin-b.body.begin)
	})
	return all
}

// ours recognizes the names that hooks and headers bring.
var ours = regexp.MustCompile(`\b(wgi|WGI)_`)

// prefix returns the beginning of our names that none of the project's has.
func (j *job) prefix() string {
	for n := 0; ; n++ {
		p := "wgi"
		if n > 0 {
			p += strconv.Itoa(n)
		}
		if !j.project.uses(p+"_") && !j.project.uses(strings.ToUpper(p)+"_") {
			return p
		}
	}
}

// rename gives our names in a text of ours another prefix.
func rename(text, prefix string) string {
	if prefix == "wgi" {
		return text
	}
	return ours.ReplaceAllStringFunc(text, func(m string) string {
		if m[0] == 'W' {
			return strings.ToUpper(prefix) + "_"
		}
		return prefix + "_"
	})
}

// settings are the definitions that the header begins with.
func (j *job) settings(table bool, sites int) string {
	var out strings.Builder
	fmt.Fprintf(&out, "// Made by warpgrind instrument.\n#define WGI_VERSION %s\n", quote(j.Version))
	bit := map[bool]int{true: 1}
	for _, d := range []struct {
		name  string
		value int
	}{
		{"SITES", sites}, {"KERNELS", len(j.kernels)}, {"TABLE_SHARED", bit[table]}, {"MAX_THREADS", j.Threads},
		{"SHARED_BYTES", j.Shared}, {"REPORT_WAW", bit[j.WAW]}, {"BANKS", j.Banks}, {"POOL_MB", j.PoolMB}, {"GRANULE", j.granule()}, {"ROOM", j.room(sites)},
	} {
		fmt.Fprintf(&out, "#ifndef WGI_%s\n#define WGI_%s %d\n#endif\n", d.name, d.name, d.value)
	}
	return out.String()
}

// room is how many findings there can be at most, within reason.
func (j *job) room(sites int) int {
	const enough = 1 << 16
	sites, kernels := min(sites, enough), min(len(j.kernels)+1, enough)
	switch j.Scheme {
	case "grace-stmt":
		return min(3*sites*sites, enough)
	case "grace-addr": // 32 granules each
		return min(3*kernels*mostShared/32/j.granule(), enough)
	}
	return min(3*sites*kernels, enough)
}

// mostShared is the shared memory of a block in bytes that no GPU exceeds.
const mostShared = 228 << 10

// granule is the size in bytes of the smallest access.
func (j *job) granule() int {
	n := 4
	for _, a := range j.accesses {
		if a.kind != Barrier && !a.wrap.host() {
			n = min(n, a.size)
		}
	}
	return n
}

// leastSize is a size that an object of a type has at least: 1, 2 or 4.
func leastSize(t string) int {
	if isPointer(t) {
		return 4
	}
	least := 1
	for _, w := range strings.Fields(t) {
		switch strings.TrimRight(w, "1234") {
		case "const", "volatile", "unsigned", "signed":
		case "int", "long", "float", "double", "uint", "ulong", "longlong", "ulonglong", "dim":
			least = 4
		case "short", "ushort", "__half", "__nv_bfloat16":
			return 2
		default:
			return 1
		}
	}
	if t == "unsigned" {
		return 4
	}
	return least
}

// siteTable is what comes last in the source: the sites and kernels by number.
func (j *job) siteTable(sites []Site, prefix string) string {
	var out strings.Builder
	fmt.Fprintf(&out, "static const %s_site %s_sites[] = {\n", prefix, prefix)
	for _, s := range sites {
		fmt.Fprintf(&out, "{%s, %d, %d, %s, %s, %s, %s, %s},\n", quote(s.File), s.Line, s.Column, quote(s.Kind), quote(s.Text),
			quote(s.Statement), quote(s.Function), quote(s.Variable))
	}
	fmt.Fprintf(&out, "{\"\", 0, 0, \"\", \"\", \"\", \"\", \"\"}};\nstatic const char *const %s_kernels[] = {\n", prefix)
	for _, k := range j.kernels {
		fmt.Fprintf(&out, "%s,\n", quote(k.name))
	}
	fmt.Fprintf(&out, "\"\"};\nstatic const %[1]s_reporter %[1]s_report_at_exit(%[1]s_sites, %[1]s_kernels, %[2]s);\n", prefix, quote(j.project.files[0].name))
	return out.String()
}

// quote writes a C string.
func quote(s string) string {
	var out bytes.Buffer
	out.WriteByte('"')
	for _, c := range []byte(s) {
		switch {
		case c == '"' || c == '\\' || c == '?':
			out.WriteByte('\\')
			out.WriteByte(c)
		case c < ' ':
			fmt.Fprintf(&out, `\%03o`, c)
		default:
			out.WriteByte(c)
		}
	}
	out.WriteByte('"')
	return out.String()
}
