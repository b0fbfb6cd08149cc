import { startTlsTarget, trustTestAuthority } from '../../system/faults/harness/tls-target.ts'

export interface ReceivedCallback {
  path: string
  headers: Record<string, string>
  body: string
}

/** A client's own HTTPS server. It answers each callback with the status of `answer`, or never. */
export interface CallbackReceiver {
  urlOf(path: string): string
  received: ReceivedCallback[]
  answer(number: number): number | 'never'
  /** Value of the header `Retry-After`; undefined: none. */
  retryAfter: string | undefined
  close(): Promise<void>
}

export async function openCallbackReceiver(): Promise<CallbackReceiver> {
  const distrust = trustTestAuthority()
  const received: ReceivedCallback[] = []
  const target = await startTlsTarget(async (request, response) => {
    const body = await request.reduce((whole: string, chunk: Buffer) => whole + chunk.toString(), '')
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    )
    received.push({ path: request.url ?? '', headers, body })
    const status = receiver.answer(received.length)
    if (status !== 'never')
      response
        .writeHead(status, receiver.retryAfter === undefined ? {} : { 'retry-after': receiver.retryAfter })
        .end('thank you')
  }, '127.0.0.1')
  const receiver: CallbackReceiver = {
    urlOf: (path) => `https://127.0.0.1:${target.port}${path}`,
    received,
    answer: () => 204,
    retryAfter: undefined,
    async close() {
      await target.close()
      distrust()
    },
  }
  return receiver
}
