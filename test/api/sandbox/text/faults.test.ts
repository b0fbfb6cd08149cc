import { MessagesListener } from '@sluice/dialects/messages/passthrough/stream-listener'
import { describe, expect, it } from 'vitest'
import { openVendors, type Vendors } from '../open-vendors.ts'
import { anthropicAt, askText, DIALECTS, type TextDialectName } from '../text-clients.ts'

const PATHS = { messages: 'messages', responses: 'responses', chat: 'chat/completions' } as const
const LAST = { messages: 'message_stop', responses: 'response.completed', chat: '[DONE]' } as const

function start(
  { url }: Vendors,
  dialect: TextDialectName,
  prompt: string,
  { stream = true, signal }: { stream?: boolean; signal?: AbortSignal } = {},
): Promise<Response> {
  const turns = [{ role: 'user', content: prompt }]
  const asked = dialect === 'responses' ? { input: turns } : { messages: turns, max_tokens: 100_000_000 }
  return fetch(`${url}/text/v1/${PATHS[dialect]}`, {
    method: 'POST',
    headers: { 'x-api-key': 'any', 'compat-version': '2023-06-01' },
    body: JSON.stringify({ model: 'm', stream, ...asked }),
    signal,
  })
}

async function counts(vendors: Vendors): Promise<unknown> {
  return (await vendors.call('GET', '/_sandbox/text')).body
}

const events = (text: string) => text.split('\n\n').filter((event) => event !== '')

describe.each(DIALECTS)('%s', (dialect) => {
  it('can be cut off', async () => {
    const vendors = await openVendors()
    for (const stream of [true, false]) {
      const reply = await start(vendors, dialect, 'a [cut 3]', { stream })
      expect(reply.status).toBe(200)
      await expect(reply.text()).rejects.toThrow()
    }
  })

  it('can stop without its end', async () => {
    const text = await (await start(await openVendors(), dialect, 'a [no-end]')).text()
    expect(text).not.toContain(LAST[dialect])
    expect(text).toContain('You')
  })

  it('can fail in the middle', async () => {
    const vendors = await openVendors()
    const all = events(await (await start(vendors, dialect, 'a b c [fail 3]')).text())
    expect(all.length).toBe(dialect === 'responses' ? 5 : 4)
    expect(all[3]).toContain('The model broke down.')
    await expect(askText(vendors, dialect, { prompt: 'a b c [fail 4]', stream: true })).rejects.toThrow()
  })

  it('can send a broken event, and a broken body', async () => {
    const vendors = await openVendors()
    const all = events(await (await start(vendors, dialect, 'a [garbage 2]')).text())
    expect(() => JSON.parse(all[2]?.replace(/^data: /, '') ?? '1')).toThrow()
    const whole = await start(vendors, dialect, 'a [garbage 0]', { stream: false })
    expect(whole.status).toBe(200)
    await expect(whole.json()).rejects.toThrow()
  })

  it('can send its bytes in odd pieces', async () => {
    const vendors = await openVendors()
    const text = await (await start(vendors, dialect, '👋🏽 世界 [split]')).text()
    expect(text).toContain('\r\n\r\n')
    for (const stream of [true, false]) {
      expect(await askText(vendors, dialect, { prompt: '👋🏽 世界 [split]', stream })).toMatchObject({
        text: 'You said: 👋🏽 世界',
      })
    }
  })

  it('can leave its usage out', async () => {
    const vendors = await openVendors()
    const tells = /"(in|out)put_tokens":\d|"prompt_tokens"/
    for (const stream of [true, false]) {
      expect(await (await start(vendors, dialect, 'a [no-usage]', { stream })).text()).not.toMatch(tells)
    }
    expect(await (await start(vendors, dialect, 'a', { stream: false })).text()).toMatch(tells)
  })

  it('can send headers that clients must not see', async () => {
    const { headers } = await start(await openVendors(), dialect, 'a [headers]', { stream: false })
    expect(headers.get('x-vendor-internal')).toBe('do not show')
  })

  it('sends one event after the other when it has a pace', async () => {
    const text = await (await start(await openVendors(), dialect, '[count 3] [pace 0]')).text()
    expect(text).toContain(LAST[dialect])
  })

  it.each([
    ['[never]', true],
    ['[never]', false],
    ['[pace 600000]', false],
  ])('counts a client that leaves while it waits for %s, stream %s', async (prompt, stream) => {
    const vendors = await openVendors()
    const leave = new AbortController()
    const asked = start(vendors, dialect, prompt, { stream, signal: leave.signal })
    await expect.poll(() => counts(vendors)).toEqual({ open: 1, finished: 0, aborted: 0 })
    leave.abort()
    await expect(asked).rejects.toThrow()
    await expect.poll(() => counts(vendors)).toEqual({ open: 0, finished: 0, aborted: 1 })
  })

  it.each([
    ['[silent]', true],
    ['[silent]', false],
    ['[count 9] [pace 600000]', true],
    ['[long 65536]', true],
  ])('counts a client that leaves in the middle of %s, stream %s', async (prompt, stream) => {
    const vendors = await openVendors()
    const leave = new AbortController()
    const reply = await start(vendors, dialect, prompt, { stream, signal: leave.signal })
    expect(reply.status).toBe(200)
    expect(await counts(vendors)).toEqual({ open: 1, finished: 0, aborted: 0 })
    leave.abort()
    await expect.poll(() => counts(vendors)).toEqual({ open: 0, finished: 0, aborted: 1 })
  })
})

