import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/**
 * One row for the whole deployment. `sealed`: a known text, encrypted with the secret, which shows that a process has the
 * secret of this store. `probed_at_ms`: written by the readiness probe.
 */
export const createDeployment: MigrationStep = ({ text, integer, strict }) => [
  sql`
    create table deployment (
      id ${integer} primary key not null,
      sealed ${text} not null,
      probed_at_ms ${integer} not null
    ) ${strict}`,
]
