import { describe, expect, test } from 'vitest'
import { micros } from '../../domain/billing/micros.ts'
import { createLog } from './log.ts'
import { textLines } from './text-lines.ts'

/** Collects lines. The time is replaced, because it is the local time of this machine. */
function memoryLog({ hasColours = false } = {}) {
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  const log = createLog({ level: 'info', lines: textLines({ hasColours }), destination })
  return { log, read: () => lines.map((line) => line.replace(/\d\d:\d\d:\d\d/, 'TIME')) }
}

const REQUEST = {
  ...{ requestId: 'req_1', operation: 'createMessage', method: 'POST', status: 200, durationMs: 12.4 },
  ...{ organizationId: 'org_1', keyId: 'key_1', userId: 'usr_1' },
}
const USAGE = {
  ...{ inputTokens: 3, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 5, costMicros: micros(13) },
  ...{ provider: 'acme', model: 'acme/m', askedModel: 'acme/m' },
  ...{ operation: 'messages' as const, outcome: 'completed' as const, firstByteMs: 1, durationMs: 2 },
}

describe('lines for a terminal', () => {
  test('a request has its status, time, model, cost and ids', async () => {
    const { log, read } = memoryLog()
    log.logRequest({ ...REQUEST, servedBy: 'acme/m', usage: USAGE })
    log.logRequest({ ...REQUEST, status: 429, code: 'rate_limit_exceeded' })
    log.logRequest({ ...REQUEST, status: 503, organizationId: undefined, keyId: undefined })
    await log.flush()
    expect(read()).toEqual([
      'TIME info  POST createMessage 200 12 ms model=acme/m costMicros=13 organizationId=org_1 requestId=req_1\n',
      'TIME info  POST createMessage 429 12 ms code=rate_limit_exceeded organizationId=org_1 requestId=req_1\n',
      'TIME error POST createMessage 503 12 ms requestId=req_1\n',
    ])
  })

  test('probes are written only when they fail', async () => {
    const { log, read } = memoryLog()
    for (const operation of ['healthz', 'readyz', 'metrics']) log.logRequest({ ...REQUEST, operation })
    log.logRequest({ ...REQUEST, operation: 'readyz', status: 503 })
    await log.flush()
    expect(read().filter((line) => line !== '')).toEqual([
      'TIME error POST readyz 503 12 ms organizationId=org_1 requestId=req_1\n',
    ])
  })

  test('an event has its sentence and its fields, redacted, on one line', () => {
    const { log, read } = memoryLog()
    const error = new Error('key sk-sluice-CANARY refused')
    log.warn('breaker.opened', { provider: 'a\u001b[31m b\n', reason: 'Bearer CANARY', count: 3 })
    log.error('upstream.send_failed', { error })
    const [first, second] = read()
    expect(first).toBe(
      'TIME warn  breaker.opened A breaker opened. provider="a\\u001b[31m b\\n" reason="Bearer …" count=3\n',
    )
    expect(second).toContain('error={"name":"Error","text":"key sk-… refused"')
    expect(read().join('')).not.toContain('CANARY')
  })

  test('colours are used only on request', () => {
    const coloured = memoryLog({ hasColours: true })
    coloured.log.warn('breaker.opened')
    expect(coloured.read()).toEqual([
      '\u001b[2mTIME\u001b[22m \u001b[33mwarn \u001b[39m breaker.opened A breaker opened.\n',
    ])
  })
})
