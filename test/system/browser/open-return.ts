import { createServer } from 'node:http'
import { onTestFinished } from 'vitest'

/** A server that sends every browser on to another address with the same query, or shows it a word. */
export async function openReturn(nextUrl?: string): Promise<string> {
  const server = createServer((request, response) => {
    const { search } = new URL(request.url ?? '', 'http://return')
    if (nextUrl === undefined) response.writeHead(200, { 'content-type': 'text/plain' }).end('back again')
    else response.writeHead(302, { location: `${nextUrl}${search}` }).end()
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  return `http://127.0.0.1:${port}/return`
}
