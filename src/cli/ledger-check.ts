import type { Operator } from '../app/operator.ts'
import { FailedChecks } from './failed-checks.ts'
import { oneLine } from './format-table.ts'
import type { Verb } from './verb.ts'

/** Long enough that a small ledger is checked without a word. */
const PATIENCE_MS = 2_000

export const ledgerCheck: Verb = {
  path: 'ledger check',
  usage: '[--json]',
  summary: 'Add everything up and say whether the seven invariants of the ledger hold. It changes nothing.',
  example: 'sluice ledger check',
  next: 'nothing when all is well; else docs/operations.md says what each invariant means',
  json: true,
  define(command, { operate, print, notice }) {
    command.action(() =>
      operate(async (operator) => {
        const violations = await sayWhenLong(operator.checkLedger(), notice)
        print({ json: { ok: violations.length === 0, violations }, text: describeViolations(violations) })
        if (violations.length > 0) throw new FailedChecks(violations.length)
      }),
    )
  },
}

async function sayWhenLong<Result>(work: Promise<Result>, notice: (text: string) => void): Promise<Result> {
  const timer = setTimeout(
    () =>
      notice(
        'Still checking: every entry, hold and usage row is added up. The gateway serves on meanwhile.\n',
      ),
    PATIENCE_MS,
  )
  try {
    return await work
  } finally {
    clearTimeout(timer)
  }
}

function describeViolations(violations: Awaited<ReturnType<Operator['checkLedger']>>): string {
  if (violations.length === 0) return 'The ledger is right: all seven invariants hold.'
  return violations
    .map(({ invariant, message }) => `BROKEN  invariant ${invariant}: ${oneLine(message)}`)
    .join('\n')
}
