import type { SandboxReply, SandboxRequest } from '../part.ts'
import type { Envelope, TextDialect } from './dialect.ts'
import type { Field } from './field.ts'
import type { PromptCache } from './mind/prompt-cache.ts'
import { readPrompt } from './mind/read-prompt.ts'
import { think } from './mind/think.ts'
import { readScript } from './script/read-script.ts'
import { scriptedRefusal } from './script/scripted-refusal.ts'
import { TALKATIVE_HEADERS } from './script/talkative-headers.ts'
import { sendStream } from './stream/send-stream.ts'
import { sendWhole } from './stream/send-whole.ts'
import { takeCall } from './take-call.ts'
import type { Tally } from './tally.ts'

/** What the vendor keeps between calls. */
export interface Desk {
  tally: Tally
  cache: PromptCache
  newId(prefix: string): string
}

/** Reads what is asked, thinks about it, and says it in the same dialect. */
export function answerCall(dialect: TextDialect, request: SandboxRequest, desk: Desk): Promise<SandboxReply> {
  return takeCall(dialect, request, {
    requestId: desk.newId('req'),
    answer: (body, headers) => answer(dialect, request, { body, headers, desk }),
  })
}

async function answer(
  dialect: TextDialect,
  { clock, signal }: SandboxRequest,
  { body, headers, desk }: { body: Field; headers: Readonly<Record<string, string>>; desk: Desk },
): Promise<SandboxReply> {
  const asked = dialect.read(body)
  const prompt = readPrompt(asked)
  const script = readScript(prompt.text)
  const refusal = scriptedRefusal(script, asked)
  if (refusal !== undefined) throw refusal

  const said = think(asked, { script, prompt, cache: desk.cache })
  const envelope: Envelope = {
    asked,
    body: body.object(),
    createdAtSeconds: Math.floor(clock.nowMs() / 1_000),
    newId: desk.newId,
    showsUsage: !script.words.has('no-usage'),
    interleaves: script.words.has('interleave'),
    signsCalls: script.words.has('sign'),
  }
  const sending = {
    script,
    tally: desk.tally,
    signal,
    headers: script.words.has('headers') ? { ...TALKATIVE_HEADERS, ...headers } : headers,
  }
  return asked.stream
    ? sendStream(dialect.stream(said, envelope), sending)
    : sendWhole(dialect.whole(said, envelope), sending)
}
