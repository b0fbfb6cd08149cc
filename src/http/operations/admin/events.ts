import { EVENT, EVENT_TYPE_NAMES } from '../../../app/views/events.ts'
import { CALLBACK_STATES } from '../../../domain/callbacks/callback-retry.ts'
import { json } from '../../../domain/json/json-schema.ts'
import { adminAnswer, adminRows, ORGANIZATION_FILTER } from '../../admin/admin-operation.ts'
import type { Operation } from '../../operation.ts'
import { field } from './fields.ts'

export const events: readonly Operation[] = [
  adminRows('adminListEvents', '/events', EVENT, {
    isDated: true,
    summary: 'List events',
    description:
      'An event that an organization gets too has two rows: `receiver` is `operator` or the id of the organization.',
    query: {
      ...ORGANIZATION_FILTER,
      type: { schema: json.oneOf(EVENT_TYPE_NAMES), description: 'Only events of this type.' },
      state: { schema: json.oneOf(CALLBACK_STATES), description: 'Only events in this state.' },
    },
    page: (query, { operator, query: given }) =>
      operator.listEvents({
        ...query,
        type: given.oneOf('type', EVENT_TYPE_NAMES),
        state: given.oneOf('state', CALLBACK_STATES),
      }),
  }),
  adminAnswer('adminResendEvent', 'POST /events/:id/resend', EVENT, {
    summary: 'Send an event again',
    description: 'The event keeps its `webhook-id` and gets all its attempts again.',
    run: ({ operator, id }) => operator.resendEvent(id),
  }),
  adminAnswer('adminTestEvent', 'POST /events/test', EVENT, {
    summary: 'Send a test event',
    description:
      'An event of type `event.test` to `EVENTS_URL`, and to the `events_url` of an organization if one is named. The answer is the row of the operators; `GET /admin/v1/events` shows what the receiver answered.',
    body: json.object({ organization_id: json.nullish(field.id('org')) }),
    errors: { 404: 'There is no such organization, or `admin endpoints disabled`.' },
    run: ({ operator, body }) => operator.testEvent({ organizationId: body.textOr('organization_id', null) }),
  }),
]
