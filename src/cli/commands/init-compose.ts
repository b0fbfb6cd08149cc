import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pasteable } from '../../config/program-name.ts'
import type { Services } from '../services.ts'

const COMPOSE_FILE = join(import.meta.dirname, '../../../compose.yaml')

/** Writes files for `docker compose up`. Existing files stay, because `.env` may have the secret of stored data. */
export function writeComposeFiles(
  dir: string,
  program: string,
  { hasFile, writeFile, randomSecret }: Pick<Services, 'hasFile' | 'writeFile' | 'randomSecret'>,
): { written: string[]; kept: string[] } {
  const files = [
    { path: join(dir, '.env'), text: environment(randomSecret), mode: 0o600 },
    // The container's user, who is not the owner of the file, has to read it.
    { path: join(dir, 'sluice.yaml'), text: pasteable(NO_PROVIDERS, program), mode: 0o644 },
    { path: join(dir, 'compose.yaml'), text: composeFile(), mode: 0o644 },
  ]
  const kept = files.filter(({ path }) => hasFile(path))
  const missing = files.filter((file) => !kept.includes(file))
  for (const { path, text, mode } of missing) writeFile(path, text, mode)
  return { written: missing.map(({ path }) => path), kept: kept.map(({ path }) => path) }
}

/** Removes the build of the image, which needs a clone of the repository. */
function composeFile(): string {
  return readFileSync(COMPOSE_FILE, 'utf8')
    .replace(/^ +build: .*\n/m, '')
    .replace('up --build', 'up')
}

function environment(randomSecret: () => string): string {
  return `# Settings of compose.yaml. Keep a copy: without SLUICE_SECRET the stored data cannot be read.
SLUICE_SECRET=${randomSecret()}
POSTGRES_PASSWORD=${randomSecret()}
# Signs in to the console at http://127.0.0.1:8080/console, and is sent as X-Admin-Key.
ADMIN_API_KEY=${randomSecret()}
# Vendors that make up replies, until sluice.yaml has a provider. Then remove this line.
SANDBOX=on
`
}

const NO_PROVIDERS = `# Providers. "sluice init --preset openai" shows how one is written; docs/configuration.md has every key.
# Keys stand in .env: \${NAME} takes the variable NAME.
providers: {}
`

/** The commands have no comments, because zsh would run them. `later` replaces the sandbox by a vendor. */
export function composeSteps(dir: string, isClone: boolean): { next: string[]; later: string[] } {
  const start = `docker compose up ${isClone ? '--build ' : ''}-d`
  return {
    next: [
      ...(dir === '.' ? [] : [`cd ${dir}`]),
      ...(isClone ? [] : ['echo SLUICE_IMAGE=... >> .env']),
      start,
      'docker compose exec sluice sluice doctor',
      'docker compose exec sluice sluice org create --name first --prepaid',
    ],
    later: [
      'sluice init --preset openai',
      'echo OPENAI_API_KEY=... >> .env',
      `${start} --force-recreate sluice`,
      'docker compose exec -T sluice sluice apply - < catalog.yaml',
    ],
  }
}
