import { jsonReply, type SandboxReply, type SandboxRequest } from '../part.ts'
import { decideReply } from './behaviour/decide-reply.ts'
import type { PromptCache } from './behaviour/prompt-cache.ts'
import { readPrompt } from './behaviour/read-prompt.ts'
import type { Envelope, TextDialect } from './dialect.ts'
import type { Field } from './field.ts'
import { readScript } from './script/read-script.ts'
import { scriptedRefusal } from './script/scripted-refusal.ts'
import { createPacer } from './stream/pacer.ts'
import { play } from './stream/play.ts'
import { neverAnswer, type Sending, sendStream } from './stream/send-stream.ts'
import { takeCall } from './take-call.ts'
import type { Tally } from './tally.ts'

/** State of the vendor between calls. */
export interface TextState {
  tally: Tally
  cache: PromptCache
  newId(prefix: string): string
}

/** Reads a request, decides the reply, and writes it in the same dialect. */
export function answerCall(
  dialect: TextDialect,
  request: SandboxRequest,
  state: TextState,
): Promise<SandboxReply> {
  return takeCall(dialect, request, {
    requestId: state.newId('req'),
    answer: (body, headers) => answer(dialect, request, { body, headers, state }),
  })
}

async function answer(
  dialect: TextDialect,
  { clock, signal }: SandboxRequest,
  { body, headers, state }: { body: Field; headers: Readonly<Record<string, string>>; state: TextState },
): Promise<SandboxReply> {
  const modelRequest = dialect.read(body)
  const prompt = readPrompt(modelRequest)
  const script = readScript(prompt.text)
  const refusal = scriptedRefusal(script, modelRequest)
  if (refusal !== undefined) throw refusal

  const said = decideReply(modelRequest, { script, prompt, cache: state.cache })
  const envelope: Envelope = {
    modelRequest,
    body: body.object(),
    createdAtSeconds: Math.floor(clock.nowMs() / 1_000),
    newId: state.newId,
    showsUsage: !script.words.has('no-usage'),
    interleaves: script.words.has('interleave'),
    signsCalls: script.words.has('sign'),
  }
  const sending = {
    script,
    tally: state.tally,
    signal,
    headers: script.words.has('headers') ? { ...TALKATIVE_HEADERS, ...headers } : headers,
  }
  return modelRequest.stream
    ? sendStream(dialect.stream(said, envelope), sending)
    : sendWhole(dialect.whole(said, envelope), sending)
}

/** Headers of a vendor answer, only some of which a gateway may pass on. */
const TALKATIVE_HEADERS: Readonly<Record<string, string>> = {
  'anthropic-organization-id': 'org_sandbox',
  'anthropic-ratelimit-requests-remaining': '99',
  'openai-organization': 'org-sandbox',
  'openai-processing-ms': '42',
  'x-ratelimit-remaining-requests': '99',
  'set-cookie': 'sandbox=secret; HttpOnly',
  server: 'sandbox',
  'x-vendor-internal': 'do not show',
}

/** Sends a reply in one piece, with the faults of streams that apply to it. */
async function sendWhole(whole: object, sending: Sending): Promise<SandboxReply> {
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
