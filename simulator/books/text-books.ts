import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Received } from '../actors/connection.ts'
import type { VendorCallRecord } from '../actors/text-vendor.ts'
import type { Owner, World } from '../kernel/world.ts'
import type { PriceList } from './price-list.ts'
import { Violation } from './violation.ts'

/** A reply that a request may continue. */
export interface KeptReply {
  id: string
  organizationId: string
  /** The conversation up to its end. */
  conversation: readonly string[]
}

/** A client's record of one text request. */
export interface TextAttempt {
  requestId: string
  tag: string
  organizationId: string
  keyId: string
  endpoint: 'messages' | 'responses' | 'chat'
  model: string
  isStream: boolean
  idempotencyKey: string | undefined
  /** Maximum number of requested tokens. */
  maxTokens: number
  /** Upper bound of the tokens of its body. */
  bodyBytes: number
  /** The reply that the request continues. */
  previous: KeptReply | undefined
  owner: Owner
  beganMs: number
  /** undefined while it is running. */
  received: Received | undefined
  endedMs: number | undefined
  /** The final reply of a background request, as its client read it. */
  kept?: { status: string; text: string }
}

interface UsageRow {
  id: string
  organization_id: string
  api_key_id: string
  model: string
  cost_micros: number
  outcome: 'completed' | 'failed' | 'hung-up'
  request_id: string
}

/** Vendors count their input differently; this is far above any difference. */
const INPUT_TOKENS_MORE = 8_000

/**
 * Checks the cost of text requests, by the replies of clients and the vendor's reports. It reads the rows of the store
 * and shares no code with the application.
 */
export class TextBooks {
  readonly #world: World
  readonly #prices: PriceList
  readonly #calls: ReadonlyMap<number, VendorCallRecord>
  readonly #attempts = new Map<string, TextAttempt>()
  readonly #rows = new Map<string, UsageRow>()
  readonly #newRows: StatementSync
  /** Replies in the order in which clients got them. */
  readonly keptReplies: KeptReply[] = []
  #lastRow = 0

