import { EVENT, EVENT_TYPE_NAMES, eventJson } from '../../../app/views/events.ts'
import { CALLBACK_STATES } from '../../../domain/callbacks/callback-retry.ts'
import { json } from '../../../domain/json/json-schema.ts'
import { adminList, adminOperation, ORGANIZATION_FILTER } from '../../admin/admin-operation.ts'
import type { Operation } from '../../operation.ts'
import { field } from './fields.ts'

export const events: readonly Operation[] = [
  adminList('adminListEvents', '/events', {
    isDated: true,
    summary: 'List events',
    description:
      'An event that an organization gets too has two rows: `receiver` is `operator` or the id of the organization.',
    query: {
      ...ORGANIZATION_FILTER,
      type: { schema: json.oneOf(EVENT_TYPE_NAMES), description: 'Only events of this type.' },
      state: { schema: json.oneOf(CALLBACK_STATES), description: 'Only events in this state.' },
    },
    item: EVENT.schema,
    page: (query, { operator, query: given }) =>
      operator.listEvents({
        ...query,
        type: given.oneOf('type', EVENT_TYPE_NAMES),
        state: given.oneOf('state', CALLBACK_STATES),
      }),
    positionOf: ({ id }) => id,
    view: eventJson,
  }),
  adminOperation('adminResendEvent', 'POST /events/:id/resend', {
    summary: 'Send an event again',
    description: 'The event keeps its `webhook-id` and gets all its attempts again.',
    reply: EVENT.schema,
    run: async ({ operator, id }) => eventJson(await operator.resendEvent(id)),
  }),
  adminOperation('adminTestEvent', 'POST /events/test', {
    summary: 'Send a test event',
    description:
      'An event of type `event.test` to `EVENTS_URL`, and to the `events_url` of an organization if one is named. The answer is the row of the operators; `GET /admin/v1/events` shows what the receiver answered.',
    body: json.object({ organization_id: json.nullish(field.id('org')) }),
    reply: EVENT.schema,
    errors: { 404: 'There is no such organization, or `admin endpoints disabled`.' },
    run: async ({ operator, body }) =>
      eventJson(await operator.testEvent({ organizationId: body.textOr('organization_id', null) })),
  }),
]
