import type { Script } from '../script/read-script.ts'
import type { Tally } from '../tally.ts'
import { oddChunks } from './odd-chunks.ts'
import { createPacer } from './pacer.ts'
import { untilGone } from './until-gone.ts'

/** Without a pace events travel together, so that a stream costs little more than its bytes. */
const TOGETHER_CHARACTERS = 16_384

/** Sends events at the script's pace, and counts how it went. One generator and no more: streams by the hundred pass here. */
export async function* play(
  frames: Iterable<string>,
  { script: { words }, tally, signal }: { script: Script; tally: Tally; signal: AbortSignal },
): AsyncGenerator<string | Uint8Array> {
  const end = tally.begin(signal)
  try {
    if (words.has('silent')) await untilGone(signal)
    const pace = words.has('split') ? undefined : words.get('pace')
    const wait = pace === undefined ? undefined : createPacer(pace, signal)
    const chunks = words.has('split') ? oddChunks(frames) : wait === undefined ? together(frames) : frames
    let isFirst = true
    for (const chunk of chunks) {
      if (wait !== undefined && !isFirst) await wait()
      isFirst = false
      yield chunk
    }
  } finally {
    end()
  }
}

function* together(frames: Iterable<string>): Generator<string> {
  let pending = ''
  for (const frame of frames) {
    pending += frame
    if (pending.length < TOGETHER_CHARACTERS) continue
    yield pending
    pending = ''
  }
  if (pending !== '') yield pending
}
