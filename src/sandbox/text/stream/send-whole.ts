import { jsonReply, type SandboxReply } from '../../part.ts'
import { createPacer } from './pacer.ts'
import { play } from './play.ts'
import { neverAnswer, type Sending } from './send-stream.ts'

/** A reply in one piece, with the faults of streams as far as they make sense for it. */
export async function sendWhole(whole: object, sending: Sending): Promise<SandboxReply> {
  const { script, tally, signal, headers } = sending
  const { words } = script
  if (words.has('never')) return neverAnswer(sending)
  const reply = jsonReply(200, whole, headers)
  if (words.has('silent') || words.has('cut') || words.has('split')) {
    const text = JSON.stringify(whole)
    const kept = words.has('cut') ? text.slice(0, text.length / 2) : text
    return { ...reply, body: play([kept], sending), isCut: words.has('cut') }
  }
  const end = tally.begin(signal)
  try {
    const pace = words.get('pace')
    if (pace !== undefined) await createPacer(pace, signal)()
    return words.has('garbage') ? { ...reply, body: JSON.stringify(whole).slice(0, -2) } : reply
  } finally {
    end()
  }
}
