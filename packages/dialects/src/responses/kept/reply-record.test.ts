import { describe, expect, test } from 'vitest'
import { eventsAfter, ReplyRecord } from './reply-record.ts'

const KEEPING = { isStored: true, isBackground: true, previousId: undefined }
const FIRST = '{"id":"resp_1","status":"queued","output":[]}'
const NAME = 'event: response.completed'
const DATA =
  'data: {"type":"response.completed","response":{"id":"own","status":"completed"},"sequence_number":7}'
const DATA_LINES = DATA.replace(',"response"', '\ndata: ,"response"')

const ORDERS = [
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
] as const

test.each(ORDERS)('the last event ends the reply with %s', (_order, lines) => {
  for (const lineBreak of ['\n', '\r\n', '\r']) {
    const record = new ReplyRecord(KEEPING, { first: FIRST })
    const reported = record.take([...lines, '', ''].join(lineBreak))
    expect(record.isEnded).toBe(true)
    expect(JSON.parse(record.response ?? '')).toMatchObject({ id: 'resp_1', status: 'completed' })
    expect(reported).toMatch(/^event: response.completed\ndata: .*"id":"resp_1"/s)
    expect(eventsAfter(record.drain(), -1)).toMatchObject({ last: 7 })
  }
})

test.each(ORDERS)('a last event that is too large ends the reply with %s', (_order, lines) => {
  for (const lineBreak of ['\n', '\r\n', '\r']) {
    const record = new ReplyRecord(KEEPING, { first: FIRST, lengthMax: 1_000 })
    const long = lines.map((line) =>
      line.replace('"id":"own"', `"id":"own","output":["${'x'.repeat(300_000)}"]`),
    )
    record.take([...long, '', ''].join(lineBreak))
    expect([record.isEnded, record.isTooLarge]).toEqual([true, true])
    expect(record.id).toBe('resp_1')
  }
})

test('a comment passes to the client and is not kept', () => {
  const record = new ReplyRecord(KEEPING, { first: FIRST })
  expect(record.take(': keep-alive\n\n')).toBe(': keep-alive\n\n')
  expect(record.drain()).toBe('')
})

describe('a reply above the size limit of the store', () => {
  const LENGTH_MAX = 1_000
  const long = (length: number) => 'x'.repeat(length)
  const delta = `event: response.output_text.delta\ndata: {"delta":"${long(800)}","sequence_number":0}\n\n`
  const last = (length: number) =>
    `event: response.completed\ndata: {"response":{"id":"own","status":"completed","text":"${long(length)}"}}\n\n`

  test.each([
    ['fits beside the others', 600, false],
    ['is too long', 1_000, true],
  ])('the last event passes, and is kept unless it is too long: %s', (_name, length, isCut) => {
    const record = new ReplyRecord(KEEPING, { first: FIRST, lengthMax: LENGTH_MAX })
    record.take(delta)
    const reported = record.take(last(length))
    expect(reported).toContain(long(length))
    expect(record).toMatchObject({ isEnded: true, isCut, hasOwnEnd: false })
    expect(record.drain()).toBe(isCut ? delta : delta + reported)
  })

  test('the end from the gateway is kept after the cut, and is small too', () => {
    const record = new ReplyRecord(KEEPING, { first: FIRST, lengthMax: LENGTH_MAX })
    const instructions = long(20_000)
    record.take(
      `event: response.created\ndata: {"response":{"instructions":"${instructions}","output":[]}}\n\n`,
    )
    const words = record.fail({ type: 'api_error', code: 'server_error', message: 'Too large.' }, 'failed')
    expect(record).toMatchObject({ isCut: true, hasOwnEnd: true })
    expect(record.drain()).toBe(words)
    expect(words.length).toBeLessThan(LENGTH_MAX)
    expect(words).toMatch(/"response":{"output":\[\],.*"output_text":"",.*"status":"failed"/)
  })
})

describe('a reply that is too large to be inspected', () => {
  const LARGE = 'x'.repeat(8 * 1024 * 1024)

  test('passes unchanged, and ends the record', () => {
    const record = new ReplyRecord({ isStored: true, isBackground: false, previousId: undefined })
    const created = { type: 'response.created', response: { id: 'resp_1', status: 'in_progress' } }
    record.take(`event: response.created\ndata: ${JSON.stringify(created)}\n\n`)
    const last = Buffer.from(
      `event: response.completed\ndata: {"response":{"id":"resp_1","text":"${LARGE}"}}\n\n`,
    )
    expect(record.take(last)).toBe(last)
    expect(record).toMatchObject({ isEnded: true, isCut: true, isTooLarge: true, id: 'resp_1' })
  })

  test('keeps its id, time and model when it is not streamed', () => {
    const record = new ReplyRecord({ isStored: true, isBackground: false, previousId: undefined })
    const body = Buffer.from(`{"id":"resp_1","created_at":1,"model":"m","text":"${LARGE}"}`)
    expect(record.takeWhole(body)).toBe(body)
    expect(record).toMatchObject({ isEnded: true, isTooLarge: true, id: 'resp_1' })
    expect(JSON.parse(record.response ?? '')).toEqual({
      ...{ id: 'resp_1', object: 'response', created_at: 1, model: 'm', usage: null },
      ...{ previous_response_id: null, background: false, store: true },
    })
  })

  test('is a reply with more characters than can be kept', () => {
    const open = () =>
      new ReplyRecord({ isStored: true, isBackground: false, previousId: undefined }, { lengthMax: 1_000 })
    const body = (length: number) => Buffer.from(`{"id":"resp_1","text":"${'漢'.repeat(length)}"}`)
    const [kept, passed] = [body(200_000), body(300_000)]
    expect(open().takeWhole(kept)).toMatch(/"store":true/)
    expect(open().takeWhole(passed)).toBe(passed)
    const record = open()
    const delta = 'event: response.output_text.delta\ndata: {"delta":"a"}\n\n'
    const last = `event: response.completed\ndata: {"response":${passed}}\n\n`
    expect(record.take(delta + last)).toBe(delta + last)
    expect(record).toMatchObject({ isEnded: true, isCut: true, isTooLarge: true, id: 'resp_1' })
    expect(record.drain()).toBe(delta)
  })
})

test('the outline of a large response leaves out a member that its beginning cuts', () => {
  const model = 'm'.repeat(5_000)
  const body = JSON.stringify({ id: 'resp_2', created_at: 7, model, output: ['x'.repeat(3_000_000)] })
  const record = new ReplyRecord(KEEPING, { lengthMax: 100_000 })
  record.takeWhole(body)
  expect(record.isTooLarge).toBe(true)
  const outline = JSON.parse(record.response ?? '')
  expect(outline).toMatchObject({ id: 'resp_2', created_at: 7 })
  expect(outline).not.toHaveProperty('model')
})
