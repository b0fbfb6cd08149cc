import { describe, expect, it } from 'vitest'
import { micros } from '../../domain/billing/micros.ts'
import { createMetrics } from './prometheus.ts'

async function linesOf(metrics: ReturnType<typeof createMetrics>, start: string): Promise<string[]> {
  const { body } = await metrics.render()
  return body.split('\n').filter((line) => line.startsWith(start))
}

describe('createMetrics', () => {
  it('counts requests by operation, method and status', async () => {
    const metrics = createMetrics()
    metrics.requestFinished({ operation: 'listModels', method: 'GET', status: 200, durationMs: 3 })
    metrics.requestFinished({ operation: 'listModels', method: 'GET', status: 200, durationMs: 200 })
    metrics.requestFinished({ operation: 'listModels', method: 'GET', status: 401, durationMs: 1 })
    expect(await linesOf(metrics, 'sluice_http_requests_total')).toEqual([
      'sluice_http_requests_total{operation="listModels",method="GET",status="200"} 2',
      'sluice_http_requests_total{operation="listModels",method="GET",status="401"} 1',
    ])
  })

  it('keeps latency buckets by operation and status', async () => {
    const metrics = createMetrics()
    metrics.requestFinished({ operation: 'listModels', method: 'GET', status: 200, durationMs: 3 })
    metrics.requestFinished({ operation: 'listModels', method: 'GET', status: 200, durationMs: 400000 })
    const lines = await linesOf(metrics, 'sluice_http_request_seconds')
    const labels = 'operation="listModels",status="200"'
    expect(lines).toContain(`sluice_http_request_seconds_bucket{le="0.0025",${labels}} 0`)
    expect(lines).toContain(`sluice_http_request_seconds_bucket{le="0.005",${labels}} 1`)
    expect(lines).toContain(`sluice_http_request_seconds_bucket{le="300",${labels}} 1`)
    expect(lines).toContain(`sluice_http_request_seconds_bucket{le="+Inf",${labels}} 2`)
    expect(lines).toContain(`sluice_http_request_seconds_count{${labels}} 2`)
    expect(lines).toContain(`sluice_http_request_seconds_sum{${labels}} 400.003`)
  })

  it('counts upstream calls and shed requests, and shows breakers', async () => {
    const metrics = createMetrics()
    metrics.upstreamCallFinished({ provider: 'vendorA', operation: 'create', outcome: '2xx', seconds: 1 })
    metrics.requestShed()
    metrics.breakerMoved({ provider: 'vendorA', state: 'open' })
    metrics.breakerMoved({ provider: 'vendorB', state: 'half-open' })
    metrics.breakerMoved({ provider: 'vendorB', state: 'closed' })
    expect(await linesOf(metrics, 'sluice_upstream_calls_total')).toEqual([
      'sluice_upstream_calls_total{provider="vendorA",operation="create",outcome="2xx"} 1',
    ])
    expect(await linesOf(metrics, 'sluice_upstream_call_seconds_count')).toEqual([
      'sluice_upstream_call_seconds_count{provider="vendorA",operation="create"} 1',
    ])
    expect(await linesOf(metrics, 'sluice_requests_shed_total')).toEqual(['sluice_requests_shed_total 1'])
    expect(await linesOf(metrics, 'sluice_breaker_state')).toEqual([
      'sluice_breaker_state{provider="vendorA"} 2',
      'sluice_breaker_state{provider="vendorB"} 0',
    ])
  })

  it('counts tasks that a stand-in took over by asked and next model and by reason', async () => {
    const metrics = createMetrics()
    const [asked, served] = ['vendorA/gen-2.0', 'vendorB/gen-v4-std']
    metrics.taskHandedOver({ asked, served, reason: 'forbidden' })
    metrics.taskHandedOver({ asked, served, reason: 'forbidden' })
    metrics.taskHandedOver({ asked, served, reason: 'generation_failed' })
    const name = 'sluice_video_tasks_handed_over_total'
    expect(await linesOf(metrics, name)).toEqual([
      `${name}{asked="${asked}",served="${served}",reason="forbidden"} 2`,
      `${name}{asked="${asked}",served="${served}",reason="generation_failed"} 1`,
    ])
  })

  it('counts limits kept alone, money lost and usage that waits', async () => {
    const metrics = createMetrics()
    expect(await linesOf(metrics, 'sluice_money_lost_micros_total')).toEqual([
      'sluice_money_lost_micros_total 0',
    ])
    metrics.limitKeptLocally('rate')
    metrics.limitKeptLocally('rate')
    metrics.limitKeptLocally('day')
    metrics.moneyLost(micros(250))
    metrics.moneyLost(micros(50))
    metrics.usageWaiting(7)
    metrics.usageWaiting(3)
    metrics.allowanceExpired(micros(1_000))
    metrics.allowanceExpired(micros(500))
    expect(await linesOf(metrics, 'sluice_limits_kept_locally_total')).toEqual([
      'sluice_limits_kept_locally_total{limit="rate"} 2',
      'sluice_limits_kept_locally_total{limit="day"} 1',
    ])
    expect(await linesOf(metrics, 'sluice_money_lost_micros_total')).toEqual([
      'sluice_money_lost_micros_total 300',
    ])
    expect(await linesOf(metrics, 'sluice_usage_rows_waiting')).toEqual(['sluice_usage_rows_waiting 3'])
    expect(await linesOf(metrics, 'sluice_allowances_expired_total')).toEqual([
      'sluice_allowances_expired_total 2',
    ])
    expect(await linesOf(metrics, 'sluice_allowances_expired_micros_total')).toEqual([
      'sluice_allowances_expired_micros_total 1500',
    ])
  })

  it('reads a pool at each scrape', async () => {
    const metrics = createMetrics()
    let busy = 1
    metrics.watchPool('store', () => ({ busy, idle: 4, waiting: 0 }))
    expect(await linesOf(metrics, 'sluice_pool_connections')).toEqual([
      'sluice_pool_connections{pool="store",state="busy"} 1',
      'sluice_pool_connections{pool="store",state="idle"} 4',
      'sluice_pool_connections{pool="store",state="waiting"} 0',
    ])
    busy = 3
    expect(await linesOf(metrics, 'sluice_pool_connections{pool="store",state="busy"}')).toEqual([
      'sluice_pool_connections{pool="store",state="busy"} 3',
    ])
  })

  it('shows event-loop lag and the process itself', async () => {
    const metrics = createMetrics()
    const lag = await linesOf(metrics, 'sluice_event_loop_lag_seconds')
    expect(lag.map((line) => line.split(' ')[0])).toEqual([
      'sluice_event_loop_lag_seconds{quantile="0.5"}',
      'sluice_event_loop_lag_seconds{quantile="0.99"}',
      'sluice_event_loop_lag_seconds{quantile="1"}',
    ])
    for (const line of lag) expect(Number(line.split(' ')[1])).toBeGreaterThanOrEqual(0)
    expect(await linesOf(metrics, 'process_resident_memory_bytes')).toHaveLength(1)
    expect((await metrics.render()).contentType).toMatch(/^text\/plain; version=0\.0\.4/)
  })

  it('escapes what a label could break', async () => {
    const metrics = createMetrics()
    metrics.upstreamCallFinished({ provider: 'a"\n} 1', operation: 'o', outcome: 'x', seconds: 1 })
    expect(await linesOf(metrics, 'sluice_upstream_calls_total')).toEqual([
      'sluice_upstream_calls_total{provider="a\\"\\n} 1",operation="o",outcome="x"} 1',
    ])
  })
})
