import { expect, test } from 'vitest'
import type { LossName } from '../canonical/losses.ts'
import type { Part, Turn } from '../canonical/request.ts'
import { arrangeInstructions } from './write-request.ts'

type Wanted = Parameters<typeof arrangeInstructions>[1]

function arrange(turns: readonly Turn[], wanted: Wanted) {
  const losses = new Set<LossName>()
  return { turns: arrangeInstructions(turns, wanted, losses), losses: [...losses] }
}

const turn = (role: Turn['role'], ...texts: string[]): Turn => ({
  role,
  parts: texts.map((text): Part => ({ kind: 'text', text })),
})

const MIXED = [
  turn('system', 'One', 'Two'),
  turn('developer', 'Three'),
  turn('user', 'Hi'),
  turn('developer', 'Now in French.'),
  turn('assistant', 'Salut'),
]

test('most vendors get the instructions unchanged', () => {
  expect(arrange(MIXED, 'as-sent').turns).toBe(MIXED)
})

test('developer messages become system messages', () => {
  expect(arrange(MIXED, 'system').turns).toEqual([
    turn('system', 'One', 'Two'),
    turn('system', 'Three'),
    turn('user', 'Hi'),
    turn('system', 'Now in French.'),
    turn('assistant', 'Salut'),
  ])
})

test('one system message comes first, and later ones become user messages', () => {
  expect(arrange(MIXED, 'first')).toEqual({
    turns: [
      turn('system', 'One', 'Two', 'Three'),
      turn('user', 'Hi'),
      turn('user', '<system>\nNow in French.\n</system>'),
      turn('assistant', 'Salut'),
    ],
    losses: ['instructions'],
  })
})

test.each<[what: string, turns: Turn[], arranged: Turn[]]>([
  ['no instruction', [turn('user', 'Hi')], [turn('user', 'Hi')]],
  ['instructions alone', [turn('developer', 'One'), turn('system', 'Two')], [turn('system', 'One', 'Two')]],
  ['nothing', [], []],
])('first, with %s', (_what, turns, arranged) => {
  expect(arrange(turns, 'first')).toEqual({ turns: arranged, losses: [] })
})
