// Builds what a release consists of into release/: archives of the packages and the chart, an SBOM, notes and checksums.
// It publishes nothing: .github/workflows/release.yml takes the files from there.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ROOT, ROOT_PATH } from './program.js'

const RELEASE = new URL('release/', ROOT)
const isDryRun = process.argv.includes('--dry-run')

const version = JSON.parse(read('package.json')).version
const problems = [...differentVersions(), ...changelogProblems(), ...consoleProblems()]
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)

rmSync(RELEASE, { recursive: true, force: true })
mkdirSync(RELEASE)
const destination = fileURLToPath(RELEASE)
run('npm', [
  'pack',
  '--workspace=sluice',
  '--workspace=@sluice/client',
  '--workspace=@sluice/dialects',
  `--pack-destination=${destination}`,
])
// `helm package` makes the same archive: the chart's folder, by its name.
const plain = ['--dereference', '--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mtime=@0']
run('tar', [...plain, '-czf', `${destination}sluice-chart-${version}.tgz`, '-C', 'deploy/helm', 'sluice'])
run('npm', ['run', '--silent', 'sbom'])
write('sbom.cdx.json', read('sbom.cdx.json'))
rmSync(new URL('sbom.cdx.json', ROOT))
write('NOTES.md', notes())
write('SHA256SUMS', checksums())
console.log(`${isDryRun ? 'A dry run. ' : ''}release/ has:\n${read('release/SHA256SUMS')}`)

function read(path) {
  return readFileSync(new URL(path, ROOT), 'utf8')
}

function write(name, text) {
  writeFileSync(new URL(name, RELEASE), text)
}

function run(command, args) {
  execFileSync(command, args, { cwd: ROOT_PATH, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Every part of a release has the version of the tree. */
function differentVersions() {
  const manifests = [
    'console',
    'packages/client',
    'packages/dialects',
    'packages/provenance',
    'packages/sluice',
  ].map((folder) => `${folder}/package.json`)
  const found = [
    ...manifests.map((path) => [path, JSON.parse(read(path)).version]),
    ['deploy/helm/sluice/Chart.yaml', read('deploy/helm/sluice/Chart.yaml').match(/^version: (\S+)$/m)?.[1]],
    [
      'deploy/helm/sluice/Chart.yaml',
      read('deploy/helm/sluice/Chart.yaml').match(/^appVersion: "(\S+)"$/m)?.[1],
    ],
  ]
  return found
    .filter(([, other]) => other !== version)
    .map(([path, other]) => `${path} has version ${other}, package.json ${version}. Set both to the same.`)
}

/** A dry run may be made before the release has its date. */
function changelogProblems() {
  const heading = sectionOf()?.split('\n')[0]
  if (heading === undefined) return [`CHANGELOG.md has no section "## ${version}". Write one.`]
  if (isDryRun || /\d{4}-\d{2}-\d{2}/.test(heading)) return []
  return [`CHANGELOG.md has no date in "${heading}". Set it.`]
}

function consoleProblems() {
  if (existsSync(new URL('console/dist/index.html', ROOT))) return []
  return ['The console is not built. Run "npm run console" with Node 24 or newer, then this again.']
}

function sectionOf() {
  return read('CHANGELOG.md')
    .split(/^(?=## )/m)
    .find((section) => section.startsWith(`## ${version}`))
}

function notes() {
  return `${sectionOf().split('\n').slice(1).join('\n').trim()}\n`
}

function checksums() {
  const lines = readdirSync(RELEASE)
    .toSorted()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(new URL(name, RELEASE)))
          .digest('hex')}  ${name}`,
    )
  return `${lines.join('\n')}\n`
}
