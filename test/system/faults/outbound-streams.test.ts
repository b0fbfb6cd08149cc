import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Flow } from '../../../src/adapters/outbound/receiver.ts'
import type { Upstream } from '../../../src/adapters/outbound/upstream.ts'
import { CALL, startUpstreamScenario, type UpstreamScenario } from './harness/upstream-scenario.ts'

describe.each(['lean', 'undici'] as const)('streams of an upstream that %s speaks to', (client) => {
  let scenario: UpstreamScenario

  beforeEach(async () => {
    scenario = await startUpstreamScenario(client)
  })
  afterEach(() => scenario.close())

  it('streams: the head first, then the body, and a cut is an error of the body', async () => {
    scenario.answer = (_request, response) => response.write('data: 1\n\n')
    const { status, body } = await scenario.open().stream(CALL)
    expect(status).toBe(200)
    const [first] = await once(body, 'data')
    expect(String(first)).toBe('data: 1\n\n')
    const failed = once(body, 'error')
    await scenario.proxy.setMode({ kind: 'reset' })
    expect((await failed)[0]).toMatchObject({ kind: 'broken', taken: 'maybe' })
    expect(scenario.outcomes()).toEqual(['broken'])
  })

  it('streams: a body that is broken from its first byte does no harm before it is read', async () => {
    scenario.answer = (request) =>
      request.socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n')
    const { status, body } = await scenario.open().stream(CALL)
    await expect.poll(() => body.errored).toMatchObject({ kind: 'broken' })
    expect(status).toBe(200)
    await expect(text(body)).rejects.toMatchObject({ kind: 'broken' })
  })

  it('streams: a reader that pauses also pauses the upstream, and one that leaves closes the connection', async () => {
    const closed = Promise.withResolvers<void>()
    let wanted = 0
    scenario.answer = (_request, response) => {
      response.on('close', () => closed.resolve())
      const write = () => {
        while (wanted < 50_000_000) {
          wanted += 100_000
          if (!response.write('x'.repeat(100_000))) return
        }
      }
      response.on('drain', write)
      write()
    }
    const { body } = await scenario.open().stream(CALL)
    await once(body, 'readable')
    // The kernel's buffers fill up, then nothing moves any more.
    await untilStill(() => wanted)
    expect(wanted).toBeLessThan(50_000_000)
    expect(body.readableLength).toBeLessThan(1_000_000)
    body.destroy()
    await closed.promise
    await expect.poll(scenario.pool).toMatchObject({ busy: 0 })
    expect(scenario.outcomes()).toEqual(['aborted'])
  })

  it('a receiver gets exactly one end, and nothing after it', async () => {
    expect(await record(scenario.open())).toEqual(['head 200', 'chunk taken', 'end'])
    scenario.answer = (_request, response) => response.write('half')
    const stopped = await record(scenario.open(), (flow) => flow.stop('aborted'))
    expect(stopped).toEqual(['head 200', 'failure aborted'])
    await scenario.proxy.setMode({ kind: 'refuse' })
    expect(await record(scenario.open())).toEqual(['failure refused'])
  })
})

async function record(upstream: Upstream, onHead?: (flow: Flow) => void): Promise<string[]> {
  const received: string[] = []
  const over = Promise.withResolvers<void>()
  upstream.dispatch(CALL, {
    onHead(head, flow) {
      received.push(`head ${head.status}`)
      onHead?.(flow)
    },
    onChunk: (chunk) => received.push(`chunk ${chunk}`),
    onEnd() {
      received.push('end')
      over.resolve()
    },
    onFailure(failure) {
      received.push(`failure ${failure.kind}`)
      over.resolve()
    },
  })
  await over.promise
  // A late call of the receiver would come when the connection is closed.
  await upstream.close()
  return received
}

/** Resolves when two reads, a fifth of a second apart, give the same number. */
async function untilStill(read: () => number): Promise<void> {
  for (let before = -1; before !== read(); ) {
    before = read()
    await delay(200)
  }
}
