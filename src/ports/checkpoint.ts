/**
 * A named point between two steps that must survive a crash there. In production it does nothing;
 * the fault harness passes one that kills the process.
 */
export type Checkpoint = (name: CheckpointName) => void

export type CheckpointName = 'serve.ready' | 'key.before-create' | 'key.after-create'

export const passCheckpoint: Checkpoint = () => {}
