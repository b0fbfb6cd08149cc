import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { signMessage } from '../../../src/adapters/callbacks/send-callback.ts'
import { startTextApi } from '../text/start-text-api.ts'

const README = readFileSync(new URL('../../../packages/client/README.md', import.meta.url), 'utf8')
const CODE = [...README.matchAll(/```js\n([\s\S]*?)```/g)].map(([, block = '']) => block).join('\n')
const RESULTS = 'quote, video, clip, asset, h5_link, person, receipts, faults, available_micros, task, sha256'
const SECRET = 'whsec_c2VjcmV0IG9mIHRoZSB0ZXN0cw=='

test('the code of the README runs against a gateway from the first line to the last', async () => {
  const api = await startTextApi({ sandboxSpeed: 2_000 })
  onTestFinished(() => api.close())
  const body = '{"id":"task_1","object":"video.generation.task","status":"succeeded"}'
  const headers = signMessage({ id: 'msg_1', atMs: Date.now(), body, secrets: [SECRET] })
  const printed: string[] = []
  const result = await run(api, {
    request: new Request('http://127.0.0.1/', { method: 'POST', headers, body }),
    console: { log: (...words: unknown[]) => printed.push(words.join(' ')) },
  })
  expect(result).toMatchObject({
    quote: { object: 'video.quote', max_micros: expect.any(Number) },
    video: { status: 'succeeded', content: { video_url: expect.stringMatching(/^http/) } },
    asset: { status: 'active' },
    h5_link: expect.stringMatching(/^http/),
    person: { isVerified: true, groupId: 'group_1' },
    receipts: [{ kind: 'video', number: 1, previous: null, amount_micros: expect.any(Number) }],
    faults: [],
    available_micros: expect.any(Number),
    task: { id: 'task_1', status: 'succeeded' },
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  expect(Buffer.from(await result.clip.arrayBuffer()).toString('latin1', 4, 8)).toBe('ftyp')
  expect(printed).toContain('succeeded')
  expect(printed.at(-1)).toMatch(/^vendorA\/gen-2.0 [1-9]\d*$/)
})

/** Runs the lines as they are, with the address and the secrets of the test. */
function run({ url, tenant }: { url: string; tenant: { key: string } }, given: Record<string, unknown>) {
  const lines = CODE.replace(/^import (\{.*\}) from ('.*')$/gm, 'const $1 = await load($2)')
    .replace('http://127.0.0.1:8080', url)
    .replace('sk-sluice-...', tenant.key)
    .replace('whsec_...', SECRET)
  const load = (specifier: string) => import(specifier)
  const source = `return async () => { ${lines}\nreturn { ${RESULTS} } }`
  return new Function('load', ...Object.keys(given), source)(load, ...Object.values(given))()
}
