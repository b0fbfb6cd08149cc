import type { StreamWriter } from '../dialect.ts'
import type { Script } from '../script/read-script.ts'
import { FAILURE } from '../script/scripted-refusal.ts'

const BROKEN_FRAME = 'data: {"type":"broken", "text":"no end\n\n'

/** The events of a stream as the script wants them: to their end, or with a fault on the way. */
export function* chooseFrames(writer: StreamWriter, { words }: Script): Generator<string> {
  const failAfter = words.get('fail')
  const cutAfter = words.get('cut')
  const garbageAfter = words.get('garbage')
  let sent = 0
  for (const frame of allFrames(writer, words.has('no-end'))) {
    if (sent === cutAfter) return
    if (sent === failAfter) return yield* writer.failed(FAILURE)
    if (sent === garbageAfter) yield BROKEN_FRAME
    yield frame
    sent += 1
  }
}

function* allFrames(writer: StreamWriter, hasNoEnd: boolean): Generator<string> {
  yield* writer.frames()
  if (!hasNoEnd) yield* writer.terminal()
}
