import type { Clock } from '../../../ports/clock.ts'

/** Key of a provider, and its share of the calls. */
export interface RingKey {
  key: { reveal(): string }
  weight: number
}

/**
 * Distributes calls over the keys of one provider by weight. A refused or limited key rests for a while. When all keys
 * rest, the key whose rest ends first is tried, so that a short problem does not become an outage.
 */
export interface KeyRing {
  /** Returns the next untried key, if any; a resting key only for a call that has tried no key yet. */
  next(tried: ReadonlySet<RingKey>): RingKey | undefined
  /** Lets a key rest. Returns true when it was not resting before. */
  rest(key: RingKey, forMs: number): boolean
  /** Tells whether at least one key is not resting. */
  isAwake(): boolean
  countResting(): number
}

interface KeyState {
  key: RingKey
  /** Smooth weighted round robin: grows by the key's weight, and shrinks by the sum of the weights when chosen. */
  turn: number
  restsUntilMs: number
}

export function createKeyRing(keys: readonly RingKey[], clock: Clock): KeyRing {
  const states: KeyState[] = keys.map((key) => ({ key, turn: 0, restsUntilMs: 0 }))
  return {
    next(tried) {
      const nowMs = clock.monotonicMs()
      let weights = 0
      let chosen: KeyState | undefined
      let nextAvailable: KeyState | undefined
      for (const state of states) {
        if (tried.has(state.key)) continue
        if (state.restsUntilMs > nowMs) {
          if (nextAvailable === undefined || state.restsUntilMs < nextAvailable.restsUntilMs)
            nextAvailable = state
          continue
        }
        weights += state.key.weight
        state.turn += state.key.weight
        if (chosen === undefined || state.turn > chosen.turn) chosen = state
      }
      if (chosen !== undefined) chosen.turn -= weights
      else if (tried.size === 0) chosen = nextAvailable
      return chosen?.key
    },
    rest(key, forMs) {
      const state = states.find((other) => other.key === key)
      if (state === undefined) return false
      const nowMs = clock.monotonicMs()
      const wasAwake = state.restsUntilMs <= nowMs
      state.restsUntilMs = Math.max(state.restsUntilMs, nowMs + forMs)
      return wasAwake
    },
    isAwake() {
      const nowMs = clock.monotonicMs()
      for (const { restsUntilMs } of states) if (restsUntilMs <= nowMs) return true
      return false
    },
    countResting() {
      const nowMs = clock.monotonicMs()
      return states.filter(({ restsUntilMs }) => restsUntilMs > nowMs).length
    },
  }
}
