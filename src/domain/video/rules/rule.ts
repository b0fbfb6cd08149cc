import { ApiError } from '../../api-error.ts'
import type { ErrorCode } from '../../errors.ts'
import type { FamilyBModel } from '../families/b/order.ts'
import type { TaskType } from '../families/b/task-types.ts'
import type { ContentItem, VideoRequest } from '../request.ts'

/** One condition of a request. A rule returns an error, or `accept`. */
export type VideoRule<Subject> = (subject: Subject) => ApiError | typeof accept

export interface VideoContent {
  items: readonly ContentItem[]
}

/** Subject of a rule that runs before the task type of a family B request is chosen. */
export interface FamilyBRequest {
  request: VideoRequest
  model: FamilyBModel
}

/** Family B content with its task type: default roles are filled in and tags have their `@`. */
export interface TaskTypeContent extends VideoContent {
  taskType: TaskType
}

export const accept = undefined

type RuleCode = Extract<ErrorCode, 'missing_parameter' | 'invalid_parameter' | 'unsupported_combination'>

export function reject(param: string, message: string, code: RuleCode = 'invalid_parameter'): ApiError {
  return new ApiError(code, { param, message })
}

/** Throws the first error in the order of the list. */
export function checkRules<Subject>(rules: readonly VideoRule<Subject>[], subject: Subject): void {
  for (const rule of rules) {
    const apiError = rule(subject)
    if (apiError !== accept) throw apiError
  }
}

/** Position of a part of an item for `param` and messages: `content[2].tag`. */
export function placeOf({ index }: ContentItem, field: 'type' | 'role' | 'tag' | 'time_stamp'): string {
  return `content[${index}].${field}`
}
