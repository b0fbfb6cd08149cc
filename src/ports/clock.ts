export interface Clock {
  /** Wall time, Unix milliseconds. It may jump: never subtract two readings to wait. */
  nowMs(): number
  /** Milliseconds since a fixed moment, with fractions. It never jumps. */
  monotonicMs(): number
}

/** Returns a number from 0 to below 1, evenly distributed. */
export type Draw = () => number

/** Resolves after `ms` milliseconds. A pause does not keep the process alive. */
export type Pause = (ms: number) => Promise<void>
