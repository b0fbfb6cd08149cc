import { openScreen } from '../../../src/cli/present/screen.ts'
import { runCommandLine } from '../../../src/cli/run-command-line.ts'
import type { Services } from '../../../src/cli/services.ts'

export interface Run {
  exitCode: number
  result: string
  /** Standard error without the line about the store, with which every command begins. */
  notice: string
}

/** The line that says which store a command works on. */
const STORE_LINE = /^Store: .*\n/m

export function withoutStoreLine(notice: string): string {
  return notice.replace(STORE_LINE, '')
}

/** One call of the command line inside the test's own process. */
export async function run(
  args: readonly string[],
  services: Services,
  {
    types,
    program,
  }: {
    /** Line that is typed on a terminal; left out: there is no terminal. */
    types?: string
    program?: string
  } = {},
): Promise<Run> {
  let result = ''
  let notice = ''
  const exitCode = await runCommandLine({
    args,
    services,
    ...(program !== undefined && { program }),
    terminal: {
      result(text) {
        result += text
      },
      notice(text) {
        notice += text
      },
      ask:
        types === undefined
          ? undefined
          : async (question) => {
              notice += question
              return types
            },
      openScreen: () => openScreen({ stream: { write: (text) => (notice += text) }, signals: process }),
    },
  })
  return { exitCode, result, notice: withoutStoreLine(notice) }
}
