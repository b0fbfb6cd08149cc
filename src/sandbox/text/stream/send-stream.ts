import type { SandboxReply } from '../../part.ts'
import type { StreamWriter } from '../dialect.ts'
import type { Script } from '../script/read-script.ts'
import type { Tally } from '../tally.ts'
import { chooseFrames } from './choose-frames.ts'
import { play } from './play.ts'
import { untilGone } from './until-gone.ts'

export interface Sending {
  script: Script
  tally: Tally
  signal: AbortSignal
  headers: Readonly<Record<string, string>>
}

export async function sendStream(writer: StreamWriter, sending: Sending): Promise<SandboxReply> {
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
