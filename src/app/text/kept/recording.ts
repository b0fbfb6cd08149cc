import type { Keeping } from '@sluice/dialects/contract/dialect'
import { itemsIn, joinItems } from '@sluice/dialects/responses/kept/conversation'
import { ReplyRecord } from '@sluice/dialects/responses/kept/reply-record'
import { outlineOf, withMembers } from '@sluice/dialects/responses/kept/response-json'
import { ApiError, asApiError } from '../../../domain/api-error.ts'
import type { AwaitedRow } from '../../billing/spent.ts'
import { withDeadline } from '../../jobs/deadline.ts'
import type { CacheOutageLog } from '../cache/log-cache-outage.ts'
import { KEPT_LENGTH_MAX, type PriorConversation } from '../contract/reply-session.ts'
import { BROKEN, CANCELLED, TOO_LARGE } from './reply-failures.ts'
import type { KeptReply, ReplyEnd, ReplyName, ReplyStore } from './reply-store.ts'
import type { RunningReplies, RunningReply } from './running-replies.ts'

/** Maximum time events are buffered before a write. */
const GATHER_MS = 100
const GATHER_LENGTH = 64 * 1024
/** Maximum time for which an unreachable `ReplyStore` delays a charge or the final event. */
const PREPARE_MS_MAX = 2_000

export interface RecordingParts {
  replies: ReplyStore
  running: RunningReplies
  watch: CacheOutageLog
  organizationId: string
  keeping: Keeping
  provider: string
  /** Conversation before the reply; undefined: it is too long to keep, or the body is a heavy one. */
  prior: Pick<PriorConversation, 'items'> | undefined
  /** JSON of the response that the client gets before the vendor answers. */
  first?: string | undefined
}

/**
 * One reply on its way to the `ReplyStore`. Writes are sequential: a reader never finds an end without its events.
 *
 *   waiting -> running       its id is known, its state is in the store
 *   running -> ended         the gateway ended it, or it came whole: its end is written immediately
 *           -> prepared      its vendor ended the stream: its end is stored, and is not read without its usage row
 *   prepared -> ended        the usage row is written, then the end
 *                            if the reply is dropped or its usage row is never written, no end is written
 *
 * The usage row decides. If the process dies before the row is written, the reply has failed and is free. If the process
 * dies later, readers combine the prepared end with the row: a whole reply, charged once.
 */
export class Recording implements RunningReply {
  readonly ended: Promise<void>
  /** Whether the reply was ended because it became too large to keep. */
  isTooLarge = false
  readonly #parts: RecordingParts
  readonly #record: ReplyRecord
  #state: 'waiting' | 'running' | 'prepared' | 'ended' = 'waiting'
  #prepared: { end: ReplyEnd; row: AwaitedRow } | undefined
  /** Resolves to false when the prepared end must not be read: the reply is dropped, or will not be charged. */
  readonly #givenUp = Promise.withResolvers<false>()
  #isGivenUp = false
  #hasEvents = true
  #partCount = 0
  #gathered = ''
  #timer: NodeJS.Timeout | undefined
  #written: Promise<void> = Promise.resolve()
  #finished: Promise<void> | undefined
  readonly #resolve: () => void
  #stop = () => {}
  #isStopped = false

