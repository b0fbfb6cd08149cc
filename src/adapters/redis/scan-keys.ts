import type { CommandConnection } from './command-connection.ts'

/** How many keys Redis looks at in one step; other commands run between the steps. */
const STEP_KEYS = 1_000

/** Every key that was there all the while and fits the pattern. For rare acts: it walks over the whole key space. */
export async function scanKeys(commands: CommandConnection, pattern: string): Promise<string[]> {
  const found = new Set<string>()
  let cursor = '0'
  do {
    const step = await commands.run((client) => client.scan(cursor, { MATCH: pattern, COUNT: STEP_KEYS }))
    for (const key of step.keys) found.add(key)
    cursor = step.cursor
  } while (cursor !== '0')
  return [...found]
}
