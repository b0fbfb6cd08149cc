import { describe, expect, it } from 'vitest'
import { openVendors } from '../open-vendors.ts'
import {
  anthropicAt,
  openaiAt,
  understoodCompletion,
  understoodMessage,
  understoodResponse,
} from '../text-clients.ts'

const SCHEMA = { type: 'object' as const, properties: { a: { type: 'integer' } } }
const PROMPT = 'Work. [reason] [call f {"a":1}]'
const LONG = 'All work and no play. '.repeat(400)

describe('a call is done once the request contains its result', () => {
  it('messages: the client sends the thinking back', async () => {
    const client = anthropicAt((await openVendors()).url)
    const body = { model: 'm', max_tokens: 4_000, tools: [{ name: 'f', input_schema: SCHEMA }] }
    const asked = { role: 'user' as const, content: PROMPT }
    const first = await client.messages.create({ ...body, messages: [asked] })
    const [thinking, use] = first.content
    if (thinking?.type !== 'thinking' || use?.type !== 'tool_use') throw new Error(JSON.stringify(first))
    const answer = (proof: string, text: string) =>
      client.messages.create({
        ...body,
        messages: [
          asked,
          { role: 'assistant', content: [{ ...thinking, signature: proof, thinking: text }, use] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: use.id, content: '2' }] },
        ],
      })
    expect(understoodMessage(await answer(thinking.signature, thinking.thinking))).toMatchObject({
      text: 'Done.',
      reasoning: '',
      calls: [],
    })
    await expect(answer('forged', thinking.thinking)).rejects.toThrow('Invalid `signature`')
    await expect(answer(thinking.signature, 'Other thoughts.')).rejects.toThrow('Invalid `signature`')
    expect(understoodMessage(await answer(thinking.signature, ''))).toMatchObject({ text: 'Done.' })
  })

  it('messages: thinking that is omitted', async () => {
    const client = anthropicAt((await openVendors()).url)
    const { content } = await client.messages
      .stream({
        model: 'm',
        max_tokens: 4_000,
        thinking: { type: 'adaptive', display: 'omitted' },
        messages: [{ role: 'user', content: 'a [reason]' }],
      })
      .finalMessage()
    expect(content[0]).toEqual({ type: 'thinking', thinking: '', signature: expect.stringContaining('.') })
  })

  it('responses: the client sends encrypted reasoning back', async () => {
    const client = openaiAt((await openVendors()).url)
    const body = {
      model: 'm',
      store: false,
      include: ['reasoning.encrypted_content' as const],
      tools: [{ type: 'function' as const, name: 'f', parameters: SCHEMA, strict: false }],
    }
    const asked = { role: 'user' as const, content: PROMPT }
    const first = await client.responses.create({ ...body, input: [asked] })
    const [reasoning, call] = first.output
    if (reasoning?.type !== 'reasoning' || call?.type !== 'function_call') throw new Error('no call')
    const answer = (sealed: string | null | undefined) =>
      client.responses.create({
        ...body,
        input: [
          asked,
          { ...reasoning, encrypted_content: sealed },
          call,
          { type: 'function_call_output', call_id: call.call_id, output: '2' },
        ],
      })
    expect(understoodResponse(await answer(reasoning.encrypted_content))).toMatchObject({
      text: 'Done.',
      calls: [],
    })
    await expect(answer('forged.proof')).rejects.toThrow('could not be verified')
    await expect(answer(null)).rejects.toThrow('not found')
  })

  it('a request can refer to an item of a stored reply', async () => {
    const { url } = await openVendors()
    const client = openaiAt(url)
    const refer = (store: boolean) =>
      client.responses.create({ model: 'm', input: 'One', store }).then(({ output: [said] }) =>
        client.responses.create({
          model: 'm',
          input: [
            { role: 'user', content: 'One' },
            { type: 'item_reference', id: said?.id ?? '' },
            { role: 'user', content: 'Two' },
          ],
        }),
      )
    expect((await refer(true)).output_text).toBe('You said: Two')
    await expect(refer(false)).rejects.toThrow('not found')
  })

  it('a proof of one dialect is not valid in another', async () => {
    const { url } = await openVendors()
    const { content } = await anthropicAt(url).messages.create({
      model: 'm',
      max_tokens: 100,
      messages: [{ role: 'user', content: '[reason]' }],
    })
    const [thinking] = content
    if (thinking?.type !== 'thinking') throw new Error('no thinking')
    const input = [
      { type: 'reasoning' as const, id: 'rs_1', summary: [], encrypted_content: thinking.signature },
      { role: 'user' as const, content: 'b' },
    ]
    await expect(openaiAt(url).responses.create({ model: 'm', input })).rejects.toThrow(
      'could not be verified',
    )
  })

  it('chat', async () => {
    const client = openaiAt((await openVendors()).url)
    const body = {
      model: 'm',
      tools: [{ type: 'function' as const, function: { name: 'f', parameters: SCHEMA } }],
    }
    const asked = { role: 'user' as const, content: PROMPT }
    const first = await client.chat.completions.create({ ...body, messages: [asked] })
    const message = first.choices[0]?.message
    const id = message?.tool_calls?.[0]?.id
    if (message === undefined || id === undefined) throw new Error('no call')
    const last = await client.chat.completions.create({
      ...body,
      messages: [asked, message, { role: 'tool', tool_call_id: id, content: '2' }],
    })
    expect(understoodCompletion(last)).toMatchObject({ text: 'Done.', calls: [] })
  })

  it('chat: the client sends the signature of a call back', async () => {
    const client = openaiAt((await openVendors()).url)
    const body = {
      model: 'm',
      tools: [{ type: 'function' as const, function: { name: 'f', parameters: SCHEMA } }],
    }
    const asked = { role: 'user' as const, content: `${PROMPT} [call f {"a":2}] [sign]` }
    const first = await client.chat.completions.create({ ...body, messages: [asked] })
    const [signed, plain] = first.choices[0]?.message.tool_calls ?? []
    if (signed === undefined || plain === undefined) throw new Error('no calls')
    expect(signed).toHaveProperty('extra_content.sandbox.signature')
    expect(plain).not.toHaveProperty('extra_content')
    const goOn = (beside: object) =>
      client.chat.completions.create({
        ...body,
        messages: [
          asked,
          { role: 'assistant', tool_calls: [{ ...signed, ...beside }, plain] },
          ...[signed, plain].map(({ id }) => ({ role: 'tool' as const, tool_call_id: id, content: '2' })),
        ],
      })
    expect(understoodCompletion(await goOn({}))).toMatchObject({ text: 'Done.', calls: [] })
    await expect(goOn({ extra_content: undefined })).rejects.toThrow('missing its signature')
    const forged = { extra_content: { sandbox: { signature: 'forged' } } }
    await expect(goOn(forged)).rejects.toThrow('not the one that came')
    const streamed = await client.chat.completions
      .stream({ ...body, messages: [asked] })
      .finalChatCompletion()
    expect(streamed.choices[0]?.message.tool_calls?.[0]).toHaveProperty('extra_content.sandbox.signature')
  })
})

