import { describe, expect, test } from 'vitest'
import { read, refused } from '../../../../test/fixtures/text/responses/request-parts.ts'
import { FIELD_POLICIES } from './field-policies.ts'

describe('settings', () => {
  test('are carried', () => {
    const request = read({
      stream: true,
      max_output_tokens: 100,
      temperature: 0.5,
      top_p: 0.9,
      reasoning: { effort: 'xhigh', summary: 'detailed' },
      include: ['reasoning.encrypted_content'],
      text: {
        verbosity: 'low',
        format: { type: 'json_schema', name: 'n', schema: { type: 'object' }, strict: true },
      },
      safety_identifier: 'me',
      user: 'old me',
      service_tier: 'flex',
      metadata: { a: 'b' },
      prompt_cache_key: 'key',
      store: false,
      stream_options: { include_obfuscation: false },
    })
    expect(request).toMatchObject({
      stream: true,
      maxOutputTokens: 100,
      temperature: 0.5,
      topP: 0.9,
      stopSequences: [],
      reasoning: { effort: 'xhigh', budgetTokens: undefined, summary: 'detailed', wantsSeal: true },
      verbosity: 'low',
      format: { kind: 'json-schema', name: 'n', schema: { type: 'object' }, strict: true },
      userId: 'me',
      serviceTier: 'flex',
      metadata: { a: 'b' },
      cacheKey: 'key',
      losses: [],
    })
  })

  test('without a value have no effect', () => {
    const request = read({
      reasoning: { effort: null },
      service_tier: 'auto',
      text: { format: { type: 'text' }, verbosity: null, of_tomorrow: null },
      background: false,
      truncation: 'disabled',
      top_logprobs: 0,
      moderation: null,
    })
    expect(request).toMatchObject({
      reasoning: undefined,
      serviceTier: undefined,
      format: undefined,
      losses: [],
    })
    expect(read({ text: { format: { type: 'json_object' } } }).format).toEqual({ kind: 'json-object' })
  })

  test.each([
    ['logprobs', { top_logprobs: 3 }],
    ['logprobs', { include: ['message.output_text.logprobs'] }],
    ['include', { include: ['web_search_call.action.sources'] }],
    ['metadata', { client_metadata: { a: 'b' } }],
    ['metadata', { metadata: { a: 1 } }],
    ['cache_control', { prompt_cache_retention: '24h' }],
    ['context_management', { context_management: [{ type: 'compaction' }] }],
    ['unknown_field', { moderation: { model: 'x' } }],
    ['unknown_field', { reasoning: { effort: 'low', context: 'all_turns' } }],
    ['unknown_field', { constructor: { model: 'x' } }],
    ['unknown_field', { text: { format: { type: 'text' }, of_tomorrow: 1 } }],
    ['unknown_field', { text: { format: { type: 'json_object', of_tomorrow: 1 } } }],
  ])('declares %s lost', (loss, more) => {
    expect(read(more).losses).toEqual([loss])
  })

  test.each([
    ['prompt', { prompt: { id: 'pmpt_1' } }],
    ['reasoning.effort', { reasoning: { effort: 'colossal' } }],
    ['reasoning.summary', { reasoning: { summary: 'rhymed' } }],
    ['text.format.type', { text: { format: { type: 'grammar' } } }],
  ])('refuses %s', (param, more) => {
    expect(refused(more)).toMatchObject({ code: 'invalid_parameter', param })
  })

  test('every field has one policy, and follows it', () => {
    for (const [name, field] of Object.entries(FIELD_POLICIES)) {
      if (field.policy === 'refused') expect(refused({ [name]: 'x' })).toMatchObject({ param: name })
      if (field.policy === 'declared') expect(read({ [name]: { a: 1 } }).losses).toContain(field.loss)
    }
  })
})
