package judge

import (
	"encoding/json"
)

// cost sums what the first call costs.
func (t *trial) cost() error {
	c := &Cost{Launches: []LaunchCost{}}
	t.v.Cost = c
	for _, l := range t.runs[0].Launches {
		if l.Call != 0 {
			continue
		}
		n := LaunchCost{Kernel: l.Kernel, Blocks: l.Blocks, Threads: l.Threads, Instructions: l.WarpInstructions, SharedBytes: l.SharedBytes,
			Registers: l.Registers, Limits: l.Resident, MaxWarps: l.MaxWarps}
		r := l.Resident
		n.Warps = min(r.Threads, r.Blocks, r.Shared, r.Registers) * int((l.Threads+31)/32)
		c.Launches = append(c.Launches, n)
		c.Instructions += l.WarpInstructions
		c.ThreadInstructions += l.Instructions
	}
	return t.counters(c)
}

// counters adds the rules' numbers, which are those of all calls: each costs the same share.
func (t *trial) counters(c *Cost) error {
	var coalesce []struct {
		Unit         string
		Units, Ideal uint64
		Moved        uint64 `json:"bytes_moved"`
	}
	var bank []struct{ Passes, Ideal uint64 }
	var lanes []struct {
		All    uint64 `json:"lane_instructions"`
		Idle   uint64 `json:"idle_lane_instructions"`
		Absent uint64 `json:"absent_lane_instructions"`
	}
	stats := t.runs[0].Stats
	for rule, to := range map[string]any{"coalesce": &coalesce, "bank": &bank, "divergence": &lanes} {
		if text := stats[rule]; text != nil {
			if err := json.Unmarshal(text, to); err != nil {
				return err
			}
		}
	}
	calls := uint64(len(t.runs[0].calls))
	for _, k := range coalesce {
		c.Sectors += k.Units / calls
		c.IdealSectors += k.Ideal / calls
	}
	for _, k := range bank {
		c.BankPasses += k.Passes / calls
		c.IdealPasses += k.Ideal / calls
	}
	var all, idle uint64
	for _, k := range lanes {
		all, idle = all+k.All, idle+k.Idle+k.Absent
	}
	if all > 0 {
		c.IdleLanes = float64(idle) / float64(all)
	}
	return nil
}
