import { expect, test } from 'vitest'
import { eventsOf, sseOf } from '../../../../test/fixtures/text/chat/fixture.ts'
import { chunkOf } from '../../../../test/fixtures/text/chat/spell-chunks.ts'
import { foldBlocks } from '../../../../test/fixtures/text/fold-blocks.ts'

const HELLO = chunkOf({ content: 'Hello' })
const STOP = chunkOf({}, 'stop')

function call(callId: string, name: string) {
  return { kind: 'tool-call', callId, name, namespace: undefined, input: 'json' }
}

test.each<[what: string, chunks: unknown[], blocks: object[]]>([
  ['leaves out [DONE]', [HELLO, STOP], [{ head: { kind: 'text' }, text: 'Hello' }]],
  ['sends empty events', ['', HELLO, '', STOP, '[DONE]'], [{ head: { kind: 'text' }, text: 'Hello' }]],
  [
    'has chunks without choices',
    [{ id: 'x', choices: [], prompt_filter_results: [] }, HELLO, { id: 'x' }, STOP],
    [{ head: { kind: 'text' }, text: 'Hello' }],
  ],
  [
    'has more than one choice',
    [
      {
        choices: [
          { index: 1, delta: { content: 'No' }, finish_reason: 'stop' },
          { index: 0, delta: { content: 'Yes' } },
        ],
      },
      STOP,
    ],
    [{ head: { kind: 'text' }, text: 'Yes' }],
  ],
  [
    'has reasoning under its other name',
    [chunkOf({ reasoning: 'Hm' }), HELLO, STOP],
    [
      { head: { kind: 'reasoning' }, text: 'Hm' },
      { head: { kind: 'text' }, text: 'Hello' },
    ],
  ],
  [
    'gives content in parts',
    [
      chunkOf({
        content: [
          { type: 'text', text: 'Hel' },
          { type: 'text', text: 'lo' },
        ],
      }),
      STOP,
    ],
    [{ head: { kind: 'text' }, text: 'Hello' }],
  ],
  [
    'leaves one name of its reasoning empty',
    [
      chunkOf({ reasoning_content: '', reasoning: 'H' }),
      chunkOf({ reasoning_content: 'm', reasoning: '' }),
      STOP,
    ],
    [{ head: { kind: 'reasoning' }, text: 'Hm' }],
  ],
  [
    'has its reasoning under both names',
    [chunkOf({ reasoning_content: 'Hm', reasoning: 'Hm' }), STOP],
    [{ head: { kind: 'reasoning' }, text: 'Hm' }],
  ],
  ['ends with a word of its own', [HELLO, chunkOf({}, 'eos')], [{ head: { kind: 'text' }, text: 'Hello' }]],
  ['continues after its finish', [STOP, HELLO, '[DONE]'], [{ head: { kind: 'text' }, text: 'Hello' }]],
  [
    'continues after [DONE]',
    [HELLO, STOP, '[DONE]', HELLO, { error: 'x' }],
    [{ head: { kind: 'text' }, text: 'Hello' }],
  ],
  [
    'sends a name in pieces, and repeats it',
    [
      chunkOf({ tool_calls: [{ index: 0, id: 'a', function: { name: 'get_' } }] }),
      chunkOf({ tool_calls: [{ index: 0, function: { name: 'weather' } }] }),
      chunkOf({ tool_calls: [{ index: 0, function: { name: 'get_weather', arguments: '{' } }] }),
      chunkOf({ tool_calls: [{ index: 0, id: 'a', function: { name: 'get_weather', arguments: '}' } }] }),
      STOP,
    ],
    [{ head: call('a', 'get_weather'), text: '{}' }],
  ],
  [
    'names a call after its arguments',
    [
      chunkOf({ tool_calls: [{ index: 0, id: 'a', function: { arguments: '{"x"' } }] }),
      chunkOf({ tool_calls: [{ index: 0, function: { name: 'f', arguments: ':1}' } }] }),
      STOP,
    ],
    [{ head: call('a', 'f'), text: '{"x":1}' }],
  ],
  [
    'has no ids',
    [
      chunkOf({
        tool_calls: [
          { index: 0, function: { name: 'f', arguments: '{}' } },
          { index: 1, function: { name: 'g', arguments: '{}' } },
        ],
      }),
      STOP,
    ],
    [
      { head: call('call_chatcmpl1_0', 'f'), text: '{}' },
      { head: call('call_chatcmpl1_1', 'g'), text: '{}' },
    ],
  ],
  [
    'gives every call the index 0',
    [
      chunkOf({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }] }),
      chunkOf({ tool_calls: [{ index: 0, id: 'b', function: { name: 'f', arguments: '{"x":1}' } }] }),
      STOP,
    ],
    [
      { head: call('a', 'f'), text: '{}' },
      { head: call('b', 'f'), text: '{"x":1}' },
    ],
  ],
  [
    'has no indices',
    [
      chunkOf({ tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{' } }] }),
      chunkOf({ tool_calls: [{ function: { arguments: '}' } }] }),
      chunkOf({ tool_calls: [{ id: 'b', function: { name: 'g', arguments: { y: 2 } } }] }),
      STOP,
    ],
    [
      { head: call('a', 'f'), text: '{}' },
      { head: call('b', 'g'), text: '{"y":2}' },
    ],
  ],
  [
    'calls in the old way',
    [
      chunkOf({ function_call: { name: 'f', arguments: '{' } }),
      chunkOf({ function_call: { arguments: '}' } }),
      chunkOf({}, 'function_call'),
    ],
    [{ head: call('call_chatcmpl1_0', 'f'), text: '{}' }],
  ],
  [
    'speaks in the middle of a call',
    [
      chunkOf({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{' } }] }),
      HELLO,
      chunkOf({ tool_calls: [{ index: 0, function: { arguments: '}' } }] }),
      STOP,
    ],
    [
      { head: call('a', 'f'), text: '{}' },
      { head: { kind: 'text' }, text: 'Hello' },
    ],
  ],
])('a stream that %s is read', (_what, chunks, blocks) => {
  const events = eventsOf([sseOf(chunks)])
  expect(foldBlocks(events)).toEqual(blocks)
  const hasCalls = JSON.stringify(blocks).includes('tool-call')
  expect(events.at(-1)).toMatchObject({
    kind: 'reply-end',
    reason: { kind: hasCalls ? 'tool-calls' : 'done' },
  })
})

test('calls that are cut short end with the reason length', () => {
  const piece = chunkOf(
    { tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{"x' } }] },
    'length',
  )
  expect(eventsOf([sseOf([piece, '[DONE]'])]).at(-1)).toMatchObject({ reason: { kind: 'length' } })
})

test('a reply without usage has no tokens', () => {
  expect(eventsOf([sseOf([HELLO, STOP, '[DONE]'])]).at(-1)).toMatchObject({
    kind: 'reply-end',
    tokens: undefined,
  })
})

test.each<[what: string, chunk: object, losses: string[] | undefined]>([
  [
    'probabilities',
    { choices: [{ delta: { content: 'a' }, logprobs: { content: [{ token: 'a' }] } }] },
    ['logprobs'],
  ],
  ['no probabilities', { choices: [{ delta: { content: 'a' }, logprobs: null }] }, undefined],
  ['sources', { choices: [{ delta: { content: 'a', annotations: [{ url: 'u' }] } }] }, ['citations']],
  ['a list of sources', { citations: ['u'], choices: [] }, ['citations']],
])('declares that it lost %s', (_what, chunk, losses) => {
  const end = eventsOf([sseOf([chunk, STOP, '[DONE]'])]).at(-1)
  expect(end).toEqual({ kind: 'reply-end', reason: { kind: 'done' }, tokens: undefined, losses })
})
