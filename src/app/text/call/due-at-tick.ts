/** With a tick every five seconds: a keep-alive event after 15 s of silence, the end after 5 min without a reader. */
const QUIET_TICKS_MAX = 3
const STALLED_TICKS_MAX = 60
/** How long a vendor may take to close after its last event, before we close. */
const CLOSE_GRACE_TICKS = 2

/** What a call has to do after so many ticks without bytes: `isOver` or not, and while its vendor is paused or not. */
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
