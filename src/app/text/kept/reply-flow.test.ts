import { expect, test } from 'vitest'
import { NO_CLIENT } from '../contract/reply-sink.ts'
import { createWaitingEvents, flowTo } from './reply-flow.ts'

/** A client that reads nothing until `drain` is called. */
function slowClient() {
  const written: (string | Uint8Array)[] = []
  let isCut = false
  let drain = () => {}
  const sink = {
    ...NO_CLIENT,
    write(bytes: string | Uint8Array) {
      written.push(bytes)
      return false
    },
    cut() {
      isCut = true
    },
    onDrain(listener: () => void) {
      drain = listener
    },
  }
  return { sink, written, isCut: () => isCut, drain: () => drain() }
}

const turn = () => new Promise(setImmediate)

test('a long event is written in pieces of 64 KiB, each when the client has read the one before', async () => {
  const client = slowClient()
  const text = 'ü'.repeat(70_000)
  const writing = flowTo(client.sink, createWaitingEvents()('org_1')).write(text)
  for (let pieces = 1; pieces <= 3; pieces += 1) {
    await turn()
    expect(client.written).toHaveLength(pieces)
    client.drain()
  }
  await writing
  expect(Buffer.concat(client.written.map((piece) => Buffer.from(piece))).toString()).toBe(text)
})

test('a reader that would exceed 64 MiB of waiting events of its organization is cut, and other readers are not', async () => {
  const waitingOf = createWaitingEvents()
  const text = 'x'.repeat(30 * 1024 * 1024)
  const clients = ['org_1', 'org_1', 'org_1', 'org_2'].map((organizationId) => {
    const client = slowClient()
    void flowTo(client.sink, waitingOf(organizationId)).write(text)
    return client
  })
  await turn()
  expect(clients.map(({ isCut }) => isCut())).toEqual([false, false, true, false])
})

test('a sink that takes only whole events gets a long event whole', async () => {
  const client = slowClient()
  void flowTo(client.sink).write('x'.repeat(200_000))
  await turn()
  expect(client.written).toEqual(['x'.repeat(200_000)])
})
