package suite

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Shard is a part of the work: those jobs whose number is Index modulo Count.
type Shard struct {
	// Index is from 0, as in all conventions of the environment; --shard and String count from 1.
	Index, Count int
	// From names the convention, for people.
	From string
	// Status is a file to be made as a sign that the work is divided, "" for none.
	Status string
}

// maxShards bounds Count.
const maxShards = 1 << 20

// String is as --shard takes it: "2/4".
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index+1, s.Count) }

// Whole reports whether the shard is all of the work.
func (s Shard) Whole() bool { return s.Count <= 1 }

// Has reports whether job i belongs to the shard.
func (s Shard) Has(i int) bool { return s.Whole() || i%s.Count == s.Index }

// convention is how an engine tells a process its shard: variables of the environment.
type convention struct {
	name, index, count string
	// first and step are variables with the least index and the distance between two.
	first, step string
	status      string
	// divides is set if it is about the tests of one program.
	divides bool
}

// conventions are those of Bazel (The Test Encyclopedia, "Test sharding"), GoogleTest (Advanced
// Guide, "Distributing Test Functions to Multiple Machines"), Slurm (sbatch, "Job arrays") and
// Kubernetes (Jobs, "Completion mode"), which tells no count.
var conventions = []convention{
	{name: "Bazel", index: "TEST_SHARD_INDEX", count: "TEST_TOTAL_SHARDS", status: "TEST_SHARD_STATUS_FILE", divides: true},
	{name: "GoogleTest", index: "GTEST_SHARD_INDEX", count: "GTEST_TOTAL_SHARDS", status: "GTEST_SHARD_STATUS_FILE", divides: true},
	{name: "Slurm", index: "SLURM_ARRAY_TASK_ID", count: "SLURM_ARRAY_TASK_COUNT", first: "SLURM_ARRAY_TASK_MIN", step: "SLURM_ARRAY_TASK_STEP"},
	{name: "Kubernetes", index: "JOB_COMPLETION_INDEX"},
}

// ShardOf is the shard that --shard asks for: "2/4", or "/4" for the index of the environment.
// Where flag is "" the environment alone decides.
func ShardOf(flag string) (Shard, error) { return shardOf(flag, os.Getenv, false) }

// ProgramShard is the shard of a program that divides its tests by itself, from --shard or from
// the conventions of test frameworks.
func ProgramShard(flag string) (Shard, error) { return shardOf(flag, os.Getenv, true) }

func shardOf(flag string, getenv func(string) string, program bool) (Shard, error) {
	count := 0
	if flag != "" {
		i, n, ok := strings.Cut(flag, "/")
		var err error
		if count, err = strconv.Atoi(n); !ok || err != nil || count < 1 || count > maxShards {
			return Shard{}, fmt.Errorf("--shard %q: want I/N, from 1/N to N/N, or /N", flag)
		}
		if i != "" {
			index, err := strconv.Atoi(i)
			if err != nil || index < 1 || index > count {
				return Shard{}, fmt.Errorf("--shard %q: want I/N, from 1/N to N/N, or /N", flag)
			}
			return Shard{Index: index - 1, Count: count, From: "--shard"}, nil
		}
	}
	for _, c := range conventions {
		if program && !c.divides || getenv(c.index) == "" || count == 0 && getenv(c.count) == "" {
			continue
		}
		return c.shard(count, getenv)
	}
	if count > 0 {
		return Shard{}, fmt.Errorf("--shard %q: no variable of the environment has the index of this shard", flag)
	}
	return Shard{Count: 1}, nil
}

// shard reads the variables. count, if it is not 0, is that of the flag.
func (c *convention) shard(count int, getenv func(string) string) (Shard, error) {
	number := func(name string, standard int) (int, error) {
		text := ""
		if name != "" {
			text = getenv(name)
		}
		if text == "" {
			return standard, nil
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n > 1<<30 {
			return 0, fmt.Errorf("%s=%.40q in the environment: want a number", name, text)
		}
		return n, nil
	}
	var v [4]int
	for i, x := range []struct {
		name     string
		standard int
	}{{c.index, 0}, {c.count, count}, {c.first, 0}, {c.step, 1}} {
		n, err := number(x.name, x.standard)
		if err != nil {
			return Shard{}, err
		}
		v[i] = n
	}
	if count > 0 {
		v[1] = count
	}
	index := (v[0] - v[2]) / max(v[3], 1)
	if v[1] < 1 || v[1] > maxShards || v[0] < v[2] || index >= v[1] {
		return Shard{}, fmt.Errorf("%s=%d in the environment is not one of %d shards", c.index, v[0], v[1])
	}
	return Shard{Index: index, Count: v[1], From: c.name, Status: status(c, getenv)}, nil
}

func status(c *convention, getenv func(string) string) string {
	if c.status == "" {
		return ""
	}
	return getenv(c.status)
}

// Tell makes the status file: the engine then knows that the work is divided.
func (s Shard) Tell() error {
	if s.Status == "" {
		return nil
	}
	f, err := os.OpenFile(s.Status, os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	return f.Close()
}

// Environment is what tells a program of GoogleTest its shard.
func (s Shard) Environment() [][2]string {
	return [][2]string{{"GTEST_TOTAL_SHARDS", strconv.Itoa(s.Count)}, {"GTEST_SHARD_INDEX", strconv.Itoa(s.Index)}}
}
