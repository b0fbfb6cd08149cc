/** A tick takes five seconds. A keep-alive event follows 15 s of silence. A client that reads nothing is cut after 5 min. */
const QUIET_TICKS_MAX = 3
const STALLED_TICKS_MAX = 60
/** Grace period for a vendor to close after its final event. */
const CLOSE_GRACE_TICKS = 2

export function dueAtTick(
  ticksWithoutBytes: number,
  { isOver, isPaused }: { isOver: boolean; isPaused: boolean },
): { stopsVendor: boolean; cutsClient: boolean; keepsAlive: boolean } {
  const waitsForClient = isOver || isPaused
  return {
    stopsVendor: isOver && ticksWithoutBytes >= CLOSE_GRACE_TICKS,
    cutsClient: waitsForClient && ticksWithoutBytes >= STALLED_TICKS_MAX,
    keepsAlive: !waitsForClient && ticksWithoutBytes >= QUIET_TICKS_MAX,
  }
}
