package main

import (
	"fmt"
	"time"
)

// cost is what a build costs under the emulator, all of its own rules off.
type cost struct {
	instructions uint64
	wall         time.Duration
}

// cost measures a build, once however often it is asked for.
func (l *lab) cost(b build) (cost, error) {
	key := fmt.Sprint(b)
	if c, ok := l.costs[key]; ok {
		return c, nil
	}
	m, err := l.measure(b)
	if err != nil {
		return cost{}, err
	}
	wall, err := l.clock(b)
	if err != nil {
		return cost{}, err
	}
	l.costs[key] = cost{m.instructions, wall}
	return l.costs[key], nil
}

// times writes how much more it costs than the program as it is.
func (c cost) times(plain cost) string {
	return fmt.Sprintf("%s instructions, %s time", ratio(c.instructions, plain.instructions), ratio(int64(c.wall), int64(plain.wall)))
}

func boyerCost(l *lab) (string, error) {
	plain, err := l.cost(scan)
	if err != nil {
		return "", err
	}
	t := table{{"scan", "paper, device emulation", "thread instructions", "time under the emulator"}}
	t.row("as it is", "27 ms", number(plain.instructions), milliseconds(plain.wall))
	for _, x := range []struct {
		scheme, paper string
		flags         []string
	}{
		{"boyer-race", "324 ms, 12.0x", nil},
		{"boyer-bank", "71 ms, 2.6x", []string{"--banks", "16"}},
	} {
		c, err := l.cost(scan.with(x.scheme, x.flags...))
		if err != nil {
			return "", err
		}
		t.row(x.scheme, x.paper, ratio(c.instructions, plain.instructions), ratio(int64(c.wall), int64(plain.wall)))
	}
	return t.String() + "\nThe paper's device emulation ran each thread of the block as a thread of the host, and switching between them was most\n" +
		"of its 27 ms; the added code weighs little against that. Here an instruction costs what an instruction costs. Times\n" +
		"include the start of the program, which is the same for all three.\n", nil
}

func milliseconds(d time.Duration) string { return fmt.Sprintf("%.0f ms", d.Seconds()*1000) }
