import { expect } from 'vitest'
import { Refusal } from '../src/domain/refusal.ts'

export interface Refused {
  status: number
  code: string
  param: string | null
  message: string
}

/** How it was refused; fails the test when it was not. */
export function refusalOf(act: () => unknown): Refused {
  try {
    act()
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal)
    if (error instanceof Refusal) {
      const { status, code, param, message } = error
      return { status, code, param, message }
    }
  }
  throw new Error('It was not refused.')
}
