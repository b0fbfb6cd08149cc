import { expect } from 'vitest'
import { type Answer, textAt, type Vendors } from './open-vendors.ts'

export const TASKS = '/vendor-a/api/v3/contents/generations/tasks'

export const text = (words = '') => ({ type: 'text', text: `A cat ${words}` })

/** A create body that the vendor takes. */
export const order = (words = '', more: object = {}) => ({ model: 'up-2.0', content: [text(words)], ...more })

export async function createTask(vendors: Vendors, words = '', more: object = {}): Promise<string> {
  return textAt(await vendors.call('POST', TASKS, order(words, more)), 'id')
}

export function readTask(vendors: Vendors, id: string): Promise<Answer> {
  return vendors.call('GET', `${TASKS}/${id}`)
}

export function deleteTask(vendors: Vendors, id: string): Promise<Answer> {
  return vendors.call('DELETE', `${TASKS}/${id}`)
}

/** The vendor's error envelope with this code and parameter. */
export const refusal = (code: string, param = '') => ({
  error: {
    code,
    param,
    message: expect.stringMatching(/\. Request id: 0217[0-9a-f]+$/),
    type: expect.any(String),
  },
})
