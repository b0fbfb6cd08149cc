import { expect, test } from 'vitest'
import { VENDOR_DIALECTS } from './dialects.ts'
import { readMessagesRequest } from './messages/read-request.ts'

const TARGET = { model: 'm', provider: 'p', maxOutputTokens: undefined, reasons: true }

test.each(['chat', 'responses'] as const)(
  'thinking that is switched off sends no effort to %s',
  (dialect) => {
    const request = readMessagesRequest({
      model: 'p/m',
      max_tokens: 64,
      messages: [{ role: 'user', content: 'Hi' }],
      thinking: { type: 'disabled' },
      output_config: { effort: 'high' },
    })
    const { body, losses } = VENDOR_DIALECTS[dialect].writeRequest(request, TARGET)
    expect(JSON.stringify(body)).not.toMatch(/effort|reasoning/)
    expect(losses).toEqual([])
  },
)
