import { Counter, type Registry } from 'prom-client'

/** Each key is two lines of a scrape: those that come after so many are counted together. */
const KEYS_MAX = 500
const OTHERS = 'others'

/** How many replies of each API key were heard to their end, and how many the client left before it. */
export function countHangUps(registry: Registry): {
  note(keyId: string, isHungUp: boolean): void
  /** Hands on what was noted since the last time. */
  handOn(): void
} {
  const counter = new Counter({
    name: 'sluice_text_replies_total',
    help: 'Text requests that reached a vendor, by API key and by whether the client left before the end.',
    labelNames: ['key', 'hung_up'],
    registers: [registry],
  })
  const noted = new Map<string, { heard: number; hungUp: number }>()
  return {
    note(keyId, isHungUp) {
      const counts = noted.get(keyId) ?? open(keyId)
      if (isHungUp) counts.hungUp += 1
      else counts.heard += 1
    },
    handOn() {
      for (const [key, counts] of noted) {
        if (counts.heard > 0) counter.inc({ key, hung_up: 'false' }, counts.heard)
        if (counts.hungUp > 0) counter.inc({ key, hung_up: 'true' }, counts.hungUp)
        counts.heard = 0
        counts.hungUp = 0
      }
    },
  }

  function open(keyId: string): { heard: number; hungUp: number } {
    const key = noted.size < KEYS_MAX ? keyId : OTHERS
    const counts = noted.get(key) ?? { heard: 0, hungUp: 0 }
    noted.set(key, counts)
    return counts
  }
}
