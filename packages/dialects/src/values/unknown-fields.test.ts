import { expect, test } from 'vitest'
import { hasUnknownFields } from './values.ts'

const KNOWN = new Set(['type', 'name'])

test.each([{ mode: 'x' }, { mode: true }, { mode: 0 }, { mode: [null] }, { mode: { deep: null } }])(
  '%j has unknown content',
  (more) => {
    expect(hasUnknownFields({ type: 'x', ...more }, KNOWN)).toBe(true)
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
])('%j has no unknown content', (more) => {
  expect(hasUnknownFields({ type: 'x', ...more }, KNOWN)).toBe(false)
})
