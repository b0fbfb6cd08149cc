import { expect, test } from 'vitest'
import { pasteable, programName } from '../../config/program-name.ts'
import { LOG_EVENTS, type LogEvent } from '../../ports/log-events.ts'
import { messageOf } from './event-messages.ts'

test('the commands in the sentences of log events can be pasted', () => {
  const events = Object.keys(LOG_EVENTS) as LogEvent[]
  const program = programName()
  const withCommand = events.filter((event) => LOG_EVENTS[event].includes('"sluice '))
  expect(withCommand.length).toBeGreaterThan(2)
  for (const event of withCommand) expect(messageOf(event)).toContain(`"${program} `)
  for (const event of events) {
    expect(messageOf(event)).toBe(pasteable(LOG_EVENTS[event], program))
    // A name that already contains `npx` must not get it twice.
    expect(pasteable(LOG_EVENTS[event], 'npx sluice')).not.toMatch(/(?<!npx )\bsluice [a-z]+ ?[a-z]*"/)
  }
})
