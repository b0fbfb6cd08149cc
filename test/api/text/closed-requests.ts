/** Counts text requests of a gateway that have ended for their clients. */
export async function countClosedRequests({ url }: { url: string }): Promise<number> {
  const figures = await (await fetch(`${url}/metrics`)).text()
  const lines = figures.split('\n').filter((line) => line.startsWith(CLOSED))
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

const CLOSED = 'sluice_http_requests_total{operation="create'
