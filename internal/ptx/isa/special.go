package isa

import (
	"strconv"
	"strings"
)

// SpecialReg is a special register (PTX ISA, "Special Registers").
type SpecialReg struct {
	// Name has the percent sign but no component: "%tid".
	Name string
	// Type is that of one component.
	Type Type
	// Components is "xyz" or "xyzw" for a vector, else "".
	Components string
	// Count is above 0 for a family such as %envreg<32>, named %envreg0 on;
	// Suffix follows the number (%pm0_64).
	Count  int
	Suffix string
	// Executed is set if the engine provides it.
	Executed bool
	Section  string
}

var specials = []SpecialReg{
	{"%tid", U32, "xyzw", 0, "", true, "Special Registers: %tid"},
	{"%ntid", U32, "xyzw", 0, "", true, "Special Registers: %ntid"},
	{"%laneid", U32, "", 0, "", true, "Special Registers: %laneid"},
	{"%warpid", U32, "", 0, "", true, "Special Registers: %warpid"},
	{"%nwarpid", U32, "", 0, "", true, "Special Registers: %nwarpid"},
	{"%ctaid", U32, "xyzw", 0, "", true, "Special Registers: %ctaid"},
	{"%nctaid", U32, "xyzw", 0, "", true, "Special Registers: %nctaid"},
	{"%smid", U32, "", 0, "", true, "Special Registers: %smid"},
	{"%nsmid", U32, "", 0, "", true, "Special Registers: %nsmid"},
	{"%gridid", U64, "", 0, "", true, "Special Registers: %gridid"},
	{"%is_explicit_cluster", Pred, "", 0, "", true, "Special Registers: %is_explicit_cluster"},
	{"%clusterid", U32, "xyzw", 0, "", true, "Special Registers: %clusterid"},
	{"%nclusterid", U32, "xyzw", 0, "", true, "Special Registers: %nclusterid"},
	{"%cluster_ctaid", U32, "xyzw", 0, "", true, "Special Registers: %cluster_ctaid"},
	{"%cluster_nctaid", U32, "xyzw", 0, "", true, "Special Registers: %cluster_nctaid"},
	{"%cluster_ctarank", U32, "", 0, "", true, "Special Registers: %cluster_ctarank"},
	{"%cluster_nctarank", U32, "", 0, "", true, "Special Registers: %cluster_nctarank"},
	{"%lanemask_eq", U32, "", 0, "", true, "Special Registers: %lanemask_eq"},
	{"%lanemask_le", U32, "", 0, "", true, "Special Registers: %lanemask_le"},
	{"%lanemask_lt", U32, "", 0, "", true, "Special Registers: %lanemask_lt"},
	{"%lanemask_ge", U32, "", 0, "", true, "Special Registers: %lanemask_ge"},
	{"%lanemask_gt", U32, "", 0, "", true, "Special Registers: %lanemask_gt"},
	{"%clock", U32, "", 0, "", true, "Special Registers: %clock, %clock_hi"},
	{"%clock_hi", U32, "", 0, "", true, "Special Registers: %clock, %clock_hi"},
	{"%clock64", U64, "", 0, "", true, "Special Registers: %clock64"},
	{"%pm", U32, "", 8, "", true, "Special Registers: %pm0..%pm7"},
	{"%pm", U64, "", 8, "_64", true, "Special Registers: %pm0_64..%pm7_64"},
	{"%envreg", B32, "", 32, "", true, "Special Registers: %envreg<32>"},
	{"%globaltimer", U64, "", 0, "", true, "Special Registers: %globaltimer, %globaltimer_lo, %globaltimer_hi"},
	{"%globaltimer_lo", U32, "", 0, "", true, "Special Registers: %globaltimer, %globaltimer_lo, %globaltimer_hi"},
	{"%globaltimer_hi", U32, "", 0, "", true, "Special Registers: %globaltimer, %globaltimer_lo, %globaltimer_hi"},
	{"%reserved_smem_offset_begin", B32, "", 0, "", true, "Special Registers: %reserved_smem_offset_begin, ..."},
	{"%reserved_smem_offset_end", B32, "", 0, "", true, "Special Registers: %reserved_smem_offset_begin, ..."},
	{"%reserved_smem_offset_cap", B32, "", 0, "", true, "Special Registers: %reserved_smem_offset_begin, ..."},
	{"%reserved_smem_offset_", B32, "", 2, "", true, "Special Registers: %reserved_smem_offset_begin, ..."},
	{"%total_smem_size", U32, "", 0, "", true, "Special Registers: %total_smem_size"},
	{"%aggr_smem_size", U32, "", 0, "", true, "Special Registers: %aggr_smem_size"},
	{"%dynamic_smem_size", U32, "", 0, "", true, "Special Registers: %dynamic_smem_size"},
	{"%current_graph_exec", U64, "", 0, "", true, "Special Registers: %current_graph_exec"},
}

// Specials returns the table of special registers.
func Specials() []SpecialReg { return specials }

var specialByName = func() map[string]*SpecialReg {
	m := map[string]*SpecialReg{}
	for i := range specials {
		s := &specials[i]
		for _, n := range s.Names() {
			m[n] = s
		}
	}
	return m
}()

// Names lists the names as a program writes them, without components.
func (s *SpecialReg) Names() []string {
	if s.Count == 0 {
		return []string{s.Name}
	}
	var list []string
	for i := range s.Count {
		list = append(list, s.Name+strconv.Itoa(i)+s.Suffix)
	}
	return list
}

// IsSpecial reports whether name, without a component, is a special register.
func IsSpecial(name string) bool { return specialByName[name] != nil }

// Special finds a special register by its name with or without a component
// (%tid.x, also .r .g .b .a); nil if there is none.
func Special(name string) *SpecialReg {
	base, comp, dotted := strings.Cut(name, ".")
	s := specialByName[base]
	if s == nil || !dotted {
		return s
	}
	i := strings.Index("xyzwrgba", comp)
	if len(comp) != 1 || i < 0 || i%4 >= len(s.Components) {
		return nil
	}
	return s
}
