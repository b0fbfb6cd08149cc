import { expect, test } from 'vitest'
import { completed, created, createReplicas } from '../../../../test/kept-replies/replicas.ts'
import { NO_CLIENT, type ReplySink } from '../contract/reply-sink.ts'
import { recordedSink } from './recording-sink.ts'

/** A client that records what it gets, and turns that the test grants. */
function open() {
  const acts: string[] = []
  const turn = Promise.withResolvers<void>()
  const client: ReplySink = {
    ...NO_CLIENT,
    willBegin: ({ body }) => void acts.push(`will begin ${String(body).slice(0, 14)}`),
    begin: ({ body }) => void acts.push(`begin ${body === undefined ? '' : 'whole'}`.trim()),
    write(bytes) {
      acts.push(String(bytes).split('\n', 1)[0] ?? '')
      return true
    },
    end: () => void acts.push('end'),
  }
  const recording = createReplicas().open().beginForeground()
  const recorded = recordedSink(recording, client, (length) => {
    acts.push(`wait, for ${length}`)
    return turn.promise
  })
  return { acts, turn, recording, recorded }
}

test('a whole reply is sent in its own turn once it is kept', async () => {
  const { acts, turn, recorded } = open()
  const body = '{"id":"resp_1","status":"completed","output":[]}'
  recorded.sink.begin({ status: 200, headers: {}, body })
  const handed = recorded.handOver()
  expect(acts).toEqual(['will begin {"id":"resp_1"'])
  await expect.poll(() => acts.slice(1)).toEqual([expect.stringMatching(/^wait, for \d\d+$/)])
  turn.resolve()
  await handed
  expect(acts.slice(2)).toEqual(['begin whole'])
})

test('the last event of a stream is sent in its own turn, the other events immediately', async () => {
  const { acts, turn, recording, recorded } = open()
  recorded.sink.begin({ status: 200, headers: {} })
  recorded.sink.write(created)
  recorded.sink.write(completed)
  recorded.sink.end()
  await recording.finish()
  const handed = recorded.handOver()
  turn.resolve()
  await handed
  expect(acts).toEqual([
    'begin',
    'event: response.created',
    expect.stringMatching(/^wait, for \d\d+$/),
    'event: response.completed',
    'end',
  ])
})