it('begins a text block of messages like its vendor, so that a passthrough does not have to parse it', async () => {
  const vendors = await openVendors()
  const text = await (await start(vendors, 'messages', 'a')).text()
  const block = text.slice(
    text.indexOf('event: content_block_start'),
    text.indexOf('event: content_block_delta'),
  )
  expect(block).toContain('"content_block":{"type":"text","text":""}')
  expect(new MessagesListener({ model: 'm' }).isSilent(block, block.length)).toBe(true)
  const whole = await (await start(vendors, 'messages', 'a', { stream: false })).text()
  expect(JSON.parse(whole)).toMatchObject({ content: [{ type: 'text', text: 'You said: a' }] })
  expect(text + whole).not.toContain('citations')
})

describe('what tests can see', () => {
  it('shows what arrived, without credentials', async () => {
    const vendors = await openVendors()
    await anthropicAt(vendors.url).messages.create(
      { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] },
      { headers: { 'anthropic-beta': 'some-flag' } },
    )
    const { body } = await vendors.call('GET', '/_sandbox/requests')
    expect(body).toMatchObject({
      data: [
        { part: 'text', operation: 'messages', status: 200, headers: { 'anthropic-beta': 'some-flag' } },
      ],
    })
    expect(JSON.stringify(body)).not.toMatch(/x-api-key|authorization/)
    expect(JSON.stringify(body)).toContain('\\"max_tokens\\":9')
    expect(await counts(vendors)).toEqual({ open: 0, finished: 1, aborted: 0 })
  })

  it('obeys the fault rules like every part', async () => {
    const vendors = await openVendors()
    const rule = { part: 'text', operation: 'chat', times: 1, fault: { kind: 'status', status: 503 } }
    await vendors.call('POST', '/_sandbox/faults', rule)
    expect((await start(vendors, 'chat', 'a')).status).toBe(503)
    expect((await start(vendors, 'chat', 'a')).status).toBe(200)
  })
})

it.each([0, 1, 2, 4, 7])(
  'responses: events before and after [fail %i] are numbered without gaps',
  async (after) => {
    const reply = await start(await openVendors(), 'responses', `[count 9] [fail ${after}]`)
    const numbers = [...(await reply.text()).matchAll(/"sequence_number":(\d+)/g)].map(([, digits]) =>
      Number(digits),
    )
    expect(numbers).toEqual(Array.from({ length: after + 2 }, (_, at) => at))
  },
)
