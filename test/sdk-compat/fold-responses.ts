type Wire = Record<string, unknown>

const ENDS: readonly unknown[] = ['response.completed', 'response.incomplete']

/** Puts a response together from the events of plain iteration. `deltas_agree`: its items have the text of the deltas. */
export async function foldResponses(events: AsyncIterable<Wire>): Promise<Wire> {
  let end: Wire | undefined
  const items: Wire[] = []
  let deltas = ''
  for await (const event of events) {
    if (end !== undefined) throw new Error(`${event.type} after the end`)
    if (event.type === 'response.failed') throw new ReplyFailed('the response failed')
    if (event.type === 'response.output_text.delta' || event.type === 'response.refusal.delta') {
      deltas += String(event.delta)
    }
    if (event.type === 'response.output_item.done') items[Number(event.output_index)] = Object(event.item)
    if (ENDS.includes(event.type)) end = Object(event.response)
  }
  if (end === undefined) throw new Error('the stream just stopped')
  const whole = items.flatMap(({ type, content }) =>
    type === 'message' && Array.isArray(content) ? content : [],
  )
  const wholeText = whole.map((part) => part.text ?? part.refusal ?? '').join('')
  return { ...end, output: items, deltas_agree: deltas === wholeText }
}

/** Thrown when the stream itself reports that the reply failed. */
class ReplyFailed extends Error {}
