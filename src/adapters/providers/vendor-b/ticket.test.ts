import { expect, it } from 'vitest'
import { fc } from '../../../../test/random/properties.ts'
import { readTicketId } from '../ticket-id.ts'
import { readTicket, writeTicket } from './driver.ts'
import { OPERATIONS, taskPath } from './wire.ts'

it('keeps the operation beside the id', () => {
  expect(writeTicket({ operation: 'image2video', id: 't2v1' })).toBe('image2video/t2v1')
  expect(readTicket('extension/cutshot/t2v1')).toEqual({ operation: 'extension/cutshot', id: 't2v1' })
  expect(readTicket('extension/t2v1')).toEqual({ operation: 'extension', id: 't2v1' })
  expect(readTicket('extension/cutshot%2Ft2v1')).toEqual({ operation: 'extension', id: 'cutshot/t2v1' })
})

it('reads back every id it has written, and refuses other paths', () => {
  const ids = fc.string({ minLength: 1 }).filter((id) => readTicketId(id) === id)
  fc.assert(
    fc.property(fc.constantFrom(...OPERATIONS), ids, (operation, id) => {
      expect(readTicket(writeTicket({ operation, id }))).toEqual({ operation, id })
      const path = taskPath(operation, id)
      expect(new URL(`http://v.example${path}`).pathname).toBe(path)
      expect(path.split('/').length).toBe(`/api/v1/video/${operation}/task/x`.split('/').length)
    }),
  )
})

it.each([
  '',
  't2v1',
  '/t2v1',
  'text2video',
  'text2video/',
  'text2video/..',
  'text2video/%2e%2e',
  'text2video/a b',
  'text2video/%',
  'text2video/%41',
  'upscale/t2v1',
  'text2video/task/t2v1',
  '../text2video/t2v1',
  'Text2video/t2v1',
])('%j is not a ticket', (ticket) => {
  expect(readTicket(ticket)).toBeUndefined()
})
