import { CALLBACK_STATES } from '../../domain/callbacks/callback-retry.ts'
import { EVENT_TYPES, type EventType } from '../../domain/events/event.ts'
import { json } from '../../domain/json/json-schema.ts'
import type { StoredEvent } from '../../ports/events.ts'
import { answer, shown } from './present.ts'

export const EVENT_TYPE_NAMES = Object.keys(EVENT_TYPES) as [EventType, ...EventType[]]

export const EVENT = answer(
  {
    id: shown.text(),
    receiver: shown.text(),
    type: json.oneOf(EVENT_TYPE_NAMES),
    created_at: shown.time(),
    state: json.oneOf(CALLBACK_STATES),
    attempts: shown.count(),
    next_attempt_at: shown.timeOrNull(),
    last_attempt_at: shown.timeOrNull(),
    last_status: shown.countOrNull(),
    last_error: shown.textOrNull(),
    data: json.object({}),
  },
  { receiver: 'organizationId' },
).from((event: StoredEvent) => ({ ...event, data: JSON.parse(event.data) }))
