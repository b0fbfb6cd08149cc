import { readFileSync } from 'node:fs'

const ROOT = new URL('../../../', import.meta.url)

/** Returns the shell blocks of one section of a page, in the order in which a reader pastes them. */
export function readWalk(heading: string, page = 'README.md'): string[] {
  const section = readFileSync(new URL(page, ROOT), 'utf8')
    .split(/^## /m)
    .find((part) => part.startsWith(`${heading}\n`))
  if (section === undefined) throw new Error(`${page} has no section "${heading}".`)
  return [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)
}

/** Replaces the parts of a block that differ for each reader. A part that does not occur is an error. */
export function fillIn(block: string, changes: Readonly<Record<string, string>>): string {
  return Object.entries(changes).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`"${from}" does not stand in:\n${text}`)
    return text.replaceAll(from, to)
  }, block)
}
