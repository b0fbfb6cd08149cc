import { withDeadline } from '../../jobs/deadline.ts'
import type { ReplySink } from '../contract/reply-sink.ts'

/** Long events are written in pieces of this size. */
const PIECE_BYTES = 64 * 1024
/** Maximum bytes of long events that wait for the readers of an organization: as many as the organization may keep. */
const WAITING_BYTES_MAX = 64 * 1024 * 1024
/** Maximum time in which a client reads nothing. `due-at-tick.ts` has the same maximum for a vendor's stream. */
const UNREAD_MS_MAX = 300_000

/** Changes the bytes of long events that wait for the readers of an organization; false beyond the maximum. */
type ChangeWaiting = (bytes: number) => boolean

export function createWaitingEvents(): (organizationId: string) => ChangeWaiting {
  const sums = new Map<string, number>()
  return (organizationId) => (bytes) => {
    const sum = (sums.get(organizationId) ?? 0) + bytes
    if (sum > WAITING_BYTES_MAX) return false
    if (sum === 0) sums.delete(organizationId)
    else sums.set(organizationId, sum)
    return true
  }
}

/**
 * `write` waits for a client that does not read. `isClosed` is true once the client has left. With `changeWaiting`, long
 * events are written in pieces, and their waiting bytes are limited. Left out: the sink takes only whole events.
 */
export function flowTo(sink: ReplySink, changeWaiting?: ChangeWaiting) {
  let wake = () => {}
  let isClosed = false
  sink.onDrain(() => wake())
  sink.onClose(() => {
    isClosed = true
    wake()
  })
  const drained = async () => {
    const drain = new Promise<void>((resolve) => {
      wake = resolve
    })
    if ((await withDeadline(drain, { ms: UNREAD_MS_MAX })) === undefined) cut()
  }
  const cut = () => {
    isClosed = true
    sink.cut()
  }
  return {
    get isClosed() {
      return isClosed
    },
    async write(text: string): Promise<void> {
      if (isClosed || text === '') return
      const isWhole = changeWaiting === undefined || text.length <= PIECE_BYTES
      if (isWhole) return sink.write(text) ? undefined : drained()
      const bytes = Buffer.from(text)
      if (!changeWaiting(bytes.length)) return cut()
      for (let at = 0; at < bytes.length && !isClosed; at += PIECE_BYTES)
        if (!sink.write(bytes.subarray(at, at + PIECE_BYTES))) await drained()
      changeWaiting(-bytes.length)
    },
    end(events: string): void {
      if (isClosed) return
      if (events !== '') sink.write(events)
      sink.end()
    },
  }
}
