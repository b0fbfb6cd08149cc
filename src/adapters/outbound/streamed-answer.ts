import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { Flow, Receiver } from './receiver.ts'

export interface StreamedAnswer {
  status: number
  headers: IncomingHttpHeaders
  /** Comes as fast as it is read; destroying it closes the connection; a cut connection is its error. */
  body: Readable
}

/** Resolves as soon as the head is there. */
export function receiveStreamed(): { receiver: Receiver; answer: Promise<StreamedAnswer> } {
  const { promise, resolve, reject } = Promise.withResolvers<StreamedAnswer>()
  let begun: { flow: Flow; body: Readable } | undefined

  const receiver: Receiver = {
    onHead({ status, headers }, flow) {
      begun = { flow, body: readableOf(flow) }
      resolve({ status, headers, body: begun.body })
    },
    onChunk(chunk) {
      if (begun?.body.push(chunk) === false) begun.flow.pause()
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

function readableOf(flow: Flow): Readable {
  const body = new Readable({
    read: () => flow.resume(),
    destroy(error, done) {
      // After the last chunk or a failure this changes nothing: the call is over.
      flow.stop('aborted')
      done(error)
    },
  })
  // A cut may come before the caller has looked at the head; it finds the error when it reads.
  return body.on('error', () => {})
}
