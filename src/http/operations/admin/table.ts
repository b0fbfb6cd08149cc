import type { Operation } from '../../operation.ts'
import { keys } from './keys.ts'
import { operators } from './operators.ts'
import { organizations } from './organizations.ts'
import { users } from './users.ts'

/** The admin API, by resource. A row names its role, its schemas and its use case. */
export const ADMIN_OPERATIONS: readonly Operation[] = [...organizations, ...users, ...keys, ...operators]
