import { invalidParameter } from '../../../domain/api-error.ts'
import type { CallbackState } from '../../../domain/callbacks/callback-retry.ts'
import { json } from '../../../domain/json/json-schema.ts'
import type { OwnCallback } from '../../../ports/callbacks.ts'
import { clientOperation } from '../../operation.ts'
import { pageSchema, parsePageQuery, presentPage } from '../../schema/page-query.ts'
import { isId } from '../../schema/parse-id.ts'

/** Stored states by the names that clients read; operators read the stored names. */
const STATES = { pending: 'pending', delivered: 'delivered', failed: 'given-up' } as const
type ShownState = keyof typeof STATES
const SHOWN_STATES = ['pending', 'delivered', 'failed'] as const satisfies readonly ShownState[]

const Callback = json.object({
  id: json.string({ description: 'The id of the callback, which every attempt sends as `webhook-id`.' }),
  task_id: json.string(),
  state: json.oneOf(SHOWN_STATES),
  attempts: json.integer(),
  next_attempt_at: json.nullable(json.integer({ description: 'Unix seconds; null unless it is `pending`.' })),
  last_status: json.nullable(
    json.integer({ description: 'HTTP status of the last answer; null: the last attempt had none.' }),
  ),
})

export const listCallbacks = clientOperation('listCallbacks', 'GET /v1/video/callbacks', 'video', {
  summary: 'List callbacks',
  description:
    'The callbacks of the tasks of this API key that are not deleted, those of the newest tasks first.',
  query: {
    state: { schema: json.oneOf(SHOWN_STATES), description: 'Only callbacks in this state.' },
    limit: {
      schema: json.integer({ minimum: 0, default: 20 }),
      description: 'Callbacks on a page. 0 means 20; more than 100 is taken as 100.',
    },
    cursor: { schema: json.string(), description: '`next_cursor` of the page before.' },
  },
  replies: {
    200: { description: 'One page of callbacks.', schema: pageSchema(Callback) },
    400: { description: 'The state, the limit or the cursor is not valid.' },
  },
  async serve({ app }, { query, caller }) {
    const page = parsePageQuery(query, { limitDefault: 20, limitMax: 100 })
    const { callbacks, nextCursor } = await app.listCallbacks({ ...page, caller, state: parseState(query) })
    return presentPage(callbacks.map(presentCallback), nextCursor)
  },
})

export const resendCallback = clientOperation(
  'resendCallback',
  'POST /v1/video/callbacks/:id/resend',
  'video',
  {
    summary: 'Send a callback again',
    description:
      'The callback is due immediately with the same `webhook-id`, and has all its attempts again. No body is needed.',
    replies: {
      200: { description: 'The callback, which is `pending`.', schema: Callback },
      404: { description: 'This API key has no such callback.' },
    },
    async serve({ app }, { params, caller }) {
      const { id }: { id?: unknown } = Object(params)
      return presentCallback(await app.resendOwnCallback({ id: isId(id) ? id : '', caller }))
    },
  },
)

function parseState(query: unknown): CallbackState | undefined {
  const { state }: { state?: unknown } = Object(query)
  if (state === undefined) return undefined
  const shown = SHOWN_STATES.find((each) => each === state)
  if (shown !== undefined) return STATES[shown]
  throw invalidParameter('state', 'state must be pending, delivered or failed.')
}

function presentCallback({ id, task, state, attempts, nextAttemptAtMs, lastStatus }: OwnCallback): object {
  return {
    id,
    task_id: task.id,
    state: state === 'given-up' ? 'failed' : state,
    attempts,
    next_attempt_at: nextAttemptAtMs === null ? null : Math.floor(nextAttemptAtMs / 1_000),
    last_status: lastStatus,
  }
}
