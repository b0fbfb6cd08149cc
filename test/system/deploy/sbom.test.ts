import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { dataFolder } from '../lifecycle/data-folder.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

test('a tag publishes the output of npm run release; the registries are variables', () => {
  const text = readFileSync(join(ROOT, '.github/workflows/release.yml'), 'utf8')
  expect(text).toMatch(/^# Not run where this was written: /)
  expect(text.match(/(?:https?:|oci:)\/\/[\w.]+|\b(?:ghcr|docker|quay|npmjs)\.\w+/g)).toBeNull()
  const { on, env, jobs } = parse(text)
  expect({ on, env }).toEqual({ on: { push: { tags: ['v*'] } }, env: undefined })
  const steps: { uses?: string; run?: string; with?: { platforms?: string } }[] = jobs.release.steps
  const commands = steps.flatMap(({ run = [] }) => run).join('\n')
  for (const part of [
    ...['bash .ci/run', 'npm run release', 'npm publish "$archive" --provenance'],
    ...['cosign sign', 'helm push release/sluice-chart-*.tgz "oci://$IMAGE-chart"', 'NOTES.md'],
  ])
    expect(commands).toContain(part)
  const actions = steps.map(({ uses }) => uses?.replace(/@.*/, ''))
  expect(actions).toContain('actions/attest-build-provenance')
  expect(steps.find(({ uses }) => uses?.startsWith('docker/build-push-action'))?.with?.platforms).toBe(
    'linux/amd64,linux/arm64',
  )
})

test('npm run sbom names every package that the program needs, with version, hash and license', () => {
  const folder = dataFolder()
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const workspaces: string[] = manifest.workspaces
  for (const workspace of workspaces) mkdirSync(join(folder, workspace), { recursive: true })
  const manifests = workspaces.map((workspace) => `${workspace}/package.json`)
  for (const file of ['package.json', 'package-lock.json', ...manifests])
    copyFileSync(join(ROOT, file), join(folder, file))
  execFileSync('npm', ['run', '--silent', 'sbom'], { cwd: folder })
  const sbom = JSON.parse(readFileSync(join(folder, 'sbom.cdx.json'), 'utf8'))
  expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { type: 'application' } } })
  const { dependencies, optionalDependencies } = manifest
  // Packages named `@sluice/` are folders of this repository.
  const others = Object.entries({ ...dependencies, ...optionalDependencies }).filter(
    ([name]) => !name.startsWith('@sluice/'),
  )
  for (const [name, version] of others)
    expect(sbom.components.find((part: { name: string }) => part.name === name)).toMatchObject({
      version,
      hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
      licenses: [expect.anything()],
    })
})
