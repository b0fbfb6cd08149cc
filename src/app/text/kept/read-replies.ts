import { eventsAfter, type RecordFailure, ReplyRecord } from '@sluice/dialects/responses/kept/reply-record'
import { withMembers } from '@sluice/dialects/responses/kept/response-json'
import { ApiError } from '../../../domain/api-error.ts'
import type { Clock } from '../../../ports/clock.ts'
import { withDeadline } from '../../jobs/deadline.ts'
import { createOwnerSlots } from '../../limits/owner-slots.ts'
import type { ReplySink } from '../contract/reply-sink.ts'
import { EVENTS_CUT, EVENTS_GONE, LOST } from './reply-failures.ts'
import { createWaitingEvents, flowTo } from './reply-flow.ts'
import type { KeptReply, ReplyName, ReplyStore } from './reply-store.ts'
import type { RunningReplies } from './running-replies.ts'

/** Interval at which a reader looks for more events of a reply that runs on another replica. */
const LOOK_EVERY_MS = 250
const KEEP_ALIVE_LOOKS = 60
/** While the lease shows that a reply runs, only every eighth look, one in two seconds, reads the reply itself. */
const LEASE_LOOKS = 8
/** A reader waits half a minute for an unreachable engine. */
const UNREAD_LOOKS_MAX = 120
/** Maximum readers of one organization: each reader queries the shared engine several times a second. */
const READERS_PER_ORGANIZATION_MAX = 128
/**
 * Maximum time a cancel waits for the end of the reply: the replica that runs it looks for stop requests every two seconds,
 * and may then read on for the usage. After that time the client gets the response in its current state.
 */
const CANCEL_WAIT_MS = 15_000

const STREAM_HEADERS = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' }

/**
 * Sends the stored and new events after `after`. `begun` is the JSON of a response that this request has just begun, so
 * that its client gets the id even while nothing can be read.
 */
export type ReadOn = (
  wanted: { name: ReplyName; after: number; begun?: string },
  sink: ReplySink,
) => Promise<void>

/** A response is JSON. All methods reject with 404 for a reply that the organization does not have. */
export interface ReadReplies {
  getResponse(name: ReplyName): Promise<string>
  readResponse: ReadOn
  /** Returns the reply after a bounded wait for its end. `closed` ends the wait when the client leaves. */
  cancelResponse(name: ReplyName, closed: AbortSignal): Promise<string>
  deleteResponse(name: ReplyName, closed: AbortSignal): Promise<void>
}

