import type {
  ReadArgs,
  ReadName,
  ReadResult,
  ReportArgs,
  ReportName,
  ReportResult,
  WriteArgs,
  WriteName,
  WriteResult,
} from './run-operation.ts'

/**
 * Where the operations run. A write is one transaction: it is durable when it resolves and leaves nothing behind
 * when it rejects, unless the engine was lost while it committed.
 */
export interface Engine {
  read<Name extends ReadName>(name: Name, args: ReadArgs<Name>): Promise<ReadResult<Name>>
  write<Name extends WriteName>(name: Name, args: WriteArgs<Name>): Promise<WriteResult<Name>>
  /** A read that looks at many rows. It holds up nothing but others of its kind. */
  readLong<Name extends ReadName>(name: Name, args: ReadArgs<Name>): Promise<ReadResult<Name>>
  /** On one snapshot of the store and a connection of its own, so that it may take its time. */
  report<Name extends ReportName>(name: Name, args: ReportArgs<Name>): Promise<ReportResult<Name>>
  ping(): Promise<void>
  close(): Promise<void>
}
