import { expect, it } from 'vitest'
import { readTicketId } from './ticket-id.ts'

it.each(['cgt-1', 'a/b?c#d%2e', '...', 'x'.repeat(1_024)])('%j is a valid ticket', (id) => {
  expect(readTicketId(id)).toBe(id)
})

it.each(['', '.', '..', ' .. ', 'a b', 'ä', 'a\nb', '\ud800', 'x'.repeat(1_025), null, 7.5, {}])(
  '%j is refused',
  (value) => {
    expect(readTicketId(value)).toBeUndefined()
  },
)
