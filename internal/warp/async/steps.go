package async

import "github.com/warpgrind/warpgrind/internal/warp/program"

// Exec executes a step for lanes m. It returns false after a fault.
func (u *Unit) Exec(s program.Step, m uint32) bool {
	switch s := s.(type) {
	case *program.CopyAsync:
		return (*copyAsync)(s).exec(u, m)
	case *program.CopyGroup:
		return (*copyGroup)(s).exec(u, m)
	case *program.MBarrier:
		return (*mbarrierOp)(s).exec(u, m)
	case *program.Bulk:
		return (*bulkOp)(s).exec(u, m)
	case *program.BulkGroup:
		return (*bulkGroup)(s).exec(u, m)
	case *program.Fill:
		return (*bulkFill)(s).exec(u, m)
	case *program.MapFence:
		return (*mapFence)(s).exec(u, m)
	case *program.MapField:
		return (*mapField)(s).exec(u, m)
	case *program.MapCopy:
		return (*mapCopy)(s).exec(u, m)
	case *program.LaunchCancel:
		return (*launchCancel)(s).exec(u, m)
	case *program.FirstBlock:
		return (*firstBlock)(s).exec(u, m)
	}
	panic("async: a step of another package")
}

// Follow follows undefined values through a step before it is executed.
func (u *Unit) Follow(s program.Step, m uint32) {
	switch s := s.(type) {
	case *program.CopyAsync:
		(*copyAsync)(s).follow(u, m)
	case *program.FirstBlock:
		(*firstBlock)(s).follow(u, m)
	case *program.Bulk:
		u.followBulk(s, m)
	}
}
