import { expect, test } from 'vitest'
import { formOf } from './log.ts'

test.each([
  ['auto', true, true, { isText: true, hasColours: true }],
  ['auto', true, false, { isText: true, hasColours: false }],
  ['auto', false, true, { isText: false, hasColours: false }],
  ['json', true, true, { isText: false, hasColours: true }],
  ['text', false, true, { isText: true, hasColours: false }],
] as const)('LOG_FORMAT=%s, terminal %s, colours %s', (logFormat, isTerminal, hasColours, form) => {
  expect(formOf({ logFormat, hasColours }, isTerminal)).toEqual(form)
})
