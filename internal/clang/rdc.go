package clang

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"strings"
)

// Relocatable device code. clang's host object calls
// __cudaRegisterLinkedBinary__nv_ID and defines __fatbinwrap__nv_ID, where ID
// is a number of 64 bits in hexadecimal. NVIDIA's device linker would make the
// former. Here it is the runtime's, one for all modules, which links the
// modules of a program when it starts; and the latter, made unique, is the
// name by which a link asks for an object whose device code it needs.

const (
	registerSymbol = "__cudaRegisterLinkedBinary"
	registerPrefix = registerSymbol + "__nv_"
	// ModuleSymbolPrefix begins the name of the symbol that an object with
	// relocatable device code defines.
	ModuleSymbolPrefix = "__fatbinwrap__nv_"
	// RelocatableSection and WholeSection hold the wrapped module of an
	// object with relocatable device code, and of others.
	RelocatableSection = "__nv_relfatbin"
	WholeSection       = ".nv_fatbin"
)

// nameModule changes those two symbols in an object's symbol names, in place.
// The id, hexadecimal digits, makes the module's symbol unique.
func nameModule(obj []byte, id string) error {
	f, err := elf.NewFile(bytes.NewReader(obj))
	if err != nil {
		return fmt.Errorf("the object of the host side: %w", err)
	}
	defer f.Close()
	symtab := f.SectionByType(elf.SHT_SYMTAB)
	if symtab == nil || int(symtab.Link) >= len(f.Sections) {
		return errors.New("the object of the host side has no symbols")
	}
	str := f.Sections[symtab.Link]
	if str.Offset+str.Size > uint64(len(obj)) {
		return errors.New("the object of the host side is damaged")
	}
	names := obj[str.Offset : str.Offset+str.Size]
	if i := bytes.Index(names, []byte(registerPrefix)); i >= 0 {
		names[i+len(registerSymbol)] = 0
	}
	if i := bytes.Index(names, []byte(ModuleSymbolPrefix)); i >= 0 {
		digits := names[i+len(ModuleSymbolPrefix):]
		if n := bytes.IndexByte(digits, 0); n >= 0 {
			copy(digits[:n], id)
		}
	}
	return nil
}

// DeviceModule is the relocatable device code of an object.
type DeviceModule struct {
	// Symbol is the one that the object defines to be asked for by.
	Symbol string
	Meta   Meta
	// PTX is the code for the newest of its targets; the others define the same symbols.
	PTX []byte
}

// RelocatableModules returns the relocatable device code inside an object
// file: several modules if objects were joined. Other files have none.
func RelocatableModules(obj []byte) ([]DeviceModule, error) {
	f, err := elf.NewFile(bytes.NewReader(obj))
	if err != nil || f.Type != elf.ET_REL {
		return nil, nil // not an object
	}
	defer f.Close()
	sec := f.Section(RelocatableSection)
	if sec == nil {
		return nil, nil
	}
	data, err := sec.Data()
	if err != nil {
		return nil, err
	}
	symbols, err := f.Symbols()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, s := range symbols {
		if strings.HasPrefix(s.Name, ModuleSymbolPrefix) && s.Section != elf.SHN_UNDEF {
			names = append(names, s.Name)
		}
	}
	return splitModules(data, names)
}

// splitModules decodes the modules of a section, which lie one after the
// other with padding between them.
func splitModules(data []byte, names []string) ([]DeviceModule, error) {
	var mods []DeviceModule
	for {
		i := bytes.Index(data, []byte(FatbinMagic))
		if i < 0 {
			break
		}
		data = data[i:]
		meta, ptx, err := DecodeFatbin(data)
		if err != nil {
			return nil, err
		}
		m := DeviceModule{Meta: meta, PTX: meta.first(ptx)}
		if len(mods) < len(names) {
			m.Symbol = names[len(mods)]
		}
		mods = append(mods, m)
		size, err := FatbinSize(data)
		if err != nil {
			return nil, err
		}
		data = data[size:]
	}
	return mods, nil
}
