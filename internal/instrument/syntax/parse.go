package syntax

// parser builds nodes. Clang writes a file's name only where it differs from
// that of the place before, so every place is read, also those of nodes that
// are left out.
type parser struct {
	in    reader
	own   func(string) bool
	words map[string]string
	// file is the last place's.
	file string
}

// text keeps a string; most come often.
func (p *parser) text(b []byte) string {
	if s, ok := p.words[string(b)]; ok {
		return s
	}
	s := string(b)
	p.words[s] = s
	return s
}

// unit reads the whole tree.
func (p *parser) unit() ([]*Node, error) {
	var all []*Node
	p.in.object(func(key []byte) {
		if string(key) != "inner" {
			p.skip()
			return
		}
		p.in.array(func() {
			if n := p.node(true); n != nil {
				all = append(all, n)
			}
		})
	})
	return all, p.in.err
}

// node reads a node; with choose it is left out, as nil, if it is in a file of
// others.
func (p *parser) node(choose bool) *Node {
	n := &Node{}
	wanted := true
	p.in.object(func(key []byte) {
		if !wanted {
			p.skipField(key)
			return
		}
		switch string(key) {
		case "loc":
			n.Loc = p.pos()
			wanted = !choose || n.Loc.File == "" || p.own(n.Loc.File)
		case "range":
			p.in.object(func(key []byte) {
				if string(key) == "begin" {
					n.Begin = p.pos()
				} else {
					n.End = p.pos()
				}
			})
		case "inner":
			p.in.array(func() { n.Inner = append(n.Inner, p.node(false)) })
		default:
			p.field(n, key)
		}
	})
	if !wanted {
		return nil
	}
	return n
}

// field reads a field other than places and children.
func (p *parser) field(n *Node, key []byte) {
	switch string(key) {
	case "kind":
		n.Kind = p.text(p.in.string())
	case "id":
		n.ID = p.text(p.in.string())
	case "name":
		n.Name = p.text(p.in.string())
	case "mangledName":
		n.Mangled = p.text(p.in.string())
	case "type":
		n.Type, n.Desugared = p.types()
	case "ctorType":
		n.CtorType, _ = p.types()
	case "argType":
		_, n.ArgType = p.types()
	case "opcode":
		n.Opcode = p.text(p.in.string())
	case "castKind":
		n.Cast = p.text(p.in.string())
	case "valueCategory":
		n.Category = p.text(p.in.string())
	case "storageClass":
		n.Storage = p.text(p.in.string())
	case "explicitlyDefaulted":
		n.Default = p.text(p.in.string())
	case "nonOdrUseReason":
		n.NonODR = p.text(p.in.string())
	case "referencedMemberDecl":
		n.Member = p.text(p.in.string())
	case "isArrow":
		n.Arrow = p.truth()
	case "isImplicit":
		n.Implicit = p.truth()
	case "constexpr":
		n.Const = p.truth()
	case "hasElse":
		n.Else = p.truth()
	case "isBitfield":
		n.BitField = p.truth()
	case "referencedDecl":
		n.Ref = p.ref()
	case "value":
		if p.in.peek() == '"' {
			n.Value = p.text(p.in.string())
		} else {
			p.skip()
		}
	default:
		p.skip()
	}
}

func (p *parser) truth() bool { return string(p.in.word()) == "true" }

// types reads a type, as written and without aliases.
func (p *parser) types() (written, desugared string) {
	p.in.object(func(key []byte) {
		switch string(key) {
		case "qualType":
			written = p.text(p.in.string())
		case "desugaredQualType":
			desugared = p.text(p.in.string())
		default:
			p.skip()
		}
	})
	if desugared == "" {
		desugared = written
	}
	return written, desugared
}

func (p *parser) ref() *Ref {
	r := &Ref{}
	p.in.object(func(key []byte) {
		switch string(key) {
		case "id":
			r.ID = p.text(p.in.string())
		case "kind":
			r.Kind = p.text(p.in.string())
		case "name":
			r.Name = p.text(p.in.string())
		case "type":
			r.Type, _ = p.types()
		default:
			p.skip()
		}
	})
	return r
}

// pos reads a place: bare, or of a macro's token with where it is spelled and
// where the macro is used. "spellingLoc" comes first.
func (p *parser) pos() Pos {
	var at, spelled Pos
	p.in.object(func(key []byte) {
		switch string(key) {
		case "spellingLoc":
			spelled = p.pos()
		case "expansionLoc":
			at = p.pos()
			at.Macro = true
			if at.Arg > 0 && spelled.File == at.File {
				at.Arg, at.ArgLen = spelled.Off+1, spelled.Len
			} else {
				at.Arg = 0
			}
		case "isMacroArgExpansion":
			if p.truth() {
				at.Arg = 1
			}
		case "offset":
			at.Off = p.number()
			at.File = p.file
		case "file":
			p.file = p.text(p.in.string())
			at.File = p.file
		case "tokLen":
			at.Len = p.number()
		default:
			p.skipField(key)
		}
	})
	return at
}

func (p *parser) number() int {
	n := 0
	for _, c := range p.in.word() {
		n = n*10 + int(c-'0')
	}
	return n
}

// skipField takes a value, and notes a file's name if that is what it is. The
// file that a place's file is included from is not a place.
func (p *parser) skipField(key []byte) {
	switch {
	case string(key) == "file":
		p.file = p.text(p.in.string())
	case string(key) == "includedFrom":
		file := p.file
		p.skip()
		p.file = file
	default:
		p.skip()
	}
}

// skip takes a value.
func (p *parser) skip() {
	switch p.in.peek() {
	case '{':
		p.in.object(p.skipField)
	case '[':
		p.in.array(p.skip)
	case '"':
		p.in.string()
	default:
		p.in.word()
	}
}
