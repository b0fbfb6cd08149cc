import type { Dispatcher } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { HEAD, openWorld, REPLY, settle } from '../../../../test/api/outbound/http1/memory-world.ts'

test('a body without a length ends when its connection closes, and fails when it is reset', async () => {
  const { send, at } = openWorld()
  const first = await send()
  at(0).push('HTTP/1.1 200 OK\r\n\r\nhalf')
  at(0).push(null)
  await settle()
  expect(first.received).toEqual(['start', '200', '+half', 'end'])
  const second = await send()
  at(1).push('HTTP/1.1 200 OK\r\n\r\nhalf')
  await settle()
  at(1).destroy(Object.assign(new Error('reset'), { code: 'ECONNRESET' }))
  await settle()
  expect(second.received).toEqual(['start', '200', '+half', 'ECONNRESET'])
})

test('a paused call gets nothing, not even its end', async () => {
  const { send, at } = openWorld()
  const { received, control } = await send({}, { onResponseStart: (controller) => controller.pause() })
  at(0).push(`${HEAD}12`)
  at(0).push('34')
  await settle()
  expect(received).toEqual(['start', '200'])
  control()?.resume()
  control()?.pause()
  await settle()
  expect(received).toEqual(['start', '200', '+12'])
  control()?.resume()
  await settle()
  expect(received).toEqual(['start', '200', '+12', '+34', 'end'])
})

test('a paused call gets the rest when the vendor closes', async () => {
  const { send, at } = openWorld()
  const { received } = await send({}, { onResponseStart: (controller) => controller.pause() })
  at(0).push('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 4\r\n\r\n1234')
  await settle()
  expect(received).toEqual(['start', '200'])
  at(0).push(null)
  // A socket reads on its own when its other side closes.
  at(0).read(0)
  await settle()
  expect(received).toEqual(['start', '200', '+1234', 'end'])
})

test('chunks of one packet arrive as one piece', async () => {
  const { send, at } = openWorld()
  const { received } = await send()
  at(0).push(Buffer.from('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n1'))
  await settle()
  at(0).push(Buffer.from('\r\nf\r\n0\r\nx-sum: 1\r\n\r\n'))
  await settle()
  expect(received).toEqual(['start', '200', '+abcde', '+f', 'end'])
})

const STOP = Object.assign(new Error('stop'), { code: 'STOP' })
const stop = (controller: Dispatcher.DispatchController) => controller.abort(STOP)
const fail = () => {
  throw STOP
}

test.each<[string, Dispatcher.DispatchHandler, string[]]>([
  ['stopped before it is written', { onRequestStart: stop }, ['start', 'STOP']],
  ['stopped at its head', { onResponseStart: stop }, ['start', '200', 'STOP']],
  ['stopped at its body', { onResponseData: stop }, ['start', '200', '+12', 'STOP']],
  ['with a handler that fails before it is written', { onRequestStart: fail }, ['start', 'STOP']],
  ['with a handler that fails at the head', { onResponseStart: fail }, ['start', '200', 'STOP']],
  ['with a handler that fails at the body', { onResponseData: fail }, ['start', '200', '+12', 'STOP']],
])('a call %s ends once, and its connection with it', async (_when, on, expected) => {
  const { send, at, client } = openWorld()
  const { received, control } = await send({}, on)
  if (!at(0).destroyed) at(0).push(`${HEAD}12`)
  await settle()
  control()?.abort(STOP)
  control()?.resume()
  await settle()
  expect(received).toEqual(expected)
  expect(at(0).destroyed).toBe(true)
  expect(client.idle).toBe(0)
})

test('an ended call cannot stop the next one on its connection', async () => {
  const { send, at } = openWorld()
  const first = await send()
  at(0).push(REPLY)
  await settle()
  const second = await send()
  first.control()?.pause()
  first.control()?.abort(STOP)
  at(0).push(REPLY)
  await settle()
  expect(second.received).toEqual(['start', '200', '+ok', 'end'])
})

test('a call fails when the vendor is silent for too long, before or after the head', async () => {
  const { send, at } = openWorld({ headersTimeoutMs: 40, bodyTimeoutMs: 40 })
  const first = await send()
  await expect.poll(() => first.received).toEqual(['start', 'UND_ERR_HEADERS_TIMEOUT'])
  const second = await send()
  at(1).push(`${HEAD}12`)
  await expect.poll(() => second.received).toEqual(['start', '200', '+12', 'UND_ERR_BODY_TIMEOUT'])
})

test('interim responses do not extend the time limit for the head', async () => {
  const { send, at } = openWorld({ headersTimeoutMs: 40 })
  const { received } = await send()
  const announcing = setInterval(() => {
    if (!at(0).destroyed) at(0).push('HTTP/1.1 103 Early Hints\r\n\r\n')
  }, 5)
  onTestFinished(() => clearInterval(announcing))
  await expect.poll(() => received).toEqual(['start', 'UND_ERR_HEADERS_TIMEOUT'])
})

test('the time limit for silence does not run while a call is paused', async () => {
  const { send, at } = openWorld({ headersTimeoutMs: 40, bodyTimeoutMs: 40 })
  const paused = await send({}, { onResponseStart: (controller) => controller.pause() })
  at(0).push(`${HEAD}12`)
  const other = await send()
  await expect.poll(() => other.received).toEqual(['start', 'UND_ERR_HEADERS_TIMEOUT'])
  paused.control()?.resume()
  at(0).push('34')
  await settle()
  expect(paused.received).toEqual(['start', '200', '+12', '+34', 'end'])
})

test('a large body is sent in pieces, and stops once the reply is complete', async () => {
  const { send, at } = openWorld()
  const body = Buffer.alloc(600 * 1024, 'x')
  const call = send({ method: 'POST', body })
  await settle()
  expect(
    at(0)
      .writes.map(({ length }) => length)
      .slice(1),
  ).toEqual([256 * 1024, 88 * 1024])
  expect(at(0).writes.join('').endsWith(`content-length: ${body.length}\r\n\r\n${body}`)).toBe(true)
  at(0).push(REPLY)
  await settle()
  expect((await call).received).toEqual(['start', '200', '+ok', 'end'])

  at(0).hold()
  const early = await send({ method: 'POST', body })
  const before = at(0).writes.length
  at(0).push(REPLY)
  await settle()
  at(0).letOut()
  await settle()
  expect(early.received).toEqual(['start', '200', '+ok', 'end'])
  expect(at(0).destroyed).toBe(true)
  expect(at(0).writes).toHaveLength(before)
})
