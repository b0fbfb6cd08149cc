import { expect, test } from 'vitest'
import { saysMore } from './says-more.ts'

const KNOWN = new Set(['type', 'name'])

test.each([{ mode: 'x' }, { mode: true }, { mode: 0 }, { mode: [null] }, { mode: { deep: null } }])(
  '%j says more',
  (more) => {
    expect(saysMore({ type: 'x', ...more }, KNOWN)).toBe(true)
  },
)

test.each([
  {},
  { name: 'y' },
  { mode: undefined },
  { mode: null },
  { mode: false },
  { mode: '' },
  { mode: [] },
  { mode: {} },
])('%j says no more', (more) => {
  expect(saysMore({ type: 'x', ...more }, KNOWN)).toBe(false)
})
