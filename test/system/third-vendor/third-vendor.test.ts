import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startGateway } from '../faults/harness/gateway-process.ts'
import { NO_PROVIDERS } from '../faults/harness/no-providers.ts'
import { call } from '../lifecycle/call.ts'
import { dataFolder } from '../lifecycle/data-folder.ts'
import { addedFiles, copyTree, ROWS } from './copied-tree.ts'

/** Time for real processes on a slow machine. */
vi.setConfig({ testTimeout: 180_000 })

const run = promisify(execFile)
const CATALOG = 'models: [{ model_id: 100, name: vendorX/short, prices: [{ unit: second, usd: 0.05 }] }]\n'

test('a third video vendor needs three folders and three rows, from its type to its charge', async () => {
  const tree = copyTree()
  // A compiler that fails says why on its standard output.
  const compiled = await run(process.execPath, compilerCall(tree), { cwd: tree }).catch((error) => error)
  expect(compiled).toMatchObject({ stdout: '', stderr: '' })

  const sluice = join(tree, 'bin/sluice.js')
  const env = { DATA_DIR: dataFolder(), SANDBOX_SPEED: '1000' }
  const gateway = await startGateway({ args: [sluice, 'serve'], env })
  onTestFinished(async () => void (await gateway.stop()))
  await expect.poll(() => gateway.output()).toMatch(/sk-sluice-[\w-]{48,}/)
  const [key = ''] = gateway.output().match(/sk-sluice-[\w-]{48,}/) ?? []
  const operate = async (...words: string[]) => {
    const options = { env: { PATH: process.env.PATH, SLUICE_CONFIG: NO_PROVIDERS, ...env } }
    return JSON.parse((await run(process.execPath, [sluice, ...words, '--json'], options)).stdout)
  }
  const catalog = join(tree, 'catalog.yaml')
  writeFileSync(catalog, CATALOG)
  expect(await operate('apply', catalog)).toMatchObject([{ change: 'new', warnings: [] }])

  const tasks = `${gateway.baseUrl}/v1/video/generations`
  const create = (content: object[]) =>
    fetch(tasks, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'vendorX/short', content, duration: 7, seed: 1 }),
    })
  const text = { type: 'text', text: 'A cat on a raft' }
  // A running server sees a new model within 5 s.
  const listed = async () => JSON.stringify((await call(`${gateway.baseUrl}/v1/models`, key)).body)
  await expect.poll(listed).toContain('"vendorX/short"')
  const created = await create([text])
  expect(created.status).toBe(200)
  expect(created.headers.get('x-sluice-ignored')).toBe('seed')
  const { id } = Object(await created.json())
  const read = async () => Object((await call(`${tasks}/${id}`, key)).body)
  await expect.poll(async () => (await read()).status).toBe('succeeded')
  const clip = await fetch((await read()).content.video_url)
  expect(clip.headers.get('content-type')).toBe('video/mp4')
  // 7 seconds at 0.05 USD.
  expect(await operate('task', 'show', id)).toMatchObject({ provider: 'vendorX', charged_micros: 350_000 })
  expect(await operate('ledger', 'check')).toMatchObject({ violations: [] })

  const image = { type: 'image_url', image_url: { url: 'https://media.example/a.png' } }
  const refused = await create([text, image])
  expect(await refused.json()).toMatchObject({ error: { param: 'content[1].type' } })
})

test('the recipe lists exactly these files', () => {
  const recipe = readFileSync(new URL('../../../docs/recipes/video-vendor.md', import.meta.url), 'utf8')
  const named = recipe
    .matchAll(/`((?:src|sandbox)\/[^`]+\.ts)`/g)
    .map(([, path = '']) =>
      path.replaceAll('<family>', 'c').replaceAll('<driver>', 'vendor-x').replaceAll('<vendor>', 'vendor-x'),
    )
  const needed = [...addedFiles(), ...ROWS.map(({ path }) => path)]
  expect([...new Set(named)].sort()).toEqual(needed.sort())
})

/** Compiles the sources alone, with the options of the project. */
function compilerCall(tree: string): string[] {
  const path = join(tree, 'tsconfig.sources.json')
  writeFileSync(path, JSON.stringify({ extends: './tsconfig.json', include: ['src', 'types'] }))
  return ['node_modules/typescript/bin/tsc', '-p', path]
}
