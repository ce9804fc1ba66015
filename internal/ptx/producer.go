package ptx

import "debug/dwarf"

// Triton is the producer of modules that Triton compiles: its language has no threads and no
// shared memory.
const Triton = "triton"

// Producer is the compiler that made the module, as its debug information has it
// (DW_AT_producer), such as Triton; "" where there is none.
func (m *Module) Producer() string {
	if m.producer == nil {
		return ""
	}
	return m.producer()
}

func (m *Module) readProducer() string {
	section := func(name string) []byte { return m.sectionData(name).data }
	info := section(".debug_info")
	if len(info) == 0 {
		return ""
	}
	d, err := dwarf.New(section(".debug_abbrev"), nil, nil, info, nil, nil, nil, section(".debug_str"))
	if err != nil {
		return ""
	}
	unit, err := d.Reader().Next()
	if err != nil || unit == nil {
		return ""
	}
	name, _ := unit.Val(dwarf.AttrProducer).(string)
	return name
}
