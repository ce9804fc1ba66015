package report

import (
	"maps"
	"slices"

	"github.com/warpgrind/warpgrind/internal/finding"
)

// Metric is a number of one kernel, over all its launches that were checked.
type Metric struct {
	// Name is the rule that counts it and what it counts: "bank.excess". Numbers of
	// every run have no rule: "instructions".
	Name string
	// Rule is the rule that counts it, "" if every run does.
	Rule  string
	Title string
	// Nsight is the metric of Nsight Compute that counts the same, "" if none does
	// (Nsight Compute, Kernel Profiling Guide, "Metrics Reference"; its table of
	// nvprof's names). On a GPU the numbers are those of SASS, which may have fewer
	// accesses than the source has.
	Nsight string
	value  func(*kernelCounts) (value float64, ok bool)
}

// Metrics lists the metrics in the order of the report.
func Metrics() []Metric { return slices.Clone(metrics) }

var metrics = []Metric{
	{Name: "launches", Title: "launches", value: whole(func(k *kernelCounts) uint64 { return k.launches })},
	{Name: "instructions", Title: "thread instructions (PTX)", Nsight: "smsp__thread_inst_executed.sum",
		value: whole(func(k *kernelCounts) uint64 { return k.instructions })},
	{Name: "divergence.efficiency", Rule: "divergence", Title: "share of the lanes that are active, in percent", Nsight: "smsp__thread_inst_executed_per_inst_executed.pct",
		value: func(k *kernelCounts) (float64, bool) { return percent(k.lanes-min(k.idle, k.lanes), k.lanes) }},
	{Name: "divergence.branches", Rule: "divergence", Title: "warps' executions of branches that diverged",
		value: counted("divergence", func(k *kernelCounts) uint64 { return k.diverged })},
	{Name: "coalesce.requests", Rule: "coalesce", Title: "requests of global memory", Nsight: "l1tex__t_requests_pipe_lsu_mem_global.sum",
		value: counted("coalesce", func(k *kernelCounts) uint64 { return k.global.Requests })},
	{Name: "coalesce.sectors", Rule: "coalesce", Title: "sectors (before sm_70 lines or transactions) of global memory", Nsight: "memory_l2_theoretical_sectors_global",
		value: counted("coalesce", func(k *kernelCounts) uint64 { return k.global.Units })},
	{Name: "coalesce.loads", Rule: "coalesce", Title: "those of loads", Nsight: "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
		value: counted("coalesce", func(k *kernelCounts) uint64 { return k.loads })},
	{Name: "coalesce.stores", Rule: "coalesce", Title: "those of stores", Nsight: "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
		value: counted("coalesce", func(k *kernelCounts) uint64 { return k.stores })},
	{Name: "coalesce.excess", Rule: "coalesce", Title: "sectors beyond those that hold the bytes asked for", Nsight: "derived__memory_l2_theoretical_sectors_global_excessive",
		value: counted("coalesce", func(k *kernelCounts) uint64 { return k.global.Excess })},
	{Name: "coalesce.per_request", Rule: "coalesce", Title: "sectors per request", Nsight: "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global.ratio",
		value: func(k *kernelCounts) (float64, bool) { return ratio(k.global.Units, k.global.Requests) }},
	{Name: "coalesce.efficiency", Rule: "coalesce", Title: "bytes used of the bytes moved, in percent", Nsight: "smsp__sass_average_data_bytes_per_sector_mem_global.pct",
		value: func(k *kernelCounts) (float64, bool) { return percent(k.global.Used, k.global.Moved) }},
	{Name: "bank.requests", Rule: "bank", Title: "requests of shared memory", Nsight: "l1tex__data_pipe_lsu_requests_mem_shared.sum",
		value: counted("bank", func(k *kernelCounts) uint64 { return k.shared.Requests })},
	{Name: "bank.passes", Rule: "bank", Title: "wavefronts of shared memory", Nsight: "memory_l1_wavefronts_shared",
		value: counted("bank", func(k *kernelCounts) uint64 { return k.shared.Passes })},
	{Name: "bank.ideal", Rule: "bank", Title: "wavefronts that would do", Nsight: "memory_l1_wavefronts_shared_ideal",
		value: counted("bank", func(k *kernelCounts) uint64 { return k.shared.Ideal })},
	{Name: "bank.excess", Rule: "bank", Title: "wavefronts beyond those, from bank conflicts", Nsight: "derived__memory_l1_wavefronts_shared_excessive",
		value: counted("bank", func(k *kernelCounts) uint64 { return k.shared.Excess })},
	{Name: "bank.worst", Rule: "bank", Title: "worst conflict, N-way",
		value: counted("bank", func(k *kernelCounts) uint64 { return k.shared.Worst })},
	{Name: "constant.passes", Rule: "constant", Title: "passes of constant memory",
		value: counted("constant", func(k *kernelCounts) uint64 { return k.constant.Passes })},
	{Name: "constant.excess", Rule: "constant", Title: "passes beyond one a request",
		value: counted("constant", func(k *kernelCounts) uint64 { return k.constant.Excess })},
}

