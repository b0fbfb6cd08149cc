/** Ways in which a vendor can disappoint. Times and rates are real ones: the sandbox clock does not shorten them. */
export type Fault =
  /** Refuses with this answer, and does nothing. */
  | { kind: 'status'; status: number; body?: unknown; headers?: Record<string, string> }
  /** Answers as usual, but later. */
  | { kind: 'delay'; ms: number }
  /** Takes the request and stays silent. */
  | { kind: 'hang' }
  /** Does the work, then closes the connection without a word. */
  | { kind: 'lose-answer' }
  /** Does the work, and closes the connection after so many bytes of the answer's body. */
  | { kind: 'cut'; afterBytes: number }
  /** Does the work, and answers with bytes that mean nothing. */
  | { kind: 'garbage' }
  /** Does the work, and sends the body slowly. */
  | { kind: 'drip'; bytesPerSecond: number }

export interface FaultRule {
  id: string
  /** Left out: every part. */
  part?: string
  /** Left out: every operation. */
  operation?: string
  /** So many requests get the fault, then the rule is spent. Left out: all. */
  times?: number
  /** So many requests pass first. */
  after?: number
  fault: Fault
}
