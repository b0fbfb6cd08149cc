import { TASK_TYPES } from '../families/b/task-types.ts'
import type { ContentItem } from '../request.ts'
import { accept, placeOf, type Rule, reject, type TaskTypeContent } from './rule.ts'

/** A role says what an item is used for; the gateway must not guess an unknown one. */
export const rolesFitTheTaskType: Rule<TaskTypeContent> = ({ items, taskType }) => {
  const rolesOf = ({ kind }: ContentItem) =>
    kind === 'text' ? undefined : TASK_TYPES[taskType].media[kind]?.roles
  const wrong = items.find((item) => item.role !== undefined && rolesOf(item)?.includes(item.role) === false)
  if (wrong === undefined) return accept
  return reject(
    placeOf(wrong, 'role'),
    `The role of ${wrong.kind === 'video' ? 'a' : 'an'} ${wrong.kind}_url item in ${taskType} must be one of: ${rolesOf(wrong)?.join(', ')}.`,
  )
}
