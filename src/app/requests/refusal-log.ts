import type { RefusedRequest, RequestLogStore } from '../../ports/request-log.ts'
import type { Runtime } from '../runtime.ts'

const MINUTE_MS = 60_000
/** Maximum refusals of one key in one minute that are stored as rows. */
const KEPT_PER_MINUTE = 60
/** Maximum refusals that wait for the store, of all organizations and of each. Rows that count refusals come on top. */
const WAITING_MAX = 10_000
const WAITING_EACH_MAX = 1_250
/** Maximum keys that are counted in a minute; refusals of further keys are only in the metrics. */
const KEYS_MAX = 10_000
const ROWS_PER_WRITE = 500

export type NoteRefusal = (refusal: Omit<RefusedRequest, 'atMs' | 'notKept'>) => void

/** Refused requests on their way to the request log. Beyond a bound they are only counted. */
export interface RefusalLog {
  note: NoteRefusal
  /** Writes waiting rows, and one row per key that counts the further refusals of a past minute. */
  flush(): Promise<void>
  /** Writes everything once more, the counts of the current minute included. */
  close(): Promise<void>
}

interface KeyMinute {
  minute: number
  kept: number
  notKept: number
  owner: Pick<RefusedRequest, 'organizationId' | 'userId' | 'keyId'>
}

export function createRefusalLog(
  tools: Pick<Runtime, 'clock' | 'newId'> & { requestLog: Pick<RequestLogStore, 'writeRefused'> },
): RefusalLog {
  const { requestLog, clock, newId } = tools
  const minutes = new Map<string, KeyMinute>()
  const waitingOf = new Map<string, number>()
  let waiting: RefusedRequest[] = []

  return {
    note(refusal) {
      const atMs = clock.nowMs()
      const counted = minuteOf(refusal, Math.floor(atMs / MINUTE_MS))
      if (counted === undefined) return
      if (counted.kept < KEPT_PER_MINUTE && hasRoom(refusal.organizationId)) {
        counted.kept += 1
        add({ ...refusal, atMs, notKept: null })
      } else counted.notKept += 1
    },
    async flush() {
      endMinutes(Math.floor(clock.nowMs() / MINUTE_MS))
      await writeAll()
    },
    async close() {
      endMinutes(Number.POSITIVE_INFINITY)
      await writeAll()
    },
  }

  function minuteOf({ organizationId, userId, keyId }: KeyMinute['owner'], minute: number) {
    const known = minutes.get(keyId)
    if (known?.minute === minute) return known
    if (known !== undefined) end(known)
    else if (minutes.size >= KEYS_MAX) return undefined
    const begun: KeyMinute = { minute, kept: 0, notKept: 0, owner: { organizationId, userId, keyId } }
    minutes.set(keyId, begun)
    return begun
  }

  function hasRoom(organizationId: string): boolean {
    return waiting.length < WAITING_MAX && (waitingOf.get(organizationId) ?? 0) < WAITING_EACH_MAX
  }

  function add(row: RefusedRequest): void {
    waiting.push(row)
    waitingOf.set(row.organizationId, (waitingOf.get(row.organizationId) ?? 0) + 1)
  }

  function endMinutes(before: number): void {
    for (const [keyId, counted] of minutes) {
      if (counted.minute >= before) continue
      minutes.delete(keyId)
      end(counted)
    }
  }

  function end({ minute, notKept, owner }: KeyMinute): void {
    if (notKept === 0) return
    add({
      ...{ id: newId('ref'), ...owner, operation: null, status: null, model: null, durationMs: null },
      ...{ atMs: Math.min(clock.nowMs(), (minute + 1) * MINUTE_MS), code: 'refusals_not_kept', notKept },
    })
  }

  /** When a write fails, its rows stay for the next write: a row that is written twice counts once. */
  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const rows = waiting.slice(0, ROWS_PER_WRITE)
      await requestLog.writeRefused(rows)
      waiting = waiting.slice(rows.length)
      for (const { organizationId } of rows) {
        const left = (waitingOf.get(organizationId) ?? 1) - 1
        if (left === 0) waitingOf.delete(organizationId)
        else waitingOf.set(organizationId, left)
      }
    }
  }
}
