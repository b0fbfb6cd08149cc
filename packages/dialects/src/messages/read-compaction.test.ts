import { expect, test } from 'vitest'
import { apiErrorOf } from '../../../../test/api-error-of.ts'
import { VENDOR_DIALECTS } from '../dialects.ts'
import { checkMessagesRequest } from './check/check-request.ts'
import { readMessagesRequest } from './read-request.ts'

const SUMMARY = { type: 'compaction', content: 'The user is called Bob.' }
const FAILED = { type: 'compaction', content: null, encrypted_content: null }
const SAID = { type: 'text', text: 'Hello, Bob.' }
const CALL = { type: 'tool_use', id: 't', name: 'f', input: {} }
const TOLD = { kind: 'text', text: '[Summary of the earlier conversation:]\nThe user is called Bob.' }
const HELLO = { kind: 'text', text: 'Hello, Bob.' }

const user = (content: string | object[]) => ({ role: 'user', content })
const assistant = (...content: object[]) => ({ role: 'assistant', content })

function read(messages: object[], more: object = {}) {
  const body = { model: 'vendorC/model-4.1', max_tokens: 16, messages, ...more }
  checkMessagesRequest(body, () => undefined)
  return readMessagesRequest(body)
}

const rolesAndParts = (messages: object[]) => read(messages).turns.map(({ role, parts }) => [role, parts])
const asked = (text: string) => ['user', [{ kind: 'text', text }]]

test.each<[what: string, messages: object[], turns: unknown[]]>([
  [
    'in the middle: a text at its position in the turn',
    [user('Hi'), assistant(SUMMARY, SAID), user('Who am I?')],
    [asked('Hi'), ['assistant', [TOLD, HELLO]], asked('Who am I?')],
  ],
  [
    'after other words',
    [user('Hi'), assistant(SAID, SUMMARY), user('Who am I?')],
    [asked('Hi'), ['assistant', [HELLO, TOLD]], asked('Who am I?')],
  ],
  [
    'first of all: a turn of the user',
    [assistant(SUMMARY), user('Who am I?')],
    [['user', [TOLD]], asked('Who am I?')],
  ],
  [
    'first of all, before words of the assistant',
    [assistant(FAILED, SUMMARY, SAID), user('Who am I?')],
    [['user', [TOLD]], ['assistant', [HELLO]], asked('Who am I?')],
  ],
  [
    'by the user',
    [user([SUMMARY, { type: 'text', text: 'Hm?' }])],
    [['user', [TOLD, { kind: 'text', text: 'Hm?' }]]],
  ],
  [
    'compactions without a summary',
    [user('Hi'), assistant(FAILED), assistant({ type: 'compaction' }, SAID), user('Who am I?')],
    [asked('Hi'), ['assistant', []], ['assistant', [HELLO]], asked('Who am I?')],
  ],
])('a summary: %s', (_, messages, turns) => {
  expect(rolesAndParts(messages)).toEqual(turns)
  expect(read(messages).losses).toEqual([])
})

test('a system prompt does not open the conversation', () => {
  const { turns } = read([{ role: 'system', content: 'Later.' }, assistant(SUMMARY), user('Hm?')], {
    system: 'S',
  })
  expect(turns.map(({ role }) => role)).toEqual(['system', 'system', 'user', 'user'])
})

test('a summary and its call reach every vendor', () => {
  const request = read([
    assistant(SUMMARY, CALL),
    user([{ type: 'tool_result', tool_use_id: 't', content: 'x' }]),
  ])
  const target = { model: 'm', provider: 'p', maxOutputTokens: undefined, reasons: true }
  for (const dialect of ['chat', 'responses', 'messages'] as const) {
    const { body, losses } = VENDOR_DIALECTS[dialect].writeRequest(request, target)
    expect(JSON.stringify(body)).toContain('The user is called Bob.')
    expect(losses).toEqual([])
  }
})

test.each([
  [{ ...SUMMARY, signature: 's', encrypted_content: 'e', tool_changes: [] }, []],
  [{ ...SUMMARY, cache_control: { type: 'ephemeral' } }, ['cache_control']],
  [{ ...SUMMARY, tool_changes: [{ type: 'tool_removal', tool: { name: 'f' } }] }, ['unknown_field']],
])('what is lost with %j', (block, losses) => {
  expect(read([user('Hi'), assistant(block), user('Hm?')]).losses).toEqual(losses)
})

test('a summary that is not text is refused', () => {
  const act = () => read([user('Hi'), assistant({ type: 'compaction', content: [SAID] })])
  expect(apiErrorOf(act)).toMatchObject({ code: 'invalid_parameter', param: 'messages.1.content.0.content' })
})
