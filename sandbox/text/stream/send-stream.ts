import type { SandboxReply } from '../../part.ts'
import type { FrameWriter } from '../dialect.ts'
import type { Script } from '../script/read-script.ts'
import { FAILURE } from '../script/scripted-refusal.ts'
import type { Tally } from '../tally.ts'
import { untilGone } from './pacer.ts'
import { play } from './play.ts'

export interface Sending {
  script: Script
  tally: Tally
  signal: AbortSignal
  headers: Readonly<Record<string, string>>
}

export async function sendStream(writer: FrameWriter, sending: Sending): Promise<SandboxReply> {
  const { script, headers } = sending
  if (script.words.has('never')) return neverAnswer(sending)
  return {
    status: 200,
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      ...headers,
    },
    body: play(chooseFrames(writer, script), sending),
    isCut: script.words.has('cut'),
  }
}

export async function neverAnswer({ tally, signal }: Sending): Promise<never> {
  const end = tally.begin(signal)
  try {
    return await untilGone(signal)
  } finally {
    end()
  }
}

const BROKEN_FRAME = 'data: {"type":"broken", "text":"no end\n\n'

/**
 * The events of a stream by the script: to their end, or with a fault. Unsent events are not made, because each event
 * uses up a number.
 */
function* chooseFrames(writer: FrameWriter, { words }: Script): Generator<string> {
  const failAfter = words.get('fail')
  const cutAfter = words.get('cut')
  const garbageAfter = words.get('garbage')
  let sent = 0
  let isOver = false
  const frames = allFrames()
  while (!isOver) {
    if (sent === cutAfter) return
    if (sent === failAfter) return yield* writer.failed(FAILURE)
    if (sent === garbageAfter) yield BROKEN_FRAME
    const next = frames.next()
    if (next.done === true) return
    yield next.value
    sent += 1
  }

  function* allFrames(): Generator<string, void> {
    yield* writer.frames()
    if (words.has('no-end')) return
    const last = [...writer.terminal()]
    for (const [at, frame] of last.entries()) {
      isOver = at === last.length - 1
      yield frame
    }
  }
}
