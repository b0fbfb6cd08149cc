import { isTaskType, taskTypesOf } from '../families/b/task-types.ts'
import { accept, type FamilyBRequest, reject, type VideoRule } from './rule.ts'

/** A misspelt task type must not be replaced by one that the content implies. */
export const taskTypeIsKnown: VideoRule<FamilyBRequest> = ({ request: { taskType }, model }) =>
  taskType === undefined || isTaskType(taskType)
    ? accept
    : reject('task_type', `task_type must be one of ${taskTypesOf(model.version)} for this model.`)
