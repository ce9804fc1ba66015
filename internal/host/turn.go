package host

import "github.com/warpgrind/warpgrind/internal/host/protocol"

// enter begins a turn: who has it may act, and let device code run.
func (s *Server) enter() {
	s.mu.Lock()
	for s.busy || s.preparing {
		s.free.Wait()
	}
}

// enterBeside begins the turn of a call that has nothing to do with the runner.
func (s *Server) enterBeside() {
	s.mu.Lock()
	for s.busy {
		s.free.Wait()
	}
}

// leave ends a turn.
func (s *Server) leave() { s.mu.Unlock() }

// outside opens the lock for as long as f takes. The turn continues.
func (s *Server) outside(f func()) {
	s.busy = true
	s.mu.Unlock()
	f()
	s.mu.Lock()
	s.busy = false
	s.free.Broadcast()
}

// prepare lets the runner load a module or lower a kernel. Calls that have nothing to do with
// the runner have turns meanwhile.
func (s *Server) prepare(f func()) {
	s.preparing = true
	s.mu.Unlock()
	f()
	s.mu.Lock()
	s.preparing = false
	s.free.Broadcast()
}

// apart lets others have turns while f is under way, which does not concern them.
func (s *Server) apart(f func()) {
	s.leave()
	f()
	s.enter()
}

// beside reports whether a request has nothing to do with the runner: it runs no device code,
// and concerns no module.
func (q *request) beside() bool {
	switch in := q.in.(type) {
	case *protocol.Alloc, *protocol.MemInfo, *protocol.PointerInfo, *protocol.Touched, *protocol.StreamCreate, *protocol.StreamInfo,
		*protocol.EventCreate, *protocol.EventRecord, *protocol.StreamWait:
		return true
	case *protocol.StreamSync:
		return !in.Wait
	case *protocol.EventSync:
		return !in.Wait
	}
	return false
}
