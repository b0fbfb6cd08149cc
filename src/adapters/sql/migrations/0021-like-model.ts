import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Video model whose rules a model has, under another name, provider and price. */
export const createLikeModel: MigrationStep = ({ text }) => [
  sql`alter table models add column like_model ${text}`,
]
