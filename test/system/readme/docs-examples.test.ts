import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { startGateway } from '../faults/harness/gateway-process.ts'
import { dataFolder } from '../lifecycle/data-folder.ts'

const ADMIN_API_KEY = 'admin-key-of-the-test'

/** Every example of the page, as a reader would copy it. */
function examplesOf(page: string): { id: string; lines: string }[] {
  const articles = page.matchAll(/<article id="(\w+)".*?<pre tabindex="0"><code>(.*?)<\/code><\/pre>/gs)
  return [...articles].map(([, id = '', code = '']) => ({ id, lines: unescaped(code) }))
}

/**
 * Examples of the admin API that name a row of the reader's own, follow what happens until they are ended, or ask about the
 * session of a browser; and embeddings, for which the sandbox has no model.
 */
function isForOwnRows(lines: string): boolean {
  return (
    lines.includes('/v1/embeddings') ||
    /\/admin\/v1\/(\w+\/\$ID|live|session\b(?!\/))/.test(lines) ||
    (lines.includes('/admin/v1/') && lines.includes('-X POST'))
  )
}

function unescaped(text: string): string {
  const marks: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }
  return text.replaceAll(/&(lt|gt|quot|#39|amp);/g, (_all, name: string) => marks[name] ?? '')
}

test('every example of /docs answers as pasted', { timeout: 180_000 }, async () => {
  // Slow vendors: the task that an example deletes must not have begun.
  const env = { DATA_DIR: dataFolder(), ADMIN_API_KEY, SANDBOX_SPEED: '1' }
  const gateway = await startGateway({ env })
  onTestFinished(async () => void (await gateway.stop()))
  await expect.poll(() => gateway.output()).toMatch(/Reference: http/)
  const [key = ''] = gateway.output().match(/sk-sluice-[\w-]{48,}/) ?? []
  const page = await (await fetch(`${gateway.baseUrl}/docs`)).text()
  const examples = examplesOf(page).filter(({ lines }) => !isForOwnRows(lines))
  expect(examples.length).toBeGreaterThan(18)

  const answers: Record<string, string> = {}
  for (const { id, lines } of examples) {
    // The last call is the example itself: its status is written behind its answer.
    const at = lines.lastIndexOf('curl ')
    const script = `${lines.slice(0, at)}curl -s -o /dev/null -w '%{http_code}' ${lines.slice(at + 5)}`
    const { stdout } = await promisify(execFile)('bash', ['-uc', script], {
      env: {
        ...{ PATH: process.env.PATH, SLUICE_URL: gateway.baseUrl },
        ...{ SLUICE_API_KEY: key, SLUICE_ADMIN_KEY: ADMIN_API_KEY },
      },
      timeout: 60_000,
    })
    answers[id] = stdout
  }
  expect(answers).toEqual(Object.fromEntries(examples.map(({ id }) => [id, '200'])))
})
