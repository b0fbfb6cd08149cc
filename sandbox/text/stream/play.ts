import type { Script } from '../script/read-script.ts'
import type { Tally } from '../tally.ts'
import { createPacer, untilGone } from './pacer.ts'

/** Without a pace events are sent together, so that a stream costs little more than its bytes. */
const TOGETHER_CHARACTERS = 16_384

/**
 * Sends events at the script's pace, and counts the outcome. The generators that it reads are synchronous: that costs less.
 */
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

/** Sizes that cut characters, lines and events. */
const SIZES = [1, 3, 2, 5, 1, 1, 7, 4]

/** Cuts events at odd positions, with the other kind of line ends. */
function* oddChunks(frames: Iterable<string>): Generator<Uint8Array> {
  for (const frame of frames) {
    const bytes = Buffer.from(frame.replaceAll('\n', '\r\n'))
    let at = 0
    for (let turn = 0; at < bytes.byteLength; turn += 1) {
      const size = SIZES[turn % SIZES.length] ?? 1
      yield bytes.subarray(at, at + size)
      at += size
    }
  }
}
