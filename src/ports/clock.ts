export interface Clock {
  /** Wall time, Unix milliseconds. It may jump; never subtract two readings to wait. */
  nowMs(): number
  /** Milliseconds since some fixed moment, with fractions; never jumps. For durations and deadlines. */
  monotonicMs(): number
}

/** A number from 0 to below 1, each as likely as any other. */
export type Draw = () => number

/** Resolves after that long. It keeps no process alive. */
export type Pause = (ms: number) => Promise<void>
