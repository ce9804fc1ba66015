package report

import (
	"fmt"
	"strings"
)

// Limits are instructions of modules that the emulated GPU does not execute, whether a kernel
// reaches them or not, and those that it executes approximately.
type Limits struct {
	Unsupported []Limit `json:"unsupported"`
	Approximate []Limit `json:"approximate"`
	// More counts entries that are left out.
	More int `json:"more,omitempty"`
}

// Limit is one instruction, or Count equal ones at one line.
type Limit struct {
	// Kernel is the kernel or device function, KernelName its name in the source.
	Kernel      string `json:"kernel"`
	KernelName  string `json:"kernel_name"`
	File        string `json:"file,omitempty"`
	Line        int    `json:"line,omitempty"`
	PTXLine     int    `json:"ptx_line"`
	Instruction string `json:"instruction"`
	Count       int    `json:"count"`
	// Reason is one of a few words, Text the same for people.
	Reason string `json:"reason"`
	Text   string `json:"text"`
}

// maxLimits bounds the entries of each list.
const maxLimits = 1000

// AddLimit adds an instruction to the list of those that are executed approximately, or that are not
// supported.
func (r *Report) AddLimit(l Limit, approximate bool) {
	if r.Limits == nil {
		r.Limits = &Limits{Unsupported: []Limit{}, Approximate: []Limit{}}
	}
	list := &r.Limits.Unsupported
	if approximate {
		list = &r.Limits.Approximate
	}
	if len(*list) >= maxLimits {
		r.Limits.More++
		return
	}
	*list = append(*list, l)
}

// relativeTo returns the lists with paths relative to dir.
func (l *Limits) relativeTo(dir string) *Limits {
	if l == nil {
		return nil
	}
	move := func(list []Limit) []Limit {
		out := make([]Limit, 0, len(list))
		for _, x := range list {
			x.File = relative(x.File, dir)
			out = append(out, x)
		}
		return out
	}
	return &Limits{move(l.Unsupported), move(l.Approximate), l.More}
}

// summary is the line of text about instructions that are not supported, "" for none.
func (l *Limits) summary(n names) string {
	if l == nil || len(l.Unsupported) == 0 {
		return ""
	}
	first := &l.Unsupported[0]
	return fmt.Sprintf("%s not supported, and kernels that reach one stop there: %s in %s%s; --limits lists all",
		count(total(l.Unsupported), "instruction is", "instructions are"), first.Instruction, n.of(first.KernelName), first.at())
}

func total(list []Limit) (n uint64) {
	for _, l := range list {
		n += uint64(l.Count)
	}
	return n
}

// at is where the instruction is: " (file:line)".
func (l *Limit) at() string {
	if l.File == "" {
		return fmt.Sprintf(" (line %d of the PTX)", l.PTXLine)
	}
	return fmt.Sprintf(" (%s:%d)", l.File, l.Line)
}

// limits writes the line about unsupported instructions, or the whole lists.
func (p *printer) limits(l *Limits) {
	l = l.relativeTo(p.o.Dir)
	if !p.o.Limits {
		if text := l.summary(p.names); text != "" {
			p.wrap("warpgrind: ", strings.Repeat(" ", 11), text)
		}
		return
	}
	if l == nil {
		p.line("limits: every instruction of the modules is executed as the PTX ISA says")
		return
	}
	for _, part := range []struct {
		title string
		list  []Limit
	}{{"not supported", l.Unsupported}, {"executed approximately", l.Approximate}} {
		if len(part.list) == 0 {
			continue
		}
		p.line("%s:", part.title)
		for _, x := range part.list {
			times := ""
			if x.Count > 1 {
				times = fmt.Sprintf(", %d times", x.Count)
			}
			p.wrap("  ", "      ", fmt.Sprintf("%s in %s%s%s: %s", x.Instruction, p.names.of(x.KernelName), x.at(), times, x.Text))
		}
	}
	if l.More > 0 {
		p.line("%d more instructions not shown", l.More)
	}
}
