import { lineAt, type TidyRule } from '../source-tree.ts'

/** A clone works anywhere: no file names one machine's folders or the registry it happened to install from. */
export const noTraceOfOneMachine: TidyRule = (tree) =>
  [...tree.values()].flatMap(({ path, text }) =>
    TRACES.flatMap((trace) =>
      [...text.matchAll(trace)].map(
        ({ index, 0: found }) => `${path}:${lineAt(text, index)}: ${found.trim()}`,
      ),
    ),
  )

const TRACES = [
  /(?<![\w.~:}/-])\/(?:root|work|workspace|home\/\w+|Users\/\w+)\/[\w.-]+/g,
  /https?:\/\/(?:[\w.-]*\b(?:registry|artifactory|nexus|verdaccio)\b[\w.-]*|npm\.[\w.-]+)/g,
  // Workspaces are folders of the clone itself.
  /^\s*"resolved":(?! "(?:console|packages\/\w+)",$).*$/gm,
  /^\s*registry\s*=.*$/gm,
]
