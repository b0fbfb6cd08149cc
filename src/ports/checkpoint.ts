/** A named point between two steps, where a crash must do no harm. Only fault tests act on it. */
export type Checkpoint = (name: CheckpointName) => void

export type CheckpointName =
  | 'serve.ready'
  | 'key.before-create'
  | 'key.after-create'
  | 'create.before-intent'
  | 'create.after-intent'
  | 'create.after-upstream'
  | 'create.before-hand-over'
  | 'create.after-hand-over'
  | 'create.after-stand-in'
  | 'create.after-accept'
  | 'create.answering'
  | 'attempt.before-hand-over'
  | 'attempt.after-hand-over'
  | 'attempt.after-claim'
  | 'attempt.after-upstream'
  | 'attempt.after-accept'
  | 'settle.before'
  | 'settle.after'
  | 'callback.before-send'
  | 'callback.after-send'
  | 'callback.after-record'
  | 'clip.before-copy'
  | 'clip.mid-file'
  | 'clip.before-put'
  | 'clip.before-row'
  | 'clip.after-row'

export const passCheckpoint: Checkpoint = () => {}
