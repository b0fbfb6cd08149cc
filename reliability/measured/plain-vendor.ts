import { createServer, type ServerResponse } from 'node:http'
import { parentPort } from 'node:worker_threads'

/**
 * A text vendor on a thread of its own that parses nothing: a vendor that one organization's large bodies slow down
 * would be slow for the others too, and that is not what is measured.
 */
const EDGE_BYTES = 400
/** Length of a stream: the number of its pieces, and of the frames in each piece. */
const PIECES = 200
const FRAMES_IN_PIECE = 100

const REPLY = JSON.stringify({
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'plain' },
  content: [{ type: 'text', text: 'an answer' }],
  ...{ stop_reason: 'end_turn', stop_sequence: null, usage: { input_tokens: 5, output_tokens: 3 } },
})
const CHAT_REPLY = JSON.stringify({
  ...{ id: 'chatcmpl_1', object: 'chat.completion', created: 1, model: 'plain' },
  choices: [{ index: 0, message: { role: 'assistant', content: 'an answer' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 },
})
const FAILURE = JSON.stringify({ type: 'error', error: { type: 'api_error', message: 'It failed.' } })

const frame = (type: string, more: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`
const TEXT_BLOCK = { index: 0, content_block: { type: 'text', text: '' } }
const TEXT_DELTA = { index: 0, delta: { type: 'text_delta', text: 'some words of a long reply ' } }
// Written once: a vendor that is busy with the streams of one organization would be slow for the others.
const STREAM_START =
  frame('message_start', { message: { ...JSON.parse(REPLY), content: [], stop_reason: null } }) +
  frame('content_block_start', TEXT_BLOCK)
const PIECE = Buffer.from(frame('content_block_delta', TEXT_DELTA).repeat(FRAMES_IN_PIECE))

const server = createServer((request, response) => {
  let start = ''
  let end = ''
  request.on('data', (piece: Buffer) => {
    if (start === '') start = piece.toString('latin1', 0, EDGE_BYTES)
    end = piece.toString('latin1', Math.max(0, piece.length - EDGE_BYTES))
  })
  request.on('end', () => {
    const shown = start + end
    if (shown.includes('[fail]')) answer(response, 500, FAILURE)
    else if (shown.includes('"stream":true')) stream(response)
    else answer(response, 200, request.url?.endsWith('/chat/completions') ? CHAT_REPLY : REPLY)
  })
})

function answer(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body)
}

function stream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(STREAM_START)
  let left = PIECES
  const goOn = () => {
    for (; left > 0; left -= 1) if (!response.write(PIECE)) return void response.once('drain', goOn)
    response.end()
  }
  goOn()
}

// Stands last, because it uses the constants above.
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address !== 'string')
    parentPort?.postMessage(`http://127.0.0.1:${address.port}`)
})
