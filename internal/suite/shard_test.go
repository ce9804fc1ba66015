package suite

import (
	"strings"
	"testing"
)

func TestShards(t *testing.T) {
	for _, c := range []struct {
		flag, env string
		program   bool
		want      string // the shard, or a part of the error
	}{
		{"", "", false, "1/1"},
		{"2/4", "TEST_TOTAL_SHARDS=9 TEST_SHARD_INDEX=3", false, "2/4"},
		{"", "TEST_TOTAL_SHARDS=9 TEST_SHARD_INDEX=3", false, "4/9"},
		{"", "GTEST_TOTAL_SHARDS=9 GTEST_SHARD_INDEX=0", true, "1/9"},
		{"", "GTEST_TOTAL_SHARDS=9", false, "1/1"},
		{"", "SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=5", false, "3/3"},
		{"", "SLURM_ARRAY_TASK_ID=8 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=4 SLURM_ARRAY_TASK_STEP=2", false, "3/3"},
		{"", "SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=5", true, "1/1"},
		{"", "SLURM_ARRAY_TASK_ID=9 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=5", false, "not one of 3 shards"},
		{"/5", "JOB_COMPLETION_INDEX=4", false, "5/5"},
		{"", "JOB_COMPLETION_INDEX=4", false, "1/1"},
		{"/4", "JOB_COMPLETION_INDEX=4", false, "not one of 4 shards"},
		{"/4", "", false, "no variable of the environment"},
		{"0/4", "", false, "want I/N"}, {"5/4", "", false, "want I/N"}, {"1/0", "", false, "want I/N"}, {"x", "", false, "want I/N"}, {"1/99999999999", "", false, "want I/N"},
		{"", "TEST_TOTAL_SHARDS=x TEST_SHARD_INDEX=3", false, "want a number"},
		{"", "TEST_TOTAL_SHARDS=0 TEST_SHARD_INDEX=0", false, "not one of 0 shards"},
	} {
		env := map[string]string{}
		for _, v := range strings.Fields(c.env) {
			name, value, _ := strings.Cut(v, "=")
			env[name] = value
		}
		s, err := shardOf(c.flag, func(name string) string { return env[name] }, c.program)
		got := s.String()
		if err != nil {
			got = err.Error()
		}
		if got != c.want && (err == nil || !strings.Contains(got, c.want)) {
			t.Errorf("%q %s: %s, want %s", c.flag, c.env, got, c.want)
		}
	}
}

// TestShardsArePartition: each job belongs to one shard.
func TestShardsArePartition(t *testing.T) {
	for n := 1; n < 9; n++ {
		for job := range 50 {
			in := 0
			for i := range n {
				if (Shard{Index: i, Count: n}).Has(job) {
					in++
				}
			}
			if in != 1 {
				t.Fatalf("job %d is in %d of %d shards", job, in, n)
			}
		}
	}
}
