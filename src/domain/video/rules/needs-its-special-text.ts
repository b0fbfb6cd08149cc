import { TASK_TYPES } from '../families/b/task-types.ts'
import { accept, placeOf, reject, type TaskTypeContent, type VideoRule } from './rule.ts'

/** The kind of cut and the name of the style are separate texts beside the prompt. */
export const needsItsSpecialText: VideoRule<TaskTypeContent> = ({ items, taskType }) => {
  const { textRole } = TASK_TYPES[taskType]
  const [first, second] = items.filter(({ kind, role }) => kind === 'text' && role === textRole)
  if (first === undefined) {
    return reject('content', `${taskType} needs a text item with role ${textRole}.`, 'missing_parameter')
  }
  if (second === undefined) return accept
  return reject(
    placeOf(second, 'role'),
    `${taskType} takes only one text item with role ${textRole}. Leave the others out.`,
    'unsupported_combination',
  )
}
