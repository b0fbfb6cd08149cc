import { createServer } from 'node:http'
import { onTestFinished } from 'vitest'

export interface Receiver {
  url: string
  /** The status of each task that was posted, in order of arrival. */
  statuses(): unknown[]
  bodies: Record<string, unknown>[]
}

/** Takes notices; `answer` gives the status for the number of a notice, or `never` for no answer. */
export async function openReceiver(
  answer: (number: number) => number | 'never' = () => 204,
): Promise<Receiver> {
  const bodies: Record<string, unknown>[] = []
  const server = createServer(async (request, response) => {
    const text = await request.reduce((whole, chunk) => whole + chunk, '')
    bodies.push({ ...JSON.parse(text), method: request.method, path: request.url })
    const status = answer(bodies.length)
    if (status !== 'never') response.writeHead(status).end()
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/v1/video/result?token=t1`,
    bodies,
    statuses: () => bodies.map(({ status }) => status),
  }
}
