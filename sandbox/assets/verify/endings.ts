/** Name of the token in session calls and in the redirect. */
export const TOKEN_FIELD = 'VerifyToken'

export const ENDINGS = ['success', 'mismatch', 'cancelled', 'pre-recorded', 'expired'] as const
export type ScanEnding = (typeof ENDINGS)[number]

/** The endings that the page offers; an expired link has no page to offer anything. */
export const OFFERED_ENDINGS = ['success', 'mismatch', 'cancelled', 'pre-recorded'] as const
export type OfferedEnding = (typeof OFFERED_ENDINGS)[number]

interface Result {
  /** Whether the token can be exchanged: also after a recording, which the caller has to refuse by itself. */
  hasGroup: boolean
  /** Parameters that the browser brings back. */
  parameters: Readonly<Record<string, string>>
}

export const RESULTS: Readonly<Record<ScanEnding, Result>> = {
  success: result(true, { code: '10000', subCode: '0', billed: '1', type: 'real_time' }),
  mismatch: result(false, { code: '10002', subCode: '50411', billed: '1', type: 'real_time' }),
  cancelled: result(false, { code: '10003', subCode: '0', billed: '0', type: 'real_time' }),
  'pre-recorded': result(true, { code: '10000', subCode: '0', billed: '1', type: 'pre_record' }),
  expired: result(false, { code: '10004', subCode: '0', billed: '0', type: 'real_time' }),
}

export const PERSONS = [1, 2, 3] as const

export function readEnding(text: string | null): ScanEnding | undefined {
  return ENDINGS.find((ending) => ending === text)
}

/** The first person by default. */
export function readPerson(text: string | null): number {
  return PERSONS.find((person) => String(person) === text) ?? PERSONS[0]
}

function result(
  hasGroup: boolean,
  { code, subCode, billed, type }: { code: string; subCode: string; billed: string; type: string },
): Result {
  return {
    hasGroup,
    parameters: {
      resultCode: code,
      algorithmBaseRespCode: subCode,
      reqMeasureInfoValue: billed,
      verify_type: type,
    },
  }
}
