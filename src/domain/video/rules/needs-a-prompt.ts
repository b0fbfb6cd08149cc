import { promptOf } from '../families/b/media-of.ts'
import { accept, type Rule, reject, type TaskTypeContent } from './rule.ts'

/** For these task types a text says what to make of the media. */
export const needsAPrompt: Rule<TaskTypeContent> = ({ items, taskType }) =>
  promptOf(items) === ''
    ? reject('content', `${taskType} needs a text item with the prompt.`, 'missing_parameter')
    : accept
