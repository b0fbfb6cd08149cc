/** Faults of a vendor. Times and rates are real: the sandbox clock does not shorten them. */
export type Fault =
  /** Refuses with this answer, and does nothing. */
  | { kind: 'status'; status: number; body?: unknown; headers?: Record<string, string> }
  /** Answers as usual, but later. */
  | { kind: 'delay'; ms: number }
  /** Takes the request and stays silent. */
  | { kind: 'hang' }
  /** Does the work, then closes the connection without an answer. */
  | { kind: 'lose-answer' }
  /** Does the work, and closes the connection after this number of bytes of the answer's body. */
  | { kind: 'cut'; afterBytes: number }
  /** Does the work, and answers with bytes without meaning. */
  | { kind: 'garbage' }
  /** Does the work, and sends the body slowly. */
  | { kind: 'drip'; bytesPerSecond: number }

export interface FaultRule {
  id: string
  /** Left out: every part. */
  part?: string
  /** Left out: every operation. */
  operation?: string
  /** Number of requests that get the fault; then the rule is spent. Left out: all. */
  times?: number
  /** Number of requests that pass first. */
  after?: number
  fault: Fault
}
