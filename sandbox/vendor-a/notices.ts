import { request as openRequest } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { SandboxClock } from '../clock.ts'
import type { TaskStep } from '../tasks/life.ts'
import type { ScriptWord } from '../tasks/script-words.ts'

/** Sends a receiver each step of a task when it happens. Watched tasks live in memory: a restart forgets them. */
export interface Notices {
  watch(id: string, watched: Watched): void
  /** Replaces the coming steps by `step`; undefined: no further notice is sent. */
  interrupt(id: string, step: TaskStep | undefined): void
  close(): void
}

export interface Watched {
  callbackUrl: URL
  steps: readonly TaskStep[]
  words: readonly ScriptWord[]
  clock: SandboxClock
  /** The notice's body, written when it is sent. */
  write(step: TaskStep): string
}

/** Maximum number of watched tasks; further ones get no notices. */
const WATCHED_MAX = 10_000
const PAUSE_BETWEEN_TRIES_MS = 5_000
/** The longest wait of a Node timer; a later notice is not sent. */
const WAIT_MS_MAX = 2 ** 31 - 1

export function createNotices(): Notices {
  const open = new Map<string, { watched: Watched; stop: AbortController }>()

  const watch = (id: string, watched: Watched): void => {
    // The sandbox has no TLS client: it can only post to plain HTTP.
    if (open.size >= WATCHED_MAX || watched.callbackUrl.protocol !== 'http:') return
    const stop = new AbortController()
    const entry = { watched, stop }
    open.set(id, entry)
    // `announce` rejects only after `stop`, when its result is not needed.
    announce(watched, stop.signal)
      .catch(() => undefined)
      .finally(() => {
        if (open.get(id) === entry) open.delete(id)
      })
  }

  return {
    watch,
    interrupt(id, step) {
      const entry = open.get(id)
      entry?.stop.abort()
      open.delete(id)
      if (entry !== undefined && step !== undefined) watch(id, { ...entry.watched, steps: [step] })
    },
    close() {
      for (const { stop } of open.values()) stop.abort()
      open.clear()
    },
  }
}

async function announce(
  { callbackUrl, steps, words, clock, write }: Watched,
  signal: AbortSignal,
): Promise<void> {
  const pauseMs = clock.realMs(PAUSE_BETWEEN_TRIES_MS)
  for (const { step, atMs } of deliveriesOf(steps, words)) {
    const waitMs = Math.max(0, atMs - clock.nowMs())
    if (waitMs > WAIT_MS_MAX) return
    await wait(waitMs, undefined, { signal, ref: false })
    await sendNotice(callbackUrl, { body: write(step), pauseMs, signal })
  }
}

function deliveriesOf(
  steps: readonly TaskStep[],
  words: readonly ScriptWord[],
): { step: TaskStep; atMs: number }[] {
  if (words.includes('silent')) return []
  const told = steps.filter(({ stage }) => stage !== 'gone')
  const lastMs = told.at(-1)?.atMs ?? 0
  const deliveries = words.includes('disorder')
    ? told.toReversed().map((step) => ({ step, atMs: lastMs }))
    : told.map((step) => ({ step, atMs: step.atMs }))
  return words.includes('twice') ? deliveries.flatMap((delivery) => [delivery, delivery]) : deliveries
}

const TRIES = 3
/** Real time: the receiver is not part of the sandbox. */
const ANSWER_MS_MAX = 5_000

/** Posts a task to its callback address until the answer is 2xx or three attempts have failed. */
async function sendNotice(
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
