import { checkCountTokensRequest, checkMessagesRequest } from '../messages/check-request.ts'
import { checkResponsesRequest } from '../responses/check-request.ts'

/** What kind of request a text body has to be. */
export type TextShape = 'messages' | 'responses' | 'count-tokens'

const CHECKS: Record<TextShape, (value: unknown) => void> = {
  messages: checkMessagesRequest,
  responses: checkResponsesRequest,
  'count-tokens': checkCountTokensRequest,
}

/** Throws a `Refusal` for a body that is no such request. */
export function checkShape(shape: TextShape, value: unknown): void {
  CHECKS[shape](value)
}
