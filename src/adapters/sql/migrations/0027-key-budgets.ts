import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Monthly budget of a key, the charges in the month of its last charge, and the holds that it opened. */
export const createKeyBudgets: MigrationStep = ({ id, text, integer }) => [
  sql`
    alter table api_keys add column monthly_budget_micros ${integer}
    check (monthly_budget_micros between 0 and 9007199254740991)`,
  sql`alter table api_keys add column budget_month ${text}`,
  sql`
    alter table api_keys add column budget_used_micros ${integer} default 0 not null
    check (budget_used_micros between -9007199254740991 and 9007199254740991)`,
  sql`alter table holds add column api_key_id ${id}`,
  sql`
    create index holds_open_of_key on holds (api_key_id)
    where state = 'open' and api_key_id is not null`,
  sql`create index api_keys_with_budget on api_keys (id) where monthly_budget_micros is not null`,
]
