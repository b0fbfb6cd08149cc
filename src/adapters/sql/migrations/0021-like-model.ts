import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Video model that a model works like: an operator can give a known one another name, provider and price. */
export const createLikeModel: MigrationStep = ({ text }) => [
  sql`alter table models add column like_model ${text}`,
]
