import type { Model } from '../domain/catalog/model.ts'
import type { Authenticate } from './access/authenticate.ts'
import type { Readiness } from './check-readiness.ts'
import type { CheckRate } from './limits/check-rate.ts'
import type { QuotaSync } from './quota/quota-sync.ts'
import type { ListTasks } from './video/list-tasks.ts'

/** What the HTTP edge may ask for: one entry per use case, put together in `src/compose/`. */
export interface App {
  authenticate: Authenticate
  checkRate: CheckRate
  checkReadiness(): Promise<Readiness>
  /** At once while the catalog is fresh, and the same array while nothing changed. */
  listModels(): readonly Model[] | Promise<readonly Model[]>
  listTasks: ListTasks
  /** undefined: no quota service is composed. */
  quotaSync: QuotaSync | undefined
}
