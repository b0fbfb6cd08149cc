import type { Kysely } from 'kysely'
import type { EngineTraits } from './engine-traits.ts'
import { READS, REPORTS, WRITES } from './operations.ts'
import type { Tables } from './tables.ts'

/** Writes of one statement, or of several that need not be one, are atomic enough by themselves: an engine over the network saves two round trips. */
export const SINGLE_STATEMENT_WRITES: ReadonlySet<WriteName> = new Set<WriteName>([
  'bringAssetsForward',
  'bringCallbacksForward',
  'bringTasksForward',
  'claimAdminRequest',
  'claimDueAssets',
  'claimDueTasks',
  'claimExchange',
  'claimRequest',
  'createVerification',
  'dropExpired',
  'dropOldAudits',
  'dropOldContentLinks',
  'dropOldVerifications',
  'endOperatorSession',
  'finishAdminRequest',
  'finishVerification',
  'freeAdminRequest',
  'freeClaim',
  'insertAudit',
  'keepSignInLink',
  'keepVendorIds',
  'probeDeployment',
  'putOffNextTask',
  'refreshAsset',
  'refreshTask',
  'releaseDefaultGroup',
  'releaseExchange',
  'removeKeptValue',
  'removeTask',
  'renewOperatorSession',
  'replaceDigest',
  'replaceEncrypted',
  'rescheduleAsset',
  'rescheduleTasks',
  'setAsideTask',
  'useSignInLink',
])

export type ReadName = keyof typeof READS
export type ReadArgs<Name extends ReadName> = Parameters<(typeof READS)[Name]>[1]
export type ReadResult<Name extends ReadName> = Awaited<ReturnType<(typeof READS)[Name]>>

export type ReportName = keyof typeof REPORTS
export type ReportArgs<Name extends ReportName> = Parameters<(typeof REPORTS)[Name]>[1]
export type ReportResult<Name extends ReportName> = Awaited<ReturnType<(typeof REPORTS)[Name]>>

export type WriteName = keyof typeof WRITES
export type WriteArgs<Name extends WriteName> = Parameters<(typeof WRITES)[Name]>[1]
export type WriteResult<Name extends WriteName> = Awaited<ReturnType<(typeof WRITES)[Name]>>

export function runRead<Name extends ReadName>(
  db: Kysely<Tables>,
  name: Name,
  args: ReadArgs<Name>,
): Promise<ReadResult<Name>> {
  return CHECKED_READS[name](db, args)
}

export function runReport<Name extends ReportName>(
  db: Kysely<Tables>,
  name: Name,
  args: ReportArgs<Name>,
): Promise<ReportResult<Name>> {
  return CHECKED_REPORTS[name](db, args)
}

export function runWrite<Name extends WriteName>(
  db: Kysely<Tables>,
  name: Name,
  args: WriteArgs<Name>,
  traits: EngineTraits,
): Promise<WriteResult<Name>> {
  return CHECKED_WRITES[name](db, args, traits)
}

/** The same tables under a type that ties a name to its arguments, so that the calls above are checked. */
const CHECKED_READS: {
  [Name in ReadName]: (db: Kysely<Tables>, args: ReadArgs<Name>) => Promise<ReadResult<Name>>
} = READS

const CHECKED_REPORTS: {
  [Name in ReportName]: (db: Kysely<Tables>, args: ReportArgs<Name>) => Promise<ReportResult<Name>>
} = REPORTS

const CHECKED_WRITES: {
  [Name in WriteName]: (
    db: Kysely<Tables>,
    args: WriteArgs<Name>,
    traits: EngineTraits,
  ) => Promise<WriteResult<Name>>
} = WRITES
