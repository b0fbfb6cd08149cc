import { expect, test } from 'vitest'
import type { Part, Turn } from '../hub/text-request.ts'
import { arrangeInstructions } from './arrange-instructions.ts'

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

test('they stay as they are', () => {
  expect(arrangeInstructions(MIXED, 'as-sent')).toBe(MIXED)
})

test('a developer speaks as a system does', () => {
  expect(arrangeInstructions(MIXED, 'system')).toEqual([
    turn('system', 'One', 'Two'),
    turn('system', 'Three'),
    turn('user', 'Hi'),
    turn('system', 'Now in French.'),
    turn('assistant', 'Salut'),
  ])
})

test('one system speaks first, and later words of it are told by the user', () => {
  expect(arrangeInstructions(MIXED, 'first')).toEqual([
    turn('system', 'One', 'Two', 'Three'),
    turn('user', 'Hi'),
    turn('user', '<system>\nNow in French.\n</system>'),
    turn('assistant', 'Salut'),
  ])
})

test.each<[what: string, turns: Turn[], arranged: Turn[]]>([
  ['no instruction', [turn('user', 'Hi')], [turn('user', 'Hi')]],
  ['instructions alone', [turn('developer', 'One'), turn('system', 'Two')], [turn('system', 'One', 'Two')]],
  [
    'a late one that is empty',
    [turn('user', 'Hi'), turn('system', '')],
    [turn('user', 'Hi'), turn('user', '')],
  ],
  ['nothing', [], []],
])('first, with %s', (_what, turns, arranged) => {
  expect(arrangeInstructions(turns, 'first')).toEqual(arranged)
})
