import type { ReadName, ReportName, WriteName } from '../sql/run-operation.ts'
import type { SentError } from './sent-error.ts'

/** One operation on its way to a thread. */
export interface Call<Name extends string = WriterCallName> {
  id: number
  name: Name
  args: unknown
}

/** `ping` is a write of nothing: it takes the lock and gives it back. */
export type WriterCallName = WriteName | 'ping'

export type ReaderCallName = ReadName | ReportName

export type ToThread<Name extends string> = { kind: 'calls'; calls: Call<Name>[] } | { kind: 'close' }

export type Reply = { id: number; result: unknown } | { id: number; failure: SentError }
