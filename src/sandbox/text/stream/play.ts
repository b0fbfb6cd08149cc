import type { Script } from '../script/read-script.ts'
import type { Tally } from '../tally.ts'
import { oddChunks } from './odd-chunks.ts'
import { createPacer } from './pacer.ts'
import { untilGone } from './until-gone.ts'

/** Without a pace events travel together, so that a stream costs little more than its bytes. */
const TOGETHER_CHARACTERS = 16_384

/** Sends events at the script's pace, and counts how it went. */
export async function* play(
  frames: Iterable<string>,
  { script: { words }, tally, signal }: { script: Script; tally: Tally; signal: AbortSignal },
): AsyncGenerator<string | Uint8Array> {
  const end = tally.begin(signal)
  try {
    if (words.has('silent')) await untilGone(signal)
    const pace = words.get('pace')
    if (words.has('split')) for (const frame of frames) yield* oddChunks(frame)
    else if (pace !== undefined) yield* paced(frames, createPacer(pace, signal))
    else yield* together(frames)
  } finally {
    end()
  }
}

async function* paced(frames: Iterable<string>, wait: () => Promise<void>): AsyncGenerator<string> {
  let isFirst = true
  for (const frame of frames) {
    if (!isFirst) await wait()
    isFirst = false
    yield frame
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
