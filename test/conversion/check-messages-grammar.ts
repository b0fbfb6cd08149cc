type Wire = Record<string, unknown>

/** Throws at the first breach of the framing or of the order of events that every Messages client accepts. */
export function checkMessagesGrammar(sse: string): void {
  const events = framesOf(sse).filter(({ type }) => type !== 'ping')
  const last = events.at(-1)
  let open: number | undefined
  let blocks = 0
  let state: 'before' | 'within' | 'ending' | 'over' = 'before'
  for (const event of events) {
    const fail = () => {
      throw new Error(`${event.type} while ${state}, block ${open ?? 'none'}`)
    }
    if (state === 'over') fail()
    if (event.type === 'error') {
      if (event !== last || typeof objectOf(event.error).message !== 'string') fail()
      state = 'over'
    } else if (event.type === 'message_start') {
      if (state !== 'before' || objectOf(objectOf(event.message).usage).input_tokens === undefined) fail()
      state = 'within'
    } else if (event.type === 'content_block_start') {
      if (state !== 'within' || open !== undefined || event.index !== blocks) fail()
      open = blocks
      blocks += 1
    } else if (event.type === 'content_block_delta') {
      if (open === undefined || event.index !== open) fail()
    } else if (event.type === 'content_block_stop') {
      if (open === undefined || event.index !== open) fail()
      open = undefined
    } else if (event.type === 'message_delta') {
      const { output_tokens } = objectOf(event.usage)
      if (state !== 'within' || open !== undefined || typeof output_tokens !== 'number') fail()
      state = 'ending'
    } else if (event.type === 'message_stop') {
      if (state !== 'ending') fail()
      state = 'over'
    } else fail()
  }
  if (state !== 'over') throw new Error('the stream has no end')
}

function framesOf(sse: string): Wire[] {
  const frames = sse.split('\n\n')
  if (frames.pop() !== '') throw new Error('the stream does not end with a whole event')
  return frames.map((frame) => {
    const [first = '', second = '', ...rest] = frame.split('\n')
    if (rest.length > 0 || frame.includes('\r')) throw new Error(`not two lines: ${frame}`)
    if (!first.startsWith('event: ') || !second.startsWith('data: ')) throw new Error(`no event: ${frame}`)
    const event: Wire = JSON.parse(second.slice('data: '.length))
    if (event.type !== first.slice('event: '.length)) throw new Error(`two names: ${frame}`)
    return event
  })
}

function objectOf(value: unknown): Wire {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
