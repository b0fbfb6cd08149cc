import { isTaskType, taskTypesOf } from '../families/b/task-types.ts'
import { accept, type FamilyBRequest, type Rule, reject } from './rule.ts'

/** A misspelt task type must not turn into whatever the content happens to look like. */
export const taskTypeIsKnown: Rule<FamilyBRequest> = ({ request: { taskType }, model }) =>
  taskType === undefined || isTaskType(taskType)
    ? accept
    : reject('task_type', `task_type must be one of ${taskTypesOf(model.version)} for this model.`)
