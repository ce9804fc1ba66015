package main

import (
	"fmt"
	"strconv"
	"strings"
)

// table is a Markdown table: the first row is the head.
type table [][]string

func (t *table) row(cells ...any) {
	var r []string
	for _, c := range cells {
		r = append(r, strings.ReplaceAll(fmt.Sprint(c), "|", `\|`))
	}
	*t = append(*t, r)
}

func (t table) String() string {
	var b strings.Builder
	for i, r := range t {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(r, " | "))
		if i == 0 {
			fmt.Fprintf(&b, "|%s\n", strings.Repeat(" --- |", len(r)))
		}
	}
	return b.String()
}

// code is a block of text as a program wrote it.
func code(text string) string { return "```\n" + strings.TrimRight(text, "\n") + "\n```\n" }

// number writes 1234567 as 1,234,567.
func number(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// ratio writes how many times as much a is as b.
func ratio[T uint64 | int64 | float64](a, b T) string {
	if b == 0 {
		return "-"
	}
	r := float64(a) / float64(b)
	switch {
	case r >= 100:
		return fmt.Sprintf("%.0fx", r)
	case r >= 10:
		return fmt.Sprintf("%.1fx", r)
	}
	return fmt.Sprintf("%.2fx", r)
}

// percent writes a share.
func percent(part, whole uint64) string {
	if whole == 0 {
		return "0 %"
	}
	return fmt.Sprintf("%.0f %%", 100*float64(part)/float64(whole))
}
