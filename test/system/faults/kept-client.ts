import { setTimeout as delay } from 'node:timers/promises'
import OpenAI, { APIConnectionError, APIError, APIUserAbortError } from 'openai'
import type { ResponseStreamEvent } from 'openai/resources/responses/responses'
import { expect } from 'vitest'
import { openSocket } from '../../api/text/socket-client.ts'
import type { Tenant } from '../../api/video/tenants.ts'

/** Forms in which a client requests its reply. */
export const KINDS = ['background-stream', 'background', 'stream', 'socket'] as const
export type Kind = (typeof KINDS)[number]

/**
 * Final result of a client: the whole reply, a reported failure, `unknown` when the reply is not kept (404), or
 * `unnamed` when the connection ended before the client knew an id.
 */
export type End = 'whole' | 'failed' | 'unknown' | 'unnamed'

/** One client with the official SDK, which loses its connection and reads on. */
export interface KeptClient {
  readonly kind: Kind
  readonly tenant: Tenant
  readonly id: string | undefined
  /** Ends the connection from the client's side. */
  cut(): void
  /** Reads on, from whichever replica answers, until the reply has ended. */
  end(): Promise<End>
}

const RUNNING: ReadonlySet<unknown> = new Set(['queued', 'in_progress'])
const AGAIN_MS = 50
const TIMEOUT_MS = 90_000
/**
 * A key stays in use until the lease of a killed process is over. A starting process is not ready, and on a busy machine
 * it may read a request only after its header timeout. The SDK's own retries are off, so the client repeats all three.
 */
const TRY_AGAIN: ReadonlySet<number> = new Set([408, 409, 503])

function isBrokenOff(fault: unknown): boolean {
  return fault instanceof APIConnectionError || fault instanceof APIUserAbortError
}

/** Sends the request to the first address, and reads the reply from all of them in turn. */
export function openKeptClient({
  kind,
  tenant,
  urls,
  asked,
  reply,
}: {
  kind: Kind
  tenant: Tenant
  urls: readonly [string, ...string[]]
  asked: { model: string; input: string }
  /** The text of the whole reply. */
  reply: string
}): KeptClient {
  const isBackground = kind === 'background' || kind === 'background-stream'
  // Headers of the one request that this tenant sends.
  const headers = { 'Idempotency-Key': 'once' }
  const body = { ...asked, store: true, ...(isBackground && { background: true }) }
  const leaving = new AbortController()
  let hangUp = () => leaving.abort()
  let id: string | undefined
  let last = -1
  let text = ''
  let end: End | undefined

  const sdkAt = (url: string) =>
    new OpenAI({ apiKey: tenant.key, baseURL: `${url}/v1`, maxRetries: 0, timeout: TIMEOUT_MS })

  /** Takes the next event: the numbers have no gap, whichever connection they came by. */
  function take(event: ResponseStreamEvent): void {
    expect(event.sequence_number).toBe(last + 1)
    last = event.sequence_number
    if ('response' in event) {
      id ??= event.response.id
      expect(event.response.id).toBe(id)
    }
    if (event.type === 'response.output_text.delta') text += event.delta
    if (event.type === 'response.completed') endWith(text)
    if (event.type === 'response.failed') end = 'failed'
  }

  function endWith(said: string): void {
    expect(said).toBe(reply)
    end = 'whole'
  }

  async function readStream(opening: Promise<AsyncIterable<ResponseStreamEvent>>): Promise<void> {
    for await (const event of await opening) take(event)
  }

  async function create(url: string, signal?: AbortSignal): Promise<void> {
    const options = { ...(isBackground && { headers }), ...(signal && { signal }) }
    const { responses } = sdkAt(url)
    if (kind !== 'background') return readStream(responses.create({ ...body, stream: true }, options))
    const made = await responses.create(body, options)
    id = made.id
  }

  async function ask(url: string): Promise<void> {
    if (kind !== 'socket') return create(url, leaving.signal)
    const socket = await openSocket({ url }, tenant)
    hangUp = () => socket.ws.terminate()
    socket.send(body)
    while (end === undefined) take(Object(await socket.next()))
    socket.ws.terminate()
  }

  async function readOn(url: string, known: string): Promise<void> {
    const { responses } = sdkAt(url)
    if (kind !== 'background')
      return readStream(
        responses.retrieve(known, { stream: true, ...(last >= 0 && { starting_after: last }) }),
      )
    const { status, output_text } = await responses.retrieve(known)
    if (RUNNING.has(status)) await delay(AGAIN_MS)
    else if (status === 'completed') endWith(output_text)
    else end = 'failed'
  }

  /** A connection that broke says nothing of the reply; an answer of the gateway does. */
  async function attempt(act: () => Promise<void>): Promise<void> {
    try {
      await act()
    } catch (fault) {
      if (fault instanceof Error && fault.name === 'AssertionError') throw fault
      if (!(fault instanceof APIError) || isBrokenOff(fault)) return
      if (fault.status === 404) end = 'unknown'
      // An event of the stream: it says why the reply ended.
      else if (fault.status === undefined) end = 'failed'
      else if (!TRY_AGAIN.has(fault.status)) throw fault
    }
  }

  const asking = attempt(() => ask(urls[0]))
  return {
    kind,
    tenant,
    get id() {
      return id
    },
    cut: () => hangUp(),
    async end() {
      await asking
      for (let turn = 1; end === undefined; turn += 1) {
        const url = urls[turn % urls.length] ?? urls[0]
        const known = id
        if (known !== undefined) await attempt(() => readOn(url, known))
        // A repeated idempotency key gives the client the reply whose id it did not learn, or begins one.
        else if (isBackground) await attempt(() => create(url))
        else end = 'unnamed'
        if (end === undefined) await delay(AGAIN_MS)
      }
      return end
    },
  }
}
