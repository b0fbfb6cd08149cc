import { randomBytes } from 'node:crypto'
import type { Clock } from '../../ports/clock.ts'
import type { NewId } from '../../ports/secrets.ts'

const COUNTER_LIMIT = 0x10000
const RANDOM_BYTES_PER_ID = 8
const POOL_IDS = 512

/**
 * Makes ids of 32 hex digits: 48 bits of milliseconds, a 16-bit counter within the millisecond, and 64 random bits.
 * When the clock stands still or jumps back, or the counter overflows, the time continues from the last id.
 */
export function createIds(clock: Clock): NewId {
  let lastMs = 0
  let lastMsHex = ''
  let counter = 0
  const takeRandom = pooledRandomHex()

  return (prefix) => {
    const nowMs = clock.nowMs()
    if (nowMs > lastMs) moveTo(nowMs)
    else if (++counter === COUNTER_LIMIT) moveTo(lastMs + 1)
    return `${prefix}_${lastMsHex}${(COUNTER_LIMIT + counter).toString(16).slice(1)}${takeRandom()}`
  }

  function moveTo(ms: number): void {
    lastMs = ms
    lastMsHex = ms.toString(16).padStart(12, '0')
    counter = 0
  }
}

/** Reads random bytes for many ids in one call, because a call for each id would cost more than the rest of the id. */
function pooledRandomHex(): () => string {
  let pool = ''
  let used = 0
  return () => {
    if (used === pool.length) {
      pool = randomBytes(RANDOM_BYTES_PER_ID * POOL_IDS).toString('hex')
      used = 0
    }
    used += RANDOM_BYTES_PER_ID * 2
    return pool.slice(used - RANDOM_BYTES_PER_ID * 2, used)
  }
}
