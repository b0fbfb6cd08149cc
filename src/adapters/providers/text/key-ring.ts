import type { Clock } from '../../../ports/clock.ts'

/** One of a provider's keys and its share of the calls. */
export interface RingKey {
  key: { reveal(): string }
  weight: number
}

/**
 * Several keys for one provider, each taking its share of the calls. A key that was refused or is out of turn rests for a
 * while; when all of them rest, the one that is back first is tried: a bad moment must not become an outage.
 */
export interface KeyRing {
  /**
   * The key whose turn it is, but none of `tried`. undefined when every other key rests: a call that one key has
   * refused does not try all the resting ones.
   */
  next(tried: ReadonlySet<RingKey>): RingKey | undefined
  /** True when it was awake until now. */
  rest(key: RingKey, forMs: number): boolean
  /** Whether one of them does not rest. */
  isAwake(): boolean
  /** How many keys rest now. */
  countResting(): number
}

interface Place {
  key: RingKey
  /** Smooth weighted round robin: it grows by the weight each turn, and shrinks by all weights when chosen. */
  turn: number
  restsUntilMs: number
}

export function createKeyRing(keys: readonly RingKey[], clock: Clock): KeyRing {
  const places: Place[] = keys.map((key) => ({ key, turn: 0, restsUntilMs: 0 }))
  return {
    next(tried) {
      const nowMs = clock.monotonicMs()
      let weights = 0
      let chosen: Place | undefined
      let backFirst: Place | undefined
      for (const place of places) {
        if (tried.has(place.key)) continue
        if (place.restsUntilMs > nowMs) {
          if (backFirst === undefined || place.restsUntilMs < backFirst.restsUntilMs) backFirst = place
          continue
        }
        weights += place.key.weight
        place.turn += place.key.weight
        if (chosen === undefined || place.turn > chosen.turn) chosen = place
      }
      if (chosen !== undefined) chosen.turn -= weights
      else if (tried.size === 0) chosen = backFirst
      return chosen?.key
    },
    rest(key, forMs) {
      const place = places.find((other) => other.key === key)
      if (place === undefined) return false
      const nowMs = clock.monotonicMs()
      const wasAwake = place.restsUntilMs <= nowMs
      place.restsUntilMs = Math.max(place.restsUntilMs, nowMs + forMs)
      return wasAwake
    },
    isAwake() {
      const nowMs = clock.monotonicMs()
      for (const { restsUntilMs } of places) if (restsUntilMs <= nowMs) return true
      return false
    },
    countResting() {
      const nowMs = clock.monotonicMs()
      return places.filter(({ restsUntilMs }) => restsUntilMs > nowMs).length
    },
  }
}
