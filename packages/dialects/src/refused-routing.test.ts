import { expect, test } from 'vitest'
import type { TextEndpoint } from './dialect-facts.ts'
import { CLIENT_DIALECTS } from './dialects.ts'
import { checkEmbeddings } from './embeddings-request.ts'

const HI = [{ role: 'user', content: 'Hi' }]
const BODIES: Record<TextEndpoint, object> = {
  messages: { model: 'a/b', max_tokens: 64, messages: HI },
  responses: { model: 'a/b', input: 'Hi' },
  chat: { model: 'a/b', messages: HI },
}
const ROUTING = {
  ...{ models: ['dear/model'], provider: { order: ['dear'] }, route: 'fallback', preset: 'mine' },
  plugins: [{ id: 'fusion', analysis_models: ['dear/model'] }],
  providerOptions: { gateway: { models: ['dear/model'] } },
  provider_options: { gateway: { models: ['dear/model'] } },
  context_window_fallbacks: [{ 'a/b': ['dear/model'] }],
  extra_body: { models: ['dear/model'] },
}

test.each(
  Object.entries(CLIENT_DIALECTS).flatMap(([name, client]) =>
    Object.entries(ROUTING).map(([field, value]) => ({ name: name as TextEndpoint, client, field, value })),
  ),
)('$name: $field would choose another model or seller, and is refused', ({ name, client, field, value }) => {
  const check = (more: object) => client.check({ ...BODIES[name], ...more }, 'create', () => undefined)
  expect(() => check({ [field]: value })).toThrow(
    expect.objectContaining({
      ...{ code: 'invalid_parameter', param: field },
      message: expect.stringContaining('must be left out: the operator chooses'),
    }),
  )
  for (const empty of [null, [], {}]) expect(() => check({ [field]: empty })).not.toThrow()
})

test.each(['MODELS', 'modelſ', 'Route', 'PROVIDER_OPTIONS'])('chat: %s is refused', (field) => {
  const check = () =>
    CLIENT_DIALECTS.chat.check({ ...BODIES.chat, [field]: ['dear/model'] }, 'create', () => undefined)
  expect(check).toThrow(expect.objectContaining({ param: field }))
})

test.each(Object.entries(ROUTING))('embeddings: %s is refused', (field, value) => {
  const body = { model: 'a/b', input: 'Hi' }
  expect(() => checkEmbeddings({ ...body, [field]: value })).toThrow(
    expect.objectContaining({ param: field }),
  )
  expect(() => checkEmbeddings(body)).not.toThrow()
})

const FALLBACKS = { fallbacks: [{ model: 'dear/model' }] }

test.each(['responses', 'chat'] as const)('%s: fallbacks of a router are refused', (name) => {
  const check = (more: object) =>
    CLIENT_DIALECTS[name].check({ ...BODIES[name], ...more }, 'create', () => undefined)
  expect(() => check(FALLBACKS)).toThrow(expect.objectContaining({ param: 'fallbacks' }))
})

test('messages: fallbacks have prices of their own, and pass', () => {
  const body = { ...BODIES.messages, ...FALLBACKS }
  expect(() => CLIENT_DIALECTS.messages.check(body, 'create', () => undefined)).not.toThrow()
})

test.each(['responses', 'chat'] as const)(
  '%s: tools of a router that run other models are refused',
  (name) => {
    const check = (type: string) => {
      const tools = [{ type: 'openrouter:web_search' }, { type, parameters: { model: 'dear/model' } }]
      CLIENT_DIALECTS[name].check({ ...BODIES[name], tools }, 'create', () => undefined)
    }
    for (const type of ['openrouter:advisor', 'openrouter:fusion', 'openrouter:image_generation'])
      expect(() => check(type)).toThrow(expect.objectContaining({ param: 'tools.1.type' }))
    expect(() => check('openrouter:web_search')).not.toThrow()
  },
)

test('responses: tools of a router that an item of the input brings are refused', () => {
  const check = (type: string) => {
    const input = [{ type: 'additional_tools', tools: [{ type, parameters: { model: 'dear/model' } }] }]
    CLIENT_DIALECTS.responses.check({ ...BODIES.responses, input }, 'create', () => undefined)
  }
  expect(() => check('openrouter:advisor')).toThrow(expect.objectContaining({ param: 'input' }))
  expect(() => check('web_search')).not.toThrow()
})

test('members that a relay adds to its own request pass if they do not route', () => {
  const extra_body = { models: [], google: { thinking_config: { thinking_budget: 0 } } }
  expect(() =>
    CLIENT_DIALECTS.chat.check({ ...BODIES.chat, extra_body }, 'create', () => undefined),
  ).not.toThrow()
})

test('a name that a vendor without regard for case reads as routing is refused', () => {
  for (const name of ['modelſ', 'Models', 'PLUGINS'])
    expect(() =>
      CLIENT_DIALECTS.chat.check({ ...BODIES.chat, [name]: ['dear/model'] }, 'create', () => undefined),
    ).toThrow(expect.objectContaining({ param: name }))
})
