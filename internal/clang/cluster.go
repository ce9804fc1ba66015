package clang

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

// clang does not know __cluster_dims__. Our macro of that name makes an
// annotation of it, which becomes the directive of the kernel in PTX ("PTX
// ISA", "Cluster Dimension Directives").

const clusterNote = `c"warpgrind.cluster\00"`

var (
	noteText  = regexp.MustCompile(`(?m)^(@\.str[.\d]*) = .*` + regexp.QuoteMeta(clusterNote))
	noteArgs  = regexp.MustCompile(`(?m)^(@\.args[.\d]*) = [^{]*\{[^}]*\} \{ ((?:i32 \d+(?:, )?)+) \}`)
	noteEntry = regexp.MustCompile(`\{ ptr @("[^"]*"|[\w.$]+), ptr (@\.str[.\d]*), ptr @[\w.]+, i32 \d+, ptr (@\.args[.\d]*) \}`)
	entryLine = regexp.MustCompile(`^\.(?:visible|weak) \.entry ([\w$]+)\(`)
)

// clusterDims finds the cluster dimensions of a module's kernels by name.
func clusterDims(ir []byte) map[string]string {
	if !bytes.Contains(ir, []byte(clusterNote)) {
		return nil
	}
	texts, args, dims := map[string]bool{}, map[string]string{}, map[string]string{}
	for _, m := range noteText.FindAllSubmatch(ir, -1) {
		texts[string(m[1])] = true
	}
	for _, m := range noteArgs.FindAllSubmatch(ir, -1) {
		args[string(m[1])] = strings.ReplaceAll(string(m[2]), "i32 ", "")
	}
	for _, m := range noteEntry.FindAllSubmatch(ir, -1) {
		if texts[string(m[2])] && args[string(m[3])] != "" {
			dims[strings.Trim(string(m[1]), `"`)] = args[string(m[3])]
		}
	}
	return dims
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
