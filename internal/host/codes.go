// Code generated from internal/shim/errors.txt by go run ./scripts/apitable. DO NOT EDIT.

package host

// The codes of cudaError_t, with their texts.
const (
	Success                             Code = 0     // no error
	ErrorInvalidValue                   Code = 1     // invalid argument
	ErrorMemoryAllocation               Code = 2     // out of memory
	ErrorInitializationError            Code = 3     // initialization error
	ErrorCudartUnloading                Code = 4     // driver shutting down
	ErrorProfilerDisabled               Code = 5     // profiler disabled while using external profiling tool
	ErrorProfilerNotInitialized         Code = 6     // profiler not initialized: call cudaProfilerInitialize()
	ErrorProfilerAlreadyStarted         Code = 7     // profiler already started
	ErrorProfilerAlreadyStopped         Code = 8     // profiler already stopped
	ErrorInvalidConfiguration           Code = 9     // invalid configuration argument
	ErrorInvalidPitchValue              Code = 12    // invalid pitch argument
	ErrorInvalidSymbol                  Code = 13    // invalid device symbol
	ErrorInvalidHostPointer             Code = 16    // invalid host pointer
	ErrorInvalidDevicePointer           Code = 17    // invalid device pointer
	ErrorInvalidTexture                 Code = 18    // invalid texture reference
	ErrorInvalidTextureBinding          Code = 19    // texture is not bound to a pointer
	ErrorInvalidChannelDescriptor       Code = 20    // invalid channel descriptor
	ErrorInvalidMemcpyDirection         Code = 21    // invalid copy direction for memcpy
	ErrorAddressOfConstant              Code = 22    // invalid address of constant
	ErrorTextureFetchFailed             Code = 23    // fetch from texture failed
	ErrorTextureNotBound                Code = 24    // cannot fetch from a texture that is not bound
	ErrorSynchronizationError           Code = 25    // incorrect use of __syncthreads()
	ErrorInvalidFilterSetting           Code = 26    // linear filtering not supported for non-float type
	ErrorInvalidNormSetting             Code = 27    // read as normalized float not supported for 32-bit non float type
	ErrorMixedDeviceExecution           Code = 28    // device emulation mode and device execution mode cannot be mixed
	ErrorNotYetImplemented              Code = 31    // feature not yet implemented
	ErrorMemoryValueTooLarge            Code = 32    // memory size or pointer value too large to fit in 32 bit
	ErrorStubLibrary                    Code = 34    // CUDA driver is a stub library
	ErrorInsufficientDriver             Code = 35    // CUDA driver version is insufficient for CUDA runtime version
	ErrorCallRequiresNewerDriver        Code = 36    // API call is not supported in the installed CUDA driver
	ErrorInvalidSurface                 Code = 37    // invalid surface reference
	ErrorDuplicateVariableName          Code = 43    // duplicate global variable looked up by string name
	ErrorDuplicateTextureName           Code = 44    // duplicate texture looked up by string name
	ErrorDuplicateSurfaceName           Code = 45    // duplicate surface looked up by string name
	ErrorDevicesUnavailable             Code = 46    // CUDA-capable device(s) is/are busy or unavailable
	ErrorIncompatibleDriverContext      Code = 49    // incompatible driver context
	ErrorMissingConfiguration           Code = 52    // __global__ function call is not configured
	ErrorPriorLaunchFailure             Code = 53    // unspecified launch failure in prior launch
	ErrorLaunchMaxDepthExceeded         Code = 65    // launch would exceed maximum depth of nested launches
	ErrorLaunchFileScopedTex            Code = 66    // launch failed because kernel uses unsupported, file-scoped textures (texture objects are supported)
	ErrorLaunchFileScopedSurf           Code = 67    // launch failed because kernel uses unsupported, file-scoped surfaces (surface objects are supported)
	ErrorSyncDepthExceeded              Code = 68    // cudaDeviceSynchronize failed because caller's grid depth exceeds cudaLimitDevRuntimeSyncDepth
	ErrorLaunchPendingCountExceeded     Code = 69    // launch failed because launch would exceed cudaLimitDevRuntimePendingLaunchCount
	ErrorInvalidDeviceFunction          Code = 98    // invalid device function
	ErrorNoDevice                       Code = 100   // no CUDA-capable device is detected
	ErrorInvalidDevice                  Code = 101   // invalid device ordinal
	ErrorDeviceNotLicensed              Code = 102   // device doesn't have valid Grid license
	ErrorSoftwareValidityNotEstablished Code = 103   // integrity checks failed
	ErrorStartupFailure                 Code = 127   // startup failure in cuda runtime
	ErrorInvalidKernelImage             Code = 200   // device kernel image is invalid
	ErrorDeviceUninitialized            Code = 201   // invalid device context
	ErrorMapBufferObjectFailed          Code = 205   // mapping of buffer object failed
	ErrorUnmapBufferObjectFailed        Code = 206   // unmapping of buffer object failed
	ErrorArrayIsMapped                  Code = 207   // array is mapped
	ErrorAlreadyMapped                  Code = 208   // resource already mapped
	ErrorNoKernelImageForDevice         Code = 209   // no kernel image is available for execution on the device
	ErrorAlreadyAcquired                Code = 210   // resource already acquired
	ErrorNotMapped                      Code = 211   // resource not mapped
	ErrorNotMappedAsArray               Code = 212   // resource not mapped as array
	ErrorNotMappedAsPointer             Code = 213   // resource not mapped as pointer
	ErrorECCUncorrectable               Code = 214   // uncorrectable ECC error encountered
	ErrorUnsupportedLimit               Code = 215   // limit is not supported on this architecture
	ErrorDeviceAlreadyInUse             Code = 216   // exclusive-thread device already in use by a different thread
	ErrorPeerAccessUnsupported          Code = 217   // peer access is not supported between these two devices
	ErrorInvalidPtx                     Code = 218   // a PTX JIT compilation failed
	ErrorInvalidGraphicsContext         Code = 219   // invalid OpenGL or DirectX context
	ErrorNvlinkUncorrectable            Code = 220   // uncorrectable NVLink error detected during the execution
	ErrorJitCompilerNotFound            Code = 221   // PTX JIT compiler library not found
	ErrorUnsupportedPtxVersion          Code = 222   // the provided PTX was compiled with an unsupported toolchain.
	ErrorJitCompilationDisabled         Code = 223   // PTX JIT compilation was disabled
	ErrorUnsupportedExecAffinity        Code = 224   // the provided execution affinity is not supported
	ErrorUnsupportedDevSideSync         Code = 225   // the provided PTX contains unsupported call to cudaDeviceSynchronize
	ErrorContained                      Code = 226   // Invalid access of peer GPU memory over nvlink or a hardware error
	ErrorInvalidSource                  Code = 300   // device kernel image is invalid
	ErrorFileNotFound                   Code = 301   // file not found
	ErrorSharedObjectSymbolNotFound     Code = 302   // shared object symbol not found
	ErrorSharedObjectInitFailed         Code = 303   // shared object initialization failed
	ErrorOperatingSystem                Code = 304   // OS call failed or operation not supported on this OS
	ErrorInvalidResourceHandle          Code = 400   // invalid resource handle
	ErrorIllegalState                   Code = 401   // the operation cannot be performed in the present state
	ErrorLossyQuery                     Code = 402   // attempted introspection would be semantically lossy
	ErrorSymbolNotFound                 Code = 500   // named symbol not found
	ErrorNotReady                       Code = 600   // device not ready
	ErrorIllegalAddress                 Code = 700   // an illegal memory access was encountered
	ErrorLaunchOutOfResources           Code = 701   // too many resources requested for launch
	ErrorLaunchTimeout                  Code = 702   // the launch timed out and was terminated
	ErrorLaunchIncompatibleTexturing    Code = 703   // launch uses incompatible texturing mode
	ErrorPeerAccessAlreadyEnabled       Code = 704   // peer access is already enabled
	ErrorPeerAccessNotEnabled           Code = 705   // peer access has not been enabled
	ErrorSetOnActiveProcess             Code = 708   // cannot set while device is active in this process
	ErrorContextIsDestroyed             Code = 709   // context is destroyed
	ErrorAssert                         Code = 710   // device-side assert triggered
	ErrorTooManyPeers                   Code = 711   // peer mapping resources exhausted
	ErrorHostMemoryAlreadyRegistered    Code = 712   // part or all of the requested memory range is already mapped
	ErrorHostMemoryNotRegistered        Code = 713   // pointer does not correspond to a registered memory region
	ErrorHardwareStackError             Code = 714   // hardware stack error
	ErrorIllegalInstruction             Code = 715   // an illegal instruction was encountered
	ErrorMisalignedAddress              Code = 716   // misaligned address
	ErrorInvalidAddressSpace            Code = 717   // operation not supported on global/shared address space
	ErrorInvalidPc                      Code = 718   // invalid program counter
	ErrorLaunchFailure                  Code = 719   // unspecified launch failure
	ErrorCooperativeLaunchTooLarge      Code = 720   // too many blocks in cooperative launch
	ErrorTensorMemoryLeak               Code = 721   // tensor memory not completely freed
	ErrorNotPermitted                   Code = 800   // operation not permitted
	ErrorNotSupported                   Code = 801   // operation not supported
	ErrorSystemNotReady                 Code = 802   // system not yet initialized
	ErrorSystemDriverMismatch           Code = 803   // system has unsupported display driver / cuda driver combination
	ErrorCompatNotSupportedOnDevice     Code = 804   // forward compatibility was attempted on non supported HW
	ErrorMpsConnectionFailed            Code = 805   // MPS client failed to connect to the MPS control daemon or the MPS server
	ErrorMpsRpcFailure                  Code = 806   // the remote procedural call between the MPS server and the MPS client failed
	ErrorMpsServerNotReady              Code = 807   // MPS server is not ready to accept new MPS client requests
	ErrorMpsMaxClientsReached           Code = 808   // the hardware resources required to create MPS client have been exhausted
	ErrorMpsMaxConnectionsReached       Code = 809   // the hardware resources required to support device connections have been exhausted
	ErrorMpsClientTerminated            Code = 810   // the MPS client has been terminated by the server
	ErrorCdpNotSupported                Code = 811   // is using CUDA Dynamic Parallelism, but the current configuration, like MPS, does not support it
	ErrorCdpVersionMismatch             Code = 812   // unsupported interaction between different versions of CUDA Dynamic Parallelism
	ErrorStreamCaptureUnsupported       Code = 900   // operation not permitted when stream is capturing
	ErrorStreamCaptureInvalidated       Code = 901   // operation failed due to a previous error during capture
	ErrorStreamCaptureMerge             Code = 902   // operation would result in a merge of separate capture sequences
	ErrorStreamCaptureUnmatched         Code = 903   // capture was not ended in the same stream as it began
	ErrorStreamCaptureUnjoined          Code = 904   // capturing stream has unjoined work
	ErrorStreamCaptureIsolation         Code = 905   // dependency created on uncaptured work in another stream
	ErrorStreamCaptureImplicit          Code = 906   // operation would make the legacy stream depend on a capturing blocking stream
	ErrorCapturedEvent                  Code = 907   // operation not permitted on an event last recorded in a capturing stream
	ErrorStreamCaptureWrongThread       Code = 908   // attempt to terminate a thread-local capture sequence from another thread
	ErrorTimeout                        Code = 909   // wait operation timed out
	ErrorGraphExecUpdateFailure         Code = 910   // the graph update was not performed because it included changes which violated constraints specific to instantiated graph update
	ErrorExternalDevice                 Code = 911   // an async error has occurred in external entity outside of CUDA
	ErrorInvalidClusterSize             Code = 912   // a kernel launch error has occurred due to cluster misconfiguration
	ErrorFunctionNotLoaded              Code = 913   // the function handle is not loaded
	ErrorInvalidResourceType            Code = 914   // the resource type is not valid for this operation
	ErrorInvalidResourceConfiguration   Code = 915   // the resource configuration is not valid
	ErrorUnknown                        Code = 999   // unknown error
	ErrorApiFailureBase                 Code = 10000 // api failure base
)

