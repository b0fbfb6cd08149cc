import type { Operator } from '../../../src/app/operator.ts'
import type { StoredEvent } from '../../../src/ports/events.ts'

const CREATED_AT_MS = Date.UTC(2026, 0, 2, 3, 4, 5)

const EVENT: StoredEvent = {
  ...{ id: 'evt_1', organizationId: 'operator', type: 'event.test', data: '{"test":true}' },
  ...{ createdAtMs: CREATED_AT_MS, state: 'delivered', attempts: 1, nextAttemptAtMs: null },
  ...{ lastAttemptAtMs: CREATED_AT_MS, lastStatus: 204, lastError: null },
}

/** Use cases of events that record what they were asked. */
export function fakeEvents(calls: unknown[]): Pick<Operator, 'listEvents' | 'resendEvent' | 'testEvent'> {
  return {
    async listEvents(query) {
      calls.push(['listEvents', query])
      return [EVENT]
    },
    async resendEvent(id) {
      calls.push(['resendEvent', id])
      return { ...EVENT, id }
    },
    async testEvent(command) {
      calls.push(['testEvent', command])
      return EVENT
    },
  }
}
