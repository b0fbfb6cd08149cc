import { TASK_TYPES } from '../families/b/task-types.ts'
import type { ContentItem } from '../request.ts'
import { accept, placeOf, reject, type TaskTypeContent, type VideoRule } from './rule.ts'

/** A role decides the use of an item, so the gateway must not guess an unknown one. */
export const rolesFitTheTaskType: VideoRule<TaskTypeContent> = ({ items, taskType }) => {
  const rolesOf = ({ kind }: ContentItem) =>
    kind === 'text' ? undefined : TASK_TYPES[taskType].media[kind]?.roles
  const wrong = items.find((item) => item.role !== undefined && rolesOf(item)?.includes(item.role) === false)
  if (wrong === undefined) return accept
  return reject(
    placeOf(wrong, 'role'),
    `The role of ${wrong.kind === 'video' ? 'a' : 'an'} ${wrong.kind}_url item in ${taskType} must be one of: ${rolesOf(wrong)?.join(', ')}.`,
  )
}
