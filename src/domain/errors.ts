import { INVALID_JSON } from '@sluice/dialects/request-error'
import { CHARGED_ERRORS } from './charged-errors.ts'
import { MEDIA_ERRORS } from './media-errors.ts'
import { PROVIDER_ERRORS } from './provider-errors.ts'
import { SERVER_ERRORS } from './server-errors.ts'

/**
 * Every error of Sluice: code -> status, type and the text that clients read. `docs/errors.md` is generated from this
 * table, with `advice` as an extra sentence.
 */
export const ERRORS = {
  invalid_json: {
    status: 400,
    type: 'invalid_request_error',
    message: INVALID_JSON,
    advice:
      'Send one JSON value in UTF-8, without a byte order mark, nested at most 64 levels deep, with at most 8,192 values (262,144 on the text endpoints, 65,536 for embeddings).',
  },
  missing_parameter: {
    status: 400,
    type: 'invalid_request_error',
    message: 'A required parameter is missing.',
    advice: 'Add the parameter that `param` names.',
  },
  quote_not_found: {
    status: 400,
    type: 'invalid_request_error',
    message: 'There is no such quote, or it was used before.',
    advice: 'Ask for a quote with `POST /v1/video/quotes`, and use it once.',
  },
  quote_expired: {
    status: 400,
    type: 'invalid_request_error',
    message: 'The quote is no longer valid.',
    advice: 'Ask for another one with `POST /v1/video/quotes`; it is valid for 15 minutes.',
  },
  quote_mismatch: {
    status: 400,
    type: 'invalid_request_error',
    message: 'The quote was given for another order.',
    advice: 'Send the body that was quoted; only `metadata` and `callback_url` may differ.',
  },
  invalid_parameter: {
    status: 400,
    type: 'invalid_request_error',
    message: 'A parameter has a value that is not allowed.',
    advice: 'Correct the parameter that `param` names; the message says what it takes.',
  },
  previous_response_not_found: {
    status: 400,
    type: 'invalid_request_error',
    message: 'The response that the request continues is not kept.',
    advice:
      'Send the whole conversation without `previous_response_id`. To continue by ids, ask for each reply with `store: true`, or stay on one WebSocket. An operator can keep replies without it: `REPLIES_KEPT_BY_DEFAULT`, or `org update ID --keep-replies default`.',
  },
  unsupported_combination: {
    status: 400,
    type: 'invalid_request_error',
    message: 'These parameters cannot be combined.',
    advice: 'Take out one of the parameters that the message names.',
  },
  invalid_cursor: {
    status: 400,
    type: 'invalid_request_error',
    message: 'The cursor is not valid.',
    advice:
      'Use `next_cursor` of the page before, unchanged, with the same API key; or start without a cursor.',
  },
  content_policy_violation: {
    status: 400,
    type: 'invalid_request_error',
    message: 'The provider refused the content.',
    advice: 'Change the prompt or the media; sending the same request again gives the same answer.',
  },
  context_length_exceeded: {
    status: 400,
    type: 'invalid_request_error',
    message: 'prompt is too long',
    advice:
      'Send a shorter conversation, or ask for fewer tokens: the message says what the model can take. Coding agents do so by themselves.',
  },
  ...CHARGED_ERRORS,
  task_not_deletable: {
    status: 400,
    type: 'invalid_request_error',
    message: 'This task cannot be deleted.',
    advice: 'Wait until the task has ended. Tasks of family B cannot be deleted at all.',
  },
  asset_not_usable: {
    status: 400,
    type: 'invalid_request_error',
    message: 'The asset cannot be used here.',
    advice: 'Use an asset of your organization that is `active` and of the type the item asks for.',
  },
  group_id_error: {
    status: 400,
    type: 'invalid_request_error',
    message: 'group id error',
    advice: 'Use a `group_id` that a verification of your own organization returned.',
  },
  malformed_request: {
    status: 400,
    type: 'invalid_request_error',
    message: 'The request is not valid HTTP.',
    advice: 'Check the request line, the headers and the encoding of the path.',
  },
  invalid_api_key: {
    status: 401,
    type: 'authentication_error',
    message: 'Missing or invalid API key.',
    advice: 'Send `Authorization: Bearer sk-sluice-...` with a key that has not been revoked.',
  },
  forbidden: {
    status: 403,
    type: 'permission_error',
    message: 'forbidden',
    advice:
      'The operator has a role that does not allow this act of the admin API. Use the token of another role, or the admin key.',
  },
  insufficient_balance: {
    status: 402,
    type: 'billing_error',
    message: 'Insufficient credit balance.',
    advice: 'Ask your operator to add credit: `sluice credit add --org <id> --usd 25`.',
  },
  organization_disabled: {
    status: 403,
    type: 'permission_error',
    message: 'This organization is disabled.',
    advice: 'Ask your operator to enable it again. Running streams end, and what they sent is charged.',
  },
  user_disabled: {
    status: 403,
    type: 'permission_error',
    message: 'This user is disabled.',
    advice: 'Ask your operator to enable the user again. Running streams end, and what they sent is charged.',
  },
  model_not_allowed: {
    status: 403,
    type: 'permission_error',
    message: 'This API key may not use this model.',
    advice:
      '`GET /v1/models` lists the models that your key may use; ask your operator for a key with others.',
  },
  model_not_found: {
    status: 404,
    type: 'not_found_error',
    message: 'The model does not exist or is not offered here.',
    advice: '`GET /v1/models` lists the models you can use.',
  },
  task_not_found: {
    status: 404,
    type: 'not_found_error',
    message: 'Task not found.',
    advice: 'Tasks are visible only to the API key that made them.',
  },
  asset_not_found: {
    status: 404,
    type: 'not_found_error',
    message: 'Asset not found.',
    advice: 'Assets are visible only to the organization that made them.',
  },
  not_found: {
    status: 404,
    type: 'not_found_error',
    message: 'There is nothing at this path.',
    advice: '`/docs` lists every path.',
  },
  method_not_allowed: {
    status: 405,
    type: 'invalid_request_error',
    message: 'This path does not take this method.',
    advice: 'The `Allow` header of the answer names the methods it takes.',
  },
  request_timeout: {
    status: 408,
    type: 'invalid_request_error',
    message: 'The request did not arrive in time.',
    advice: 'Send the headers and the body without long pauses.',
  },
  idempotency_key_in_use: {
    status: 409,
    type: 'invalid_request_error',
    message: 'A request with this Idempotency-Key is still running.',
    advice: 'Repeat the same request a little later.',
  },
  ...PROVIDER_ERRORS,
  ...MEDIA_ERRORS,
  receipt_not_ready: {
    status: 409,
    type: 'invalid_request_error',
    message: 'The task has not ended: its receipt is made then.',
    advice: 'Ask again when the task is `succeeded`, `failed` or `cancelled`.',
  },
  idempotency_reply_gone: {
    status: 409,
    type: 'invalid_request_error',
    message:
      'The request with this Idempotency-Key was answered and charged, but its reply is no longer kept. It is not charged again.',
    advice:
      'Send a new key, which is a new request and is charged. Replies of more than 1 MiB are not kept, and the oldest ones of an organization go first.',
  },
  content_gone: {
    status: 410,
    type: 'not_found_error',
    message: 'The file is no longer available.',
    advice:
      'A copy goes after `MEDIA_KEPT_DAYS`, with its task, and when a person in it takes the consent back. A link is valid for 24 hours: get the task again for a fresh one.',
  },
  receipt_gone: {
    status: 410,
    type: 'not_found_error',
    message:
      'There is no receipt for this id, and none can be made: usage rows of that time are no longer kept. If an earlier version of the gateway made one, it is found by its usage_id.',
    advice:
      'Ask for receipts of text requests while their usage rows are kept (`USAGE_ROWS_KEPT_DAYS`): a receipt that was made can be read without limit by its `usage_id`, and by its request id unless an earlier version made it. `GET /v1/usage` still has the sums.',
  },
  body_too_large: {
    status: 413,
    type: 'invalid_request_error',
    message: 'The request body is too large.',
    advice: 'Send at most 1 MiB, 8 MiB for embeddings, or 32 MiB on the other text endpoints.',
  },
  uri_too_long: {
    status: 414,
    type: 'invalid_request_error',
    message: 'The request address is too long.',
    advice: 'Keep path and query under 8 KiB.',
  },
  unsupported_media_type: {
    status: 415,
    type: 'invalid_request_error',
    message: 'The body must be sent as application/json, UTF-8, not compressed.',
    advice: 'Set `Content-Type: application/json` and leave out `Content-Encoding`.',
  },
  expectation_failed: {
    status: 417,
    type: 'invalid_request_error',
    message: 'The expectation in the Expect header cannot be met.',
    advice: 'Leave the header out, or send `Expect: 100-continue`.',
  },
  idempotency_key_reused: {
    status: 422,
    type: 'invalid_request_error',
    message: 'This Idempotency-Key was used with another body.',
    advice: 'Take a new key for a new request.',
  },
  upgrade_required: {
    status: 426,
    type: 'invalid_request_error',
    message: 'There is no WebSocket here: use POST, with server-sent events for a stream (HTTP SSE).',
    advice:
      'Send the request as `POST` with `stream: true`; clients that try a WebSocket first then do so by themselves.',
  },
  rate_limit_exceeded: {
    status: 429,
    type: 'rate_limit_error',
    message: 'Too many requests.',
    advice: 'Wait as long as `Retry-After` says.',
  },
  daily_limit_exceeded: {
    status: 429,
    type: 'rate_limit_error',
    message: 'The daily spending limit of this user is reached.',
    advice: 'Wait for the next day, or ask your operator to raise the limit.',
  },
  budget_exceeded: {
    status: 429,
    type: 'rate_limit_error',
    message: 'The monthly budget is reached.',
    advice:
      'Wait for the next calendar month, or ask your operator to raise the budget. What running requests hold may be given back before.',
  },
  funds_in_use: {
    status: 429,
    type: 'rate_limit_error',
    message: 'What is left does not cover this request beside those that are still running.',
    advice:
      'Wait as long as `Retry-After` says: requests beyond the money that is left run one after the other. More credit, a higher daily limit or a smaller `max_tokens` let more run at once.',
  },
  upstream_busy: {
    status: 429,
    type: 'rate_limit_error',
    message: 'The provider is busy.',
    advice: 'Wait as long as `Retry-After` says.',
  },
  headers_too_large: {
    status: 431,
    type: 'invalid_request_error',
    message: 'The request headers are too large.',
    advice: 'Keep all headers together under 32 KiB.',
  },
  ...SERVER_ERRORS,
} as const satisfies Record<string, { status: number; type: string; message: string; advice: string }>

export type ErrorCode = keyof typeof ERRORS
