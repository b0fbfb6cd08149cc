import type { RequestListener } from 'node:http'

/** End of a vendor's reply: by itself, or at a limit of output tokens. */
type Ending = 'done' | 'limit'

/** Whole replies by path, each of 100 tokens in and 20 out. */
const REPLIES: Record<string, (text: string, ending: Ending) => object> = {
  '/v1/chat/completions': (content, ending) => ({
    ...{ id: 'c', object: 'chat.completion', created: 1, model: 'chat' },
    choices: [
      {
        ...{ index: 0, message: { role: 'assistant', content } },
        finish_reason: ending === 'done' ? 'stop' : 'length',
      },
    ],
    usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
  }),
  '/v1/messages': (text, ending) => ({
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'messages' },
    stop_reason: ending === 'done' ? 'end_turn' : 'max_tokens',
    content: text === '' ? [] : [{ type: 'text', text }],
    usage: { input_tokens: 100, output_tokens: 20 },
  }),
  '/v1/responses': (text, ending) => ({
    ...{ id: 'resp_v', object: 'response', created_at: 1, model: 'own', error: null },
    status: ending === 'done' ? 'completed' : 'incomplete',
    incomplete_details: ending === 'done' ? null : { reason: 'max_output_tokens' },
    output: [
      {
        ...{ id: 'msg_v', type: 'message', role: 'assistant', status: 'completed' },
        content: [{ type: 'output_text', text, annotations: [] }],
      },
    ],
    usage: { input_tokens: 100, output_tokens: 20, total_tokens: 120 },
  }),
}

/** A vendor of all dialects that answers with this text. */
export function says(text: string, ending: Ending = 'done'): RequestListener {
  return ({ url = '' }, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(REPLIES[url]?.(text, ending) ?? {}))
  }
}
