import type { Operation } from '../../operation.ts'
import { assets } from './assets.ts'
import { content } from './content.ts'
import { demo } from './demo.ts'
import { events } from './events.ts'
import { installation } from './installation.ts'
import { keys } from './keys.ts'
import { ledger } from './ledger.ts'
import { live } from './live.ts'
import { models } from './models.ts'
import { operators } from './operators.ts'
import { organizations } from './organizations.ts'
import { providers } from './providers.ts'
import { requests } from './requests.ts'
import { session } from './session.ts'
import { tasks } from './tasks.ts'
import { usage } from './usage.ts'
import { users } from './users.ts'

/** Admin API by resource. A row names its role, its schemas and its use case. */
export const ADMIN_OPERATIONS: readonly Operation[] = [
  ...organizations,
  ...users,
  ...keys,
  ...ledger,
  ...models,
  ...tasks,
  ...events,
  ...assets,
  ...content,
  ...usage,
  ...requests,
  ...providers,
  ...installation,
  ...operators,
  ...demo,
  ...session,
  live,
]
