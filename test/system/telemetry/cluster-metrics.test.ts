import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const CLUSTER = new URL('./fixtures/metrics-cluster.ts', import.meta.url).pathname

type Trouble =
  | 'none'
  | 'silent-primary'
  | 'silent-worker'
  | 'dead-worker'
  | 'unreadable-worker'
  | 'nonsense-worker'

async function scrape(trouble: Trouble) {
  const run = promisify(execFile)
  const { stdout } = await run(process.execPath, [CLUSTER, trouble], { timeout: 60_000 })
  const value = (series: string) =>
    Number(
      stdout
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.split(' ')[1],
    )
  return {
    requests: value('sluice_http_requests_total{operation="listModels",method="GET",status="200"}'),
    buckets: value('sluice_http_request_seconds_bucket{le="0.001",operation="listModels",status="200"}'),
    busy: value('sluice_pool_connections{pool="store",state="busy"}'),
    breaker: value('sluice_breaker_state{provider="vendorA"}'),
    workers: value('sluice_workers'),
    alive: value('workers_alive'),
  }
}

/** Each of these tests starts four processes. */
describe('a scrape of one worker in a cluster', { timeout: 90_000 }, () => {
  it('shows the sum over all workers', async () => {
    expect(await scrape('none')).toEqual({
      requests: 6,
      buckets: 6,
      busy: 6,
      breaker: 2,
      workers: 3,
      alive: 3,
    })
  })

  it('leaves out a worker that does not answer', async () => {
    expect(await scrape('silent-worker')).toMatchObject({ requests: 3, workers: 2 })
  })

  it('leaves out a worker that has ended', async () => {
    expect(await scrape('dead-worker')).toMatchObject({ requests: 3, workers: 2 })
  })

  it('leaves out a worker with unreadable numbers, and keeps it running', async () => {
    expect(await scrape('unreadable-worker')).toMatchObject({ requests: 3, workers: 2, alive: 3 })
  })

  it('shows its own numbers when the primary cannot sum the answers', async () => {
    expect(await scrape('nonsense-worker')).toMatchObject({ requests: 1, workers: 1, alive: 3 })
  })

  it('shows its own numbers when the primary does not answer', async () => {
    expect(await scrape('silent-primary')).toMatchObject({ requests: 1, workers: 1 })
  })
})
