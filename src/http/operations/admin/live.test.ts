import type { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { createLiveRequests } from '../../../app/live-requests.ts'
import { createDrainState } from '../../server/draining.ts'
import { live } from './live.ts'

const clock = { nowMs: () => 0, monotonicMs: () => 0 }
const FINISHED = {
  ...{ requestId: 'req_1', operation: 'listModels', method: 'GET', status: 200, durationMs: 1 },
  ...{ organizationId: 'org_1', keyId: 'key_1' },
}

/** A live stream that no client reads, and the requests that it reports. */
function open() {
  const requests = createLiveRequests({ clock })
  let stream: Readable | undefined
  const reply = {
    headers: () => reply,
    send(sent: Readable) {
      stream = sent
    },
  }
  const tools = { app: { listenToRequests: requests.listen }, admin: undefined, drain: createDrainState() }
  live.handle(tools as never)({ query: {}, raw: {} } as never, reply as never)
  if (stream === undefined) throw new Error('nothing was sent')
  return { requests, stream }
}

function readAll(stream: Readable): string {
  let text = ''
  for (let part = stream.read(); part !== null; part = stream.read()) text += part
  return text
}

test('adminWatchRequests 200: 64 KiB wait for a slow reader; the rest is dropped and counted', () => {
  const { requests, stream } = open()
  for (let n = 0; n < 1_000; n += 1) requests.report(FINISHED)
  expect(stream.readableLength).toBeLessThan(65 * 1024)
  const first = readAll(stream)
  const kept = first.split('event: request').length - 1
  expect(first).not.toContain('event: dropped')
  requests.report(FINISHED)
  expect(readAll(stream)).toContain(`event: dropped\ndata: {"count":${1_000 - kept}}\n\nevent: request`)
  stream.destroy()
})
