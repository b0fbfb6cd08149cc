import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/**
 * One row for the deployment. `sealed` is a known text, encrypted with the secret; it shows that a process
 * has the secret of this store. The readiness probe writes `probed_at_ms`.
 */
export const createDeployment: MigrationStep = ({ text, integer, strict }) => [
  sql`
    create table deployment (
      id ${integer} primary key not null,
      sealed ${text} not null,
      probed_at_ms ${integer} not null
    ) ${strict}`,
]