  constructor(parts: RecordingParts) {
    ;({ promise: this.ended, resolve: this.#resolve } = Promise.withResolvers<void>())
    this.#parts = parts
    this.#record = new ReplyRecord(parts.keeping, { first: parts.first, lengthMax: KEPT_LENGTH_MAX })
  }

  get isEnded(): boolean {
    return this.#record.isEnded
  }

  /** undefined until the id is known. */
  get name(): ReplyName | undefined {
    const { id } = this.#record
    return id === undefined ? undefined : { organizationId: this.#parts.organizationId, id }
  }

  /** Sets the function that ends the vendor's reply. After a cancel, `stop` is called immediately. */
  onStop(stop: () => void): void {
    if (this.#isStopped) stop()
    else this.#stop = stop
  }

  /** Stores the first state of a background reply before the vendor is called. Rejects when it cannot be stored. */
  begin(): Promise<void> {
    const { name } = this
    if (name === undefined) throw new Error('a background reply has its id from the start')
    const { running, replies } = this.#parts
    const first = this.#kept()
    this.#state = 'running'
    running.add(name, this)
    const begun = replies.renew(name).then(() => replies.keep(name, first))
    this.#written = begun.catch(() => {})
    return begun
  }

  take(bytes: string | Uint8Array): string | Uint8Array {
    const sent = this.#record.take(bytes)
    this.#gather()
    return sent
  }

  takeWhole(body: string | Uint8Array): string | Uint8Array {
    this.#hasEvents = false
    return this.#record.takeWhole(body)
  }

  cancel(): void {
    this.#stopVendor()
  }

  drop(): Promise<void> {
    this.#giveUp()
    const finished = this.close('cancelled')
    this.#stopVendor()
    return finished
  }

  /** Ends the recording after its call. A reply without an end was cancelled, or its vendor broke off. */
  close(status: 'cancelled' | 'failed' = this.#isStopped ? 'cancelled' : 'failed'): Promise<void> {
    this.#record.fail(status === 'cancelled' ? CANCELLED : BROKEN, status)
    this.#gather()
    return this.finish()
  }

  fail(fault: unknown): Promise<void> {
    if (this.#prepared === undefined) this.#giveUp()
    // The call of a cancelled reply ends with an error for a client that is gone.
    if (this.#isStopped) return this.close()
    const { type, code, message } = asApiError(fault) ?? new ApiError('internal_error')
    this.#record.fail({ type, code, message }, 'failed')
    this.#gather()
    return this.finish()
  }

  /** Resolves when the end is prepared, or when that takes too long for the charge to wait. */
  async charging(row: AwaitedRow): Promise<void> {
    const { name } = this
    if (name === undefined || !this.#awaitsRow || this.#isGivenUp) return
    const end = this.#end('prepared')
    this.#prepared = { end, row }
    this.#write(() => this.#parts.replies.prepareEnd(name, end, row.id))
    await withDeadline(this.#written, { ms: PREPARE_MS_MAX })
  }

  /** Whether the end waits for its usage row. A whole reply, a reply that is not stored and an end by the gateway do not. */
  get #awaitsRow(): boolean {
    const isVendorsEnd = this.isEnded && !this.#record.hasOwnEnd
    return isVendorsEnd && this.#hasEvents && this.#parts.keeping.isStored
  }

  #giveUp(): void {
    if (!this.#awaitsRow) return
    this.#isGivenUp = true
    this.#givenUp.resolve(false)
  }

  finish(): Promise<void> {
    this.#finished ??= this.#finish().then(this.#resolve)
    return this.#finished
  }

  async #finish(): Promise<void> {
    const { keeping, replies, running } = this.#parts
    const { name } = this
    const hasBegun = this.#state === 'running' || this.isEnded
    if (!keeping.isStored || !hasBegun || name === undefined) return
    const { end, row } = this.#prepared ?? { end: this.#end('ended') }
    const isPaid =
      row === undefined ? !this.#isGivenUp : await Promise.race([row.isWritten, this.#givenUp.promise])
    this.#state = 'ended'
    if (isPaid)
      this.#write(async () => {
        await replies.keepEnd(name, end)
        running.wake(name)
      })
    this.#write(async () => {
      const isErased = await replies.isErased(name.organizationId)
      // Another replica that deletes the reply may not have waited for this end, so this process removes the reply.
      if (isErased || (await replies.findStopAction(name)) === 'delete') await replies.remove(name)
    })
    await this.#written
    running.remove(name)
  }

  #end(state: 'prepared' | 'ended'): ReplyEnd {
    clearTimeout(this.#timer)
    this.#state = state
    const events = this.#gathered
    this.#gathered = ''
    if (events !== '') this.#partCount += 1
    return { reply: this.#kept(), events, conversation: this.#conversation() }
  }

  /** Stops the vendor once, because each further stop would extend the wait for its usage. */
  #stopVendor(): void {
    if (this.#isStopped) return
    this.#isStopped = true
    this.#stop()
  }

  /** Only a reply that ended well can be continued. */
  #conversation() {
    const { prior, provider } = this.#parts
    const { goodOutput } = this.#record
    if (prior === undefined || goodOutput === undefined) return undefined
    const items = joinItems(prior.items(), itemsIn(goodOutput))
    return items.length > KEPT_LENGTH_MAX ? undefined : { provider, items }
  }

  #kept(): KeptReply {
    const { isBackground } = this.#parts.keeping
    const isOver = this.#state === 'prepared' || this.#state === 'ended'
    const parts = isOver ? this.#partCount : undefined
    const hasCutEvents = this.#record.isCut && !this.#record.hasOwnEnd
    const { id, begun, response: last = '{}' } = this.#record
    const first = begun ?? JSON.stringify({ ...NOTHING_YET, id })
    // The record of a quick reply may already have its end.
    const response = withinBounds(isOver ? last : first, isOver && this.#record.isTooLarge)
    return { response, isBackground, hasEvents: this.#hasEvents, hasCutEvents, parts }
  }

  #gather(): void {
    const { name } = this
    const isOver = this.#finished !== undefined || this.#prepared !== undefined
    const isKept = this.#parts.keeping.isStored && name !== undefined && !isOver
    // The rest is too long to keep, and a background reply has no connected client that could get it.
    const isTooLarge = isKept && this.#parts.keeping.isBackground && this.#record.isCut && !this.isEnded
    if (isTooLarge) this.#record.fail(TOO_LARGE, 'failed')
    this.isTooLarge ||= isTooLarge
    const events = this.#record.drain()
    if (!isKept || events === '') return
    if (this.#state === 'waiting') this.#start(name)
    this.#gathered += events
    if (isTooLarge) {
      void this.finish()
      // The stop is deferred, because the call is still handing over this event.
      queueMicrotask(() => this.#stopVendor())
    } else if (this.#awaitsRow) clearTimeout(this.#timer)
    else if (this.#gathered.length >= GATHER_LENGTH) this.#flush()
    else this.#timer ??= setTimeout(() => this.#flush(), GATHER_MS).unref()
  }

  #start(name: ReplyName): void {
    this.#state = 'running'
    this.#parts.running.add(name, this)
    const first = this.#kept()
    this.#write(() => this.#parts.replies.renew(name))
    this.#write(() => this.#parts.replies.keep(name, first))
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const { name } = this
    const events = this.#gathered
    if (events === '' || name === undefined) return
    this.#gathered = ''
    const part = this.#partCount
    this.#partCount += 1
    this.#write(async () => {
      await this.#parts.replies.keepPart(name, part, events)
      this.#parts.running.wake(name)
    })
  }

  #write(act: () => Promise<void>): void {
    this.#written = this.#written.then(async () => {
      await this.#parts.watch.attempt(act)
    })
  }
}

/** State of a reply whose first event is also its final one. */
const NOTHING_YET = { object: 'response', status: 'in_progress', output: [], output_text: '' }

/** Replaces a response that is too large by its outline and an error. */
function withinBounds(response: string, isTooLarge: boolean): string {
  if (response.length <= KEPT_LENGTH_MAX && !isTooLarge) return response
  const { code, message } = TOO_LARGE
  return withMembers(outlineOf(response), { status: '"failed"', error: JSON.stringify({ code, message }) })
}
