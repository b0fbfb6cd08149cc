import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Providers that operators add while the gateway runs, and the version by which replicas notice a change. */
export const createProviders: MigrationStep = ({ id, text, integer, strict }) => [
  sql`
    create table providers (
      id ${id} primary key not null,
      name ${id} not null unique,
      driver ${text} not null,
      settings ${text} not null,
      models ${text},
      sealed_secrets ${text},
      state ${text} not null check (state in ('active', 'disabled')),
      version ${integer} not null,
      created_at_ms ${integer} not null,
      changed_at_ms ${integer} not null
    ) ${strict}`,
  sql`create table provider_changes (id ${integer} primary key not null, version ${integer} not null) ${strict}`,
]
