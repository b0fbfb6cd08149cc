import { expect, test } from 'vitest'
import { CLIENT_DIALECTS } from '../dialects.ts'
import { hostedCallsIn } from './hosted-tools.ts'

const { messages, responses } = CLIENT_DIALECTS

test.each<[string, object, object | undefined]>([
  ['no tools', {}, undefined],
  ['tools of the client', { tools: [{ type: 'function', name: 'f' }, { name: 'g' }, null] }, undefined],
  ['a search', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }, { web_search_call: 16 }],
  ['searches of other vendors', { tools: [{ type: 'browser_search' }] }, { web_search_call: 16 }],
  ['searches of posts', { tools: [{ type: 'x_search' }] }, { web_search_call: 16 }],
  ['searches of a router', { tools: [{ type: 'openrouter:web_search' }] }, { web_search_call: 16 }],
  ['a bounded search', { tools: [{ type: 'web_search_20250305', max_uses: 3 }] }, { web_search_call: 3 }],
  ['a large bound', { tools: [{ type: 'web_search_20250305', max_uses: 100 }] }, { web_search_call: 100 }],
  [
    'several tools with one bound',
    {
      max_tool_calls: 5,
      tools: [{ type: 'web_search' }, { type: 'file_search' }, { type: 'image_generation' }],
    },
    { web_search_call: 5, file_search_call: 5, image_generation_call: 5 },
  ],
  [
    'tools that items of the input bring',
    {
      max_tool_calls: 5,
      input: [
        { type: 'additional_tools', tools: [{ type: 'web_search' }] },
        { type: 'tool_search_output', call_id: 'c', tools: [{ type: 'file_search' }] },
      ],
    },
    { web_search_call: 5, file_search_call: 5 },
  ],
  ['code', { tools: [{ type: 'code_execution_20250825' }] }, { code_session: 1 }],
  [
    'code with much memory',
    { tools: [{ type: 'code_interpreter', container: { type: 'auto', memory_limit: '16g' } }] },
    { code_session: 16 },
  ],
])('%s', (_, body, calls) => {
  expect(hostedCallsIn({ ...body }, 'max_tool_calls' in body ? 'responses' : 'messages')).toEqual(calls)
})

test('other models of the vendor are named by advisors and fallbacks', () => {
  const advisor = { tools: [null, { type: 'advisor_20260301', model: 'dear' }] }
  expect(messages.namesOtherModels(advisor)).toBe(true)
  expect(messages.namesOtherModels({ fallbacks: [{ model: 'dear' }] })).toBe(true)
  expect(messages.namesOtherModels({ fallbacks: [], tools: [{ type: 'custom' }] })).toBe(false)
  expect(responses.namesOtherModels(advisor)).toBe(false)
})
