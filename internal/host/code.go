package host

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// String is the enumerator's name.
func (c Code) String() string {
	if s, ok := codeNames[c]; ok {
		return s
	}
	return fmt.Sprintf("cudaError %d", int32(c))
}

// faultCode is the sticky error that a fault leaves behind.
func faultCode(f *trace.Fault) Code {
	if f.Cause == trace.CauseTensorCoordinate || f.Cause == trace.CauseNoCluster {
		return ErrorIllegalInstruction
	}
	switch f.Kind {
	case trace.FaultOutOfBounds, trace.FaultReadOnly:
		return ErrorIllegalAddress
	case trace.FaultMisaligned:
		return ErrorMisalignedAddress
	case trace.FaultAssert:
		return ErrorAssert
	case trace.FaultDeadlock, trace.FaultBudget:
		return ErrorLaunchTimeout
	case trace.FaultStack:
		return ErrorHardwareStackError
	case trace.FaultUnsupported:
		return ErrorNotSupported
	}
	return ErrorLaunchFailure
}
