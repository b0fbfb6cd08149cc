import { apply } from './apply.ts'
import { callbackList } from './callback-list.ts'
import { callbackResend } from './callback-resend.ts'
import { creditAdd } from './credit-add.ts'
import { creditShow } from './credit-show.ts'
import { doctor } from './doctor.ts'
import { keyCreate } from './key-create.ts'
import { keyList } from './key-list.ts'
import { keyRevoke } from './key-revoke.ts'
import { ledgerCheck } from './ledger-check.ts'
import { ledgerRefund } from './ledger-refund.ts'
import { migrate } from './migrate.ts'
import { modelList } from './model-list.ts'
import { orgCreate } from './org-create.ts'
import { orgList } from './org-list.ts'
import { orgSecret } from './org-secret.ts'
import { orgShow } from './org-show.ts'
import { serve } from './serve.ts'
import { taskList } from './task-list.ts'
import { taskResume } from './task-resume.ts'
import { taskShow } from './task-show.ts'
import { userCreate } from './user-create.ts'
import { userLimit } from './user-limit.ts'
import { userList } from './user-list.ts'
import type { Verb } from './verb.ts'

/** The whole command line, in the order of its help. */
export const VERBS: readonly Verb[] = [
  serve,
  orgCreate,
  orgList,
  orgShow,
  orgSecret,
  userCreate,
  userList,
  userLimit,
  keyCreate,
  keyList,
  keyRevoke,
  creditAdd,
  creditShow,
  ledgerCheck,
  ledgerRefund,
  taskList,
  taskShow,
  taskResume,
  callbackList,
  callbackResend,
  modelList,
  apply,
  doctor,
  migrate,
]

/** The first words that several commands share. */
export const VERB_GROUPS: Readonly<Record<string, string>> = {
  org: 'Organizations: who owns users, keys and a balance.',
  user: 'Users of an organization, and their daily limits.',
  key: 'API keys, which programs call the gateway with.',
  credit: 'What organizations have paid in, and what is left of it.',
  task: 'Video tasks of every organization, as the gateway knows them.',
  callback: 'Messages to clients that their task has ended.',
  model: 'Models and their prices.',
  ledger: 'The entries behind the balances: check them, or give a charge back.',
}
