import { afterEach, expect } from 'vitest'
import { faultOf } from './fault-of.ts'

/**
 * Setup file: every answer of a gateway that a test reads with `fetch`, also through an SDK, is compared with the OpenAPI
 * document. A test whose answers differ fails.
 */
const faults: string[] = []
const reading = new Set<Promise<void>>()

/** Tests whose answers are not compared, because their operations are made up or their vendors send partial replies. */
const LEFT_OUT =
  /\/(?:billing-faults|api\/(?:http-edge|vendors\/presets|text\/create-embeddings\/(?:create|heavy)|text-resilience\/(?:absurd|compaction|large-replies|native-refusals|surcharges|unread|unusable|vendor-slots)))/

/** Answers of a gateway have its request id; vendors of the sandbox have none, or another. */
const OWN_ID = /^req_/

const original: typeof fetch = Object(globalThis.fetch).unchecked ?? globalThis.fetch

const checked = async (...[input, init]: Parameters<typeof fetch>): Promise<Response> => {
  const response = await original(input, init)
  const isOwn = OWN_ID.test(response.headers.get('x-request-id') ?? '')
  if (!isOwn || LEFT_OUT.test(expect.getState().testPath ?? '')) return response
  const request = new Request(input, {
    method: init?.method ?? (input instanceof Request ? input.method : 'GET'),
  })
  const { pathname } = new URL(request.url)
  const type = response.headers.get('content-type')
  const look = (text: string | undefined) => {
    const answer = { method: request.method, path: pathname, status: response.status, type, text }
    const fault = faultOf(answer)
    if (fault !== undefined) faults.push(fault)
  }
  if (!type?.startsWith('application/json')) {
    look(undefined)
    return response
  }
  // A body that breaks off is no answer to compare.
  const whole = response
    .clone()
    .text()
    .then(look, () => {})
  reading.add(whole)
  void whole.then(() => reading.delete(whole))
  return response
}

globalThis.fetch = Object.assign(checked, { unchecked: original })

afterEach(async () => {
  await Promise.race([Promise.all(reading), new Promise((resolve) => setTimeout(resolve, 1_000))])
  expect(faults.splice(0)).toEqual([])
})