describe('tools of responses', () => {
  const tools = [
    { type: 'custom' as const, name: 'apply_patch' },
    {
      type: 'namespace' as const,
      name: 'team',
      description: '',
      tools: [{ type: 'function' as const, name: 'ask', parameters: SCHEMA }],
    },
  ]

  it.each([true, false])(
    'calls a custom tool with text, and a tool of a namespace by both names, stream %s',
    async (stream) => {
      const client = openaiAt((await openVendors()).url)
      const body = { model: 'm', tools, input: '[call apply_patch some *free* text] [call team.ask {"a":2}]' }
      const { output } = stream
        ? await client.responses.stream(body).finalResponse()
        : await client.responses.create(body)
      expect(output).toMatchObject([
        {
          type: 'custom_tool_call',
          name: 'apply_patch',
          input: 'some *free* text',
          id: expect.stringMatching(/^ctc_/),
        },
        { type: 'function_call', name: 'ask', namespace: 'team', arguments: '{"a":2}' },
      ])
    },
  )

  it('accepts tools that are items of the conversation', async () => {
    const client = openaiAt((await openVendors()).url)
    const { output } = await client.responses.create({
      model: 'm',
      input: [
        { type: 'additional_tools', role: 'developer', tools },
        { role: 'user', content: '[write a.txt Hello]' },
      ],
    })
    expect(output).toMatchObject([
      { type: 'custom_tool_call', input: '*** Begin Patch\n*** Add File: a.txt\n+Hello\n*** End Patch\n' },
    ])
  })
})

describe('the prompt cache', () => {
  it('is written and read up to the marks of a messages request', async () => {
    const client = anthropicAt((await openVendors()).url)
    const ask = async (content: string) =>
      (
        await client.messages.create({
          model: 'm',
          max_tokens: 50,
          system: [{ type: 'text', text: LONG, cache_control: { type: 'ephemeral' } }],
          messages: [{ role: 'user', content }],
        })
      ).usage
    expect(await ask('one')).toMatchObject({ cache_creation_input_tokens: 2_200, cache_read_input_tokens: 0 })
    expect(await ask('two')).toMatchObject({
      input_tokens: 1,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 2_200,
    })
  })

  it('needs no marks in responses', async () => {
    const client = openaiAt((await openVendors()).url)
    const ask = async (input: string) =>
      (await client.responses.create({ model: 'm', instructions: LONG, input })).usage
    expect(await ask('one')).toMatchObject({
      input_tokens: 2_201,
      input_tokens_details: { cached_tokens: 0 },
    })
    expect(await ask('two')).toMatchObject({
      input_tokens: 2_201,
      input_tokens_details: { cached_tokens: 2_176 },
    })
  })

  it('count_tokens counts the tokens of a request', async () => {
    const client = anthropicAt((await openVendors()).url)
    const messages = [{ role: 'user' as const, content: '12345678' }]
    expect(await client.messages.countTokens({ model: 'm', messages })).toEqual({ input_tokens: 2 })
    await expect(client.messages.countTokens({ model: 'm', messages: [] })).rejects.toThrow('at least one')
  })
})

it('the reply names the attachments of the request', async () => {
  const client = anthropicAt((await openVendors()).url)
  const source = { type: 'base64' as const, media_type: 'image/png' as const, data: 'AAAA' }
  const message = await client.messages.create({
    model: 'm',
    max_tokens: 50,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'image', source },
          { type: 'text', text: 'Look' },
        ],
      },
    ],
  })
  expect(understoodMessage(message).text).toBe('You said: Look (1 image)')
})
