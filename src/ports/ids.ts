/** Makes ids that sort by creation time, such as `org_019a...`; ids of one process never repeat or run backwards. */
export type NewId = (prefix: IdPrefix) => string

export type IdPrefix =
  | 'org'
  | 'usr'
  | 'key'
  | 'task'
  | 'req'
  | 'hold'
  | 'ent'
  | 'use'
  | 'grp'
  | 'claim'
  | 'aud'
  | 'msg'
  | 'resp'
  | 'fc'
  | 'ctc'
  | 'rs'
  | 'call'
  | 'asset'
  | 'group'
  | 'verification'
