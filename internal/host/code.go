package host

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// Code is a cudaError_t ("CUDA Runtime API", "Data types used by CUDA
// Runtime").
type Code int32

// The codes that the server gives.
const (
	Success                  Code = 0
	ErrInvalidValue          Code = 1
	ErrMemoryAllocation      Code = 2
	ErrInvalidConfiguration  Code = 9
	ErrInvalidPitchValue     Code = 12
	ErrInvalidSymbol         Code = 13
	ErrInvalidDirection      Code = 21
	ErrLaunchMaxDepth        Code = 65
	ErrSyncDepth             Code = 68
	ErrInvalidDeviceFunction Code = 98
	ErrNoKernelImage         Code = 209
	ErrInvalidPtx            Code = 218
	ErrInvalidResource       Code = 400
	ErrNotReady              Code = 600
	ErrIllegalAddress        Code = 700
	ErrLaunchOutOfResources  Code = 701
	ErrLaunchTimeout         Code = 702
	ErrAssert                Code = 710
	ErrHardwareStack         Code = 714
	ErrMisaligned            Code = 716
	ErrLaunchFailure         Code = 719
	ErrCooperativeTooLarge   Code = 720
	ErrUnsupportedLimit      Code = 215
	ErrInvalidClusterSize    Code = 912
	ErrNotSupported          Code = 801
	ErrUnknown               Code = 999
)

// String is the enumerator's name.
func (c Code) String() string {
	if s, ok := codeNames[c]; ok {
		return s
	}
	return fmt.Sprintf("cudaError %d", int32(c))
}

// faultCode is the sticky error that a fault leaves behind.
func faultCode(k trace.FaultKind) Code {
	switch k {
	case trace.FaultOutOfBounds, trace.FaultReadOnly:
		return ErrIllegalAddress
	case trace.FaultMisaligned:
		return ErrMisaligned
	case trace.FaultAssert:
		return ErrAssert
	case trace.FaultDeadlock, trace.FaultBudget:
		return ErrLaunchTimeout
	case trace.FaultStack:
		return ErrHardwareStack
	case trace.FaultUnsupported:
		return ErrNotSupported
	}
	return ErrLaunchFailure
}
