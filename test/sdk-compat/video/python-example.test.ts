import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { startTextApi } from '../../api/text/start-text-api.ts'

const PROGRAM = fileURLToPath(new URL('../../../examples/make-video.py', import.meta.url))

test.each([
  ['family A', 'vendorA/gen-2.0'],
  ['family B', 'vendorB/gen-v4-std'],
])('Python with its standard library makes a video of %s', async (_family, model) => {
  const api = await startTextApi({ sandboxSpeed: 2_000 })
  const folder = mkdtempSync(join(tmpdir(), 'sluice-python-'))
  onTestFinished(async () => {
    rmSync(folder, { recursive: true })
    await api.close()
  })
  const file = join(folder, 'clip.mp4')
  const run = (name: string) =>
    promisify(execFile)('python3', [PROGRAM, name, file], {
      env: {
        ...process.env,
        SLUICE_URL: api.url,
        SLUICE_API_KEY: api.tenant.key,
        FIRST_PAUSE_SECONDS: '0.05',
      },
    })
  const { stdout } = await run(model)
  expect(stdout).toMatch(/^It costs at most \d\.\d{4} USD\.\n(?:\w+\n)*succeeded\nSaved .*clip\.mp4\.\n$/)
  expect(readFileSync(file).toString('latin1', 4, 8)).toBe('ftyp')
  await expect(run('vendorA/none')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^404 model_not_found: /),
  })
})
