package lsp

import (
	"strings"

	"github.com/warpgrind/warpgrind/internal/report"
)

// splitLines returns the lines of a text without their ends.
func splitLines(text string) []string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\r")
	}
	return lines
}

// maxLCS bounds the table of lineMap, in entries.
const maxLCS = 4 << 20

// lineMap says where the lines of old are in new: for each line of old its
// index in new, or -1 if it is not there as it was. It is a longest common
// subsequence; where too much differs, only of what comes before and after.
func lineMap(old, new []string) []int {
	out := make([]int, len(old))
	for i := range out {
		out[i] = -1
	}
	head := 0
	for head < len(old) && head < len(new) && old[head] == new[head] {
		out[head] = head
		head++
	}
	i, j := len(old), len(new)
	for i > head && j > head && old[i-1] == new[j-1] {
		i, j = i-1, j-1
		out[i] = j
	}
	for _, p := range common(old[head:i], new[head:j]) {
		out[head+p[0]] = head + p[1]
	}
	return out
}

// common returns the pairs of indices of a longest common subsequence.
func common(a, b []string) [][2]int {
	if len(a)*len(b) > maxLCS {
		return nil
	}
	width := len(b) + 1
	length := make([]int32, (len(a)+1)*width) // of the common subsequence of a[i:] and b[j:]
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				length[i*width+j] = length[(i+1)*width+j+1] + 1
			} else {
				length[i*width+j] = max(length[(i+1)*width+j], length[i*width+j+1])
			}
		}
	}
	var out [][2]int
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			out = append(out, [2]int{i, j})
			i, j = i+1, j+1
		case length[(i+1)*width+j] >= length[i*width+j+1]:
			i++
		default:
			j++
		}
	}
	return out
}

// character converts an offset in bytes of a line to one of the protocol: UTF-16
// units, or bytes where the client takes UTF-8.
func character(line string, offset int, utf8Units bool) int {
	offset = max(0, min(offset, len(line)))
	if utf8Units {
		return offset
	}
	return report.UTF16Len(line[:offset])
}
