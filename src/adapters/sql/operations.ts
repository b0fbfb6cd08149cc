import type { Kysely } from 'kysely'
import { createApiKey } from './api-keys/create-api-key.ts'
import { findCaller } from './api-keys/find-caller.ts'
import { listApiKeys } from './api-keys/list-api-keys.ts'
import { revokeApiKey } from './api-keys/revoke-api-key.ts'
import type { EngineTraits } from './engine-traits.ts'
import { fillModelsWhenEmpty } from './models/fill-models-when-empty.ts'
import { listModels } from './models/list-models.ts'
import { createFirst } from './organizations/create-first.ts'
import { createOrganization } from './organizations/create-organization.ts'
import { findOrganization } from './organizations/find-organization.ts'
import { findWebhookSecrets } from './organizations/find-webhook-secrets.ts'
import { listOrganizations } from './organizations/list-organizations.ts'
import { rotateWebhookSecret } from './organizations/rotate-webhook-secret.ts'
import type { Tables } from './tables.ts'
import { createUser } from './users/create-user.ts'
import { findUser } from './users/find-user.ts'
import { listUsers } from './users/list-users.ts'
import { setUserLimit } from './users/set-user-limit.ts'
import { listTasks } from './video-tasks/list-tasks.ts'

/** Every question the store answers. Arguments and results are plain data. */
export const READS = {
  findCaller,
  findOrganization,
  findUser,
  findWebhookSecrets,
  listApiKeys,
  listModels,
  listOrganizations,
  listTasks,
  listUsers,
}

/** Every change to the store. Arguments and results are plain data: on SQLite they cross to the writer's thread. */
export const WRITES = {
  createApiKey,
  createFirst,
  createOrganization,
  createUser,
  fillModelsWhenEmpty,
  revokeApiKey,
  rotateWebhookSecret,
  setUserLimit,
}

/** Writes of one statement are atomic by themselves: an engine over the network saves two round trips. */
export const SINGLE_STATEMENT_WRITES: ReadonlySet<WriteName> = new Set<WriteName>([
  'createOrganization',
  'revokeApiKey',
  'rotateWebhookSecret',
  'setUserLimit',
])

export type ReadName = keyof typeof READS
export type ReadArgs<Name extends ReadName> = Parameters<(typeof READS)[Name]>[1]
export type ReadResult<Name extends ReadName> = Awaited<ReturnType<(typeof READS)[Name]>>

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

export function runWrite<Name extends WriteName>(
  db: Kysely<Tables>,
  name: Name,
  args: WriteArgs<Name>,
  traits: EngineTraits,
): Promise<WriteResult<Name>> {
  return CHECKED_WRITES[name](db, args, traits)
}

/** The same tables under a type that ties a name to its arguments, so that the two calls above are checked. */
const CHECKED_READS: {
  [Name in ReadName]: (db: Kysely<Tables>, args: ReadArgs<Name>) => Promise<ReadResult<Name>>
} = READS

const CHECKED_WRITES: {
  [Name in WriteName]: (
    db: Kysely<Tables>,
    args: WriteArgs<Name>,
    traits: EngineTraits,
  ) => Promise<WriteResult<Name>>
} = WRITES
