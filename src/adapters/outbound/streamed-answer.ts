import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { Flow, Receiver } from './receiver.ts'

export interface StreamedAnswer {
  status: number
  headers: IncomingHttpHeaders
  /** Body of the response. Destroying it closes the connection, and a cut connection destroys it with an error. */
  body: Readable
}

/** Resolves with the head. Cuts a body that its reader pauses for `pauseMsMax`; 0: never. */
export function receiveStreamed({ pauseMsMax = 0 } = {}): {
  receiver: Receiver
  answer: Promise<StreamedAnswer>
} {
  const { promise, resolve, reject } = Promise.withResolvers<StreamedAnswer>()
  let begun: { flow: Flow; body: Readable } | undefined
  let pause: NodeJS.Timeout | undefined

  const receiver: Receiver = {
    onHead({ status, headers }, flow) {
      begun = { flow, body: readableOf(flow, () => clearTimeout(pause)) }
      resolve({ status, headers, body: begun.body })
    },
    onChunk(chunk) {
      if (begun === undefined || begun.body.push(chunk)) return
      const { flow } = begun
      flow.pause()
      clearTimeout(pause)
      if (pauseMsMax > 0) pause = setTimeout(() => flow.stop('stalled'), pauseMsMax)
    },
    onEnd() {
      begun?.body.push(null)
    },
    onFailure(failure) {
      reject(failure)
      begun?.body.destroy(failure)
    },
  }
  return { receiver, answer: promise }
}

function readableOf(flow: Flow, endPause: () => void): Readable {
  const body = new Readable({
    read() {
      endPause()
      flow.resume()
    },
    destroy(error, done) {
      endPause()
      // After the last chunk or a failure, `stop` does nothing.
      flow.stop('aborted')
      done(error)
    },
  })
  // The connection may be cut before the caller listens: the caller then gets the error when it reads.
  return body.on('error', () => {})
}
