import { hasEnded } from '../../domain/video/task.ts'
import { newTaskJson, type TaskView, taskJson } from '../../domain/video/task-view.ts'

/**
 * A client that reads in an answer that the task has ended will not ask again, and so gets all of it. Of a task that was
 * deleted since, a repeated request learns no more than that there was one.
 */
export function presentNewTask(task: TaskView): string {
  return hasEnded(task.status) && task.deletedAtMs === null ? taskJson(task) : newTaskJson(task)
}
