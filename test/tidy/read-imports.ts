import type { MaskedSource } from './mask-source.ts'

export interface Import {
  /** Specifier as written: `../domain/errors.ts`, `pg`, `node:crypto`. */
  specifier: string
  /** The words between `import` and `from`, empty for other forms. */
  clause: string
  line: number
}

/**
 * Finds the references of a file to others: `import ... from`, `export ... from`, bare `import`, `import()` in code and
 * in types, and `new URL('./x.ts', import.meta.url)`, as worker threads are started.
 */
export function readImports({ code, strings }: MaskedSource): Import[] {
  return [...strings].flatMap(([at, specifier]) => {
    const before = code.slice(0, at).trimEnd()
    const clause = clauseBefore(before) ?? (isNamed(before, code.slice(at)) ? '' : undefined)
    return clause === undefined ? [] : [{ specifier, clause, line: before.split('\n').length }]
  })
}

/** `typebox/compile` -> `typebox`, `@redis/client/dist/x` -> `@redis/client`, `node:dns/promises` -> `node:dns`. */
export function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

/** A clause contains no quote, so it cannot reach back into another import. */
function clauseBefore(before: string): string | undefined {
  return /(?:^|[^\w$.])(?:import|export)(?=[\s{*])([^'"`()]*[\s}*])from$/.exec(before)?.[1]
}

function isNamed(before: string, after: string): boolean {
  if (/(^|[^\w$.])import\s*\(?$/.test(before)) return true
  return /\bnew URL\($/.test(before) && /^(['"`])\s*\1\s*,\s*import\.meta\.url/.test(after)
}