export function readReplies(tools: {
  replies: ReplyStore
  running: RunningReplies
  clock: Clock
}): ReadReplies {
  const { replies, running, clock } = tools
  const readers = createOwnerSlots({ perOwnerMax: READERS_PER_ORGANIZATION_MAX })
  const waitingOf = createWaitingEvents()

  return {
    getResponse: async (name) => (await find(name)).response,
    async readResponse(wanted, sink) {
      // The client that began the reply already holds a slot for it.
      if (wanted.begun !== undefined) return readOn(wanted, sink)
      const freeSlot = readers.take(wanted.name.organizationId)
      if (freeSlot === undefined) throw tooManyReaders()
      try {
        await readOn(wanted, sink)
      } finally {
        freeSlot()
      }
    },
    async cancelResponse(name, closed) {
      const found = await find(name)
      if (found.isLost && found.isBackground) await replies.requestStop(name, 'cancel')
      if (found.parts !== undefined) return found.response
      if (!found.isBackground) throw notInBackground()
      await stop(name, 'cancel', closed)
      return (await find(name)).response
    },
    async deleteResponse(name, closed) {
      const { parts, isLost, lastEvents } = await find(name)
      if (parts === undefined) await stop(name, 'delete', closed)
      // The reply's process may run on without the engine. Without a stop request it would store the reply again.
      else if (isLost || lastEvents !== undefined) await replies.requestStop(name, 'delete')
      await replies.remove(name)
    },
  }

  /** A reply whose process is gone has failed, though that process could not write the failure. */
  async function find(name: ReplyName): Promise<KeptReply> {
    const found = await replies.find(name)
    if (found === undefined) throw notFound()
    if (found.parts !== undefined || running.find(name) !== undefined) return found
    if (await replies.isRunning(name)) return found
    const last = await replies.find(name)
    if (last === undefined) throw notFound()
    if (last.parts !== undefined) return last
    // A process that died between its usage row and the end has left a prepared end: the reply is complete.
    const paid = await replies.findPaidEnd(name)
    return paid === undefined ? findMoved(name) : { ...paid.reply, lastEvents: paid.events }
  }

  /** The process may live after all, and may have stored the end between the two reads. */
  async function findMoved(name: ReplyName): Promise<KeptReply> {
    const found = await replies.find(name)
    if (found === undefined) throw notFound()
    return found.parts === undefined ? lost(found) : found
  }

  async function stop(name: ReplyName, action: 'cancel' | 'delete', closed: AbortSignal): Promise<void> {
    const own = running.find(name)
    if (own === undefined) {
      await replies.requestStop(name, action)
      return waitElsewhere(name, closed)
    }
    if (action === 'delete') return own.drop()
    own.cancel()
    await withDeadline(own.ended, { ms: CANCEL_WAIT_MS, signal: closed })
  }

  /** A waiting client queries as often as a reader, so it takes a reader's slot. Without a free slot it does not wait. */
  async function waitElsewhere(name: ReplyName, closed: AbortSignal): Promise<void> {
    const freeSlot = readers.take(name.organizationId)
    if (freeSlot === undefined) return
    try {
      const untilMs = clock.monotonicMs() + CANCEL_WAIT_MS
      for (let looks = 1; !closed.aborted && clock.monotonicMs() < untilMs; looks += 1) {
        if (looks % LEASE_LOOKS === 0 || !(await replies.isRunning(name))) {
          const found = await replies.find(name)
          if (found === undefined || found.parts !== undefined) return
        }
        await running.wait(name, LOOK_EVERY_MS)
      }
    } finally {
      freeSlot()
    }
  }

  async function readOn({ name, after, begun }: Parameters<ReadOn>[0], sink: ReplySink): Promise<void> {
    const found = begun === undefined ? await find(name) : { response: begun, hasEvents: true }
    if (!found.hasEvents) throw notAStream()
    // An ended reply is not read again: it may be large.
    const ended = 'parts' in found && found.parts !== undefined ? found : undefined
    const flow = flowTo(sink, begun === undefined ? waitingOf(name.organizationId) : undefined)
    sink.begin({ status: 200, headers: STREAM_HEADERS })
    let [part, looks, unread, last] = [0, 0, 0, after]
    while (!flow.isClosed) {
      const { events, now } = await look(name, part, looks, ended)
      if (events !== undefined) {
        part += 1
        looks = 0
        unread = 0
        const more = eventsAfter(events, last)
        last = more.last
        await flow.write(more.text)
        continue
      }
      unread = now === 'unread' ? unread + 1 : 0
      const parts = typeof now === 'object' ? now.parts : undefined
      if (now === undefined || (parts ?? 0) > part || unread > UNREAD_LOOKS_MAX)
        return flow.end(failureEvents(found.response, EVENTS_GONE, last))
      if (typeof now === 'object' && parts !== undefined) return flow.end(finalEventsOf(now, last))
      looks += 1
      if (looks % KEEP_ALIVE_LOOKS === 0) await flow.write(': keep-alive\n\n')
      // If the reply has ended since `look`, no `wake` follows, so the reader does not wait.
      if (now !== 'running-here' || running.find(name) !== undefined) await running.wait(name, LOOK_EVERY_MS)
    }
  }

  /**
   * Returns the events of a part, else the reply in its current state. `unread`: the engine cannot be read at the moment.
   * A reply may be large, so it is not read while it runs in this process, and rarely while it runs elsewhere.
   */
  async function look(
    name: ReplyName,
    part: number,
    looks: number,
    ended: KeptReply | undefined,
  ): Promise<{
    events?: string | undefined
    now?: KeptReply | 'running-here' | 'running' | 'unread' | undefined
  }> {
    try {
      // This process stores all events before it removes the reply from `running`, so the look-up comes before the reads.
      const runsHere = running.find(name) !== undefined
      const events = await replies.findPart(name, part)
      if (events !== undefined) return { events }
      if (runsHere) return { now: 'running-here' }
      const looksAtLease = ended === undefined && looks % LEASE_LOOKS !== LEASE_LOOKS - 1
      if (looksAtLease && (await replies.isRunning(name))) return { now: 'running' }
      const now = ended ?? (await find(name))
      const { lastEvents = '', parts = 0 } = now
      if (parts <= part) return { now }
      if (lastEvents !== '' && parts === part + 1) return { events: lastEvents }
      // The part may have been written since the first read.
      return { events: await replies.findPart(name, part), now }
    } catch (error) {
      const isUnknown = error instanceof ApiError && error.code === 'not_found'
      return { now: isUnknown ? undefined : 'unread' }
    }
  }
}

function lost(found: KeptReply): KeptReply {
  const { code, message } = LOST
  const error = JSON.stringify({ code, message })
  return {
    ...found,
    response: withMembers(found.response, { status: '"failed"', error }),
    parts: 0,
    isLost: true,
  }
}

/** Final events for a reply that was lost or cut; empty for other replies, which end with their own last event. */
function finalEventsOf({ response, isLost, hasCutEvents }: KeptReply, sequence: number): string {
  if (isLost === true) return failureEvents(response, LOST, sequence)
  return hasCutEvents === true ? failureEvents(response, EVENTS_CUT, sequence) : ''
}

function failureEvents(response: string, failure: RecordFailure, sequence: number): string {
  const keeping = { isStored: true, isBackground: true, previousId: undefined }
  const record = new ReplyRecord(keeping, { first: response, sequence })
  return record.fail(failure, 'failed')
}

function notFound(): ApiError {
  return new ApiError('not_found', {
    param: 'response_id',
    message: 'Your organization has no response with this id, or it is no longer kept.',
  })
}

function tooManyReaders(): ApiError {
  return new ApiError('rate_limit_exceeded', {
    message:
      'Your organization already reads the maximum number of response streams. Wait until one has ended.',
  })
}

function notAStream(): ApiError {
  return new ApiError('invalid_parameter', {
    param: 'stream',
    message: 'stream can be true only for a response that was made with stream: true or background: true',
  })
}

function notInBackground(): ApiError {
  return new ApiError('invalid_parameter', {
    param: 'response_id',
    message: 'Only a response that was made with background: true can be cancelled.',
  })
}
