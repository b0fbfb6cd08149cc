import { createServer } from 'node:http'
import { Pool } from 'undici'

/**
 * The least that stands between a client and an upstream: node:http takes the request, undici sends it on, and the
 * answer's bytes go back as they come, held while the client is slow. No key, no rules, no limits, no meter.
 */
const upstream = new Pool(process.env.UPSTREAM ?? '', {
  connections: 1_024,
  allowH2: false,
  pipelining: 1,
  headersTimeout: 600_000,
  bodyTimeout: 300_000,
})

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const [first] = chunks
    upstream.dispatch(
      {
        path: request.url ?? '/',
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: request.headers.authorization ?? '' },
        body: chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks),
      },
      {
        onRequestStart(controller) {
          response.on('drain', () => controller.resume())
          response.on('close', () => {
            if (!response.writableFinished) controller.abort(new Error('the client is gone'))
          })
        },
        onResponseStart(_controller, status, { connection, 'keep-alive': _, ...headers }) {
          response.writeHead(status, headers)
        },
        onResponseData(controller, chunk) {
          if (!response.write(chunk)) controller.pause()
        },
        onResponseEnd() {
          response.end()
        },
        onResponseError() {
          response.destroy()
        },
      },
    )
  })
})

server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', 4_096, () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') console.log(`http://127.0.0.1:${address.port}`)
})
