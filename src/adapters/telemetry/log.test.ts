import { describe, expect, it } from 'vitest'
import { micros } from '../../domain/billing/micros.ts'
import type { LogFields } from '../../ports/log.ts'
import { createLog, type LogLevel } from './log.ts'

function memoryLog(level: LogLevel = 'info') {
  const lines: string[] = []
  const log = createLog({ level, destination: { write: (line) => void lines.push(line) } })
  return { log, lines, line: (at: number): unknown => JSON.parse(lines.at(at) ?? 'null') }
}

describe('createLog', () => {
  it('writes one JSON line with time, level, event and fields', async () => {
    const { log, line } = memoryLog()
    log.info('request.finished', { requestId: 'req_1', status: 200, durationMs: 1.5 })
    await log.flush()
    expect(line(0)).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      pid: process.pid,
      requestId: 'req_1',
      status: 200,
      durationMs: 1.5,
      event: 'request.finished',
      message: 'A request is finished.',
    })
  })

  it('writes lines for the first hundred refused requests, and counts the others', async () => {
    const { log, lines, line } = memoryLog()
    const request = { requestId: 'req_1', operation: 'createMessage', method: 'POST', durationMs: 1 }
    const owner = { organizationId: 'org_1', keyId: 'key_1' }
    for (let sent = 0; sent < 1_000; sent += 1)
      log.logRequest({ ...request, ...owner, status: 503, code: 'overloaded' })
    log.logRequest({ ...request, ...owner, status: 200 })
    await log.flush()
    expect(lines).toHaveLength(102)
    expect(line(100)).toMatchObject({ status: 200 })
    expect(line(101)).toMatchObject({ event: 'request.refusals_left_out', count: 900 })
    log.logRequest({ ...request, ...owner, status: 503, code: 'overloaded' })
    await log.flush()
    expect(line(102)).toMatchObject({ status: 503 })
  })

  it('writes the line of a request, with and without a caller', async () => {
    const { log, line } = memoryLog()
    const request = {
      requestId: 'req_1',
      operation: 'listModels',
      method: 'GET',
      status: 200,
      durationMs: 1.23456,
    }
    log.logRequest({ ...request, organizationId: 'org_1', keyId: 'key_1' })
    log.logRequest({ ...request, organizationId: undefined, keyId: undefined })
    log.logRequest({ ...request, organizationId: 'org_1', keyId: 'key_1', servedBy: 'acme/"m"' })
    const who = { organizationId: 'org_1', userId: 'usr_1', keyId: 'key_1' }
    const counts = { inputTokens: 3, cachedInputTokens: 2, cacheWriteTokens: 1, outputTokens: 5 }
    const usage = {
      ...counts,
      operation: 'messages',
      provider: 'acme',
      costMicros: micros(13),
      model: 'acme/m',
      askedModel: 'acme/m',
    } as const
    const times = { outcome: 'completed', firstByteMs: 1, durationMs: 2 } as const
    log.logRequest({ ...request, ...who, servedBy: 'acme/m', usage: { ...usage, ...times } })
    log.logRequest({ ...request, ...who, code: 'upstream_busy' })
    const routed = { ...usage, ...times, askedModel: 'pool/m' }
    log.logRequest({ ...request, ...who, servedBy: 'acme/m', usage: routed })
    await log.flush()
    const written = {
      level: 'info',
      time: expect.any(String),
      pid: process.pid,
      ...request,
      durationMs: 1.23,
      event: 'request.finished',
      message: 'A request is finished.',
    }
    expect(line(0)).toEqual({ ...written, organizationId: 'org_1', keyId: 'key_1' })
    expect(line(1)).toEqual(written)
    expect(line(2)).toEqual({ ...written, organizationId: 'org_1', keyId: 'key_1', servedBy: 'acme/"m"' })
    expect(line(3)).toEqual({
      ...{ ...written, ...who, ...counts, servedBy: 'acme/m', provider: 'acme', costMicros: 13 },
    })
    expect(line(4)).toEqual({ ...written, ...who, code: 'upstream_busy' })
    expect(line(5)).toMatchObject({ servedBy: 'acme/m', askedModel: 'pool/m', provider: 'acme' })
  })

  it('drops every field that is not on the list, even past the types', () => {
    const { log, lines } = memoryLog()
    const planted = { body: 'CANARY', url: 'CANARY', requestId: 'req_1', __proto__: { status: 'CANARY' } }
    const fields: LogFields = planted
    log.error('request.failed', fields)
    expect(lines.join()).not.toContain('CANARY')
    expect(lines.join()).toContain('req_1')
  })

  it('keeps out a value of the wrong kind', () => {
    const { log, lines } = memoryLog()
    const planted: object = { requestId: { secret: 'CANARY' }, status: 'CANARY', operation: ['CANARY'] }
    log.warn('request.failed', planted)
    expect(lines.join()).not.toContain('CANARY')
  })

  it('redacts errors and reasons', () => {
    const { log, lines, line } = memoryLog()
    const error = new Error('key sk-sluice-CANARY refused', { cause: new TypeError('CANARY') })
    log.error('upstream.send_failed', { error, reason: 'Bearer CANARY' })
    expect(lines.join()).not.toContain('CANARY')
    expect(line(0)).toMatchObject({
      reason: 'Bearer …',
      error: { name: 'Error', text: 'key sk-… refused', cause: 'TypeError' },
    })
  })

  it('keeps a line break inside its line', async () => {
    const { log, lines } = memoryLog()
    log.info('request.refused', { requestId: 'a\n{"level":"error"}' })
    await log.flush()
    expect(lines).toHaveLength(1)
    expect(lines[0]?.trimEnd()).not.toContain('\n')
  })

  it('writes warnings immediately, with everything that came before them', () => {
    const { log, lines } = memoryLog()
    log.info('limits.shared')
    expect(lines).toHaveLength(0)
    log.warn('limits.local')
    expect(lines.map((line) => JSON.parse(line).event)).toEqual(['limits.shared', 'limits.local'])
  })

  it('hands over to the operating system at a warning or an error, not at each line', () => {
    const acts: string[] = []
    const destination = { write: () => void acts.push('write'), handOver: () => void acts.push('hand over') }
    const log = createLog({ level: 'info', destination })
    for (let line = 0; line < 64; line++) log.info('limits.shared')
    expect(acts).toEqual(Array(64).fill('write'))
    log.warn('limits.local')
    log.error('usage.lost')
    expect(acts.slice(64)).toEqual(['write', 'hand over', 'write', 'hand over'])
  })

  it('listens for the end of the process once, however many logs there are', () => {
    memoryLog()
    const before = process.listenerCount('exit')
    for (let made = 0; made < 20; made++) createLog({ level: 'info' })
    expect(process.listenerCount('exit')).toBe(before)
  })

  it('keeps to its level', async () => {
    const { log, lines } = memoryLog('warn')
    log.debug('usage.waiting')
    log.info('usage.resumed')
    log.warn('usage.blocked')
    log.error('usage.lost')
    expect(lines).toHaveLength(2)
    const silent = memoryLog('silent')
    silent.log.error('usage.lost')
    const request = { requestId: 'r', operation: 'o', method: 'GET', status: 200, durationMs: 1 }
    silent.log.logRequest({ ...request, organizationId: undefined, keyId: undefined })
    await silent.log.flush()
    expect(silent.lines).toHaveLength(0)
  })
})
