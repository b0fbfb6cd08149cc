import { createServer } from 'node:http'

/** A vendor A that answers "running" to every poll, after `DELAY_MS` if it is set, and counts concurrent polls. */
let open = 0
let most = 0
let answered = 0

const server = createServer((request, response) => {
  if (request.url === '/counts') {
    response.end(JSON.stringify({ most, answered }))
    most = 0
    answered = 0
    return
  }
  open += 1
  most = Math.max(most, open)
  const id = decodeURIComponent(request.url?.split('/').at(-1) ?? '')
  const body = JSON.stringify({ id, model: 'gen-2.0', status: 'running', created_at: 1, updated_at: 2 })
  const answer = () => {
    open -= 1
    answered += 1
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
    response.end(body)
  }
  const delayMs = Number(process.env.DELAY_MS ?? 0)
  if (delayMs > 0) setTimeout(answer, delayMs)
  else answer()
})

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') console.log(`http://127.0.0.1:${address.port}`)
})
