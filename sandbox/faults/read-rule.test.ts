import { describe, expect, it } from 'vitest'
import { jsonReply, type SandboxPart } from '../part.ts'
import { readFaultRule } from './read-rule.ts'

const PARTS: SandboxPart[] = [
  {
    name: 'vendor-a',
    routes: [{ operation: 'create', method: 'POST', path: '/tasks', handle: () => jsonReply(200, {}) }],
  },
  {
    name: 'vendor-b',
    routes: [{ operation: 'poll', method: 'GET', path: '/tasks', handle: () => jsonReply(200, {}) }],
  },
]

const GOOD: unknown[] = [
  { fault: { kind: 'hang' } },
  { id: 'my-rule_1', part: 'vendor-a', operation: 'create', times: 1, after: 0, fault: { kind: 'garbage' } },
  { operation: 'poll', fault: { kind: 'lose-answer' } },
  { fault: { kind: 'delay', ms: 250 } },
  { fault: { kind: 'cut', afterBytes: 0 } },
  { fault: { kind: 'drip', bytesPerSecond: 5 } },
  { fault: { kind: 'status', status: 429, headers: { 'retry-after': '3' }, body: { error: 'slow down' } } },
]

const BAD: [input: unknown, param: string, message: RegExp][] = [
  [null, '', /must be a JSON object/],
  [[], '', /must be a JSON object/],
  [{}, 'fault', /must be a JSON object/],
  [
    { fault: { kind: 'explode' } },
    'fault.kind',
    /one of: status, delay, hang, lose-answer, cut, garbage, drip/,
  ],
  [{ fault: { kind: 'constructor' } }, 'fault.kind', /one of/],
  [{ fault: { kind: 'hang', ms: 1 } }, 'fault.ms', /not known/],
  [{ fault: { kind: 'delay' } }, 'fault.ms', /whole number from 0 to 600000/],
  [{ fault: { kind: 'delay', ms: '5' } }, 'fault.ms', /whole number/],
  [{ fault: { kind: 'delay', ms: 1.5 } }, 'fault.ms', /whole number/],
  [{ fault: { kind: 'cut', afterBytes: -1 } }, 'fault.afterBytes', /whole number/],
  [{ fault: { kind: 'drip', bytesPerSecond: 0 } }, 'fault.bytesPerSecond', /whole number/],
  [{ fault: { kind: 'status', status: 101 } }, 'fault.status', /from 200 to 599/],
  [
    { fault: { kind: 'status', status: 500, headers: { 'Content-Length': '5' } } },
    'fault.headers.Content-Length',
    /cannot/,
  ],
  [{ fault: { kind: 'status', status: 500, headers: { 'x y': '5' } } }, 'fault.headers.x y', /cannot/],
  [{ fault: { kind: 'status', status: 500, headers: { x: 'a\r\nb' } } }, 'fault.headers.x', /plain/],
  [{ fault: { kind: 'status', status: 500, headers: { x: 5 } } }, 'fault.headers.x', /must be a string/],
  [{ id: 'a b', fault: { kind: 'hang' } }, 'id', /letters/],
  [{ part: 'vendor-c', fault: { kind: 'hang' } }, 'part', /one of: vendor-a, vendor-b/],
  [{ operation: 'nope', fault: { kind: 'hang' } }, 'operation', /one of: create, poll/],
  [{ part: 'vendor-a', operation: 'poll', fault: { kind: 'hang' } }, 'operation', /one of: create\./],
  [{ times: 0, fault: { kind: 'hang' } }, 'times', /from 1/],
  [{ after: -1, fault: { kind: 'hang' } }, 'after', /from 0/],
  [{ when: 1, fault: { kind: 'hang' } }, 'when', /Known: id, part, operation, times, after, fault/],
]

describe('readFaultRule', () => {
  for (const input of GOOD) {
    it(`takes ${JSON.stringify(input)}`, () => {
      expect(readFaultRule(input, PARTS)).toEqual({ rule: input })
    })
  }

  for (const [input, param, message] of BAD) {
    it(`refuses ${JSON.stringify(input)}`, () => {
      expect(readFaultRule(input, PARTS)).toEqual({ param, problem: expect.stringMatching(message) })
    })
  }
})
