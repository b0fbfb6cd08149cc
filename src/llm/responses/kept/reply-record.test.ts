import { expect, test } from 'vitest'
import { eventsAfter, ReplyRecord } from './reply-record.ts'

const KEEPING = { isStored: true, isBackground: true, previousId: undefined }
const FIRST = '{"id":"resp_1","status":"queued","output":[]}'
const NAME = 'event: response.completed'
const DATA =
  'data: {"type":"response.completed","response":{"id":"own","status":"completed"},"sequence_number":7}'
const DATA_LINES = DATA.replace(',"response"', '\ndata: ,"response"')

test.each([
  ['the name first', [NAME, DATA]],
  ['the data first', [DATA, NAME]],
  ['an id first', ['id: 7', NAME, DATA]],
  ['an id between', [NAME, 'id: 7', DATA]],
  ['an id and the data first', ['id: 7', DATA, NAME]],
  ['a comment first', [': hello', NAME, DATA]],
  ['a time first', ['retry: 10', DATA, NAME]],
  ['no space behind the colons', [NAME.replace(': ', ':'), DATA.replace(': ', ':')]],
  ['data over two lines', [DATA_LINES, NAME]],
  ['no name', [DATA]],
  ['an id and no name', ['id: 7', DATA]],
  ['an empty name', ['event:', DATA]],
])('the last event ends the reply with %s', (_order, lines) => {
  for (const lineBreak of ['\n', '\r\n', '\r']) {
    const record = new ReplyRecord(KEEPING, { first: FIRST })
    const told = record.take([...lines, '', ''].join(lineBreak))
    expect(record.isEnded).toBe(true)
    expect(JSON.parse(record.response ?? '')).toMatchObject({ id: 'resp_1', status: 'completed' })
    expect(told).toMatch(/^event: response.completed\ndata: .*"id":"resp_1"/s)
    expect(eventsAfter(record.drain(), -1)).toMatchObject({ last: 7 })
  }
})

test('a comment passes to the client and is not kept', () => {
  const record = new ReplyRecord(KEEPING, { first: FIRST })
  expect(record.take(': keep-alive\n\n')).toBe(': keep-alive\n\n')
  expect(record.drain()).toBe('')
})
