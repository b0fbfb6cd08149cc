export interface Clock {
  /** Wall time, Unix milliseconds. It may jump; never subtract two readings to wait. */
  nowMs(): number
  /** Milliseconds since a fixed moment, with fractions; never jumps. For durations and deadlines. */
  monotonicMs(): number
}

/** Returns a number from 0 to below 1, evenly distributed. */
export type Draw = () => number

/** Resolves after that time. It does not keep the process alive. */
export type Pause = (ms: number) => Promise<void>
