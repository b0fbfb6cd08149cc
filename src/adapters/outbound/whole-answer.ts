import type { IncomingHttpHeaders } from 'node:http'
import { NetworkError } from './network-error.ts'
import type { Flow, Head, Receiver } from './receiver.ts'

export interface WholeAnswer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/** Collects a response of at most `maxBytes`; with `statusIsEnough` a cut response counts as complete. */
export function receiveWhole(input: { maxBytes: number; statusIsEnough?: boolean }): {
  receiver: Receiver
  answer: Promise<WholeAnswer>
} {
  const { maxBytes, statusIsEnough = false } = input
  const { promise, resolve, reject } = Promise.withResolvers<WholeAnswer>()
  const chunks: Buffer[] = []
  let sizeBytes = 0
  let begun: { head: Head; flow: Flow } | undefined

  const receiver: Receiver = {
    onHead(head, flow) {
      begun = { head, flow }
    },
    onChunk(chunk) {
      sizeBytes += chunk.length
      if (sizeBytes > maxBytes) begun?.flow.stop('too-large')
      else chunks.push(chunk)
    },
    onEnd() {
      if (begun === undefined) reject(new NetworkError('broken', { taken: 'maybe' }))
      else resolve(wholeOf(begun.head, Buffer.concat(chunks, sizeBytes)))
    },
    onFailure(failure) {
      if (statusIsEnough && begun !== undefined) resolve(wholeOf(begun.head, Buffer.concat(chunks)))
      else reject(failure)
    },
  }
  return { receiver, answer: promise }
}

function wholeOf({ status, headers }: Head, body: Buffer): WholeAnswer {
  return { status, headers, body }
}
