import { describe, expect, it } from 'vitest'
import { ApiError } from '../../domain/api-error.ts'
import { describeError } from './clean-fields.ts'

describe('describeError', () => {
  it('has name, code and a redacted text', () => {
    const error = Object.assign(new Error('no postgres://u:CANARY@db/x'), { code: 'ECONNREFUSED' })
    expect(describeError(error)).toMatchObject({
      name: 'Error',
      code: 'ECONNREFUSED',
      text: 'no postgres://db/…',
    })
  })

  it('cuts a long text', () => {
    expect(describeError(new Error('no '.repeat(500))).text).toHaveLength(300)
  })

  it('names the cause without its text', () => {
    const cause = Object.assign(new TypeError('CANARY'), { code: 'EPIPE' })
    const described = describeError(new Error('outer', { cause }))
    expect(described.cause).toBe('TypeError EPIPE')
    expect(JSON.stringify(described)).not.toContain('CANARY')
  })

  it('shows where an unexpected error came from, without its message line', () => {
    const error = new Error('first CANARY\n    at CANARY (file.ts:1:1)\nlast')
    const { frames = [] } = describeError(error)
    expect(frames[0]).toContain('describe-error.test.ts')
    expect(frames.join()).not.toContain('CANARY')
  })

  it('shows no frames for an ApiError', () => {
    const described = describeError(new ApiError('store_unavailable', { cause: new Error('x') }))
    expect(described).toEqual({
      name: 'ApiError',
      code: 'store_unavailable',
      text: 'The store is not available.',
      cause: 'Error',
    })
  })

  it('takes anything that can be thrown', () => {
    expect(describeError('sk-sluice-CANARY')).toEqual({ name: 'string', text: 'sk-…' })
    expect(describeError(undefined)).toEqual({ name: 'undefined', text: 'undefined' })
    expect(describeError(Object.create(null)).name).toBe('object')
    expect(describeError(Symbol('x')).name).toBe('symbol')
  })
})
