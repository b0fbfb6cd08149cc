import type { Caller } from '../domain/access/caller.ts'
import type { Model } from '../domain/catalog/model.ts'
import type { Readiness } from './check-readiness.ts'
import type { ListTasks } from './video/list-tasks.ts'

/** What the HTTP edge may ask for: one entry per use case, put together in `compose.ts`. */
export interface App {
  authenticate(presentedKey: string | undefined): Promise<Caller>
  checkReadiness(): Promise<Readiness>
  listModels(): Promise<readonly Model[]>
  listTasks: ListTasks
}
