export interface ConfigProblem {
  /** Name of a variable, or a position in the providers file. */
  setting: string
  wrong: string
  fix: string
}

/** Holds all faults, so that an operator does not have to start once for each of them. */
export class ConfigError extends Error {
  readonly faults: readonly ConfigProblem[]

  constructor(faults: readonly ConfigProblem[]) {
    super(describe(faults))
    this.name = 'ConfigError'
    this.faults = faults
  }
}

function describe(faults: readonly ConfigProblem[]): string {
  const title = faults.length === 1 ? 'One setting is wrong:' : `${faults.length} settings are wrong:`
  const lines = faults.map(({ setting, wrong, fix }) => `  ${setting}: ${wrong}.\n    ${fix}`)
  return [title, ...lines, 'Every setting is described in docs/configuration.md.'].join('\n')
}

export function whyUnreadable(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  return REASONS[code] ?? `it cannot be read (${code})`
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
}