  constructor({
    world,
    database,
    prices,
    calls,
  }: {
    world: World
    database: DatabaseSync
    prices: PriceList
    calls: ReadonlyMap<number, VendorCallRecord>
  }) {
    this.#world = world
    this.#prices = prices
    this.#calls = calls
    this.#newRows = database.prepare(`
      select rowid as place, id, organization_id, api_key_id, model, cost_micros, outcome, request_id
      from text_usage where rowid > ? order by rowid`)
  }

  asked(attempt: TextAttempt): void {
    this.#attempts.set(attempt.requestId, attempt)
  }

  /** A client has a reply that it asked the gateway to keep. */
  kept({ organizationId, requestId, tag }: TextAttempt, text: string): void {
    const id = /"id":\s*"(resp_[^"]+)"/.exec(text)?.[1]
    const call = this.#calls.get(numberIn(text) ?? 0)
    if (id === undefined || call === undefined || call.tag !== tag) return
    this.#world.trace('books', `${requestId.slice(-6)} is kept as ${id.slice(-6)}`)
    this.keptReplies.push({
      id,
      organizationId,
      conversation: [...call.conversation, `${tag} call-${call.id}`],
    })
  }

  /** A client got this reply. */
  shown({ id, organizationId }: KeptReply, toOrganizationId: string): void {
    if (organizationId !== toOrganizationId)
      throw new Violation('foreign-kept-reply', `${toOrganizationId} read ${id} of ${organizationId}`)
  }

  get attemptCount(): number {
    return this.#attempts.size
  }

  /** Runs after each commit: every new row is checked by itself. */
  check(): void {
    for (const found of this.#newRows.all(this.#lastRow)) {
      const row = found as unknown as UsageRow & { place: number }
      this.#lastRow = row.place
      this.#world.trace(
        'books',
        `row for ${row.request_id.slice(-6)}: ${row.outcome}, ${row.cost_micros} micros`,
      )
      this.#checkNew(row)
    }
  }

  #checkNew(row: UsageRow): void {
    const attempt = this.#attempts.get(row.request_id)
    if (attempt === undefined) throw new Violation('charge-of-nothing', `no client sent ${row.request_id}`)
    if (this.#rows.has(row.request_id))
      throw new Violation('charged-twice', `${attempt.tag} has two usage rows`)
    this.#rows.set(row.request_id, row)
    if (row.organization_id !== attempt.organizationId || row.api_key_id !== attempt.keyId)
      throw new Violation('charged-to-another', `${attempt.tag} was charged to ${row.organization_id}`)
    const calls = this.#callsOf(attempt)
    if (calls.length === 0) throw new Violation('charge-of-nothing', `${attempt.tag} reached no vendor`)
    if (row.outcome === 'completed') this.#requireExact(row, attempt, calls)
    else this.#requireBounded(row, attempt, calls)
    this.#requireHangUp(row, attempt)
    this.#requireOncePerKey(attempt)
  }

  #callsOf({ tag, organizationId }: TextAttempt): VendorCallRecord[] {
    return [...this.#calls.values()].filter(
      (call) => call.tag === tag && call.organizationId === organizationId,
    )
  }

  #requireExact(row: UsageRow, attempt: TextAttempt, calls: readonly VendorCallRecord[]): void {
    // Refused or lost calls have no exact charge.
    const allowed = calls
      .filter(({ usageHandedOver }) => usageHandedOver)
      .flatMap((call) => this.#costsOf(attempt, call))
    if (allowed.includes(row.cost_micros)) return
    throw new Violation(
      'wrong-amount',
      `${attempt.tag} was charged ${row.cost_micros} micros, its price is ${[...new Set(allowed)].join(' or ')}`,
    )
  }

  #costsOf(attempt: TextAttempt, call: VendorCallRecord): number[] {
    const until = { fromMs: attempt.beganMs, untilMs: this.#world.nowMs }
    return this.#prices.costsOf({ asked: attempt.model, served: call.model }, call.usage, until)
  }

  /** Replies that broke off, or whose client left, are counted by their bytes. */
  #requireBounded(row: UsageRow, attempt: TextAttempt, calls: readonly VendorCallRecord[]): void {
    if (calls.every(({ end, usageHandedOver }) => end === 'error' && !usageHandedOver) && row.cost_micros > 0)
      throw new Violation('failure-charged', `${attempt.tag} was refused by its vendor and cost something`)
    const input = Math.max(...calls.map(({ usage }) => usage.input + usage.cachedInput + usage.cacheWrite))
    const output = Math.max(attempt.maxTokens, ...calls.map(({ usage }) => usage.output))
    const [only] = calls
    if (row.outcome === 'hung-up' && calls.length === 1 && only?.end === 'whole') {
      this.#requireExact(row, attempt, calls)
      return
    }
    const tokens = { input: Math.max(input, attempt.bodyBytes) + INPUT_TOKENS_MORE, output }
    const models = [attempt.model, ...calls.map(({ model }) => model)]
    const most = Math.max(...models.map((model) => this.#prices.costMaxOf(model, tokens)))
    if (row.cost_micros > most)
      throw new Violation(
        'wrong-amount',
        `${attempt.tag} cost ${row.cost_micros} micros, at most ${most} is possible`,
      )
  }

  #requireHangUp(row: UsageRow, { received, tag }: TextAttempt): void {
    if (row.outcome !== 'hung-up' || received === undefined || received.hungUp) return
    throw new Violation('billed-as-hang-up', `the client of ${tag} had stayed to the end`)
  }

  #requireOncePerKey(attempt: TextAttempt): void {
    const charged = this.#sameKey(attempt).filter(({ requestId }) => this.#costOfRow(requestId) > 0)
    if (charged.length > 1)
      throw new Violation('key-charged-twice', `${attempt.tag} was charged for ${charged.length} requests`)
  }

  /** Runs when everything has ended: clients pay for the replies that they have. */
  checkEnd(): void {
    this.check()
    for (const attempt of this.#attempts.values()) {
      this.#checkConversation(attempt)
      this.#checkEnded(attempt)
    }
  }

  /** The vendor gets the conversation that the request continues, and never one of another organization. */
  #checkConversation(attempt: TextAttempt): void {
    const { previous, tag, organizationId } = attempt
    const calls = this.#callsOf(attempt)
    if (previous !== undefined && previous.organizationId !== organizationId && calls.length > 0)
      throw new Violation('foreign-conversation', `${tag} went on from a reply of ${previous.organizationId}`)
    const expected = [...(previous?.conversation ?? []), `${tag} please`].join(', ')
    for (const { conversation } of calls)
      if (conversation.join(', ') !== expected)
        throw new Violation(
          'conversation',
          `${tag} is ${expected}, and its vendor was told ${conversation.join(', ')}`,
        )
  }

  #checkEnded(attempt: TextAttempt): void {
    const { received, requestId, tag } = attempt
    const row = this.#rows.get(requestId)
    if (received === undefined) throw new Violation('no-answer', `${tag} never got an answer`)
    if (row !== undefined) this.#requireHangUp(row, attempt)
    const isError = received.status !== undefined && received.status >= 400
    if (isError && row !== undefined && row.cost_micros > 0)
      throw new Violation(
        'failure-charged',
        `${tag} got ${received.status} and cost ${row.cost_micros} micros`,
      )
    const callId = attempt.kept === undefined ? repliedCall(attempt) : keptCall(attempt.kept)
    if (callId === undefined) return
    const call = this.#calls.get(callId)
    if (call === undefined || call.tag !== tag || call.organizationId !== attempt.organizationId)
      throw new Violation('foreign-reply', `${tag} got the reply of ${call?.tag ?? 'no call'}`)
    const mayHaveCrashed = this.#sameKey(attempt).some(({ owner }) => !owner.isAlive)
    if (row === undefined) {
      const isPaid = this.#sameKey(attempt).some(({ requestId }) => this.#costOfRow(requestId) > 0)
      if (!isPaid && !mayHaveCrashed)
        throw new Violation('not-charged', `${tag} was served and is not charged`)
      return
    }
    const allowed = this.#costsOf(attempt, call)
    if (allowed.includes(row.cost_micros)) return
    throw new Violation(
      'wrong-amount',
      `${tag} has the reply of call ${callId}, which costs ${allowed.join(' or ')} micros, and was charged ${row.cost_micros}`,
    )
  }

  #costOfRow(requestId: string): number {
    return this.#rows.get(requestId)?.cost_micros ?? 0
  }

  /**
   * All attempts with the key of the request, itself included: a replayed reply was paid by the request that it
   * repeats. Keys do not apply to streams.
   */
  #sameKey(attempt: TextAttempt): TextAttempt[] {
    const { idempotencyKey, keyId, isStream } = attempt
    if (idempotencyKey === undefined || isStream) return [attempt]
    return [...this.#attempts.values()].filter(
      (other) => other.idempotencyKey === idempotencyKey && other.keyId === keyId && !other.isStream,
    )
  }
}

/** A stream without its final event is not whole. */
const LAST_EVENTS = {
  messages: 'event: message_stop',
  responses: 'event: response.completed',
  chat: 'data: [DONE]',
}

/** The vendor's call whose whole reply the client has; undefined: it has no whole reply. */
function repliedCall({ received, isStream, endpoint }: TextAttempt): number | undefined {
  if (received === undefined || received.status !== 200 || !received.isWhole) return undefined
  if (isStream && !received.text.includes(LAST_EVENTS[endpoint])) return undefined
  return numberIn(received.text)
}

function keptCall({ status, text }: NonNullable<TextAttempt['kept']>): number | undefined {
  return status === 'completed' ? numberIn(text) : undefined
}

function numberIn(text: string): number | undefined {
  const number = /call-(\d+)/.exec(text)?.[1]
  return number === undefined ? undefined : Number(number)
}
