import { accept, type Rule, reject, type TaskTypeContent } from './rule.ts'

/** Where the words of control of other task types were all there was, nothing says what to make. */
export const somethingIsLeft: Rule<TaskTypeContent> = ({ items, taskType }) =>
  items.length > 0
    ? accept
    : reject(
        'content',
        `content has no valid item: ${taskType} takes no text items with role cut_type or style_name.`,
      )
