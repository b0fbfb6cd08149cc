import { isJsonObject } from '../../domain/json-object.ts'
import { isAbsent } from './is-absent.ts'

/** Whether a call was the model's own, which is the only kind other dialects know: a vendor's program may make calls too. */
export function calledDirectly(caller: unknown): boolean {
  return isAbsent(caller) || (isJsonObject(caller) && caller.type === 'direct')
}
