package nvrtc

import (
	"bufio"
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// What a program gives to NVRTC has the name of a file that need not exist, and that CuPy deletes while it keeps the PTX
// for later processes. So the PTX carries the text, as comments at its end: a line with the file, then the text's lines.
const (
	embeddedFile = "// warpgrind source "
	embeddedLine = "//|"
)

// embedSource adds a source to the PTX that was made of it.
func embedSource(ptx []byte, file, text string) []byte {
	b := bytes.NewBuffer(ptx)
	fmt.Fprintf(b, "\n%s%q\n", embeddedFile, file)
	for line := range strings.Lines(text) {
		b.WriteString(embeddedLine + strings.TrimRight(line, "\r\n") + "\n")
	}
	return b.Bytes()
}

// EmbeddedSource is what embedSource added, file "" if it did not.
func EmbeddedSource(ptx []byte) (file string, text []byte) {
	at := bytes.LastIndex(ptx, []byte("\n"+embeddedFile))
	if at < 0 {
		return "", nil
	}
	lines := bufio.NewScanner(bytes.NewReader(ptx[at+1+len(embeddedFile):]))
	lines.Buffer(nil, len(ptx)+1)
	if !lines.Scan() {
		return "", nil
	}
	file, err := strconv.Unquote(lines.Text())
	if err != nil {
		return "", nil
	}
	for lines.Scan() {
		line, ok := bytes.CutPrefix(lines.Bytes(), []byte(embeddedLine))
		if !ok {
			break
		}
		text = append(append(text, line...), '\n')
	}
	return file, text
}