// codeNames are the enumerators of cudaError_t.
var codeNames = map[Code]string{
	Success:                             "cudaSuccess",
	ErrorInvalidValue:                   "cudaErrorInvalidValue",
	ErrorMemoryAllocation:               "cudaErrorMemoryAllocation",
	ErrorInitializationError:            "cudaErrorInitializationError",
	ErrorCudartUnloading:                "cudaErrorCudartUnloading",
	ErrorProfilerDisabled:               "cudaErrorProfilerDisabled",
	ErrorProfilerNotInitialized:         "cudaErrorProfilerNotInitialized",
	ErrorProfilerAlreadyStarted:         "cudaErrorProfilerAlreadyStarted",
	ErrorProfilerAlreadyStopped:         "cudaErrorProfilerAlreadyStopped",
	ErrorInvalidConfiguration:           "cudaErrorInvalidConfiguration",
	ErrorInvalidPitchValue:              "cudaErrorInvalidPitchValue",
	ErrorInvalidSymbol:                  "cudaErrorInvalidSymbol",
	ErrorInvalidHostPointer:             "cudaErrorInvalidHostPointer",
	ErrorInvalidDevicePointer:           "cudaErrorInvalidDevicePointer",
	ErrorInvalidTexture:                 "cudaErrorInvalidTexture",
	ErrorInvalidTextureBinding:          "cudaErrorInvalidTextureBinding",
	ErrorInvalidChannelDescriptor:       "cudaErrorInvalidChannelDescriptor",
	ErrorInvalidMemcpyDirection:         "cudaErrorInvalidMemcpyDirection",
	ErrorAddressOfConstant:              "cudaErrorAddressOfConstant",
	ErrorTextureFetchFailed:             "cudaErrorTextureFetchFailed",
	ErrorTextureNotBound:                "cudaErrorTextureNotBound",
	ErrorSynchronizationError:           "cudaErrorSynchronizationError",
	ErrorInvalidFilterSetting:           "cudaErrorInvalidFilterSetting",
	ErrorInvalidNormSetting:             "cudaErrorInvalidNormSetting",
	ErrorMixedDeviceExecution:           "cudaErrorMixedDeviceExecution",
	ErrorNotYetImplemented:              "cudaErrorNotYetImplemented",
	ErrorMemoryValueTooLarge:            "cudaErrorMemoryValueTooLarge",
	ErrorStubLibrary:                    "cudaErrorStubLibrary",
	ErrorInsufficientDriver:             "cudaErrorInsufficientDriver",
	ErrorCallRequiresNewerDriver:        "cudaErrorCallRequiresNewerDriver",
	ErrorInvalidSurface:                 "cudaErrorInvalidSurface",
	ErrorDuplicateVariableName:          "cudaErrorDuplicateVariableName",
	ErrorDuplicateTextureName:           "cudaErrorDuplicateTextureName",
	ErrorDuplicateSurfaceName:           "cudaErrorDuplicateSurfaceName",
	ErrorDevicesUnavailable:             "cudaErrorDevicesUnavailable",
	ErrorIncompatibleDriverContext:      "cudaErrorIncompatibleDriverContext",
	ErrorMissingConfiguration:           "cudaErrorMissingConfiguration",
	ErrorPriorLaunchFailure:             "cudaErrorPriorLaunchFailure",
	ErrorLaunchMaxDepthExceeded:         "cudaErrorLaunchMaxDepthExceeded",
	ErrorLaunchFileScopedTex:            "cudaErrorLaunchFileScopedTex",
	ErrorLaunchFileScopedSurf:           "cudaErrorLaunchFileScopedSurf",
	ErrorSyncDepthExceeded:              "cudaErrorSyncDepthExceeded",
	ErrorLaunchPendingCountExceeded:     "cudaErrorLaunchPendingCountExceeded",
	ErrorInvalidDeviceFunction:          "cudaErrorInvalidDeviceFunction",
	ErrorNoDevice:                       "cudaErrorNoDevice",
	ErrorInvalidDevice:                  "cudaErrorInvalidDevice",
	ErrorDeviceNotLicensed:              "cudaErrorDeviceNotLicensed",
	ErrorSoftwareValidityNotEstablished: "cudaErrorSoftwareValidityNotEstablished",
	ErrorStartupFailure:                 "cudaErrorStartupFailure",
	ErrorInvalidKernelImage:             "cudaErrorInvalidKernelImage",
	ErrorDeviceUninitialized:            "cudaErrorDeviceUninitialized",
	ErrorMapBufferObjectFailed:          "cudaErrorMapBufferObjectFailed",
	ErrorUnmapBufferObjectFailed:        "cudaErrorUnmapBufferObjectFailed",
	ErrorArrayIsMapped:                  "cudaErrorArrayIsMapped",
	ErrorAlreadyMapped:                  "cudaErrorAlreadyMapped",
	ErrorNoKernelImageForDevice:         "cudaErrorNoKernelImageForDevice",
	ErrorAlreadyAcquired:                "cudaErrorAlreadyAcquired",
	ErrorNotMapped:                      "cudaErrorNotMapped",
	ErrorNotMappedAsArray:               "cudaErrorNotMappedAsArray",
	ErrorNotMappedAsPointer:             "cudaErrorNotMappedAsPointer",
	ErrorECCUncorrectable:               "cudaErrorECCUncorrectable",
	ErrorUnsupportedLimit:               "cudaErrorUnsupportedLimit",
	ErrorDeviceAlreadyInUse:             "cudaErrorDeviceAlreadyInUse",
	ErrorPeerAccessUnsupported:          "cudaErrorPeerAccessUnsupported",
	ErrorInvalidPtx:                     "cudaErrorInvalidPtx",
	ErrorInvalidGraphicsContext:         "cudaErrorInvalidGraphicsContext",
	ErrorNvlinkUncorrectable:            "cudaErrorNvlinkUncorrectable",
	ErrorJitCompilerNotFound:            "cudaErrorJitCompilerNotFound",
	ErrorUnsupportedPtxVersion:          "cudaErrorUnsupportedPtxVersion",
	ErrorJitCompilationDisabled:         "cudaErrorJitCompilationDisabled",
	ErrorUnsupportedExecAffinity:        "cudaErrorUnsupportedExecAffinity",
	ErrorUnsupportedDevSideSync:         "cudaErrorUnsupportedDevSideSync",
	ErrorContained:                      "cudaErrorContained",
	ErrorInvalidSource:                  "cudaErrorInvalidSource",
	ErrorFileNotFound:                   "cudaErrorFileNotFound",
	ErrorSharedObjectSymbolNotFound:     "cudaErrorSharedObjectSymbolNotFound",
	ErrorSharedObjectInitFailed:         "cudaErrorSharedObjectInitFailed",
	ErrorOperatingSystem:                "cudaErrorOperatingSystem",
	ErrorInvalidResourceHandle:          "cudaErrorInvalidResourceHandle",
	ErrorIllegalState:                   "cudaErrorIllegalState",
	ErrorLossyQuery:                     "cudaErrorLossyQuery",
	ErrorSymbolNotFound:                 "cudaErrorSymbolNotFound",
	ErrorNotReady:                       "cudaErrorNotReady",
	ErrorIllegalAddress:                 "cudaErrorIllegalAddress",
	ErrorLaunchOutOfResources:           "cudaErrorLaunchOutOfResources",
	ErrorLaunchTimeout:                  "cudaErrorLaunchTimeout",
	ErrorLaunchIncompatibleTexturing:    "cudaErrorLaunchIncompatibleTexturing",
	ErrorPeerAccessAlreadyEnabled:       "cudaErrorPeerAccessAlreadyEnabled",
	ErrorPeerAccessNotEnabled:           "cudaErrorPeerAccessNotEnabled",
	ErrorSetOnActiveProcess:             "cudaErrorSetOnActiveProcess",
	ErrorContextIsDestroyed:             "cudaErrorContextIsDestroyed",
	ErrorAssert:                         "cudaErrorAssert",
	ErrorTooManyPeers:                   "cudaErrorTooManyPeers",
	ErrorHostMemoryAlreadyRegistered:    "cudaErrorHostMemoryAlreadyRegistered",
	ErrorHostMemoryNotRegistered:        "cudaErrorHostMemoryNotRegistered",
	ErrorHardwareStackError:             "cudaErrorHardwareStackError",
	ErrorIllegalInstruction:             "cudaErrorIllegalInstruction",
	ErrorMisalignedAddress:              "cudaErrorMisalignedAddress",
	ErrorInvalidAddressSpace:            "cudaErrorInvalidAddressSpace",
	ErrorInvalidPc:                      "cudaErrorInvalidPc",
	ErrorLaunchFailure:                  "cudaErrorLaunchFailure",
	ErrorCooperativeLaunchTooLarge:      "cudaErrorCooperativeLaunchTooLarge",
	ErrorTensorMemoryLeak:               "cudaErrorTensorMemoryLeak",
	ErrorNotPermitted:                   "cudaErrorNotPermitted",
	ErrorNotSupported:                   "cudaErrorNotSupported",
	ErrorSystemNotReady:                 "cudaErrorSystemNotReady",
	ErrorSystemDriverMismatch:           "cudaErrorSystemDriverMismatch",
	ErrorCompatNotSupportedOnDevice:     "cudaErrorCompatNotSupportedOnDevice",
	ErrorMpsConnectionFailed:            "cudaErrorMpsConnectionFailed",
	ErrorMpsRpcFailure:                  "cudaErrorMpsRpcFailure",
	ErrorMpsServerNotReady:              "cudaErrorMpsServerNotReady",
	ErrorMpsMaxClientsReached:           "cudaErrorMpsMaxClientsReached",
	ErrorMpsMaxConnectionsReached:       "cudaErrorMpsMaxConnectionsReached",
	ErrorMpsClientTerminated:            "cudaErrorMpsClientTerminated",
	ErrorCdpNotSupported:                "cudaErrorCdpNotSupported",
	ErrorCdpVersionMismatch:             "cudaErrorCdpVersionMismatch",
	ErrorStreamCaptureUnsupported:       "cudaErrorStreamCaptureUnsupported",
	ErrorStreamCaptureInvalidated:       "cudaErrorStreamCaptureInvalidated",
	ErrorStreamCaptureMerge:             "cudaErrorStreamCaptureMerge",
	ErrorStreamCaptureUnmatched:         "cudaErrorStreamCaptureUnmatched",
	ErrorStreamCaptureUnjoined:          "cudaErrorStreamCaptureUnjoined",
	ErrorStreamCaptureIsolation:         "cudaErrorStreamCaptureIsolation",
	ErrorStreamCaptureImplicit:          "cudaErrorStreamCaptureImplicit",
	ErrorCapturedEvent:                  "cudaErrorCapturedEvent",
	ErrorStreamCaptureWrongThread:       "cudaErrorStreamCaptureWrongThread",
	ErrorTimeout:                        "cudaErrorTimeout",
	ErrorGraphExecUpdateFailure:         "cudaErrorGraphExecUpdateFailure",
	ErrorExternalDevice:                 "cudaErrorExternalDevice",
	ErrorInvalidClusterSize:             "cudaErrorInvalidClusterSize",
	ErrorFunctionNotLoaded:              "cudaErrorFunctionNotLoaded",
	ErrorInvalidResourceType:            "cudaErrorInvalidResourceType",
	ErrorInvalidResourceConfiguration:   "cudaErrorInvalidResourceConfiguration",
	ErrorUnknown:                        "cudaErrorUnknown",
	ErrorApiFailureBase:                 "cudaErrorApiFailureBase",
}
