import { type Calendar, monthOf } from '../../domain/limits/calendar-day.ts'
import type { Clock } from '../../ports/clock.ts'
import type { DiskSpace } from '../../ports/disk-space.ts'
import type { EventStore } from '../../ports/events.ts'
import type { Installation } from '../../ports/installation.ts'

const DAY_MS = 86_400_000
/** Keys that expire within this time are reported. */
const EXPIRING_MS = 7 * DAY_MS
/** Interval of the checks whose results change slowly. */
const SLOW_MS = 60_000
/** An outage is forgotten after this time, because a process that died can no longer report that the provider is up. */
const OUTAGE_FORGOTTEN_MS = 3 * SLOW_MS
const KEYS_BATCH_MAX = 100
const DISK_FREE_SHARE_MIN = 0.1

/** Organizations that were refused for lack of money since the last pass. */
export type RefusedOrganizations = Set<string>

/** Maximum organizations that are remembered between two passes; others are reported when they are refused again. */
export const REFUSED_MAX = 1_000

/** Finds causes of events and writes each event once, whichever replica finds its cause first. */
export function watchEvents(tools: {
  events: EventStore
  calendar: Calendar
  clock: Clock
  refused: RefusedOrganizations
  listHealth: Installation['listHealth']
  /** undefined: the store is on another machine. */
  readDiskSpace: (() => Promise<DiskSpace>) | undefined
}): () => Promise<void> {
  const { events, calendar, clock, refused, listHealth, readDiskSpace } = tools
  const downHere = new Set<string>()
  let slowAtMs = Number.NEGATIVE_INFINITY

  return async () => {
    const atMs = clock.nowMs()
    const isSlowDue = clock.monotonicMs() - slowAtMs >= SLOW_MS
    if (isSlowDue) slowAtMs = clock.monotonicMs()
    await reportRefusals(atMs)
    await events.reportSpentBudgets({ month: monthOf(calendar.dayAt(atMs)), atMs })
    await reportOutages(atMs, isSlowDue)
    if (!isSlowDue) return
    await events.reportExpiringKeys({ atMs, untilMs: atMs + EXPIRING_MS, limit: KEYS_BATCH_MAX })
    await reportDisk(atMs)
  }

  async function reportRefusals(atMs: number): Promise<void> {
    const ids = [...refused]
    await events.reportBalances({ refused: ids, atMs })
    for (const id of ids) refused.delete(id)
  }

  async function reportOutages(atMs: number, isSlowDue: boolean): Promise<void> {
    const providers = listHealth().map(({ name, breakers }) => ({
      name,
      states: breakers.filter(({ organizationId }) => organizationId === null).map(({ state }) => state),
    }))
    const down = providers.filter(({ states }) => states.includes('open')).map(({ name }) => name)
    const up = providers
      .filter(({ name, states }) => downHere.has(name) && states.every((state) => state === 'closed'))
      .map(({ name }) => name)
    const isNew = down.some((name) => !downHere.has(name))
    if (isNew || up.length > 0 || isSlowDue)
      await events.reportOutages({ down, up, atMs, forgetAfterMs: OUTAGE_FORGOTTEN_MS })
    for (const name of down) downHere.add(name)
    for (const name of up) downHere.delete(name)
  }

  async function reportDisk(atMs: number): Promise<void> {
    const space = await readDiskSpace?.()
    if (space === undefined || space.freeBytes >= space.totalBytes * DISK_FREE_SHARE_MIN) return
    await events.add({
      type: 'store.nearly_full',
      organizationId: null,
      cause: `store.nearly_full:${calendar.dayAt(atMs)}`,
      data: { free_bytes: space.freeBytes, total_bytes: space.totalBytes },
      atMs,
    })
  }
}
