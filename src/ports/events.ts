import type { CallbackState } from '../domain/callbacks/callback-retry.ts'
import type { EventType, NewEvent } from '../domain/events/event.ts'
import type { NewAudit } from './audit.ts'
import type { AttemptRecord, CallbackAttempt, DueCallback, DueStore } from './callbacks.ts'
import type { PageQuery } from './page-query.ts'

export interface StoredEvent {
  id: string
  /** `operator` for events that go to `EVENTS_URL`. */
  organizationId: string
  type: EventType
  /** A JSON object. */
  data: string
  createdAtMs: number
  state: CallbackState
  attempts: number
  /** null: no attempt follows. */
  nextAttemptAtMs: number | null
  lastAttemptAtMs: number | null
  lastStatus: number | null
  lastError: string | null
}

export interface DueEvent
  extends Omit<DueCallback, 'taskId' | 'retryUntilMs'>,
    Pick<StoredEvent, 'type' | 'data' | 'createdAtMs'> {
  /** null: the organization has no address for events, or the receiver is the operator. */
  url: string | null
}

export interface EventFilter extends PageQuery {
  type?: EventType | undefined
  state?: CallbackState | undefined
}

/** Attempts are counted like those of callbacks. */
export interface EventStore extends DueStore<DueEvent, Pick<DueEvent, 'organizationId'>> {
  /** The outcome is ignored if the event was claimed or resent since. */
  recordAttempt(record: AttemptRecord<Omit<CallbackAttempt, 'taskId'>>): Promise<void>
  /** Lists events, the newest first. */
  page(query: EventFilter): Promise<StoredEvent[]>
  /** Makes the event due again under its id, with a full number of attempts. */
  resend(event: { id: string; atMs: number }, audit: NewAudit): Promise<StoredEvent | undefined>
  /** Stores the event for each of its receivers, once for each cause. Returns the operator's row if it is new. */
  add(event: NewEvent): Promise<StoredEvent | undefined>
  /** Reports balances below their threshold, and organizations that were refused for lack of money. */
  reportBalances(report: { refused: readonly string[]; atMs: number }): Promise<void>
  /** Reports organizations whose charges of the month reach their budget. */
  reportSpentBudgets(report: { month: string; atMs: number }): Promise<void>
  /** Reports keys that expire before `untilMs`. */
  reportExpiringKeys(report: { atMs: number; untilMs: number; limit: number }): Promise<void>
  /** `down` and `up` name providers as this process sees them. Without a `down` for `forgetAfterMs` a provider is up. */
  reportOutages(report: {
    down: readonly string[]
    up: readonly string[]
    atMs: number
    forgetAfterMs: number
  }): Promise<void>
  /** Drops events that are not pending; returns their number. */
  dropOld(old: { beforeMs: number; limit: number }): Promise<number>
}
