import type { WriteName } from '../sql/operations.ts'
import type { Failure } from './failure.ts'

/** One write on its way to the writer's thread. */
export interface Call {
  id: number
  /** `ping` is a write of nothing: it takes the lock and gives it back. */
  name: WriteName | 'ping'
  args: unknown
}

export type ToWriter = { kind: 'calls'; calls: Call[] } | { kind: 'close' }

export type Reply = { id: number; result: unknown } | { id: number; failure: Failure }
