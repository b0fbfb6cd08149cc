import { isTaskType, TASK_TYPES, taskTypesOf } from '../families/b/task-types.ts'
import { accept, type FamilyBRequest, reject, type VideoRule } from './rule.ts'

/** The two versions of family B share no task type. */
export const taskTypeFitsTheModel: VideoRule<FamilyBRequest> = ({ request: { taskType }, model }) => {
  if (taskType === undefined || !isTaskType(taskType)) return accept
  if (TASK_TYPES[taskType].version === model.version) return accept
  return reject(
    'task_type',
    `This model does not make ${taskType}. It takes ${taskTypesOf(model.version)}.`,
    'unsupported_combination',
  )
}
