import type { DependencyCheck } from '../../compose/diagnosis/check-probe.ts'
import { oneLine } from './format-table.ts'

/** Formats one line of a diagnosis, with its fix on the next line. */
export function describeCheck({ name, ok, warning, detail, fix }: DependencyCheck): string {
  const word = ok ? (warning ? 'warn  ' : 'ok    ') : 'FAILED'
  const line = `${word}  ${name}: ${oneLine(detail.replaceAll('\n', ' '))}`
  return fix === undefined ? line : `${line}\n        ${fix}`
}
