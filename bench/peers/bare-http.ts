import { createServer } from 'node:http'

/** The minimum: node:http sends the given reply, and its own CPU time at `/cpu`. */
const body = process.env.REPLY_BODY ?? ''
// Text, not bytes: Node joins it with the head into one write, which is the faster way for a small reply.
const bytes = Buffer.byteLength(body)

const server = createServer((request, response) => {
  if (request.url === '/cpu') {
    const { user, system } = process.cpuUsage()
    response.end(JSON.stringify({ seconds: (user + system) / 1e6 }))
    return
  }
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': bytes,
  })
  response.end(body)
})

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') console.log(`http://127.0.0.1:${address.port}`)
})
