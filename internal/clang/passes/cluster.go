package passes

import (
	"bytes"
	"fmt"
	"github.com/warpgrind/warpgrind/internal/clang/irtext"
	"regexp"
	"strings"
)

// clang does not know __cluster_dims__. Our macro of that name makes an
// annotation of it, which becomes the directive of the kernel in PTX ("PTX
// ISA", "Cluster Dimension Directives").

const clusterNote = `c"warpgrind.cluster\00"`

var (
	noteText  = regexp.MustCompile(`^(@\.str[.\d]*) = .*` + regexp.QuoteMeta(clusterNote))
	noteArgs  = regexp.MustCompile(`^(@\.args[.\d]*) = [^{]*\{[^}]*\} \{ ((?:i32 \d+(?:, )?)+) \}`)
	noteEntry = regexp.MustCompile(`\{ ptr @("[^"]*"|[\w.$]+), ptr (@\.str[.\d]*), ptr @[\w.]+, i32 \d+, ptr (@\.args[.\d]*) \}`)
	entryLine = regexp.MustCompile(`^\.(?:visible|weak) \.entry ([\w$]+)\(`)
)

// clusterDims finds the cluster dimensions of a module's kernels by name.
func clusterDims(m *irtext.Module, s *State) {
	if !m.Contains(clusterNote) {
		return
	}
	texts, args := map[string]bool{}, map[string]string{}
	var entries [][]string
	for _, l := range m.Lines {
		if !l.HasPrefix("@") {
			continue
		}
		if f := noteText.FindStringSubmatch(l.Text); f != nil {
			texts[f[1]] = true
		}
		if f := noteArgs.FindStringSubmatch(l.Text); f != nil {
			args[f[1]] = strings.ReplaceAll(f[2], "i32 ", "")
		}
		entries = append(entries, noteEntry.FindAllStringSubmatch(l.Text, -1)...)
	}
	s.clusters = map[string]string{}
	for _, f := range entries {
		if texts[f[2]] && args[f[3]] != "" {
			s.clusters[strings.Trim(f[1], `"`)] = args[f[3]]
		}
	}
}

// addClusters writes the directives into PTX, behind the kernels' parameters.
func addClusters(ptx []byte, dims map[string]string) []byte {
	if len(dims) == 0 {
		return ptx
	}
	var out bytes.Buffer
	name := ""
	for line := range bytes.Lines(ptx) {
		out.Write(line)
		if m := entryLine.FindSubmatch(line); m != nil {
			name = string(m[1])
		}
		if name != "" && (line[0] == ')' || bytes.HasSuffix(bytes.TrimSpace(line), []byte("()"))) {
			if d := dims[name]; d != "" {
				fmt.Fprintf(&out, ".reqnctapercluster %s\n", d)
			}
			name = ""
		}
	}
	return out.Bytes()
}
