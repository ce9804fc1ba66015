// Command gen writes the coverage page docs/PTX.md from the instruction table.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/warpgrind/warpgrind/internal/ptx/isa"
)

func main() {
	out := flag.String("o", "docs/PTX.md", "file to write")
	flag.Parse()
	if err := os.WriteFile(*out, page(), 0o666); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

const head = `# PTX coverage

Made from the instruction table (internal/ptx/isa) by ` + "`go generate ./internal/ptx/isa`" + `; do not edit.

Every instruction below parses, prints and is checked for its modifiers and operands. "runs" says that the engine
executes it; a kernel that reaches another one stops with an "unsupported instruction" message that names it. "PTX" and
"sm" are the versions that introduced the instruction. The reference is the section of that title in NVIDIA's
"Parallel Thread Execution ISA".
`

// page returns the page's text.
func page() []byte {
	var b bytes.Buffer
	b.WriteString(head)
	all := isa.All()
	runs := 0
	for _, d := range all {
		if d.Executed {
			runs++
		}
	}
	fmt.Fprintf(&b, "\n%d instructions, %d of them run.\n", len(all), runs)
	for c := range isa.NumClasses {
		class(&b, c, all)
	}
	specials(&b)
	return b.Bytes()
}

func class(b *bytes.Buffer, c isa.Class, all []*isa.Desc) {
	name := c.String()
	fmt.Fprintf(b, "\n## %s%s\n\n| instruction | runs | PTX | sm | section |\n| --- | --- | --- | --- | --- |\n",
		strings.ToUpper(name[:1]), name[1:])
	for _, d := range all {
		if d.Class == c {
			fmt.Fprintf(b, "| `%s` | %s | %d.%d | %d | %s |\n", d.Op, yes(d.Executed), d.PTX[0], d.PTX[1], d.SM, d.Section)
		}
	}
}

func specials(b *bytes.Buffer) {
	b.WriteString("\n## Special registers\n\n| register | type | components | runs | section |\n| --- | --- | --- | --- | --- |\n")
	for _, s := range isa.Specials() {
		name := s.Name
		if s.Count > 0 {
			name += fmt.Sprintf("0%s..%s%d%s", s.Suffix, s.Name, s.Count-1, s.Suffix)
		}
		fmt.Fprintf(b, "| `%s` | %v | %s | %s | %s |\n", name, s.Type, s.Components, yes(s.Executed), s.Section)
	}
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return ""
}
