import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Receiver } from '../actors/receiver.ts'
import type { World } from '../kernel/world.ts'
import type { AttemptBooks, VideoRecord } from './attempt-books.ts'
import { costOfVideo, estimateOfVideo } from './video-prices.ts'
import { Violation } from './violation.ts'

interface TaskRow {
  id: string
  /** The ordered model. */
  model: string
  /** Provider of the current attempt. */
  provider: string
  attempt: number
  open_attempts: number
  status: string
  metadata: string
  hold_state: string | null
  settlements: number
  charged: number
  callback_state: string | null
  owes_callback: number
  has_ticket: number
  created_at_ms: number
}

/** Deadline of every order: one vendor ends before it, but a second or third one may succeed too late. */
export const EXPIRES_AFTER_SECONDS = 150

const ENDS: readonly string[] = ['succeeded', 'failed', 'cancelled']
/** A model and the two that may step in for it. */
const ATTEMPTS_MAX = 3

/**
 * Checks the cost of videos and the end of tasks, by the records of their vendors. Shares no code with the application.
 */
export class VideoBooks {
  readonly #world: World
  readonly #attempts: AttemptBooks
  readonly #receiver: Receiver
  readonly #tasks: StatementSync
  readonly #seen = new Map<string, Pick<TaskRow, 'status' | 'attempt'>>()
  /** Quotes by the tags of their videos. */
  readonly #quotes = new Map<string, number>()
  #hasOpenTasks = false

  constructor({
    world,
    database,
    attempts,
    receiver,
  }: {
    world: World
    database: DatabaseSync
    attempts: AttemptBooks
    receiver: Receiver
  }) {
    this.#world = world
    this.#attempts = attempts
    this.#receiver = receiver
    this.#tasks = database.prepare(`
      select t.id, t.created_at_ms, t.model, t.provider, t.attempt, t.status, t.metadata, t.owes_callback, t.sealed_ticket is not null as has_ticket,
        (select count(*) from task_attempts a where a.task_id = t.id and a.state = 'open') as open_attempts,
        h.state as hold_state, c.state as callback_state,
        (select count(*) from ledger_entries e where e.hold_id = h.id and e.kind = 'settlement') as settlements,
        (select coalesce(sum(e.loss_micros - e.amount_micros), 0) from ledger_entries e
          where e.hold_id = h.id and e.kind = 'settlement') as charged
      from video_tasks t left join holds h on h.task_id = t.id left join video_callbacks c on c.task_id = t.id`)
  }

  /** A client got a quote for this video. */
  quoted(tag: string, maxMicros: number): void {
    this.#quotes.set(tag, maxMicros)
  }

  /** State at the last check. */
  get hasOpenTasks(): boolean {
    return this.#hasOpenTasks
  }

  /** Runs after each commit that changed something. */
  check(): void {
    const rows = this.#rows()
    for (const row of rows) this.#checkTask(row)
    this.#hasOpenTasks = rows.some(
      ({ status, callback_state }) => !ENDS.includes(status) || callback_state === 'pending',
    )
  }

  /** Not called after a wrong clock: a replica may then give up a task too early, which is free, or too late. */
  checkEnd(): void {
    this.check()
    for (const row of this.#rows()) this.#checkEnded(row)
  }

  #rows(): TaskRow[] {
    return this.#tasks.all() as unknown as TaskRow[]
  }

  #recordOf({ metadata }: TaskRow): VideoRecord | undefined {
    return this.#attempts.recordOf(tagOf(metadata))
  }

  #checkTask(row: TaskRow): void {
    const { id, status, attempt, settlements, hold_state } = row
    const before = this.#seen.get(id)
    if (before?.status !== status)
      this.#world.trace('books', `${id.slice(-6)} is ${status}, its hold ${hold_state}`)
    if (before?.status !== status || before.attempt !== attempt) this.#changed(row, before)
    this.#checkAttempts(row)
    if (settlements > 1) throw new Violation('settled-twice', `${id} has ${settlements} settlements`)
    if (status !== 'succeeded') {
      if (settlements > 0) throw new Violation('failure-charged', `${id} is ${status} and was charged`)
      if (ENDS.includes(status) && hold_state === 'open')
        throw new Violation('lost-release', `${id} is ${status} and its money is still held`)
      return
    }
    this.#checkSuccess(row, this.#recordOf(row))
  }

  #changed(row: TaskRow, before: Pick<TaskRow, 'status' | 'attempt'> | undefined): void {
    const { id, status, attempt, metadata, has_ticket } = row
    this.#seen.set(id, { status, attempt })
    if (before !== undefined && before.status !== status && ENDS.includes(before.status))
      throw new Violation('two-ends', `${id} was ${before.status} and is ${status}`)
    const isNextAttempt = before !== undefined && attempt > before.attempt
    if (isNextAttempt || (ENDS.includes(status) && has_ticket === 0)) this.#attempts.givenUp(tagOf(metadata))
  }

  #checkAttempts({ id, status, attempt, open_attempts }: TaskRow): void {
    if (attempt > ATTEMPTS_MAX) throw new Violation('attempts', `${id} is at attempt ${attempt}`)
    if (open_attempts > (ENDS.includes(status) ? 0 : 1))
      throw new Violation('attempts', `${id} is ${status} and has ${open_attempts} open attempts`)
  }

  #checkSuccess(row: TaskRow, record: VideoRecord | undefined): void {
    const { id, provider, attempt, settlements, charged } = row
    if (record?.status !== 'succeeded')
      throw new Violation('invented-success', `${id} succeeded and its vendor says ${record?.status}`)
    if (record.provider !== provider)
      throw new Violation('served-by', `${record.provider} made ${id}, its task says ${provider}`)
    const quoted = this.#quotes.get(record.tag)
    if (quoted !== undefined && charged > quoted)
      throw new Violation('above-quote', `${id} was quoted ${quoted} micros and was charged ${charged}`)
    const cost = attempt === 1 ? costOfVideo(row.model, record.measured) : estimateOfVideo(row.model)
    const price = Math.min(cost, quoted ?? cost)
    if (settlements !== 1) throw new Violation('not-charged', `${id} succeeded and has no settlement`)
    if (charged !== price)
      throw new Violation('wrong-amount', `${id} costs ${price} micros and was charged ${charged}`)
  }

  #checkEnded(row: TaskRow): void {
    const { id, status, has_ticket, owes_callback, callback_state } = row
    if (!ENDS.includes(status)) throw new Violation('no-end', `${id} is still ${status}`)
    const record = this.#recordOf(row)
    // A vendor's earlier report of a failure counts.
    const isMade = record?.status === 'succeeded' && record.errorCode === undefined
    const deadlineMs = row.created_at_ms + EXPIRES_AFTER_SECONDS * 1_000
    const isInTime = (record?.succeededAtMs ?? 0) < deadlineMs
    if (isInTime && has_ticket === 1 && isMade && status !== 'succeeded' && !record.isDeleted)
      throw new Violation('lost-success', `${id} is ${status} and its vendor made the video`)
    if (owes_callback === 1 && callback_state === null)
      throw new Violation('callbacks', `${id} has ended and owes a callback that was never written`)
    if (callback_state === 'delivered' && !this.#receiver.isTaken(id))
      throw new Violation('callbacks', `the callback of ${id} counts as delivered and never arrived`)
  }
}

function tagOf(metadata: string): string {
  const { tag }: { tag: string } = JSON.parse(metadata)
  return tag
}
