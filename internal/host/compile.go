package host

import "github.com/warpgrind/warpgrind/internal/host/protocol"

// doCompile compiles for NVRTC. It answers a log, and where that went well
// the PTX and the mangled names.
func (p *process) doCompile(q *request, in *protocol.Compile, r *reply, out *protocol.CompileReply) {
	s := Source{Name: in.Name, Text: in.Source, Headers: map[string]string{}, Options: in.Options, Names: in.Names}
	for _, h := range in.Headers {
		s.Headers[h.Name] = h.Text
	}
	if p.s.cfg.Compile == nil {
		p.unsupported("NVRTC: no compiler found")
		r.code = ErrorNotSupported
		return
	}
	var c Compiled
	var err error
	p.s.apart(func() { c, err = p.s.cfg.Compile(q.ctx, s) })
	if err != nil {
		r.code = ErrorUnknown
		c.Log = err.Error()
	}
	*out = protocol.CompileReply{OK: c.PTX != nil, Log: c.Log, PTX: string(c.PTX), Lowered: c.Lowered}
}

// doLibrary makes a part of one of the replacements for NVIDIA's closed libraries.
func (p *process) doLibrary(q *request, in *protocol.Library, r *reply, out *protocol.LibraryReply) {
	if p.s.cfg.Library == nil {
		p.unsupported(in.Library + ": no compiler found")
		r.code = ErrorNotSupported
		return
	}
	var err error
	p.s.apart(func() { out.Text, err = p.s.cfg.Library(q.ctx, in.Library, in.Module) })
	switch {
	case err != nil && q.ctx.Err() != nil: // the run is being stopped
		r.code = ErrorUnknown
	case err != nil:
		p.unsupported(in.Library + ": " + err.Error())
		r.code = ErrorNotSupported
	}
}
