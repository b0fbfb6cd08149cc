import { type IncomingMessage, request } from 'node:http'

/** One client's stream, over a connection of its own. */
export interface TextStream {
  /** Resolves when the first words of the reply are there; rejects when none come. */
  begun: Promise<void>
  /** End of the stream: all received data, and whether the connection broke. */
  ended: Promise<StreamEnd>
  /** Reads nothing more. */
  stall(): void
  hangUp(): void
}

export interface StreamEnd {
  status: number
  text: string
  isBroken: boolean
}

export function openStream(url: string, { key, body }: { key: string; body: object }): TextStream {
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<StreamEnd>()
  begun.promise.catch(() => {})
  let answer: IncomingMessage | undefined
  const pieces: string[] = []
  let hasBegun = false
  const end = (isBroken: boolean) => {
    const text = pieces.join('')
    if (!hasBegun) begun.reject(new Error(`no words came: ${answer?.statusCode} ${text}`))
    ended.resolve({ status: answer?.statusCode ?? 0, text, isBroken })
  }
  const sent = request(url, {
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'compat-version': '2023-06-01',
    },
  })
  sent.on('error', () => end(true))
  sent.on('response', (response) => {
    answer = response
    response.setEncoding('utf8')
    response.on('data', (piece: string) => {
      pieces.push(piece)
      hasBegun ||= piece.includes('delta')
      if (hasBegun) begun.resolve()
    })
    response.on('end', () => end(false))
    response.on('error', () => end(true))
    response.on('close', () => end(true))
  })
  sent.end(JSON.stringify(body))
  return {
    begun: begun.promise,
    ended: ended.promise,
    stall: () => void answer?.pause(),
    hangUp: () => void sent.destroy(),
  }
}

/** Kind of the final event: of a whole reply, or of an error. undefined: the stream was cut. */
export function terminalOf({ text }: StreamEnd): 'completed' | 'failed' | undefined {
  if (/^event: (message_stop|response\.completed|response\.incomplete)$/m.test(text)) return 'completed'
  return /^event: (error|response\.failed)$/m.test(text) ? 'failed' : undefined
}
