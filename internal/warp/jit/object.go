package jit

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
)

// Object is what a compiler made, ready to be mapped: its sections one after the other, and
// where its global functions begin.
type Object struct {
	Text    []byte
	Symbols map[string]int32
}

// maxObject bounds the bytes of an object's sections.
const maxObject = 64 << 20

// Link lays out the sections of an ELF object file that a program needs in memory, and makes
// its relocations. They must be relative to their places: the result can be mapped anywhere.
func Link(file []byte) (*Object, error) {
	f, err := elf.NewFile(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	o := &Object{Symbols: map[string]int32{}}
	at := make([]int, len(f.Sections))
	for i, s := range f.Sections {
		if s.Flags&elf.SHF_ALLOC == 0 || s.Type != elf.SHT_PROGBITS {
			continue
		}
		if s.Flags&elf.SHF_WRITE != 0 && s.Size > 0 {
			return nil, fmt.Errorf("section %s is writable", s.Name)
		}
		data, err := s.Data()
		if err != nil {
			return nil, err
		}
		align := int(max(s.Addralign, 1))
		if align > 4096 || len(o.Text)+len(data) > maxObject {
			return nil, errors.New("the object is too large")
		}
		for len(o.Text)%align != 0 {
			o.Text = append(o.Text, 0)
		}
		at[i] = len(o.Text)
		o.Text = append(o.Text, data...)
	}
	symbols, err := f.Symbols()
	if err != nil {
		return nil, err
	}
	place := func(s *elf.Symbol) (int, error) {
		if s.Section == elf.SHN_UNDEF || int(s.Section) >= len(at) {
			return 0, fmt.Errorf("undefined symbol %q", s.Name)
		}
		return at[s.Section] + int(s.Value), nil
	}
	for i := range symbols {
		if s := &symbols[i]; elf.ST_BIND(s.Info) == elf.STB_GLOBAL {
			p, err := place(s)
			if err != nil {
				return nil, err
			}
			o.Symbols[s.Name] = int32(p)
		}
	}
	for _, s := range f.Sections {
		if s.Type != elf.SHT_RELA || int(s.Info) >= len(f.Sections) || f.Sections[s.Info].Flags&elf.SHF_ALLOC == 0 || f.Sections[s.Info].Type != elf.SHT_PROGBITS {
			continue
		}
		data, err := s.Data()
		if err != nil {
			return nil, err
		}
		for ; len(data) >= 24; data = data[24:] {
			off, info, addend := binary.LittleEndian.Uint64(data), binary.LittleEndian.Uint64(data[8:]), int64(binary.LittleEndian.Uint64(data[16:]))
			n := int(info >> 32)
			if n < 1 || n > len(symbols) {
				return nil, fmt.Errorf("relocation of symbol %d", n)
			}
			p, err := place(&symbols[n-1])
			if err != nil {
				return nil, err
			}
			if err := o.relocate(f.Machine, uint32(info), at[s.Info]+int(off), int64(p)+addend); err != nil {
				return nil, err
			}
		}
	}
	return o, nil
}

// relocate makes one relocation, of a place to a value; both count from the begin of Text,
// which will be at the begin of a page.
func (o *Object) relocate(m elf.Machine, kind uint32, place int, value int64) error {
	if place < 0 || place+4 > len(o.Text) {
		return errors.New("a relocation is outside its section")
	}
	at := o.Text[place:]
	word, distance := binary.LittleEndian.Uint32(at), value-int64(place)
	set := func(mask, bits uint32) { binary.LittleEndian.PutUint32(at, word&^mask|bits&mask) }
	if m == elf.EM_X86_64 {
		switch elf.R_X86_64(kind) {
		case elf.R_X86_64_PC32, elf.R_X86_64_PLT32:
			set(1<<32-1, uint32(distance))
			return nil
		}
	}
	if m == elf.EM_AARCH64 {
		// The ABI for the Arm 64-bit Architecture, "Relocation": pages are of 4 KB.
		low := func(shift uint) { set(0xfff<<10, uint32(value)&0xfff>>shift<<10) }
		switch elf.R_AARCH64(kind) {
		case elf.R_AARCH64_PREL32:
			set(1<<32-1, uint32(distance))
		case elf.R_AARCH64_CALL26, elf.R_AARCH64_JUMP26:
			set(1<<26-1, uint32(distance>>2))
		case elf.R_AARCH64_ADR_PREL_PG_HI21:
			pages := uint32(value>>12 - int64(place)>>12)
			set(3<<29|(1<<19-1)<<5, pages&3<<29|pages>>2<<5)
		case elf.R_AARCH64_ADD_ABS_LO12_NC, elf.R_AARCH64_LDST8_ABS_LO12_NC:
			low(0)
		case elf.R_AARCH64_LDST16_ABS_LO12_NC:
			low(1)
		case elf.R_AARCH64_LDST32_ABS_LO12_NC:
			low(2)
		case elf.R_AARCH64_LDST64_ABS_LO12_NC:
			low(3)
		case elf.R_AARCH64_LDST128_ABS_LO12_NC:
			low(4)
		default:
			return fmt.Errorf("relocation %v", elf.R_AARCH64(kind))
		}
		return nil
	}
	return fmt.Errorf("relocation of kind %d for %v", kind, m)
}
