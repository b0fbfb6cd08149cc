import { promptOf } from '../families/b/media-of.ts'
import { accept, reject, type TaskTypeContent, type VideoRule } from './rule.ts'

/** A prompt says what `reference` and `extension` make of the media. */
export const needsAPrompt: VideoRule<TaskTypeContent> = ({ items, taskType }) =>
  promptOf(items) === ''
    ? reject('content', `${taskType} needs a text item with the prompt.`, 'missing_parameter')
    : accept
