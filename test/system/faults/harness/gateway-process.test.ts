import { request } from 'undici'
import { afterEach, describe, expect, it } from 'vitest'
import { type GatewayProcess, startGateway } from './gateway-process.ts'

/** Server that is ready after a few requests, and that SIGTERM ends with a special exit code. */
const SERVER = `
  const { createServer } = require('node:http')
  let asked = 0
  console.log('mark ' + process.env.MARK)
  const server = createServer((request, response) => {
    asked += 1
    response.statusCode = asked > 2 ? 200 : 503
    response.end()
    if (request.url === '/leave') process.exit(7)
  })
  server.listen(process.env.PORT, process.env.HOST)
  process.on('SIGTERM', () => { console.log('polite end'); process.exit(3) })`

describe('the gateway process', () => {
  let gateway: GatewayProcess | undefined

  afterEach(async () => {
    await gateway?.stop()
    gateway = undefined
  })

  it('is ready when it reports so, and ends gracefully', async () => {
    gateway = await startGateway({ args: ['-e', SERVER], env: { MARK: 'one' } })
    expect(await gateway.kill('SIGTERM')).toEqual({ code: 3, signal: null })
    expect(gateway.output()).toMatch(/mark one\s+polite end/)
  })

  it('can be killed and started again on its port, with changes', async () => {
    gateway = await startGateway({ args: ['-e', SERVER], env: { MARK: 'one' } })
    const { port, pid } = gateway
    expect(await gateway.kill('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' })
    await gateway.restart({ env: { MARK: 'two' } })
    expect(gateway.port).toBe(port)
    expect(gateway.pid).not.toBe(pid)
    await expect.poll(gateway.output).toMatch(/^mark one\s+mark two\s*$/)
  })

  it('reports an end of its own', async () => {
    gateway = await startGateway({ args: ['-e', SERVER] })
    await request(`${gateway.baseUrl}/leave`, { reset: true }).catch(() => {})
    expect(await gateway.exited()).toEqual({ code: 7, signal: null })
  })

  it('shows its output when it ends too early, hangs, or gets impossible arguments', async () => {
    const early = startGateway({ args: ['-e', 'console.error("no disk"); process.exit(1)'] })
    await expect(early).rejects.toThrow(/ended before it was ready \(1\)[\s\S]*no disk/)
    const silent = startGateway({
      args: ['-e', 'console.log("zzz"); setInterval(() => {}, 1000)'],
      readyTimeoutMs: 5_000,
    })
    await expect(silent).rejects.toThrow(/not ready within 5000 ms[\s\S]*zzz/)
    gateway = await startGateway({ args: ['-e', SERVER] })
    await expect(gateway.restart()).rejects.toThrow('still runs')
    await expect(gateway.exited(50)).rejects.toThrow('did not end within 50 ms')
  })
})
