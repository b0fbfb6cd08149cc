import { expect, test } from 'vitest'
import {
  assistant,
  call,
  result,
  text,
  user,
  write,
} from '../../../../test/fixtures/text/messages/request-parts.ts'
import type { Tool, Turn } from '../canonical/request.ts'

const LOOK: Tool = {
  ...{ name: 'look', namespace: undefined, description: undefined },
  input: { kind: 'json', schema: undefined, strict: undefined },
}
const SYSTEM: Turn = { role: 'system', parts: [text('Be brief.'), text('Be kind.')] }

/** Positions of the marks: `messages.2.content.0`. */
function marksIn(request: Parameters<typeof write>[0]): string[] {
  const marks: string[] = []
  const { tools, system, messages } = write(request).body
  const look = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return
    if ('cache_control' in value) marks.push(path)
    for (const [name, member] of Object.entries(value)) look(member, path === '' ? name : `${path}.${name}`)
  }
  look({ tools, system, messages }, '')
  return marks
}

test.each<[what: string, request: Parameters<typeof write>[0], marks: string[]]>([
  ['a lone question', { turns: [user(text('Hi'))] }, []],
  ['a lone question under a system prompt', { turns: [SYSTEM, user(text('Hi'))] }, ['system.1']],
  [
    'an agent at its beginning',
    { turns: [SYSTEM, user(text('Go'))], tools: [LOOK, { ...LOOK, name: 'see' }] },
    ['tools.1', 'system.1', 'messages.0.content.0'],
  ],
  [
    'an agent on its way',
    { turns: [user(text('Go')), assistant(call('c1')), user(result('c1'))], tools: [LOOK] },
    ['tools.0', 'messages.2.content.0'],
  ],
  [
    'a conversation that the assistant continues',
    { turns: [user(text('a'), text('b')), assistant(text('c'))] },
    ['messages.0.content.1'],
  ],
])('%s', (_what, request, marks) => {
  expect(marksIn(request)).toEqual(marks)
})

test('the mark on a turn without content is gone in the next request', () => {
  const turns = [user(text('a')), assistant(text('b')), user(text(' '))]
  expect(marksIn({ turns })).toEqual(['messages.2.content.0'])
  expect(marksIn({ turns: [...turns, assistant(text('c')), user(text('d'))] })).toEqual([
    'messages.2.content.0',
  ])
})

test('marks of the client stay in place, and no others are added', () => {
  const marked = (said: string) => ({ kind: 'text' as const, text: said, isCacheEnd: true })
  const turns: Turn[] = [
    { role: 'system', parts: [marked('Be brief.'), text('Be kind.')] },
    user(text('a'), result('c1', marked('seen'))),
    user(marked('b'), text('c')),
  ]
  expect(marksIn({ turns, tools: [LOOK] })).toEqual([
    'system.0',
    'messages.0.content.0.content.0',
    'messages.0.content.2',
  ])
})

test('only the last four marks are sent, and the loss of others is declared', () => {
  const turns = [user(...'abcdef'.split('').map((said) => ({ ...text(said), isCacheEnd: true })))]
  expect(marksIn({ turns })).toEqual([2, 3, 4, 5].map((at) => `messages.0.content.${at}`))
  expect(write({ turns }).losses).toEqual(['cache_control'])
  expect(write({ turns: turns.map(({ parts }) => user(...parts.slice(0, 4))) }).losses).toEqual([])
})
