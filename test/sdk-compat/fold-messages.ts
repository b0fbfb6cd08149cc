type Wire = Record<string, unknown>

/** A message put together by hand from the events that plain iteration gives. */
export async function foldMessages(events: AsyncIterable<Wire>): Promise<Wire> {
  let message: Wire | undefined
  let isOver = false
  const blocks: Wire[] = []
  const inputs: string[] = []
  for await (const event of events) {
    if (isOver) throw new Error(`${event.type} after the end`)
    const index = Number(event.index)
    const delta: Wire = Object(event.delta)
    if (event.type === 'message_start') message = { ...Object(event.message) }
    else if (event.type === 'content_block_start') {
      if (index !== blocks.length) throw new Error(`block ${index} after ${blocks.length}`)
      blocks.push({ ...Object(event.content_block) })
      inputs.push('')
    } else if (event.type === 'content_block_delta') {
      const block = blocks[index] ?? {}
      if (delta.type === 'text_delta') block.text = `${block.text}${delta.text}`
      if (delta.type === 'input_json_delta') inputs[index] += String(delta.partial_json)
    } else if (event.type === 'content_block_stop') {
      const json = inputs[index]
      if (json !== undefined && json !== '') Object.assign(blocks[index] ?? {}, { input: JSON.parse(json) })
    } else if (event.type === 'message_delta') {
      const usage = Object.entries(Object(event.usage)).filter(([, count]) => count !== null)
      message = { ...message, ...delta, usage: { ...Object(message?.usage), ...Object.fromEntries(usage) } }
    } else if (event.type === 'message_stop') isOver = true
  }
  if (!isOver) throw new Error('the stream just stopped')
  return { ...message, content: blocks }
}
