import type { Cache } from '../ports/cache.ts'
import type { Clock } from '../ports/clock.ts'
import type { FinishedRequest } from '../ports/log.ts'

/** Maximum listeners in one process: each one costs work for every request. */
const LISTENERS_MAX = 16
/** Maximum listeners of one operator, so that other operators have room. */
const LISTENERS_EACH_MAX = 4
/** A replica with listeners announces itself at this interval. Other replicas then send it requests for three intervals. */
const WANTED_EVERY_MS = 5_000
const WANTED_MS = 3 * WANTED_EVERY_MS
/** Requests go to other replicas in groups, so that a busy replica sends at most four messages a second. */
const GROUP_MS = 250
const GROUP_MAX = 200
/** Maximum requests of one organization in a group, so that other organizations have room. */
const GROUP_EACH_MAX = 100

const WANTED_TOPIC = 'sluice:live-wanted'
const GROUPS_TOPIC = 'sluice:live'

/** One request as operators see it: without keys, prompts and replies. */
export interface LiveRequest
  extends Pick<FinishedRequest, 'requestId' | 'operation' | 'method' | 'status' | 'durationMs'> {
  atMs: number
  organizationId?: string | undefined
  keyId?: string | undefined
  servedBy?: string | undefined
  code?: string | undefined
}

export interface LiveListener {
  request(request: LiveRequest): void
  /** Reports requests that were dropped on the way from another replica; their organizations are unknown. */
  dropped(count: number): void
}

export interface LiveRequests {
  /** Does nothing while no operator listens. */
  report(finished: FinishedRequest): void
  /** Returns a function that stops listening; undefined: there are too many listeners, in all or of this operator. */
  listen(listener: LiveListener, operator: string): (() => void) | undefined
  close(): Promise<void>
}

interface RequestGroup {
  from: string
  requests: LiveRequest[]
  dropped: number
}

/** Covers this process and the replicas that share a cache. A group counts the requests that were dropped before it is sent. */
export function createLiveRequests(input: {
  clock: Clock
  /** Left out: this process is the only one. */
  replica?: { id: string; cache: Pick<Cache, 'publish' | 'subscribe'> } | undefined
}): LiveRequests & {
  /** Subscribes to announcements of replicas that want requests. */
  join(): Promise<void>
} {
  const { clock, replica } = input
  const listeners = new Map<LiveListener, string>()
  let wantedUntilMs = 0
  let group: LiveRequest[] = []
  let shares = new Map<string, number>()
  let dropped = 0
  let groupTimer: NodeJS.Timeout | undefined
  let wantedTimer: NodeJS.Timeout | undefined
  let leaveGroups: Promise<() => Promise<void>> | undefined
  let leaveWanted: (() => Promise<void>) | undefined

  function collect(request: LiveRequest): void {
    const holder = request.organizationId ?? ''
    const share = shares.get(holder) ?? 0
    groupTimer ??= setTimeout(send, GROUP_MS).unref()
    if (group.length >= GROUP_MAX || share >= GROUP_EACH_MAX) {
      dropped += 1
      return
    }
    shares.set(holder, share + 1)
    group.push(request)
  }

  function send(): void {
    if (replica === undefined) return
    const message: RequestGroup = { from: replica.id, requests: group, dropped }
    groupTimer = undefined
    group = []
    shares = new Map()
    dropped = 0
    replica.cache.publish(GROUPS_TOPIC, JSON.stringify(message)).catch(() => {
      dropped += message.requests.length + message.dropped
    })
  }

  function receive(text: string): void {
    const { from, requests, dropped: count }: RequestGroup = JSON.parse(text)
    if (from === replica?.id) return
    for (const listener of listeners.keys()) {
      for (const request of requests) listener.request(request)
      if (count > 0) listener.dropped(count)
    }
  }

  /** A replica that misses this announcement gets the next one. */
  function want(): void {
    replica?.cache.publish(WANTED_TOPIC, replica.id).catch(() => {})
  }

  function beginWatching(): void {
    if (replica === undefined || wantedTimer !== undefined) return
    wantedTimer = setInterval(want, WANTED_EVERY_MS).unref()
    leaveGroups = replica.cache.subscribe(GROUPS_TOPIC, receive)
    void leaveGroups.then(want, () => {})
  }

  async function endWatching(): Promise<void> {
    clearInterval(wantedTimer)
    wantedTimer = undefined
    const left = leaveGroups
    leaveGroups = undefined
    await left?.then((leave) => leave()).catch(() => {})
  }

  return {
    report(finished) {
      const isWanted = wantedUntilMs > 0 && clock.monotonicMs() < wantedUntilMs
      if (listeners.size === 0 && !isWanted) return
      const request = liveRequestOf(finished, clock.nowMs())
      for (const listener of listeners.keys()) listener.request(request)
      if (isWanted) collect(request)
    },
    listen(listener, operator) {
      const own = [...listeners.values()].filter((other) => other === operator)
      if (listeners.size >= LISTENERS_MAX || own.length >= LISTENERS_EACH_MAX) return undefined
      listeners.set(listener, operator)
      beginWatching()
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) void endWatching()
      }
    },
    async join() {
      leaveWanted = await replica?.cache
        .subscribe(WANTED_TOPIC, (from) => {
          if (from !== replica.id) wantedUntilMs = clock.monotonicMs() + WANTED_MS
        })
        // Without announcements, this replica's requests do not reach the operators of other replicas.
        .catch(() => undefined)
    },
    async close() {
      clearTimeout(groupTimer)
      wantedUntilMs = 0
      await endWatching()
      await leaveWanted?.().catch(() => {})
    },
  }
}

function liveRequestOf(finished: FinishedRequest, atMs: number): LiveRequest {
  const { requestId, operation, method, status, durationMs, organizationId, keyId, servedBy, code } = finished
  return { requestId, atMs, operation, method, status, durationMs, organizationId, keyId, servedBy, code }
}
