import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Monthly budget of an organization, and the charges in the month of its last charge. */
export const createBudgets: MigrationStep = ({ text, integer }) => [
  sql`
    alter table organizations add column monthly_budget_micros ${integer}
    check (monthly_budget_micros between 0 and 9007199254740991)`,
  sql`
    alter table organizations add column budget_warn_percent ${integer}
    check (budget_warn_percent between 1 and 100)`,
  sql`alter table organizations add column budget_month ${text}`,
  sql`
    alter table organizations add column budget_used_micros ${integer} default 0 not null
    check (budget_used_micros between -9007199254740991 and 9007199254740991)`,
  sql`alter table organizations add column budget_warned_month ${text}`,
  sql`
    create index organizations_with_budget on organizations (id)
    where monthly_budget_micros is not null`,
]
