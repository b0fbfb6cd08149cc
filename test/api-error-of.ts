import { asApiError } from '../src/domain/api-error.ts'

export interface Refused {
  status: number
  code: string
  param: string | null
  message: string
}

/** Returns the error of a refused call; fails the test when it was accepted. */
export function apiErrorOf(act: () => unknown): Refused {
  try {
    act()
  } catch (error) {
    const apiError = asApiError(error)
    if (apiError === undefined) throw error
    const { status, code, param, message } = apiError
    return { status, code, param, message }
  }
  throw new Error('It was not refused.')
}
