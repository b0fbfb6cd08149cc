import { EVENT } from '../../app/views/events.ts'
import { presentTime } from '../../app/views/times.ts'
import { parseCount } from '../parse/options.ts'
import type { Verb } from '../verb.ts'
import { forOne, listing } from './define-verb.ts'

const LIMIT = 100
const LIMIT_MAX = 1_000

export const eventsList: Verb = {
  path: 'events list',
  summary: 'List the latest events and what their receivers answered, the newest first.',
  example: 'sluice events list --limit 20',
  next: 'sluice events resend <id>',
  define(command, { operate, print }) {
    command
      .option('--org <id>', 'only those that were sent to this organization')
      .option('--limit <n>', `at most so many, ${LIMIT} by default`, parseCount({ max: LIMIT_MAX }))
      .action(({ org: organizationId, limit = LIMIT }: { org?: string; limit?: number }) =>
        operate(async (operator) => {
          const events = await operator.listEvents({ organizationId, limit })
          const none = 'No event has happened yet.'
          print(listing(events, { json: EVENT.present, cells: eventRow, none }))
        }),
      )
  },
}

export const eventsResend: Verb = {
  path: 'events resend',
  summary: 'Send an event again. It keeps its id and gets all its attempts again.',
  example: 'sluice events resend evt_019a2b3c',
  next: 'sluice events list',
  define: forOne('<id>', 'the event', async (operator, id) => {
    const event = await operator.resendEvent(id)
    return {
      json: EVENT.present(event),
      text: `The event ${id} is due again: a running server sends it within seconds.\nNext: sluice events list`,
    }
  }),
}

export const eventsTest: Verb = {
  path: 'events test',
  summary: 'Send an event of type event.test to EVENTS_URL, and with --org to that organization too.',
  example: 'sluice events test',
  next: 'sluice events list',
  define(command, { operate, print }) {
    command
      .option('--org <id>', 'the organization')
      .action(({ org: organizationId = null }: { org?: string | null }) =>
        operate(async (operator) => {
          const event = await operator.testEvent({ organizationId })
          print({
            json: EVENT.present(event),
            text: `The event ${event.id} is due: a running server sends it within seconds.\nNext: sluice events list`,
          })
        }),
      )
  },
}

function eventRow(event: Parameters<typeof EVENT.present>[0]): Record<string, string> {
  return {
    ID: event.id,
    AT: presentTime(event.createdAtMs),
    TYPE: event.type,
    RECEIVER: event.organizationId,
    STATE: event.state,
    ATTEMPTS: event.attempts.toString(),
    ANSWER: event.lastStatus?.toString() ?? event.lastError ?? '-',
  }
}
