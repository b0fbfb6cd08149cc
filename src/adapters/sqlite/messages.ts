import type { SentError } from './sent-error.ts'

/** One operation on its way to a thread. */
export interface Call {
  id: number
  /** Of the operation. `ping` is a write of nothing: it takes the lock and gives it back. */
  name: string
  args: readonly unknown[]
}

export type ToThread = { kind: 'calls'; calls: Call[] } | { kind: 'close' }

export type Reply = { id: number; result: unknown } | { id: number; failure: SentError }
