import { readFileSync } from 'node:fs'

const README = new URL('../../../README.md', import.meta.url)

/** The shell blocks of one section of the README, in their order: what a reader pastes. */
export function readWalk(heading: string): string[] {
  const section = readFileSync(README, 'utf8')
    .split(/^## /m)
    .find((part) => part.startsWith(`${heading}\n`))
  if (section === undefined) throw new Error(`The README has no section "${heading}".`)
  return [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)
}

/** Puts what differs for each reader into a block. Everything named must be there, so that no replacement is without effect. */
export function fillIn(block: string, changes: Readonly<Record<string, string>>): string {
  return Object.entries(changes).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`"${from}" does not stand in:\n${text}`)
    return text.replaceAll(from, to)
  }, block)
}
