import type { Dispatcher } from 'undici'
import { type FailureKind, OutboundFailure } from './failure.ts'
import { readUndiciError } from './read-undici-error.ts'
import type { Receiver } from './receiver.ts'

/**
 * One request over undici, told to a `Receiver`. An abort or the total limit ends it for the receiver at once;
 * `onFree` comes when undici has let go of it too, which while connecting may be a little later.
 */
export function dispatchCall({
  dispatcher,
  request,
  signal,
  totalTimeoutMs,
  receiver,
  onFree,
}: {
  dispatcher: Dispatcher
  request: Dispatcher.DispatchOptions
  signal: AbortSignal | undefined
  totalTimeoutMs: number | undefined
  receiver: Receiver
  onFree: () => void
}): void {
  let controller: Dispatcher.DispatchController | undefined
  let isOver = false

  function end(tell: () => void): void {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
    tell()
  }

  function stop(kind: FailureKind): void {
    const taken = controller === undefined ? 'no' : 'maybe'
    end(() => receiver.onFailure(new OutboundFailure(kind, { taken })))
    controller?.abort(new Error(`stopped: ${kind}`))
  }

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(started) {
      if (isOver) started.abort(new Error('stopped before it was sent'))
      else controller = started
    },
    onResponseStart(started, status, headers) {
      // 1xx only announces the answer.
      if (isOver || status < 200) return
      receiver.onHead(
        { status, headers },
        { pause: () => started.pause(), resume: () => started.resume(), stop },
      )
    },
    onResponseData(_started, chunk) {
      if (!isOver) receiver.onChunk(chunk)
    },
    onResponseEnd() {
      end(() => endWell(receiver))
      onFree()
    },
    onResponseError(_started, error) {
      end(() => receiver.onFailure(readUndiciError(error, { wasSent: controller !== undefined })))
      onFree()
    },
  }

  const onAbort = () => stop('aborted')
  const timer =
    totalTimeoutMs === undefined ? undefined : setTimeout(() => stop('timeout-total'), totalTimeoutMs)
  if (signal?.aborted) {
    stop('aborted')
    onFree()
    return
  }
  try {
    signal?.addEventListener('abort', onAbort, { once: true })
    dispatcher.dispatch(request, handler)
  } catch (error) {
    // The caller hears it from here; a timer that told the receiver as well would come as a second end.
    end(() => {})
    throw error
  }
}

/** A receiver that could not take the end waits for one, and so does whoever waits for the receiver. */
function endWell(receiver: Receiver): void {
  try {
    receiver.onEnd()
  } catch (cause) {
    receiver.onFailure(new OutboundFailure('broken', { taken: 'maybe', cause }))
  }
}
