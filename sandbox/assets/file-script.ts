import type { GroupType } from './group.ts'

export const ASSET_TYPES = ['Image', 'Video', 'Audio'] as const
export type MediumType = (typeof ASSET_TYPES)[number]

export interface AssetFailure {
  code: string
  message: string
}

interface Medium {
  type: MediumType
  groupType: GroupType
}

interface FileRule {
  failure(medium: Medium): AssetFailure
  /** Left out: the rule always applies. */
  concerns?(medium: Medium): boolean
}

/** Effects of words in a file's name on its asset; docs/sandbox.md explains each to clients. */
const RULES = {
  moderated: always('ContentRestricted', 'The content is restricted by the platform rules.'),
  sensitive: {
    failure: ({ type }) => ({
      code: `Input${type}SensitiveContentDetected`,
      message: `The input ${type.toLowerCase()} may contain sensitive information.`,
    }),
  },
  noface: face('No face was found.'),
  twofaces: face('More than one face was found.'),
  otherface: face('The face is not that of the verified person.'),
  missing: always('DownloadFailed', 'The file could not be downloaded.'),
  wrongtype: always('TypeMismatch', 'The file is not of the given asset type.'),
  badformat: always('FormatUnsupported', 'The format of the file is not supported.'),
  toolarge: always('FileSizeTooLarge', 'The file is too large.'),
  toosmall: {
    ...always('WidthTooSmall', 'The width must be at least 300 pixels.'),
    concerns: ({ type }) => type !== 'Audio',
  },
  tooshort: timed('DurationTooShort', 'The duration must be at least 2 seconds.'),
  toolong: timed('DurationTooLong', 'The duration must be at most 15 seconds.'),
  untranscodable: always('TranscodingFailed', 'The file could not be transcoded.'),
  unlucky: always('InternalError', 'The file could not be processed.'),
} satisfies Record<string, FileRule>

export type FailureWord = keyof typeof RULES

/** `stuck`: the asset stays in processing. */
const PACES = ['instant', 'slow', 'stuck'] as const
export type FilePace = 'usual' | (typeof PACES)[number]

/** Fate of a file by its name. undefined `word`: its asset becomes active. */
export function readFileName(
  name: string,
  medium: Medium,
): { word: FailureWord | undefined; pace: FilePace } {
  const lower = name.toLowerCase()
  return {
    word: FAILURE_WORDS.find((word) => lower.includes(word) && isConcerned(RULES[word], medium)),
    pace: PACES.find((pace) => lower.includes(pace)) ?? 'usual',
  }
}

export function failureOf(word: FailureWord, medium: Medium): AssetFailure {
  return RULES[word].failure(medium)
}

const FAILURE_WORDS = Object.keys(RULES).filter((word) => isFailureWord(word))

function isFailureWord(word: string): word is FailureWord {
  return Object.hasOwn(RULES, word)
}

function isConcerned(rule: FileRule, medium: Medium): boolean {
  return rule.concerns?.(medium) ?? true
}

function always(code: string, message: string): FileRule {
  return { failure: () => ({ code, message }) }
}

function timed(code: string, message: string): FileRule {
  return { ...always(code, message), concerns: ({ type }) => type !== 'Image' }
}

/** Compares faces in the groups of verified persons only. */
function face(message: string): FileRule {
  return {
    ...always('FaceMismatch', message),
    concerns: ({ type, groupType }) => groupType === 'LivenessFace' && type !== 'Audio',
  }
}
