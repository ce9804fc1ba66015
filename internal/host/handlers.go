package host

import "github.com/warpgrind/warpgrind/internal/host/protocol"

func init() {
	tell((*process).doBye)

	ask((*process).doLoad)
	ask((*process).doLoadLinked)
	ask((*process).doUnpack)
	tell((*process).doUnload)
	ask((*process).doCompile)
	ask((*process).doLibrary)
	ask((*process).doFunction)
	tell((*process).doFuncAttribute)
	ask((*process).doOccupancy)
	ask((*process).doVariable)
	ask((*process).doLaunch)

	ask((*process).doAlloc)
	tell((*process).doFree)
	ask((*process).doCopy)
	tell((*process).doStage)
	tell((*process).doSet)
	ask((*process).doMemInfo)
	ask((*process).doPointer)
	ask((*process).doReserve)
	tell((*process).doUnreserve)
	tell((*process).doMap)
	ask((*process).doContents)
	tell((*process).doUnmap)

	ask((*process).doStreamCreate)
	tell((*process).doStreamDestroy)
	ask((*process).doStreamInfo)
	tell((*process).doStreamSync)
	tell((*process).doStreamWait)
	tell((*process).doWriteValue)
	tell((*process).doWaitValue)
	ask((*process).doEventCreate)
	tell((*process).doEventOpen)
	tell((*process).doEventDestroy)
	tell((*process).doEventRecord)
	tell((*process).doEventSync)
	ask((*process).doEventElapsed)
	tell((*process).doDeviceSync)
	tell((*process).doReset)
	tell((*process).doSetLimit)

	ask((*process).doTexture)
	tell((*process).doTextureFree)
	tell((*process).doName)

	tell((*process).doUnsupported)
	tell((*process).doMisuse)
	tell((*process).doUnread)
	tell((*process).doFailed)
	tell((*process).doHostAccess)
	tell((*process).doSettle)
	ask((*process).doHostFunction)
	ask((*process).doHostTurn)
	tell((*process).doHostEnd)
	tell((*process).doOperator)

	ask((*process).doID)
	ask((*process).doJoin)
	tell((*process).doLeave)
	ask((*process).doPost)
	ask((*process).doAwait)
	tell((*process).doTake)
	tell((*process).doDone)

	for op, h := range handlers[1:] { // Hello and Touched are apart
		if _, touched := protocol.Operations[op].Request.(protocol.Touched); h == nil && op > 0 && !touched {
			panic("no handler for " + protocol.Operations[op].Name)
		}
	}
}
