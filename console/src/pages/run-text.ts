import { DIALECTS, type DialectName, SseReader, type TextForm } from '../format/dialects.ts'

export interface Outcome {
  isRunning: boolean
  status: number
  /** Text of the model so far. */
  text: string
  /** The reply so far, cut at `RAW_MAX`. A complete reply that is not a stream is indented. */
  raw: string
  failure: string
  requestId: string
  losses: string
  costUsd?: string
  tokens?: { input?: number; output?: number }
  firstByteMs?: number
  totalMs?: number
}

interface Run {
  dialect: DialectName
  form: TextForm
  /** Adds the key of the customer. */
  withKey(send: (key: string) => Promise<Response>): Promise<Response>
  signal: AbortSignal
  onChange(outcome: Outcome): void
}

/** Maximum number of characters in `raw`; a longer reply is still read to its end. */
const RAW_MAX = 200_000

/** Sends a text request as a client would, and reports its progress. */
export async function runText({ dialect, form, withKey, signal, onChange }: Run): Promise<Outcome> {
  const { path, headers, body, textOf, tokensOf } = DIALECTS[dialect]
  let outcome: Outcome = {
    isRunning: true,
    status: 0,
    text: '',
    raw: '',
    failure: '',
    requestId: '',
    losses: '',
  }
  const tell = (part: Partial<Outcome>) => {
    outcome = { ...outcome, ...part }
    onChange(outcome)
  }
  tell({})
  const take = (event: unknown) => {
    // An event may have one count only, or null for the other.
    const { input, output } = tokensOf(event) ?? {}
    const tokens = { input: input ?? outcome.tokens?.input, output: output ?? outcome.tokens?.output }
    const hasTokens = (tokens.input ?? tokens.output) !== undefined
    tell({ text: outcome.text + textOf(event), ...(hasTokens && { tokens }) })
  }
  const beganMs = performance.now()
  try {
    const reply = await withKey((key) =>
      fetch(path, {
        method: 'POST',
        headers: { ...headers(key), 'content-type': 'application/json', 'x-sluice-cost': 'true' },
        body: JSON.stringify(body(form)),
        credentials: 'omit',
        signal,
      }),
    )
    const cost = reply.headers.get('x-sluice-cost-usd')
    tell({
      status: reply.status,
      requestId: reply.ok ? (reply.headers.get('x-request-id') ?? '') : '',
      losses: reply.headers.get('x-sluice-losses') ?? '',
      firstByteMs: performance.now() - beganMs,
      ...(cost !== null && { costUsd: cost }),
    })
    const isStream = reply.headers.get('content-type')?.startsWith('text/event-stream') ?? false
    const decoder = new TextDecoder()
    let whole = ''
    const sse = new SseReader()
    const reader = reply.body?.getReader()
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      const text = decoder.decode(part.value, { stream: true })
      tell({ raw: (outcome.raw + text).slice(0, RAW_MAX) })
      if (!isStream) {
        whole += text
        continue
      }
      const { events, comments } = sse.feed(text)
      for (const event of events) take(event)
      const told = comments
        .map((line) => /^cost_usd=(\S+)/.exec(line)?.[1])
        .find((found) => found !== undefined)
      if (told !== undefined) tell({ costUsd: told })
    }
    if (!isStream) {
      const parsed: unknown = JSON.parse(whole)
      if (reply.ok) take(parsed)
      tell({ raw: JSON.stringify(parsed, null, 2).slice(0, RAW_MAX) })
    }
  } catch (error) {
    tell({ failure: error instanceof Error ? error.message : String(error) })
  }
  tell({ isRunning: false, totalMs: performance.now() - beganMs })
  return outcome
}
