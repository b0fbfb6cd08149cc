import type { SentError } from './sent-error.ts'

/** Call of a statement on a thread. */
export interface StoreCall {
  id: number
  /** Name of the statement. `ping` takes the write lock and writes nothing. */
  name: string
  args: readonly unknown[]
}

export type StoreThreadMessage = { kind: 'calls'; calls: StoreCall[] } | { kind: 'close' }

export type StoreReply = { id: number; result: unknown } | { id: number; failure: SentError }
