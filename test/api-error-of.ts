import { asApiError } from '../src/domain/api-error.ts'

export interface Refused {
  status: number
  code: string
  param: string | null
  message: string
}

/** How it was refused; fails the test when it was not. */
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
