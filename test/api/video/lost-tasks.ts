import { ApiError } from '../../../src/domain/api-error.ts'
import type { Store } from '../../../src/ports/store.ts'

/** A store in which no task can be found while `isAway` is set. */
export function losingTasks() {
  const state = { isAway: false }
  const around = ({ tasks, ...store }: Store): Store => ({
    ...store,
    tasks: {
      ...tasks,
      find: (query) => (state.isAway ? Promise.reject(new ApiError('store_unavailable')) : tasks.find(query)),
    },
  })
  return { state, around }
}
