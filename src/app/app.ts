import type { Authenticate } from './access/authenticate.ts'
import type { ListModels } from './catalog/list-models.ts'
import type { Readiness } from './check-readiness.ts'
import type { ListTasks } from './video/list-tasks.ts'

/** What the HTTP edge may ask for: one entry per use case, put together in `compose.ts`. */
export interface App {
  authenticate: Authenticate
  checkReadiness(): Promise<Readiness>
  listModels: ListModels
  listTasks: ListTasks
}
