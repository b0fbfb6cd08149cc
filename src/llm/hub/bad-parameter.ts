import { Refusal } from '../../domain/refusal.ts'

export function missingParameter(param: string): Refusal {
  return new Refusal('missing_parameter', { param, message: `${param} is required.` })
}

/** `demand` says what the value must be: "must be a string". */
export function invalidParameter(param: string, demand: string): Refusal {
  return new Refusal('invalid_parameter', { param, message: `${param} ${demand}.` })
}
