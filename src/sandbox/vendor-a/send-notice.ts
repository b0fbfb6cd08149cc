import { request as openRequest } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

const TRIES = 3
/** Real time: the receiver is no part of the sandbox. */
const ANSWER_MS_MAX = 5_000

/** Posts a task to whoever wants to know, until somebody says 2xx or three tries have failed. */
export async function sendNotice(
  callbackUrl: URL,
  { body, pauseMs, signal }: { body: string; pauseMs: number; signal: AbortSignal },
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const taken = await post(callbackUrl, { body, signal }).catch(() => false)
    if (taken || tries === TRIES) return
    await wait(pauseMs, undefined, { signal, ref: false })
  }
}

function post(callbackUrl: URL, { body, signal }: { body: string; signal: AbortSignal }): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>()
  const request = openRequest(callbackUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS_MAX)]),
  })
  request.once('error', reject)
  request.once('response', (response) => {
    response.resume()
    const { statusCode = 0 } = response
    resolve(statusCode >= 200 && statusCode < 300)
  })
  request.end(body)
  return promise
}
