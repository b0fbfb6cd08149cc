import type { ReadArgs, ReadName, ReadResult, WriteArgs, WriteName, WriteResult } from './operations.ts'

/**
 * Where the operations run. A write is one transaction: it is durable when it resolves and leaves nothing behind
 * when it rejects, unless the engine was lost while it committed.
 */
export interface Engine {
  read<Name extends ReadName>(name: Name, args: ReadArgs<Name>): Promise<ReadResult<Name>>
  write<Name extends WriteName>(name: Name, args: WriteArgs<Name>): Promise<WriteResult<Name>>
  ping(): Promise<void>
  close(): Promise<void>
}