// kernelCounts are the counts that the metrics of a kernel are computed from.
type kernelCounts struct {
	kernel, name           string
	launches, instructions uint64
	// counted are the rules that watched the kernel.
	counted                  map[string]bool
	shared, global, constant accessCounts
	loads, stores            uint64
	lanes, idle, diverged    uint64
}

// accessCounts are the counts of bank, coalesce and constant, in the names of
// their statistics.
type accessCounts struct {
	Requests uint64 `json:"requests"`
	Passes   uint64 `json:"passes"`
	Ideal    uint64 `json:"ideal"`
	Excess   uint64 `json:"excess"`
	Worst    uint64 `json:"worst"`
	Units    uint64 `json:"units"`
	Used     uint64 `json:"bytes_used"`
	Moved    uint64 `json:"bytes_moved"`
}

// add adds the counts of another run.
func (c *accessCounts) add(o *accessCounts) {
	c.Requests += o.Requests
	c.Passes += o.Passes
	c.Ideal += o.Ideal
	c.Excess += o.Excess
	c.Worst = max(c.Worst, o.Worst)
	c.Units += o.Units
	c.Used += o.Used
	c.Moved += o.Moved
}

// kernelStats has the fields of a kernel in the statistics of any rule.
type kernelStats struct {
	Kernel     string `json:"kernel"`
	KernelName string `json:"kernel_name"`
	accessCounts
	Lanes    uint64        `json:"lane_instructions"`
	Idle     uint64        `json:"idle_lane_instructions"`
	Sites    []kindOfSite  `json:"sites"`
	Branches []branchCount `json:"branches"`
}

type kindOfSite struct {
	Kind  string `json:"kind"`
	Units uint64 `json:"units"`
}

// The kinds of a site that are counted apart; atomics are neither.
const (
	siteRead  = "read"
	siteWrite = "write"
)

type branchCount struct {
	Diverged uint64 `json:"parted"`
}

// KernelMetrics are the metrics of a kernel by name; those that were not counted
// are missing.
type KernelMetrics struct {
	// Kernel is the mangled name, Name the one in the source.
	Kernel string             `json:"kernel"`
	Name   string             `json:"name"`
	Values map[string]float64 `json:"values"`
}

// KernelMetrics returns the metrics of each kernel, in the order of their first
// launches.
func (r *Report) KernelMetrics() []KernelMetrics {
	var out []KernelMetrics
	for _, k := range r.kernelCounts() {
		m := KernelMetrics{Kernel: k.kernel, Name: k.name, Values: map[string]float64{}}
		for i := range metrics {
			if v, ok := metrics[i].value(k); ok {
				m.Values[metrics[i].Name] = v
			}
		}
		out = append(out, m)
	}
	return out
}

func (r *Report) kernelCounts() []*kernelCounts {
	var out []*kernelCounts
	byName := map[string]*kernelCounts{}
	at := func(kernel, name string) *kernelCounts {
		k := byName[kernel]
		if k == nil {
			k = &kernelCounts{kernel: kernel, name: or(name, finding.Demangle(kernel)), counted: map[string]bool{}}
			byName[kernel], out = k, append(out, k)
		}
		return k
	}
	for i := range r.Launches {
		k := at(r.Launches[i].Kernel, r.Launches[i].KernelName)
		k.launches += uint64(r.Launches[i].Count)
		k.instructions += r.Launches[i].Instructions
	}
	for _, rule := range slices.Sorted(maps.Keys(r.Stats)) {
		var kernels []kernelStats
		if !decode(r.Stats[rule], &kernels) {
			continue // the statistics of another kind of rule
		}
		for i := range kernels {
			at(kernels[i].Kernel, kernels[i].KernelName).add(rule, &kernels[i])
		}
	}
	return out
}

// add takes the counts of one rule.
func (k *kernelCounts) add(rule string, s *kernelStats) {
	k.counted[rule] = true
	switch rule {
	case "bank":
		k.shared.add(&s.accessCounts)
	case "constant":
		k.constant.add(&s.accessCounts)
	case "coalesce":
		k.global.add(&s.accessCounts)
		for _, site := range s.Sites {
			switch site.Kind {
			case siteRead:
				k.loads += site.Units
			case siteWrite:
				k.stores += site.Units
			}
		}
	case "divergence":
		k.lanes += s.Lanes
		k.idle += s.Idle
		for _, b := range s.Branches {
			k.diverged += b.Diverged
		}
	}
}

// whole makes the value of a count of every run.
func whole(count func(*kernelCounts) uint64) func(*kernelCounts) (float64, bool) {
	return func(k *kernelCounts) (float64, bool) { return float64(count(k)), true }
}

// counted makes the value of a count of one rule.
func counted(rule string, count func(*kernelCounts) uint64) func(*kernelCounts) (float64, bool) {
	return func(k *kernelCounts) (float64, bool) { return float64(count(k)), k.counted[rule] }
}

func ratio(a, b uint64) (float64, bool) {
	if b == 0 {
		return 0, false
	}
	return float64(a) / float64(b), true
}

func percent(a, b uint64) (float64, bool) {
	v, ok := ratio(a, b)
	return 100 * v, ok
}
