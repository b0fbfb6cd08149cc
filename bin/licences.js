import { readdirSync, readFileSync } from 'node:fs'
import { ROOT } from './program.js'

/** The licences of the packages whose files are joined into a bundle, in the order of their names. */
export function licencesOf(paths) {
  const folders = paths.flatMap((path) => path.match(/^.*node_modules\/(@[^/]+\/)?[^/]+/)?.[0] ?? [])
  return [...new Set(folders)].toSorted().map(licenceOf).join('')
}

function licenceOf(folder) {
  const url = new URL(`${folder}/`, ROOT)
  const { name, version, license } = JSON.parse(readFileSync(new URL('package.json', url), 'utf8'))
  const files = readdirSync(url).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
  if (files.length === 0 && license === undefined) throw new Error(`${name} has no licence`)
  const texts = files.map((file) => readFileSync(new URL(file, url), 'utf8').trim())
  return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n\n${'-'.repeat(80)}\n\n`
}
