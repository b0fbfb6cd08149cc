import { promptOf } from '../families/b/media-of.ts'
import { accept, type Rule, reject, type TaskTypeContent } from './rule.ts'

/** These task types are told in words what to make of their media. */
export const needsAPrompt: Rule<TaskTypeContent> = ({ items, taskType }) =>
  promptOf(items) === ''
    ? reject('content', `${taskType} needs a text item with the prompt.`, 'missing_parameter')
    : accept
