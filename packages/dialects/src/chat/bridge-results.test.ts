import { expect, test } from 'vitest'
import type { ChatMessage } from './wire.ts'
import { bridgeResults } from './write-turns.ts'

const MESSAGES: Record<string, ChatMessage> = {
  system: { role: 'system', content: 'Be brief.' },
  user: { role: 'user', content: 'Hi' },
  assistant: { role: 'assistant', content: 'Hello' },
  tool: { role: 'tool', tool_call_id: 'call_1', content: 'Done' },
}

const say = (roles: string) => roles.split(' ').flatMap((role) => MESSAGES[role] ?? [])

test.each([
  ['user assistant tool tool user', 'user assistant tool tool assistant user'],
  ['user assistant tool user user', 'user assistant tool assistant user user'],
  ['system user assistant tool assistant user', 'system user assistant tool assistant user'],
  ['user assistant tool system user', 'user assistant tool assistant system user'],
  ['user assistant tool', 'user assistant tool'],
])('a message of the assistant comes between a result and the next speaker: %s', (before, after) => {
  expect(
    bridgeResults(say(before))
      .map(({ role }) => role)
      .join(' '),
  ).toBe(after)
})
