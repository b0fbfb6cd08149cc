import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Receiver } from '../actors/receiver.ts'
import type { VideoRecord } from '../actors/video-vendor.ts'
import type { World } from '../kernel/world.ts'
import { Violation } from './violation.ts'

interface TaskRow {
  id: string
  status: string
  metadata: string
  hold_state: string | null
  settlements: number
  charged: number
  callback_state: string | null
  owes_callback: number
  has_ticket: number
}

const ENDS: readonly string[] = ['succeeded', 'failed', 'cancelled']
/** By the price list: micros for a million tokens of the model used here, and for a credit of the other vendor. */
const TOKEN_PRICE = 7_000_000
const CREDIT_PRICE = 10_000

/** What videos may cost and how tasks may end, by what their vendors know. Shares no code with the application. */
export class VideoBooks {
  readonly #world: World
  readonly #records: ReadonlyMap<string, VideoRecord>
  readonly #receiver: Receiver
  readonly #tasks: StatementSync
  readonly #statuses = new Map<string, string>()
  /** By the tags of the videos that were ordered by a quote. */
  readonly #quotes = new Map<string, number>()
  #hasOpenTasks = false

  constructor({
    world,
    database,
    records,
    receiver,
  }: {
    world: World
    database: DatabaseSync
    records: ReadonlyMap<string, VideoRecord>
    receiver: Receiver
  }) {
    this.#world = world
    this.#records = records
    this.#receiver = receiver
    this.#tasks = database.prepare(`
      select t.id, t.status, t.metadata, t.owes_callback, t.sealed_ticket is not null as has_ticket,
        h.state as hold_state, c.state as callback_state,
        (select count(*) from ledger_entries e where e.hold_id = h.id and e.kind = 'settlement') as settlements,
        (select coalesce(sum(e.loss_micros - e.amount_micros), 0) from ledger_entries e
          where e.hold_id = h.id and e.kind = 'settlement') as charged
      from video_tasks t left join holds h on h.task_id = t.id left join video_callbacks c on c.task_id = t.id`)
  }

  /** A client was told that this video costs at most so much. */
  quoted(tag: string, maxMicros: number): void {
    this.#quotes.set(tag, maxMicros)
  }

  /** As of the last check. */
  get hasOpenTasks(): boolean {
    return this.#hasOpenTasks
  }

  /** After each commit that changed something. */
  check(): void {
    const rows = this.#rows()
    for (const row of rows) this.#checkTask(row)
    this.#hasOpenTasks = rows.some(
      ({ status, callback_state }) => !ENDS.includes(status) || callback_state === 'pending',
    )
  }

  /** Not after a wrong clock: a replica may then give up a task too early, which is free, or too late. */
  checkEnd(): void {
    this.check()
    for (const row of this.#rows()) this.#checkEnded(row)
  }

  #rows(): TaskRow[] {
    return this.#tasks.all() as unknown as TaskRow[]
  }

  #recordsOf({ metadata }: TaskRow): VideoRecord[] {
    const { tag }: { tag: string } = JSON.parse(metadata)
    return [...this.#records.values()].filter((record) => record.tag === tag)
  }

  #checkTask(row: TaskRow): void {
    const { id, status, settlements, hold_state } = row
    const before = this.#statuses.get(id)
    if (before !== status) this.#world.tell('books', `${id.slice(-6)} is ${status}, its hold ${hold_state}`)
    this.#statuses.set(id, status)
    if (before !== undefined && before !== status && ENDS.includes(before))
      throw new Violation('two-ends', `${id} was ${before} and is ${status}`)
    const records = this.#recordsOf(row)
    if (records.length > 1) throw new Violation('submitted-twice', `${id} was made ${records.length} times`)
    if (settlements > 1) throw new Violation('settled-twice', `${id} has ${settlements} settlements`)
    if (status !== 'succeeded') {
      if (settlements > 0) throw new Violation('failure-charged', `${id} is ${status} and was charged`)
      if (ENDS.includes(status) && hold_state === 'open')
        throw new Violation('lost-release', `${id} is ${status} and its money is still held`)
      return
    }
    this.#checkSuccess(row, records[0])
  }

  #checkSuccess({ id, settlements, charged }: TaskRow, record: VideoRecord | undefined): void {
    if (record?.status !== 'succeeded')
      throw new Violation('invented-success', `${id} succeeded and its vendor says ${record?.status}`)
    const { completionTokens, credits = 0 } = record.measured
    const measured = completionTokens === undefined ? credits * CREDIT_PRICE : costOfTokens(completionTokens)
    const quoted = this.#quotes.get(record.tag)
    if (quoted !== undefined && charged > quoted)
      throw new Violation('above-quote', `${id} was quoted ${quoted} micros and was charged ${charged}`)
    const price = Math.min(measured, quoted ?? measured)
    if (settlements !== 1) throw new Violation('not-charged', `${id} succeeded and has no settlement`)
    if (charged !== price)
      throw new Violation('wrong-amount', `${id} costs ${price} micros and was charged ${charged}`)
  }

  #checkEnded(row: TaskRow): void {
    const { id, status, has_ticket, owes_callback, callback_state } = row
    if (!ENDS.includes(status)) throw new Violation('no-end', `${id} is still ${status}`)
    const [record] = this.#recordsOf(row)
    if (has_ticket === 1 && record?.status === 'succeeded' && status !== 'succeeded' && !record.isDeleted)
      throw new Violation('lost-success', `${id} is ${status} and its vendor made the video`)
    if (owes_callback === 1 && callback_state === null)
      throw new Violation('callbacks', `${id} has ended and owes a callback that was never written`)
    if (callback_state === 'delivered' && !this.#receiver.isTaken(id))
      throw new Violation('callbacks', `the callback of ${id} counts as delivered and never arrived`)
  }
}

function costOfTokens(tokens: number): number {
  return Number((BigInt(tokens) * BigInt(TOKEN_PRICE) + 500_000n) / 1_000_000n)
}
