package host

import "context"

// doCompile compiles for NVRTC. It answers a log, and where that went well
// the PTX and the mangled names.
func (p *process) doCompile(ctx context.Context, q *request, r *reply) {
	s := Source{Name: q.str(), Text: q.str(), Headers: map[string]string{}}
	for range q.u32() {
		name := q.str()
		s.Headers[name] = q.str()
	}
	for range q.u32() {
		s.Options = append(s.Options, q.str())
	}
	for range q.u32() {
		s.Names = append(s.Names, q.str())
	}
	if q.bad {
		return
	}
	if p.s.cfg.Compile == nil {
		p.unsupported("NVRTC: no compiler found")
		r.code = ErrNotSupported
		return
	}
	c, err := p.s.cfg.Compile(ctx, s)
	if err != nil {
		r.code = ErrUnknown
		c.Log = err.Error()
	}
	r.u32(0).str(c.Log)
	if c.PTX == nil {
		return
	}
	r.body[0] = 1
	r.str(string(c.PTX)).u32(uint32(len(c.Lowered)))
	for _, name := range c.Lowered {
		r.str(name)
	}
}
