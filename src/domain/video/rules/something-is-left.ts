import { accept, reject, type TaskTypeContent, type VideoRule } from './rule.ts'

/** A request with only special texts of other task types has no content. */
export const somethingIsLeft: VideoRule<TaskTypeContent> = ({ items, taskType }) =>
  items.length > 0
    ? accept
    : reject(
        'content',
        `content has no valid item: ${taskType} takes no text items with role cut_type or style_name.`,
      )
