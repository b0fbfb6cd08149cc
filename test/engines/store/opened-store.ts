import type { Store } from '../../../src/ports/store.ts'

/** A store under test, and other ways to the same rows. */
export interface OpenedStore {
  store: Store
  /** Runs SQL of an operator beside the program; the text is the same for every engine. */
  runSql(text: string): Promise<Record<string, unknown>[]>
  /** Several statements, in one transaction. */
  runAll(text: string): Promise<void>
  /** Runs the text without the constraint that a prepaid balance covers its holds. */
  runUnchecked(text: string): Promise<void>
  /** Another program on the same rows. */
  openAgain(): Promise<Store>
  cleanUp(): Promise<void>
}

export type GetOpened = () => OpenedStore
