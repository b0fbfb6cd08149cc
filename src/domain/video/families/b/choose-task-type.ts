import type { VideoRequest } from '../../request.ts'
import { reject } from '../../rules/rule.ts'
import { inferTaskType } from './infer-task-type.ts'
import type { FamilyBModel } from './model.ts'
import { isTaskType, type TaskType, taskTypesOf } from './task-types.ts'

/** What the client said, else what the content says. */
export function chooseTaskType(request: VideoRequest, { version }: FamilyBModel): TaskType {
  const given = request.taskType
  const chosen = given !== undefined && isTaskType(given) ? given : inferTaskType(request.items, version)
  if (chosen !== undefined) return chosen
  throw reject(
    'task_type',
    `The content fits no task type of this model. Set task_type to one of ${taskTypesOf(version)} and send what it needs.`,
    'missing_parameter',
  )
}
