package ptx

import "debug/dwarf"

// Producer is the compiler that made the module, as its debug information has it
// (DW_AT_producer): "triton"; "" where there is none.
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
