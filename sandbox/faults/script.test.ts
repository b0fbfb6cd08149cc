import { describe, expect, it } from 'vitest'
import { createFaultScript } from './script.ts'

const CREATE = { part: 'vendor-a', operation: 'create' }
const GET = { part: 'vendor-a', operation: 'get' }

describe('createFaultScript', () => {
  it('applies a fault only to the requests that its rule names', () => {
    const script = createFaultScript()
    script.add({ part: 'vendor-a', operation: 'create', fault: { kind: 'hang' } })
    expect(script.next(CREATE)?.fault).toEqual({ kind: 'hang' })
    expect(script.next(GET)).toBeUndefined()
    expect(script.next({ part: 'vendor-b', operation: 'create' })).toBeUndefined()
  })

  it('applies a rule without names to every request', () => {
    const script = createFaultScript()
    script.add({ fault: { kind: 'hang' } })
    expect(script.next(GET)).toBeDefined()
  })

  it('lets requests pass first, then is spent', () => {
    const script = createFaultScript()
    script.add({ operation: 'create', after: 2, times: 1, fault: { kind: 'hang' } })
    const outcomes = Array.from({ length: 5 }, () => script.next(CREATE)?.id)
    expect(outcomes).toEqual([undefined, undefined, 'fault-1', undefined, undefined])
    expect(script.list()).toMatchObject([{ seen: 5, applied: 1 }])
  })

  it('takes the first rule that is due', () => {
    const script = createFaultScript()
    script.add({ id: 'first', times: 1, fault: { kind: 'hang' } })
    script.add({ id: 'second', fault: { kind: 'garbage' } })
    expect(script.next(CREATE)?.id).toBe('first')
    expect(script.next(CREATE)?.id).toBe('second')
  })

  it('names rules without repeating a name', () => {
    const script = createFaultScript()
    script.add({ id: 'fault-1', fault: { kind: 'hang' } })
    expect(script.add({ fault: { kind: 'hang' } })).toMatchObject({ id: 'fault-2' })
    expect(script.add({ id: 'fault-1', fault: { kind: 'hang' } })).toBe('id-taken')
  })

  it('forgets rules one by one and all together', () => {
    const script = createFaultScript()
    script.add({ id: 'a', fault: { kind: 'hang' } })
    script.add({ id: 'b', fault: { kind: 'hang' } })
    expect(script.remove('a')).toBe(true)
    expect(script.remove('a')).toBe(false)
    expect(script.clear()).toBe(1)
    expect(script.next(CREATE)).toBeUndefined()
  })

  it('keeps at most 100 rules, and removes spent ones first', () => {
    const script = createFaultScript()
    script.add({ id: 'spent', times: 1, fault: { kind: 'hang' } })
    for (let count = 1; count < 100; count += 1) script.add({ operation: 'get', fault: { kind: 'hang' } })
    script.next(CREATE)
    expect(script.add({ fault: { kind: 'hang' } })).toMatchObject({ applied: 0 })
    expect(script.list().some(({ id }) => id === 'spent')).toBe(false)
    expect(script.add({ fault: { kind: 'hang' } })).toBe('full')
    expect(script.list()).toHaveLength(100)
  })
})
